package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
	"waybill/settings"
)

func newKeysCommand(a *app) *cobra.Command {
	keys := &cobra.Command{
		Use: "keys", Aliases: []string{"key"}, Short: "Add, list, test and remove accounts and their API keys",
		Long: "A profile is an account: the address of a service and where its API key is. Keys are stored in the system keyring by\n" +
			"default. Type a key at the hidden prompt or pipe it in. Keys are never arguments, because other users can list processes.",
	}
	add, remove := newKeysAddCommand(a), newKeysRemoveCommand(a)
	a.refuseWhenReadOnly(add, remove)
	keys.AddCommand(add, newKeysListCommand(a), remove, newKeysTestCommand(a))
	return keys
}

// keyListing is a profile and where its key is, as printed with --json.
type keyListing struct {
	Profile string `json:"profile"`
	BaseURL string `json:"baseUrl"`
	Default bool   `json:"default"`
	Source  string `json:"source"`
	Where   string `json:"where,omitzero"`
	State   string `json:"state"`
	Reason  string `json:"reason,omitzero"`
}

func newKeysListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List profiles and where their keys are", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines, err := a.listKeys(cmd.Context())
			if err != nil {
				return err
			}
			return printList(a, lines, "No profiles. Add one with: waybill keys add NAME --base-url URL", func(l keyListing) []string {
				name := l.Profile
				if l.Default {
					name += " *"
				}
				state := l.State
				if l.Reason != "" {
					state += ": " + l.Reason
				}
				return []string{name, l.BaseURL, l.Source, l.Where, state}
			}, "PROFILE", "SERVICE", "KEY IN", "WHERE", "STATE")
		},
	}
}

func (a *app) listKeys(ctx context.Context) ([]keyListing, error) {
	file, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	vault, err := a.newVault()
	if err != nil {
		return nil, err
	}
	profiles := make([]credentials.Profile, len(file.Settings.Profiles))
	for i, p := range file.Settings.Profiles {
		profiles[i] = a.credentialProfile(p)
	}
	lines := make([]keyListing, len(profiles))
	for i, l := range vault.List(ctx, profiles) {
		state := string(l.Outcome)
		if l.Outcome == credentials.OutcomeUsed {
			state = "there"
		}
		lines[i] = keyListing{
			Profile: l.Profile, BaseURL: file.Settings.Profiles[i].BaseURL, Default: file.Settings.DefaultProfile == l.Profile,
			Source: string(l.Source), Where: l.Location, State: state,
		}
		if l.Err != nil && !errors.Is(l.Err, credentials.ErrNotFound) {
			lines[i].Reason = l.Err.Error()
		}
	}
	return lines, nil
}

func newKeysRemoveCommand(a *app) *cobra.Command {
	var keepProfile bool
	cmd := &cobra.Command{
		Use: "rm PROFILE", Aliases: []string{"remove"}, Short: "Remove a profile and its key", Args: cobra.ExactArgs(1),
		Long: "Removes the key from the keyring and the encrypted file, and the profile from the config file.\n" +
			"The key stays valid at the service. Revoke it there if others may know it.",
	}
	cmd.Flags().BoolVar(&keepProfile, "keep-profile", false, "remove only the key")
	yes := addYesFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.removeProfile(cmd.Context(), args[0], keepProfile, *yes)
	}
	return cmd
}

func (a *app) removeProfile(ctx context.Context, name string, keepProfile, yes bool) error {
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	profile, ok := file.Settings.Profile(name)
	if !ok {
		return unknownProfile(file.Settings, name)
	}
	if a.flags.dryRun {
		a.printNote("Would remove the key of %s and, without --keep-profile, its profile in %s.", name, file.Path)
		return nil
	}
	if err := a.confirmIrreversible(yes, fmt.Sprintf("Remove %s (%s) and its key?", name, profile.BaseURL)); err != nil {
		return err
	}
	changed := file
	if !keepProfile {
		if changed, err = file.RemoveProfile(name); err != nil {
			return err
		}
	}
	vault, err := a.newVault()
	if err != nil {
		return err
	}
	removed, err := vault.Delete(ctx, a.credentialProfile(profile))
	if errors.Is(err, credentials.ErrNotFound) {
		a.printNote("No key of %s is stored on this machine.", name)
		err = nil
	}
	for _, place := range removed {
		fmt.Fprintf(a.stdout, "Removed the key from %s.\n", model.Clean(place.Location))
	}
	if err := a.explainKeyNotRemoved(err, profile, file.Path); err != nil {
		return err
	}
	if keepProfile {
		return nil
	}
	if err := changed.Save(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "Removed profile %s from %s.\n", name, changed.Path)
	return err
}

