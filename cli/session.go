package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
	"waybill/operations"
	"waybill/settings"
)

// session is the connection of one command to one account.
type session struct {
	*app
	client             *apiclient.Client
	account            account
	keyError           error
	cachedOrganization model.Opt[model.Organization]
	timeZone           *time.Location
	workerNames        map[model.ID]string
	teams              []operations.Named
}

// sessionFunc is what a command does with a session.
type sessionFunc func(ctx context.Context, s *session, args []string) error

// withSession returns a RunE that connects to the selected account and stops after --timeout.
func (a *app) withSession(run sessionFunc) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.runSession(cmd, args, true, run)
	}
}

// withSessionUntilDone is withSession for commands that may take long: they only time out if --timeout is given.
func (a *app) withSessionUntilDone(run sessionFunc) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.runSession(cmd, args, cmd.Flags().Changed("timeout"), run)
	}
}

// runSession connects, calls run and closes the connection.
func (a *app) runSession(cmd *cobra.Command, args []string, limit bool, run sessionFunc) error {
	ctx := cmd.Context()
	if limit {
		limited, cancel := context.WithTimeout(ctx, a.flags.timeout)
		defer cancel()
		ctx = limited
	}
	s, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer s.client.Close()
	if a.flags.dryRun {
		ctx = apiclient.WithDryRun(ctx, a.showPreview)
	}
	if err = run(ctx, s, args); s.keyError != nil && errors.Is(err, apiclient.ErrNoKey) {
		return s.keyError
	}
	return err
}

// connect opens a session with the selected account.
func (a *app) connect(ctx context.Context) (*session, error) {
	s := &session{app: a}
	if err := a.checkTimeZone(); err != nil {
		return nil, err
	}
	var err error
	s.account, err = a.chooseAccount()
	switch {
	case err == nil:
	case a.flags.dryRun && errors.Is(err, errNoAccount):
		// A dry run without an account can still print requests.
		s.account.profile = settings.NewProfile("", "https://nowhere.invalid/v2")
	default:
		return nil, err
	}
	vault, err := a.newVault()
	if err != nil {
		return nil, err
	}
	var key credentials.Key
	resolve := func() error {
		found, err := vault.Resolve(ctx, a.keyRequest(s.account.profile))
		key = found.Key
		return err
	}
	secret := func() string { return key.Reveal() }
	if a.flags.dryRun {
		// A dry run needs the key only when it has to read something.
		secret = func() string {
			if key.IsZero() && s.keyError == nil {
				s.keyError = resolve()
			}
			if key.IsZero() {
				return ""
			}
			return key.Reveal()
		}
	} else if err := resolve(); err != nil {
		return nil, err
	}
	s.client, err = a.newClient(s.account.profile, secret)
	return s, err
}

// clientOptions returns the options of every client of a profile.
func (a *app) clientOptions(p settings.Profile, key apiclient.Secret) apiclient.Options {
	caFile, rate := cmp.Or(a.flags.caFile, p.CAFile), cmp.Or(a.flags.rate, p.RequestsPerSecond)
	return apiclient.Options{
		BaseURL: p.BaseURL, Key: key, UserAgent: userAgent(),
		Limiter:   apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: rate}),
		Transport: apiclient.TransportOptions{CAFile: a.env.Expand(caFile)},
	}
}

// newClient returns the client of a command for a profile.
func (a *app) newClient(p settings.Profile, key apiclient.Secret) (*apiclient.Client, error) {
	options := a.clientOptions(p, key)
	options.Logged = a.printRequest
	options.ReadOnly = func() bool { return a.flags.readOnly || p.ReadOnly }
	client, err := apiclient.New(options)
	if err != nil {
		return nil, err
	}
	if client.SendsKeyUnencrypted() && !a.flags.dryRun {
		a.printNote("Warning: the API key is sent to %s unencrypted, so others on the network can read it.", client.BaseURL())
	}
	return client, nil
}

// showPreview prints a request of a dry run.
func (a *app) showPreview(p apiclient.Preview) {
	_ = a.printResult(p, func() { fmt.Fprintln(a.stdout, formatRequest(p)) })
}

// formatRequest returns a request with its body indented.
func formatRequest(p apiclient.Preview) string {
	text := p.Method + " " + p.Path
	if len(p.Body) > 0 {
		body := p.Body.Clone()
		_ = body.Indent(jsontext.WithIndent("  "))
		text += "\n" + string(body)
	}
	return text
}

// organization returns the organization of the key and loads it once.
func (s *session) organization(ctx context.Context) (model.Organization, error) {
	if org, ok := s.cachedOrganization.Get(); ok {
		return org, nil
	}
	org, err := s.client.Organization(ctx)
	if err == nil {
		s.cachedOrganization = model.Some(org)
	}
	return org, err
}

// nowMillis returns the current time in milliseconds.
func (a *app) nowMillis() model.Millis { return model.MillisOf(a.now()) }

// checkTimeZone validates --time-zone.
func (a *app) checkTimeZone() error {
	if a.flags.timeZone == "" {
		return nil
	}
	if err := settings.CheckTimeZone(a.flags.timeZone); err != nil {
		return usageError{fmt.Errorf("--time-zone: %w", err)}
	}
	return nil
}

// loadZone returns the time zone with a name, or nil if it is unknown.
func loadZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// loadTimeZone returns the zone for the times that people type and read.
func (s *session) loadTimeZone(ctx context.Context) *time.Location {
	if s.timeZone != nil {
		return s.timeZone
	}
	name := settings.TimeZone(s.flags.timeZone)
	if name == "" && s.account.file != nil {
		name = s.account.file.Settings.TimeZone
	}
	var organization *time.Location
	if name == settings.ZoneOrganization {
		org, err := s.organization(ctx)
		if err == nil {
			organization, err = time.LoadLocation(org.Timezone)
		}
		if err != nil {
			s.printNote("Cannot load the time zone of the organization, using the local one: %s.", apiclient.ErrorText(err))
		}
	}
	s.timeZone = name.Location(organization)
	return s.timeZone
}

// parsePastTime parses the time of a flag, preferring the past, and prints the result.
func (s *session) parsePastTime(ctx context.Context, flag, text string) (model.Millis, error) {
	at, err := model.ParsePastTime(text, s.nowMillis(), s.loadTimeZone(ctx))
	if err != nil {
		return 0, usageError{fmt.Errorf("--%s: %w", flag, err)}
	}
	s.printParsedTime(ctx, flag, at)
	return at, nil
}

// printParsedTime prints on standard error how a typed time was understood.
func (s *session) printParsedTime(ctx context.Context, name string, at model.Millis) {
	s.printNote("%s: %s (%s)", name, model.FormatTime(at, s.loadTimeZone(ctx)), model.FormatRelative(at, s.nowMillis()))
}
