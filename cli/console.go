package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/board"
	"waybill/credentials"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations/journal"
	"waybill/service/sandbox"
	"waybill/service/server"
	"waybill/settings"
	"waybill/ui"
	"waybill/ui/feed"
	"waybill/views/theme"
)

// consoleFlags say where the console opens and how it looks.
type consoleFlags struct {
	sandbox bool
	seed    uint64
	speed   float64
	tasks   int
	workers int
	view    string
	pane    string
	filter  string
	sort    string
	task    string
	theme   string
	ascii   bool
	mouse   bool

	receive    string
	receiveURL string

	accessible bool
}

func (a *app) addConsoleFlags(cmd *cobra.Command) *consoleFlags {
	f := &consoleFlags{}
	flags := cmd.Flags()
	flags.BoolVar(&f.sandbox, "sandbox", false, "open on the sandbox city, also when there are accounts")
	flags.Uint64Var(&f.seed, "seed", 0, "which day a new sandbox city lives")
	flags.Float64Var(&f.speed, "speed", 1, "how fast the sandbox's time passes")
	flags.IntVar(&f.tasks, "sandbox-tasks", 0, "how many tasks a new sandbox city has")
	flags.IntVar(&f.workers, "sandbox-workers", 0, "how many workers a new sandbox city has")
	flags.StringVar(&f.view, "view", "", "open a saved view, such as 'late now'")
	flags.StringVar(&f.pane, "pane", "", "open a pane: delays, workers, tasks or orders")
	flags.StringVar(&f.filter, "filter", "", "filter the pane, such as 'team:north late>10m'")
	flags.StringVar(&f.sort, "sort", "", "sort the pane by a column; a leading - turns it round")
	flags.StringVar(&f.task, "task", "", "open a task by its id or short id")
	flags.StringVar(&f.theme, "theme", "", "auto, dark, light, high-contrast or mono")
	flags.BoolVar(&f.ascii, "ascii", false, "use plain ASCII signs")
	flags.BoolVar(&f.mouse, "mouse", false, "take the mouse from the terminal")
	_ = cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(themeNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("pane", cobra.FixedCompletions(paneNames(), cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&f.receive, "receive", "", "have the service send its events here, such as to 127.0.0.1:8581, and show them at once")
	flags.StringVar(&f.receiveURL, "receive-url", "", "the address under which the service reaches that, if not the same")
	flags.BoolVar(&f.accessible, "accessible", false, "print the board and then what changes as plain lines instead, for a screen reader")
	return f
}

func themeNames() (names []string) {
	for _, name := range theme.Names() {
		names = append(names, string(name))
	}
	return names
}

func paneNames() []string {
	return []string{string(board.PaneDelays), string(board.PaneWorkers), string(board.PaneTasks), string(board.PaneOrders)}
}

// check refuses words that mean nothing and cities that cannot be, before anything is drawn.
func (f *consoleFlags) check() error {
	if err := checkSpeed(f.speed); err != nil {
		return err
	}
	for _, c := range []struct {
		flag       string
		value, max int
	}{{"--sandbox-tasks", f.tasks, sandbox.MaxTasks}, {"--sandbox-workers", f.workers, sandbox.MaxWorkers}} {
		if c.value < 0 || c.value > c.max { // 0 is for as many as usual
			return fmt.Errorf("%s must be from 1 to %d", c.flag, c.max)
		}
	}
	for _, c := range []struct {
		flag, value string
		known       []string
	}{{"--theme", f.theme, themeNames()}, {"--pane", f.pane, paneNames()}} {
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%s: %q is not known; choose one of %s", c.flag, c.value, strings.Join(c.known, ", "))
		}
	}
	pane := board.Pane(cmp.Or(f.pane, string(board.PaneTasks)))
	if _, err := board.ParseFilter(pane, f.filter); err != nil {
		return fmt.Errorf("--filter: %w", err)
	}
	if f.pane == "" && f.filter == "" {
		pane = board.PaneDelays
	}
	if _, err := board.ParseSort(pane, f.sort); err != nil {
		return fmt.Errorf("--sort: %w", err)
	}
	return nil
}

var errNoTerminal = errors.New("the console needs a terminal; for scripts there are the commands: waybill tasks ls --json, waybill --help")

// runConsole runs the console until the person leaves it.
func (a *app) runConsole(ctx context.Context, f *consoleFlags) error {
	if err := f.check(); err != nil {
		return usageError{err}
	}
	if f.accessible {
		return a.runAccessibleConsole(ctx, f)
	}
	if !isTerminal(a.stdin) || !isTerminal(a.stdout) {
		return usageError{errNoTerminal}
	}
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	// A screen without its terminal has nothing left to do, even under nohup, and webhooks of its own to remove.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	host := newConsoleHost(a, f, file)
	defer host.shutDown(ctx)
	options, err := host.consoleOptions()
	if err != nil {
		return err
	}
	activity, err := journal.Open(options.StateDir, journal.Options{Now: host.now})
	if err != nil {
		return fmt.Errorf("%w; what you change must be recorded, so mend this first", err)
	}
	defer func() { _ = activity.Close() }()
	options.Activity, options.Drafts = activity, journal.NewDrafts(options.StateDir, host.now)
	defer debug.SetGCPercent(debug.SetGCPercent(consoleGCPercent))
	return ui.Run(ctx, options)
}

// consoleGCPercent is how much garbage may lie about before it is collected, in percent of what is in use. A console is
// open all day beside everything else and idle most of it: memory is worth more to its machine than the little work.
const consoleGCPercent = 70

// runAccessibleConsole prints what the console would show, and then what of it changes, until it is interrupted.
func (a *app) runAccessibleConsole(ctx context.Context, f *consoleFlags) error {
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	host := newConsoleHost(a, f, file)
	defer host.shutDown(ctx)
	made, err := host.connect(ctx, ui.ConnectRequest{ReadOnly: func() bool { return true }})
	if err != nil {
		return err
	}
	defer made.Client.Close()
	const lines = 20
	options, zone := a.readOptions(file.Settings, made.Clock(a.now))
	poll := made.Profile.Poll
	if poll == (settings.Poll{}) {
		poll = settings.DefaultPoll()
	}
	options.Intervals = feed.Intervals{Tasks: poll.Tasks, Workers: poll.Workers, Delays: poll.Delays, Orders: poll.Orders}
	var at *time.Location
	if organization, err := made.Client.Organization(ctx); err == nil {
		if at, err = time.LoadLocation(organization.Timezone); err != nil {
			at = nil
		}
	}
	return ui.Follow(ctx, a.stdout, made.Client, options, ui.PrintOptions{Zone: zone.Location(at), Limit: lines})
}

// consoleHost gives the console its accounts: those of the config file, one named by address, or the sandbox.
type consoleHost struct {
	app   *app
	flags *consoleFlags
	// file is the config file; a command puts the one with a new account here while others read it.
	file atomic.Pointer[settings.File]
	// clock is that of the account in use, which stamps what is recorded.
	clock atomic.Pointer[func() time.Time]
	// vault is one for all accounts: it remembers keys that could be stored nowhere.
	vault func() (*credentials.Vault, error)
	// sandbox is the embedded service once it runs; commands start it and the screen asks it for the time.
	sandbox atomic.Pointer[server.Server]
	// listenSlot is held by the receiver that listens; mu guards the list of all there were.
	listenSlot      chan struct{}
	mu        sync.Mutex
	receivers []*consoleReceiver
}

func newConsoleHost(a *app, f *consoleFlags, file *settings.File) *consoleHost {
	h := &consoleHost{app: a, flags: f, vault: sync.OnceValues(a.newVault), listenSlot: make(chan struct{}, 1)}
	h.file.Store(file)
	return h
}

func (h *consoleHost) shutDown(ctx context.Context) {
	h.closeReceivers(ctx)
	if running := h.sandbox.Load(); running != nil {
		if err := running.Stop(ctx); err != nil {
			h.app.printError(err)
		}
	}
}

// startsOnSandbox tells whether there is no account to open, or the sandbox was asked for.
func (h *consoleHost) startsOnSandbox() bool {
	s := h.file.Load().Settings
	return h.flags.sandbox ||
		(h.app.flags.baseURL == "" && h.app.flags.profile == "" && s.DefaultProfile == "" && len(s.Profiles) == 0)
}

func (h *consoleHost) consoleOptions() (ui.Options, error) {
	file := h.file.Load()
	s := file.Settings
	keys, err := keysFromConfig(file)
	if err != nil {
		return ui.Options{}, err
	}
	folders, err := h.app.locateFolders()
	if err != nil {
		return ui.Options{}, err
	}
	name, depth := theme.Decide(theme.Name(cmp.Or(h.flags.theme, string(s.Theme))), h.app.env.Getenv)
	o := ui.Options{
		Connect: h.connect, Join: h.addAccount, Sandbox: h.startsOnSandbox(), Settings: s, Keys: keys, ReadOnly: h.app.flags.readOnly,
		Theme: name, Depth: depth, ASCII: h.flags.ascii || s.ASCII,
		Mouse: h.flags.mouse || s.Mouse.Decide(h.app.env.Getenv("SSH_TTY") == ""),
		Now:   h.app.now, StateDir: folders.State, WorkDir: workingDirectory(), Person: userName(h.app.env.Getenv), Program: "waybill", Environment: os.Environ(),
		Start: ui.Start{
			View: h.flags.view, Pane: board.Pane(h.flags.pane), Filter: h.flags.filter, Sort: h.flags.sort, Task: h.flags.task,
		},
	}
	if zone := h.app.flags.timeZone; zone != "" && zone != string(settings.ZoneOrganization) {
		if o.Zone, err = time.LoadLocation(cmp.Or(strings.TrimSuffix(zone, string(settings.ZoneLocal)), "Local")); err != nil {
			return o, usageError{fmt.Errorf("--time-zone: %w", err)}
		}
	}
	if h.startsOnSandbox() {
		return o, h.checkReceiver(settings.Profile{})
	}
	chosen, err := h.app.chooseAccount()
	if err != nil {
		return o, err
	}
	o.Profile = chosen.profile.Name
	return o, h.checkReceiver(chosen.profile)
}

// connect makes the client of a profile; the empty name is what the command line asked for.
func (h *consoleHost) connect(ctx context.Context, request ui.ConnectRequest) (ui.Connection, error) {
	made, err := h.connectProfile(ctx, request)
	if err == nil {
		clock := made.Clock(h.app.now)
		h.clock.Store(&clock)
	}
	return made, err
}

// now is the time where the account in use is: a sandbox may live on another day than today.
func (h *consoleHost) now() time.Time {
	if clock := h.clock.Load(); clock != nil {
		return (*clock)()
	}
	return h.app.now()
}

func (h *consoleHost) connectProfile(ctx context.Context, request ui.ConnectRequest) (ui.Connection, error) {
	if request.Profile == ui.SandboxProfile || (request.Profile == "" && h.startsOnSandbox()) {
		return h.connectSandbox(ctx, request)
	}
	profile, fromFlags, err := h.findProfile(request.Profile)
	if err != nil {
		return ui.Connection{}, err
	}
	ask := h.app.keyRequest(profile)
	ask.ProfileOnly = !fromFlags
	vault, err := h.vault()
	if err != nil {
		return ui.Connection{}, err
	}
	found, err := vault.Resolve(ctx, ask)
	if err != nil {
		return ui.Connection{}, err
	}
	return h.openConnection(profile, found.Key, request, fromFlags, h.app.now)
}

// openConnection makes the connection to an account; fromFlags says that it is the one the run began with.
func (h *consoleHost) openConnection(
	p settings.Profile, key credentials.Key, request ui.ConnectRequest, fromFlags bool, now func() time.Time,
) (ui.Connection, error) {
	limiter := h.newLimiter(p)
	client, err := h.newClient(p, key, request.ReadOnly, limiter, now)
	if err != nil {
		return ui.Connection{}, err
	}
	made := ui.Connection{Client: client, Profile: p}
	if wanted := h.receiverSettings(p, fromFlags); wanted.Configured() {
		receiver, err := h.newReceiver(p, wanted, key, limiter)
		if err != nil {
			return ui.Connection{}, err
		}
		made.Receiver = receiver
	}
	return made, nil
}

// findProfile finds an account; fromFlags says that it is the one the run began with.
func (h *consoleHost) findProfile(name string) (profile settings.Profile, fromFlags bool, err error) {
	begun, err := h.app.chooseAccount()
	if err == nil && (name == "" || name == begun.profile.Name) {
		return begun.profile, true, nil
	}
	accounts := h.file.Load().Settings
	if known, ok := accounts.Profile(name); ok {
		return known, false, nil
	}
	if err != nil {
		return profile, false, err
	}
	return profile, false, unknownProfile(accounts, name)
}

// newLimiter is the request budget of an account.
func (h *consoleHost) newLimiter(p settings.Profile) *apiclient.Limiter {
	rate := p.RequestsPerSecond
	if h.app.flags.rate > 0 {
		rate = h.app.flags.rate
	}
	return apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: rate})
}

