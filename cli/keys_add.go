package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/credentials"
	"waybill/settings"
)

type keysAddFlags struct {
	store                       string
	keyEnv, keyFile, keyCommand string
	title, accent               string
	noTest, makeDefault         bool
	production, startReadOnly   bool
}

func newKeysAddCommand(a *app) *cobra.Command {
	var f keysAddFlags
	cmd := &cobra.Command{
		Use: "add PROFILE", Short: "Add an account and its key, or replace its key", Args: cobra.ExactArgs(1),
		Long: "Asks for the key without showing it, or reads the first line of a pipe. The key is tested before it is stored.\n" +
			"With --key-env, --key-file or --key-command no key is stored; every run reads it from there.",
		Example: "waybill keys add sandbox --base-url https://api.example.com/v2\n" +
			"pass show waybill/prod | waybill keys add prod --base-url https://api.example.com/v2 --production\n" +
			"waybill keys add prod --base-url https://api.example.com/v2 --key-command 'pass show waybill/prod'",
		RunE: func(cmd *cobra.Command, args []string) error { return a.addProfile(cmd.Context(), args[0], f) },
	}
	set := cmd.Flags()
	set.StringVar(&f.store, "store", "keyring", "where to store the key: keyring, age (a file encrypted with a passphrase) or memory (only test it)")
	set.BoolVar(&f.noTest, "no-test", false, "store the key without testing it")
	set.BoolVar(&f.makeDefault, "default", false, "make this the default account")
	set.StringVar(&f.title, "title", "", "name of the account in the console")
	set.StringVar(&f.accent, "accent", "", "colour of the account: a name, 0-255 or #rrggbb")
	set.BoolVar(&f.production, "production", false, "mark as production: the console looks different and asks for more confirmation")
	set.BoolVar(&f.startReadOnly, "start-readonly", false, "open this account read-only")
	set.StringVar(&f.keyEnv, "key-env", "", "environment variable that contains the key")
	set.StringVar(&f.keyFile, "key-file", "", "file that contains the key, readable only by you")
	set.StringVar(&f.keyCommand, "key-command", "", "command that prints the key")
	cmd.MarkFlagsMutuallyExclusive("store", "key-env", "key-file", "key-command")
	return cmd
}

func (a *app) addProfile(ctx context.Context, name string, f keysAddFlags) error {
	if err := settings.CheckProfileName(name); err != nil {
		return usageError{err}
	}
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	changed, profile, err := a.profileToAdd(file, name, f)
	if err != nil {
		return err
	}
	vault, err := a.newVault()
	if err != nil {
		return err
	}
	var key credentials.Key
	if profile.KeySource == "" || profile.KeySource == settings.KeyFromKeyring || profile.KeySource == settings.KeyFromAge {
		if key, err = a.readNewKey(ctx, vault, profile); err != nil {
			return err
		}
	}
	if !f.noTest {
		if err := a.testNewKey(ctx, vault, profile, key); err != nil {
			return err
		}
	}
	if a.flags.dryRun {
		a.printNote("Nothing was stored. %s would read:", changed.Path)
		_, err := fmt.Fprint(a.stdout, changed.Text())
		return err
	}
	return a.storeProfile(ctx, vault, changed, profile, key)
}

// profileToAdd returns the config file with the new profile, or with a known profile changed by the flags.
func (a *app) profileToAdd(file *settings.File, name string, f keysAddFlags) (*settings.File, settings.Profile, error) {
	profile, known := file.Settings.Profile(name)
	switch {
	case known && a.flags.baseURL != "" && !isSameURL(a.flags.baseURL, profile.BaseURL):
		return nil, profile, usageError{fmt.Errorf("profile %s already uses %s; remove the profile first or choose another name", name, profile.BaseURL)}
	case !known && a.flags.baseURL == "":
		return nil, profile, usageError{fmt.Errorf("profile %s is new: set the address of its service with --base-url URL", name)}
	case !known:
		checkedURL, err := settings.CheckBaseURL(a.flags.baseURL)
		if err != nil {
			return nil, profile, usageError{err}
		}
		profile = settings.NewProfile(name, checkedURL)
		profile.CAFile = a.flags.caFile
	}
	f.applySettings(&profile)
	if err := f.applyKeySource(&profile); err != nil {
		return nil, profile, err
	}
	changed, err := writeProfile(file, profile, known)
	if err == nil && f.makeDefault {
		changed, err = changed.SetDefaultProfile(name)
	}
	if errors.Is(err, settings.ErrInvalid) {
		err = usageError{err}
	}
	return changed, profile, err
}

func isSameURL(a, b string) bool {
	checkedA, err := settings.CheckBaseURL(a)
	return err == nil && checkedA == b
}

// applySettings copies the flags for title, accent and mode to the profile.
func (f keysAddFlags) applySettings(p *settings.Profile) {
	p.Title, p.Accent = cmp.Or(f.title, p.Title), cmp.Or(f.accent, p.Accent)
	p.Production = p.Production || f.production
	p.ReadOnly = p.ReadOnly || f.startReadOnly
}

