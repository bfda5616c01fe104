package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"waybill/credentials"
	"waybill/settings"
)

// app holds what all commands share: streams, environment and global flags.
type app struct {
	stdin   io.Reader
	stdout  io.Writer
	output  *outputFile // stdout, if that is a file
	stderr  *errorStream
	env     settings.Environment
	keyring credentials.Keyring
	now     func() time.Time
	flags   globalFlags
	// color reports whether output may be coloured. width is the width of the output, 0 when it is not a terminal.
	color bool
	width int
	// jobPollDelay is the wait before the first poll of a job; 0 means the default.
	jobPollDelay time.Duration
	// notesTimeout limits how long loading the notes of a form may take; 0 means the default.
	notesTimeout time.Duration
	// commandPath names the command that ran, commandError is its error.
	commandPath  string
	commandError error
}

type globalFlags struct {
	profile    string
	baseURL    string
	keyFile    string
	keyFD      int
	config     string
	caFile     string
	timeout    time.Duration
	rate       int
	json       bool
	readOnly   bool
	dryRun     bool
	verbose    bool
	timeZone   string
	noProgress bool
}

func newApp(stdin io.Reader, stdout, stderr io.Writer, env settings.Environment) *app {
	a := &app{
		commandPath: "waybill", stdin: stdin, stdout: stdout, env: env,
		stderr:  &errorStream{out: stderr, terminal: isTerminal(stderr)},
		keyring: credentials.SystemKeyring(env.Getenv), now: time.Now,
	}
	if isTerminal(stdout) {
		a.width, _ = terminalSize(stdout)
		a.color = mayColor(env.Getenv)
	}
	if file, ok := stdout.(*os.File); ok {
		a.output = &outputFile{File: file}
		a.stdout = a.output
	}
	return a
}

// dumbTerminal is the value of TERM for a terminal that understands no escape sequences.
const dumbTerminal = "dumb"

// mayColor reports whether output may be coloured: not with NO_COLOR of any value, as its convention says, nor on a dumb terminal.
func mayColor(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != dumbTerminal
}

func (a *app) addGlobalFlags(root *cobra.Command) { a.defineGlobalFlags(root.PersistentFlags()) }

// hideGlobalFlags hides flags that have no effect from the help of a command and its subcommands. The flags are still
// accepted, so that a script can pass the same flags to every command.
func (a *app) hideGlobalFlags(cmd *cobra.Command, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	a.defineGlobalFlags(all)
	for _, name := range names {
		flag := all.Lookup(name)
		flag.Hidden = true
		cmd.PersistentFlags().AddFlag(flag)
	}
}

func (a *app) defineGlobalFlags(f *pflag.FlagSet) {
	f.StringVarP(&a.flags.profile, "profile", "p", "", "profile in the config file to use")
	f.StringVar(&a.flags.baseURL, "base-url", "", "address of the service including its version, such as https://api.example.com/v2")
	f.StringVar(&a.flags.keyFile, "api-key-file", "", "read the API key from this file, readable only by you")
	f.IntVar(&a.flags.keyFD, "api-key-fd", credentials.NoDescriptor, "read the API key from this open file descriptor")
	f.StringVar(&a.flags.config, "config", "", "config file to use instead of the default one")
	f.StringVar(&a.flags.caFile, "ca-file", "", "also trust the certificates in this PEM file")
	positiveDurationVar(f, &a.flags.timeout, "timeout", 2*time.Minute, "give up after this time; lists and imports have no limit by default")
	minIntVar(f, &a.flags.rate, "rate", 0, 1, "send at most this many requests per second")
	f.BoolVar(&a.flags.json, "json", false, "print JSON: one document, or one object per line for lists")
	f.BoolVar(&a.flags.readOnly, "readonly", false, "refuse every change")
	f.BoolVar(&a.flags.dryRun, "dry-run", false, "print the requests that would be sent and send nothing")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "print each request on standard error")
	f.StringVar(&a.flags.timeZone, "time-zone", "", "time zone for input and output: local, organization or a name such as Europe/Berlin")
	f.BoolVar(&a.flags.noProgress, "no-progress", false, "hide progress")
}

// loadConfig reads the config file.
func (a *app) loadConfig() (*settings.File, error) {
	path := a.flags.config
	if path == "" {
		folders, err := a.env.Locate()
		if err != nil {
			return nil, err
		}
		path = folders.ConfigFile()
	}
	return settings.Load(a.env.Expand(path))
}

// newVault returns the store of API keys.
func (a *app) newVault() (*credentials.Vault, error) {
	folders, err := a.env.Locate()
	if err != nil {
		return nil, err
	}
	return credentials.New(credentials.Environment{
		Getenv: a.env.Getenv, ConfigDir: folders.Config, Keyring: a.keyring, Passphrase: a.askPassphrase,
	}), nil
}

// account is the account that a command uses, with the config file.
type account struct {
	profile settings.Profile
	file    *settings.File
}

var errNoAccount = usageError{errors.New(
	"no account selected: use --profile or --base-url, or add an account with: waybill keys add NAME --base-url URL")}

// chooseAccount selects the account by the flags and the config file.
func (a *app) chooseAccount() (account, error) {
	file, err := a.loadConfig()
	if err != nil {
		return account{}, err
	}
	if a.flags.baseURL != "" {
		checked, err := settings.CheckBaseURL(a.flags.baseURL)
		if err != nil {
			return account{}, usageError{err}
		}
		profile := settings.NewProfile(a.flags.profile, checked)
		if known, ok := file.Settings.Profile(a.flags.profile); ok {
			known.BaseURL = checked
			profile = known
		}
		return account{profile, file}, nil
	}
	name := cmp.Or(a.flags.profile, file.Settings.DefaultProfile)
	if names := file.Settings.ProfileNames(); name == "" && len(names) == 1 {
		name = names[0]
	}
	if name == "" {
		return account{}, errNoAccount
	}
	profile, ok := file.Settings.Profile(name)
	if !ok {
		return account{}, unknownProfile(file.Settings, name)
	}
	return account{profile, file}, nil
}

func unknownProfile(s settings.Settings, name string) error {
	if near := s.ClosestProfile(name); near != "" {
		return usageError{fmt.Errorf("unknown profile %q; did you mean %q?", name, near)}
	}
	return usageError{fmt.Errorf("unknown profile %q; add it with: waybill keys add %s --base-url URL", name, name)}
}

// keyRequest returns the request for the key of a profile, with the flags of this run.
func (a *app) keyRequest(p settings.Profile) credentials.Request {
	return credentials.Request{
		Profile: a.credentialProfile(p), File: a.env.Expand(a.flags.keyFile), Descriptor: a.flags.keyFD,
	}
}

func (a *app) credentialProfile(p settings.Profile) credentials.Profile {
	return credentials.Profile{
		Name: p.Name, Source: credentials.Source(p.KeySource), Variable: p.KeyEnv, File: a.env.Expand(p.KeyFile), Command: p.KeyCommand,
	}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(descriptor)
	return ok && term.IsTerminal(int(file.Fd()))
}

// defaultWidth is the width of terminals that do not report one.
const defaultWidth = 80

// terminalSize returns the size of a terminal, or the default width for one that does not report its size.
func terminalSize(stream any) (width, height int) {
	if file, ok := stream.(descriptor); ok {
		if width, height, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width, height
		}
	}
	return defaultWidth, 0
}