func (h *consoleHost) newClient(
	p settings.Profile, key credentials.Key, readOnly func() bool, budget *apiclient.Limiter, now func() time.Time,
) (*apiclient.Client, error) {
	return apiclient.New(apiclient.Options{
		BaseURL: p.BaseURL, Key: key.Reveal, UserAgent: userAgent(), ReadOnly: readOnly, Limiter: budget, Now: now,
		Transport: apiclient.TransportOptions{CAFile: h.app.env.Expand(cmp.Or(h.app.flags.caFile, p.CAFile))},
	})
}

// keysFromConfig are the keys as the config file has them.
func keysFromConfig(file *settings.File) (*keymaps.Table, error) {
	table := keymaps.Default()
	ids := make([]string, 0, len(table.All()))
	for _, action := range table.All() {
		ids = append(ids, action.ID)
	}
	if err := file.CheckActions(ids); err != nil {
		return nil, err
	}
	changes := map[string][]string{}
	for _, b := range file.Settings.Keys {
		changes[b.Action] = b.Keys
	}
	if len(changes) == 0 {
		return table, nil
	}
	return table.Rebind(changes)
}

// workingDirectory is where the console was started; empty, which means the same, when that cannot be told.
func workingDirectory() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}

// userName is who sits at the console, for the record of what was changed: the one who logged in, not the account that
// an ops box shares.
func userName(getenv func(string) string) string {
	name := cmp.Or(getenv("WAYBILL_PERSON"), getenv("SUDO_USER"), getenv("USER"), getenv("LOGNAME"), getenv("USERNAME"))
	return model.Clean(name)
}
