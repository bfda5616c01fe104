package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
	"waybill/settings"
)

// Verdicts of a check
const (
	verdictOK   = "ok"
	verdictNote = "note"
	verdictWarn = "warn"
	verdictFail = "fail"
)

// finding is the outcome of one check as printed with --json.
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail"`
	Advice  string `json:"advice,omitzero"`
}

// doctor checks everything that Waybill needs.
type doctor struct {
	*app
	file       *settings.File
	profile    settings.Profile
	hasAccount bool
	failed     bool  // a check failed
	err        error // of printing
}

func newDoctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Find out why something does not work", Args: cobra.NoArgs,
		Long: "Checks the config file, the profiles, every source of the API key, the keyring, the connection to the service,\n" +
			"its certificate, the clock and the terminal. Changes nothing. The exit code is 1 if something required does not work.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDoctor(cmd.Context()) },
	}
}

func (a *app) runDoctor(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, a.flags.timeout)
	defer cancel()
	d := &doctor{app: a}
	d.checkConfig()
	key := d.checkKey(ctx)
	d.checkKeyring(ctx)
	d.checkService(ctx, key)
	d.checkTerminal()
	if d.err == nil && d.failed {
		return exitError{exitFailure}
	}
	return d.err
}

// report prints the outcome of a check.
func (d *doctor) report(check, verdict, advice, format string, args ...any) {
	d.failed = d.failed || verdict == verdictFail
	err := d.printFinding(finding{Check: check, Verdict: verdict, Detail: fmt.Sprintf(format, args...), Advice: advice})
	d.err = cmp.Or(d.err, err)
}

func (d *doctor) printFinding(f finding) error {
	if d.flags.json {
		return d.printJSONLine(f)
	}
	for i, line := range strings.Split(model.CleanMultiline(strings.TrimSpace(f.Detail+"\n"+f.Advice)), "\n") {
		name, verdict := f.Check, d.colorVerdict(f.Verdict)
		if i > 0 {
			name, verdict = "", strings.Repeat(" ", len(verdictNote))
		}
		if _, err := fmt.Fprintf(d.stdout, "%s  %-13s %s\n", verdict, name, line); err != nil {
			return err
		}
	}
	return nil
}

// colorVerdict returns a verdict padded and, if allowed, coloured.
func (d *doctor) colorVerdict(verdict string) string {
	padding := strings.Repeat(" ", len(verdictNote)-len(verdict))
	codes := map[string]string{verdictOK: "32", verdictWarn: "33", verdictFail: "31"}
	if code := codes[verdict]; d.color && code != "" {
		return "\x1b[" + code + "m" + verdict + "\x1b[m" + padding
	}
	return verdict + padding
}

func (d *doctor) checkConfig() {
	file, err := d.loadConfig()
	if err != nil {
		d.report("config", verdictFail, "Correct the file. Nothing is read from it until then.", "%v", err)
		return
	}
	d.file = file
	if !file.Exists() {
		d.report("config", verdictNote, "", "%s does not exist; all settings have their defaults", file.Path)
	} else {
		d.report("config", verdictOK, "", "%s, %s", file.Path, model.FormatCount(len(file.Settings.Profiles), "profile"))
	}
	target, err := d.chooseAccount()
	if errors.Is(err, errNoAccount) && len(file.Settings.Profiles) == 0 {
		d.report("account", verdictNote, "Add one with: waybill keys add NAME --base-url URL",
			"none: waybill without a command opens the sandbox, all other commands need an account")
		return
	}
	if err != nil {
		d.report("account", verdictFail, "", "%v", err)
		return
	}
	d.profile, d.hasAccount = target.profile, true
	d.report("account", verdictOK, "", "%s", strings.TrimPrefix(d.profile.Name+" at "+d.profile.BaseURL, " at "))
	if d.profile.ReadOnly || d.flags.readOnly {
		d.report("changes", verdictNote, "", "read-only: changes to this account are refused")
	}
}

// checkKey looks up the API key and reports every source that was tried.
func (d *doctor) checkKey(ctx context.Context) credentials.Key {
	if !d.hasAccount {
		return credentials.Key{}
	}
	vault, err := d.newVault()
	if err != nil {
		d.report("key", verdictFail, "", "%v", err)
		return credentials.Key{}
	}
	found, err := vault.Resolve(ctx, d.keyRequest(d.profile))
	attempts := found.Attempts
	if failure, ok := errors.AsType[*credentials.ResolveError](err); ok {
		attempts = failure.Attempts
	}
	for _, attempt := range attempts {
		verdict := verdictNote
		switch attempt.Outcome {
		case credentials.OutcomeUsed:
			verdict = verdictOK
		case credentials.OutcomeFailed:
			verdict = verdictWarn
		case credentials.OutcomeEmpty, credentials.OutcomeUnavailable:
		}
		d.report("key", verdict, attempt.Stderr, "%s: %s", attempt.Location, attempt.Reason())
	}
	if err != nil {
		advice := "Set " + credentials.DefaultVariable + ", or pass --api-key-file FILE."
		if d.profile.Name != "" {
			advice = "Add one with: waybill keys add " + d.profile.Name
		}
		d.report("key", verdictFail, advice, "no API key found")
		return credentials.Key{}
	}
	return found.Key
}