// applyKeySource sets where the key of the profile is.
func (f keysAddFlags) applyKeySource(p *settings.Profile) error {
	p.KeyEnv, p.KeyFile, p.KeyCommand = "", "", nil
	switch {
	case f.keyEnv != "":
		p.KeySource, p.KeyEnv = settings.KeyFromEnv, f.keyEnv
	case f.keyFile != "":
		p.KeySource, p.KeyFile = settings.KeyFromFile, f.keyFile
	case f.keyCommand != "":
		command, err := settings.SplitCommand(f.keyCommand)
		if err != nil {
			return usageError{fmt.Errorf("--key-command: %w", err)}
		}
		p.KeySource, p.KeyCommand = settings.KeyFromCommand, command
	default:
		source, ok := map[string]settings.KeySource{
			"keyring": settings.KeyFromKeyring, "age": settings.KeyFromAge, "memory": "",
		}[strings.ToLower(f.store)]
		if !ok {
			return usageError{fmt.Errorf("--store: unknown value %q; use keyring, age or memory", f.store)}
		}
		p.KeySource = source
	}
	return nil
}

// writeProfile adds a profile to the file, or writes the changed settings of a known one.
func writeProfile(file *settings.File, p settings.Profile, known bool) (*settings.File, error) {
	if !known {
		return file.AddProfile(p)
	}
	before, _ := file.Settings.Profile(p.Name)
	if before.KeyEnv != p.KeyEnv || before.KeyFile != p.KeyFile || !slices.Equal(before.KeyCommand, p.KeyCommand) {
		return rewriteProfile(file, p)
	}
	changed := file
	for _, c := range []struct {
		setting string
		value   any
		differs bool
	}{
		{"title", p.Title, p.Title != before.Title},
		{"accent", p.Accent, p.Accent != before.Accent},
		{"production", p.Production, p.Production != before.Production},
		{"read_only", p.ReadOnly, p.ReadOnly != before.ReadOnly},
		{"key_source", string(p.KeySource), p.KeySource != "" && p.KeySource != before.KeySource},
	} {
		if !c.differs {
			continue
		}
		var err error
		if changed, err = changed.SetProfileValue(p.Name, c.setting, c.value); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// rewriteProfile replaces a whole profile, because the settings of the key source are valid only together.
func rewriteProfile(file *settings.File, p settings.Profile) (*settings.File, error) {
	wasDefault := file.Settings.DefaultProfile == p.Name
	changed, err := file.RemoveProfile(p.Name)
	if err == nil {
		changed, err = changed.AddProfile(p)
	}
	if err == nil && wasDefault {
		changed, err = changed.SetDefaultProfile(p.Name)
	}
	return changed, err
}

// readNewKey asks for the key, after checking that it can be stored.
func (a *app) readNewKey(ctx context.Context, vault *credentials.Vault, p settings.Profile) (credentials.Key, error) {
	if p.KeySource == settings.KeyFromKeyring && !a.flags.dryRun {
		if err := vault.CheckKeyring(ctx); err != nil {
			return credentials.Key{}, err
		}
	}
	if a.flags.keyFile != "" || a.flags.keyFD != credentials.NoDescriptor {
		found, err := vault.Resolve(ctx, a.keyRequest(p))
		return found.Key, err
	}
	text, err := a.readSecret(fmt.Sprintf("API key for %s (hidden): ", p.Name))
	if err != nil {
		return credentials.Key{}, err
	}
	key, err := credentials.NewKey(text)
	if err != nil {
		err = usageError{err}
	}
	return key, err
}

// testNewKey tests the key at the service before it is stored.
func (a *app) testNewKey(ctx context.Context, vault *credentials.Vault, p settings.Profile, key credentials.Key) error {
	if !key.IsZero() {
		vault.Remember(p.Name, key)
		defer vault.Forget(p.Name)
	}
	request := a.keyRequest(p)
	request.ProfileOnly = true
	result, err := a.testKey(ctx, vault, p, request)
	if err != nil {
		return fmt.Errorf("nothing was stored, because the key could not be tested (--no-test stores it anyway): %w", err)
	}
	a.printNote("%s", result.Message)
	return nil
}

// storeProfile stores the key and then writes the config file. If that fails it removes the key again.
func (a *app) storeProfile(ctx context.Context, vault *credentials.Vault, file *settings.File, p settings.Profile, key credentials.Key) error {
	where := "its key is read on every run"
	if !key.IsZero() && p.KeySource != "" {
		stored, err := vault.Store(ctx, a.credentialProfile(p), key, credentials.Source(p.KeySource))
		if err != nil {
			return err
		}
		where = "its key is in " + stored.Location
		if stored.ShadowedBy != "" {
			a.printNote("The key in %s takes precedence; remove it if it is outdated.", stored.ShadowedBy)
		}
	} else if !key.IsZero() {
		where = "its key is not stored: pass it to each run with " + credentials.DefaultVariable + " or --api-key-file"
	}
	if err := file.Save(); err != nil {
		if !key.IsZero() && p.KeySource != "" {
			_, undo := vault.Delete(ctx, a.credentialProfile(p))
			err = errors.Join(err, undo)
		}
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "Saved %s in %s; %s.\n", p.Name, file.Path, where)
	return err
}
