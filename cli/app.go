package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/settings"
)

// app is what every command shares: the streams, the environment and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            settings.Environment
	keyring        credentials.Keyring
	now            func() time.Time
	flags          globalFlags
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
	return &app{
		stdin: stdin, stdout: stdout, stderr: stderr, env: env,
		keyring: credentials.SystemKeyring(env.Getenv), now: time.Now,
	}
}

func (a *app) addGlobalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVarP(&a.flags.profile, "profile", "p", "", "the account to use, by its name in the config file")
	f.StringVar(&a.flags.baseURL, "base-url", "", "the service's address, ending in its version such as /v2; needs no config file")
	f.StringVar(&a.flags.keyFile, "api-key-file", "", "read the API key from a file that only you can read")
	f.IntVar(&a.flags.keyFD, "api-key-fd", credentials.NoDescriptor, "read the API key from an open file descriptor")
	f.StringVar(&a.flags.config, "config", "", "the config file, if not the usual one")
	f.StringVar(&a.flags.caFile, "ca-file", "", "trust the certificates in this PEM file too")
	f.DurationVar(&a.flags.timeout, "timeout", 2*time.Minute, "give up after this long")
	f.IntVar(&a.flags.rate, "rate", 0, "send at most this many requests a second")
	f.BoolVar(&a.flags.json, "json", false, "print JSON: one document, or one object a line for lists")
	f.BoolVar(&a.flags.readOnly, "readonly", false, "refuse everything that would change something")
	f.BoolVar(&a.flags.dryRun, "dry-run", false, "show what would be sent and send nothing")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "show each request on the error stream")
	f.StringVar(&a.flags.timeZone, "time-zone", "", "the zone times are typed and shown in: local, organization or a name such as Europe/Berlin")
	f.BoolVar(&a.flags.noProgress, "no-progress", false, "show no progress")
}

// folders are where Waybill keeps its files.
func (a *app) folders() (settings.Folders, error) { return a.env.Locate() }

// loadConfig reads the config file.
func (a *app) loadConfig() (*settings.File, error) {
	path := a.flags.config
	if path == "" {
		folders, err := a.folders()
		if err != nil {
			return nil, err
		}
		path = folders.ConfigFile()
	}
	return settings.Load(a.env.Expand(path))
}

// vault finds and keeps keys.
func (a *app) vault() (*credentials.Vault, error) {
	folders, err := a.folders()
	if err != nil {
		return nil, err
	}
	return credentials.New(credentials.Environment{
		Getenv: a.env.Getenv, ConfigDir: folders.Config, Keyring: a.keyring, Passphrase: a.askPassphrase,
	}), nil
}

// target is the account that a command talks to.
type target struct {
	profile settings.Profile
	file    *settings.File
}

var errNoTarget = errors.New("no account is chosen: name one with --profile, give --base-url, or add one with: waybill keys add NAME --base-url URL")

// chooseTarget finds the account from the flags and the config file.
func (a *app) chooseTarget() (target, error) {
	file, err := a.loadConfig()
	if err != nil {
		return target{}, err
	}
	if a.flags.baseURL != "" {
		checked, err := settings.CheckBaseURL(a.flags.baseURL)
		if err != nil {
			return target{}, usageError{err}
		}
		profile := settings.NewProfile(a.flags.profile, checked)
		if known, ok := file.Settings.Profile(a.flags.profile); ok {
			known.BaseURL = checked
			profile = known
		}
		return target{profile, file}, nil
	}
	name := a.flags.profile
	if name == "" {
		name = file.Settings.DefaultProfile
	}
	if names := file.Settings.ProfileNames(); name == "" && len(names) == 1 {
		name = names[0]
	}
	if name == "" {
		return target{}, errNoTarget
	}
	profile, ok := file.Settings.Profile(name)
	if !ok {
		return target{}, unknownProfile(file.Settings, name)
	}
	return target{profile, file}, nil
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
		Profile: credentialProfile(p), File: a.env.Expand(a.flags.keyFile), Descriptor: a.flags.keyFD,
	}
}

func credentialProfile(p settings.Profile) credentials.Profile {
	return credentials.Profile{
		Name: p.Name, Source: credentials.Source(p.KeySource), Variable: p.KeyEnv, File: p.KeyFile, Command: p.KeyCommand,
	}
}

// connect makes a client for the chosen account.
func (a *app) connect(ctx context.Context) (*apiclient.Client, error) {
	chosen, err := a.chooseTarget()
	if err != nil {
		return nil, err
	}
	vault, err := a.vault()
	if err != nil {
		return nil, err
	}
	key, err := vault.Resolve(ctx, a.keyRequest(chosen.profile))
	if err != nil {
		return nil, err
	}
	return a.newClient(chosen.profile, key.Key)
}

// newClient makes a client for a profile with its key.
func (a *app) newClient(p settings.Profile, key credentials.Key) (*apiclient.Client, error) {
	caFile := a.flags.caFile
	if caFile == "" {
		caFile = p.CAFile
	}
	rate := a.flags.rate
	if rate == 0 {
		rate = p.RequestsPerSecond
	}
	readOnly := a.flags.readOnly || p.ReadOnly
	return apiclient.New(apiclient.Options{
		BaseURL: p.BaseURL, Key: key.Reveal, UserAgent: "waybill/" + Version,
		Limiter:   apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: rate}),
		ReadOnly:  func() bool { return readOnly },
		Transport: apiclient.TransportOptions{CAFile: a.env.Expand(caFile)},
	})
}

// isTerminal reports whether a stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