// checkKeyring warns only if the profile expects its key in the keyring.
func (d *doctor) checkKeyring(ctx context.Context) {
	vault, err := d.newVault()
	if err == nil {
		err = vault.CheckKeyring(ctx)
	}
	if err == nil {
		d.report("keyring", verdictOK, "", "works")
		return
	}
	verdict := verdictNote
	if d.profile.KeySource == settings.KeyFromKeyring {
		verdict = verdictWarn
	}
	if failure, ok := errors.AsType[*credentials.KeyringError](err); ok {
		d.report("keyring", verdict, failure.Advice(), "%s", failure.Explanation())
		return
	}
	d.report("keyring", verdict, "", "%v", err)
}

// checkService checks network, certificate, key and clock.
func (d *doctor) checkService(ctx context.Context, key credentials.Key) {
	if !d.hasAccount {
		return
	}
	if d.profile.SendsKeyUnencrypted() {
		d.report("service", verdictWarn, "Use an https address.", "the API key is sent unencrypted")
	}
	d.checkProxy()
	if key.IsZero() {
		d.report("service", verdictNote, "", "not tested, because there is no API key")
		return
	}
	client, err := d.newClient(d.profile, key.Reveal)
	if err != nil {
		d.report("service", verdictFail, "", "%v", err)
		return
	}
	defer client.Close()
	started := time.Now()
	greeting, err := client.TestAuth(ctx)
	took := time.Since(started)
	failure, ok := errors.AsType[*apiclient.Error](err)
	switch {
	case ok:
		d.report("service", verdictFail, failure.Hint(), "%s (%s)", failure.Description(), failure.RequestSummary())
	case err != nil:
		d.report("service", verdictFail, "", "%v", err)
	default:
		d.report("service", verdictOK, "", "%s (%d ms)", greeting.Message, took.Milliseconds())
	}
	if err == nil || ok && failure.HTTPStatus != 0 {
		d.checkClock(client)
	}
	if err == nil {
		d.checkOrganization(ctx, client)
	}
}

// checkProxy reports a proxy of the environment.
func (d *doctor) checkProxy() {
	request, err := http.NewRequest(http.MethodGet, d.profile.BaseURL, nil) //nolint:noctx // it is never sent
	if err != nil {
		return
	}
	proxy, err := http.ProxyFromEnvironment(request)
	switch {
	case err != nil:
		d.report("proxy", verdictWarn, "Check HTTPS_PROXY and NO_PROXY.", "%v", err)
	case proxy != nil:
		d.report("proxy", verdictNote, "", "requests go through %s", proxy.Redacted())
	}
}

// maxClockOffset is the difference between clocks at which relative times become misleading.
const maxClockOffset = 30 * time.Second

// checkClock compares the clocks by the Date headers of the responses.
func (d *doctor) checkClock(client *apiclient.Client) {
	if offset := client.ClockOffset().Round(time.Second); offset.Abs() > maxClockOffset {
		d.report("clock", verdictWarn, "Correct the clock of this machine: windows and delays depend on it.", "differs from the service by %s", offset)
		return
	}
	d.report("clock", verdictOK, "", "agrees with the service")
}

func (d *doctor) checkOrganization(ctx context.Context, client *apiclient.Client) {
	org, err := client.Organization(ctx)
	if err != nil {
		d.report("organization", verdictNote, "", "%s", apiclient.ErrorText(err))
		return
	}
	d.report("organization", verdictOK, "", "%s, country %s, time zone %s", org.Name, org.Country, org.Timezone)
	switch budget := client.Limiter().Snapshot(); {
	case budget.Remaining > budget.Limit:
		d.report("budget", verdictOK, "", "the service allows more than the %d requests per second that Waybill sends at most", budget.Limit)
	case budget.Remaining >= 0:
		d.report("budget", verdictOK, "", "%d of %d requests per second left", budget.Remaining, budget.Limit)
	}
}

// checkTerminal reports the properties of the terminal.
func (d *doctor) checkTerminal() {
	if d.width == 0 {
		d.report("terminal", verdictNote, "", "the output is not a terminal")
	} else {
		width, height := terminalSize(d.stdout)
		d.report("terminal", verdictOK, "", "%s, %d by %d", dashIfEmpty(d.env.Getenv("TERM")), width, height)
	}
	switch {
	case d.env.Getenv("NO_COLOR") != "":
		d.report("colour", verdictNote, "", "off, because NO_COLOR is set")
	case d.env.Getenv("TERM") == "dumb":
		d.report("colour", verdictNote, "", "off, because TERM is dumb")
	default:
		d.report("colour", verdictOK, "", "%s", colorDepth(d.env.Getenv))
	}
	if d.env.Getenv("SSH_CONNECTION") != "" || d.env.Getenv("SSH_TTY") != "" {
		d.report("ssh", verdictNote, "", "over SSH: the clipboard works through the terminal, and the screen is drawn less often")
	}
	for _, m := range []struct{ variable, name string }{{"TMUX", "tmux"}, {"ZELLIJ", "zellij"}, {"STY", "screen"}} {
		if d.env.Getenv(m.variable) != "" {
			d.report("multiplexer", verdictNote, "", "inside %s", m.name)
		}
	}
}

func colorDepth(getenv func(string) string) string {
	switch {
	case getenv("COLORTERM") == "truecolor", getenv("COLORTERM") == "24bit":
		return "16 million colours"
	case strings.Contains(getenv("TERM"), "256color"):
		return "256 colours"
	}
	return "16 colours"
}
