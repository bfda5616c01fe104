package cli

import (
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

// app is what every command shares: the streams, the environment and the global flags.
type app struct {
	stdin   io.Reader
	stdout  io.Writer
	stderr  *errorStream
	env     settings.Environment
	keyring credentials.Keyring
	now     func() time.Time
	flags   globalFlags
	// color says whether words on the output may be coloured; width is the output's, 0 when it is no terminal.
	color bool
	width int
	// jobPollDelay is the wait before a job is looked at; 0 for the usual one.
	jobPollDelay time.Duration
	// notesTimeout is how long a look at the service for a form may take; 0 for the usual time.
	notesTimeout time.Duration
	// commandPath is the command that ran, failure how it ended.
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
		a.width = terminalWidth(stdout)
		a.color = mayColor(env.Getenv)
	}
	return a
}

// mayColor honours NO_COLOR with any value, as its convention says, and terminals that say they are dumb.
func mayColor(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

func (a *app) addGlobalFlags(root *cobra.Command) { a.defineGlobalFlags(root.PersistentFlags()) }

// hideGlobalFlags leaves the flags out of the help of a command and of those under it that do nothing there. They are
// still read, so that a script may give the same flags to every command.
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
	f.StringVarP(&a.flags.profile, "profile", "p", "", "the account to use, by its name in the config file")
	f.StringVar(&a.flags.baseURL, "base-url", "", "the service's address, ending in its version such as /v2; needs no config file")
	f.StringVar(&a.flags.keyFile, "api-key-file", "", "read the API key from a file that only you can read")
	f.IntVar(&a.flags.keyFD, "api-key-fd", credentials.NoDescriptor, "read the API key from an open file descriptor")
	f.StringVar(&a.flags.config, "config", "", "the config file, if not the usual one")
	f.StringVar(&a.flags.caFile, "ca-file", "", "trust the certificates in this PEM file too")
	positiveDurationVar(f, &a.flags.timeout, "timeout", 2*time.Minute, "give up after this long; lists and imports only if you say so")
	minIntVar(f, &a.flags.rate, "rate", 0, 1, "send at most this many requests a second")
	f.BoolVar(&a.flags.json, "json", false, "print JSON: one document, or one object a line for lists")
	f.BoolVar(&a.flags.readOnly, "readonly", false, "refuse everything that would change something")
	f.BoolVar(&a.flags.dryRun, "dry-run", false, "show what would be sent and send nothing")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "show each request on the error stream")
	f.StringVar(&a.flags.timeZone, "time-zone", "", "the zone times are typed and shown in: local, organization or a name such as Europe/Berlin")
	f.BoolVar(&a.flags.noProgress, "no-progress", false, "show no progress")
}

// locateFolders are where Waybill keeps its files.
func (a *app) locateFolders() (settings.Folders, error) { return a.env.Locate() }

// loadConfig reads the config file.
func (a *app) loadConfig() (*settings.File, error) {
	path := a.flags.config
	if path == "" {
		folders, err := a.locateFolders()
		if err != nil {
			return nil, err
		}
		path = folders.ConfigFile()
	}
	return settings.Load(a.env.Expand(path))
}

// newVault finds and keeps keys.
func (a *app) newVault() (*credentials.Vault, error) {
	folders, err := a.locateFolders()
	if err != nil {
		return nil, err
	}
	return credentials.New(credentials.Environment{
		Getenv: a.env.Getenv, ConfigDir: folders.Config, Keyring: a.keyring, Passphrase: a.askPassphrase,
	}), nil
}

// account is the account that a command talks to.
type account struct {
	profile settings.Profile
	file    *settings.File
}

var errNoAccount = usageError{errors.New(
	"no account is chosen: name one with --profile, give --base-url, or add one with: waybill keys add NAME --base-url URL")}

// chooseAccount finds the account from the flags and the config file.
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
	name := a.flags.profile
	if name == "" {
		name = file.Settings.DefaultProfile
	}
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
	if near := s.NearestProfile(name); near != "" {
		return usageError{fmt.Errorf("there is no profile %q; did you mean %q?", name, near)}
	}
	return usageError{fmt.Errorf("there is no profile %q; add it with: waybill keys add %s --base-url URL", name, name)}
}

// keyRequest asks for the key of a profile with this run's flags.
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

// isTerminal reports whether a stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// usualWidth is for terminals that do not tell theirs.
const usualWidth = 80

func terminalWidth(stream any) int {
	if file, ok := stream.(*os.File); ok {
		if width, _ := terminalSize(file); width > 0 {
			return width
		}
	}
	return usualWidth
}

func terminalSize(file *os.File) (width, height int) {
	width, height, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}