// explainKeyNotRemoved explains what to do about a key that could not be removed. The profile stays if the key is known to
// be in the keyring, because it is needed to find the key again.
func (a *app) explainKeyNotRemoved(err error, p settings.Profile, config string) error {
	unavailable, ok := errors.AsType[*credentials.KeyringError](err)
	switch {
	case err == nil:
		return nil
	case ok && p.KeySource == settings.KeyFromKeyring:
		return fmt.Errorf("cannot remove the key of %s from the system keyring, so the profile stays: %s\n"+
			"Run this again when the keyring is available, or remove [profiles.%s] from %s and leave the key in the keyring",
			p.Name, unavailable.Explanation(), p.Name, config)
	case ok && p.KeySource == "":
		a.printNote("Cannot read the system keyring: %s. If it contains a key of %s, the key stays there.", unavailable.Explanation(), p.Name)
		return nil
	}
	return fmt.Errorf("the key may still be stored, so the profile stays: %w", err)
}

func newKeysTestCommand(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "test [PROFILE...]", Short: "Test whether keys are valid",
		Long: "Tests the keys of the named profiles, of all profiles with --all, or of the account that other commands use.\n" +
			"Use --api-key-file or --api-key-fd to test a key before adding it.",
		RunE: func(cmd *cobra.Command, args []string) error { return a.testKeys(cmd.Context(), args, all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "test all profiles")
	return cmd
}

// keyTest is the outcome of a key test as printed with --json.
type keyTest struct {
	Profile string `json:"profile"`
	BaseURL string `json:"baseUrl"`
	Source  string `json:"source,omitzero"`
	Where   string `json:"where,omitzero"`
	Valid   bool   `json:"valid"`
	Message string `json:"message"`
}

func (a *app) testKeys(ctx context.Context, names []string, all bool) error {
	var profiles []settings.Profile
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	switch {
	case all:
		profiles = file.Settings.Profiles
	case len(names) == 0:
		chosen, err := a.chooseAccount()
		if err != nil {
			return err
		}
		profiles = []settings.Profile{chosen.profile}
	}
	for _, name := range names {
		profile, ok := file.Settings.Profile(name)
		if !ok {
			return unknownProfile(file.Settings, name)
		}
		profiles = append(profiles, profile)
	}
	vault, err := a.newVault()
	if err != nil {
		return err
	}
	var failed failures
	for _, profile := range profiles {
		request := a.keyRequest(profile)
		request.ProfileOnly = all || len(names) > 0 && a.flags.keyFile == "" && a.flags.keyFD == credentials.NoDescriptor
		result, err := a.testKey(ctx, vault, profile, request)
		if err := a.printKeyTest(result, err); err != nil {
			return err
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", profileName(profile), err))
		}
	}
	return failed.err()
}

// profileName returns the name of a profile, or its address if it has no name.
func profileName(p settings.Profile) string { return cmp.Or(p.Name, p.BaseURL) }

func (a *app) testKey(ctx context.Context, vault *credentials.Vault, p settings.Profile, request credentials.Request) (keyTest, error) {
	ctx, cancel := context.WithTimeout(ctx, a.flags.timeout)
	defer cancel()
	result := keyTest{Profile: p.Name, BaseURL: p.BaseURL}
	found, err := vault.Resolve(ctx, request)
	if err != nil {
		return result, err
	}
	result.Source, result.Where = string(found.Source), found.Location
	client, err := a.newClient(p, found.Key.Reveal)
	if err != nil {
		return result, err
	}
	defer client.Close()
	greeting, err := client.TestAuth(ctx)
	result.Valid, result.Message = err == nil, greeting.Message
	return result, err
}

func (a *app) printKeyTest(r keyTest, err error) error {
	if err != nil {
		r.Message = apiclient.ErrorText(err)
	}
	switch {
	case a.flags.json:
		return a.printJSONLine(r)
	case r.Valid:
		a.printField(strings.TrimSpace(r.Profile+" ok"), r.Message+" (key from "+r.Where+")")
	}
	return nil
}
