package cli

import (
	"cmp"
	"context"
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
	"waybill/views/theme"
)

// consoleFlags are the flags of the console.
type consoleFlags struct {
	sandbox bool
	box     server.Sandbox
	start   ui.Start
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
	flags.BoolVar(&f.sandbox, "sandbox", false, "open the sandbox even if there are accounts")
	flags.Uint64Var(&f.box.Seed, "seed", 0, "seed of a new sandbox; the same seed gives the same day")
	flags.Float64Var(&f.box.Speed, "speed", 1, "speed of the sandbox clock; 60 is one minute per second")
	flags.IntVar(&f.box.Tasks, "sandbox-tasks", 0, "number of tasks in a new sandbox")
	flags.IntVar(&f.box.Workers, "sandbox-workers", 0, "number of workers in a new sandbox")
	flags.StringVar(&f.start.View, "view", "", "open a saved view, such as 'late now'")
	flags.StringVar(&f.start.Pane, "pane", "", "open a pane: delays, workers, tasks or orders")
	flags.StringVar(&f.start.Filter, "filter", "", "filter the pane, such as 'team:north late>10m'")
	flags.StringVar(&f.start.Sort, "sort", "", "sort the pane by this column; a leading - reverses the order")
	flags.StringVar(&f.start.Task, "task", "", "open this task, by id or short id")
	flags.StringVar(&f.theme, "theme", "", "theme: auto, dark, light, high-contrast or mono")
	flags.BoolVar(&f.ascii, "ascii", false, "use only ASCII characters")
	flags.BoolVar(&f.mouse, "mouse", false, "enable the mouse")
	_ = cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(themeNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("pane", cobra.FixedCompletions(board.PaneNames(), cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&f.receive, "receive", "", "receive events of the service on this address, such as 127.0.0.1:8581, and show them at once")
	flags.StringVar(&f.receiveURL, "receive-url", "", "public URL of the --receive address, if the service reaches it by another address")
	flags.BoolVar(&f.accessible, "accessible", false, "print the board and its changes as plain lines, for a screen reader")
	return f
}

func themeNames() []string { return toStrings(theme.Names()) }

// check validates the flags before anything is drawn.
func (f *consoleFlags) check() error {
	if err := checkSpeed(f.box.Speed); err != nil {
		return err
	}
	for _, c := range []struct {
		flag       string
		value, max int
	}{{"--sandbox-tasks", f.box.Tasks, sandbox.MaxTasks}, {"--sandbox-workers", f.box.Workers, sandbox.MaxWorkers}} {
		if c.value < 0 || c.value > c.max { // 0 means the default
			return fmt.Errorf("%s must be from 1 to %d", c.flag, c.max)
		}
	}
	for _, c := range []struct {
		flag, value string
		known       []string
	}{{"--theme", f.theme, themeNames()}, {"--pane", f.start.Pane, board.PaneNames()}} {
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%s: unknown value %q; use one of %s", c.flag, c.value, strings.Join(c.known, ", "))
		}
	}
	pane, err := board.ParsePane(f.start.Pane)
	if err != nil {
		pane = board.PaneTasks
	}
	if _, err := board.ParseFilter(pane, f.start.Filter); err != nil {
		return fmt.Errorf("--filter: %w", err)
	}
	if f.start.Pane == "" && f.start.Filter == "" {
		pane = board.PaneDelays
	}
	if _, err := board.ParseSort(pane, f.start.Sort); err != nil {
		return fmt.Errorf("--sort: %w", err)
	}
	return nil
}

// runConsole runs the console until the user quits.
func (a *app) runConsole(ctx context.Context, f *consoleFlags) error {
	if err := f.check(); err != nil {
		return usageError{err}
	}
	if f.accessible {
		return a.runAccessibleConsole(ctx, f)
	}
	if err := a.checkTerminal(); err != nil {
		return usageError{err}
	}
	file, err := a.loadConfig()
	if err != nil {
		return err
	}
	// When the terminal is gone the console must end and remove its webhooks, even under nohup.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	release := holdSignals()
	defer release()
	host := newConsoleHost(a, f, file)
	defer host.shutDown(ctx)
	options, err := host.consoleOptions()
	if err != nil {
		return err
	}
	activity, err := openJournal(options.StateDir, host.now)
	if err != nil {
		return err
	}
	defer func() { _ = activity.Close() }()
	options.Activity, options.Drafts = activity, journal.NewDrafts(options.StateDir, host.now)
	defer debug.SetGCPercent(debug.SetGCPercent(consoleGCPercent))
	err = ui.Run(ctx, options)
	release()
	return a.consoleEnd(err)
}

// consoleGCPercent is the GOGC value of the console. The console is open all day and mostly idle, so saving memory is
// worth the extra garbage collection.
const consoleGCPercent = 70

// runAccessibleConsole prints the board and then its changes as plain lines until it is interrupted.
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
	options.Intervals = ui.PollIntervals(poll)
	var at *time.Location
	if organization, err := made.Client.Organization(ctx); err == nil {
		at = loadZone(organization.Timezone)
	}
	return ui.Follow(ctx, a.stdout, made.Client, options, ui.PrintOptions{Zone: zone.Location(at), Limit: lines})
}

// consoleHost connects the console to accounts: those of the config file, one named by --base-url, or the sandbox.
type consoleHost struct {
	app   *app
	flags *consoleFlags
	// file is the config file. addAccount replaces it while other commands read it.
	file atomic.Pointer[settings.File]
	// clock is the clock of the current account, used for the journal.
	clock atomic.Pointer[func() time.Time]
	// vault is shared by all accounts because it remembers keys that could not be stored.
	vault func() (*credentials.Vault, error)
	// sandbox is the embedded service once it runs.
	sandbox atomic.Pointer[server.Server]
	// listenSlot is held by the receiver that listens. mu guards receivers and clients.
	listenSlot chan struct{}
	mu         sync.Mutex
	receivers  []*consoleReceiver
	clients    []*apiclient.Client
}

func newConsoleHost(a *app, f *consoleFlags, file *settings.File) *consoleHost {
	h := &consoleHost{app: a, flags: f, vault: sync.OnceValues(a.newVault), listenSlot: make(chan struct{}, 1)}
	h.file.Store(file)
	return h
}

func (h *consoleHost) shutDown(ctx context.Context) {
	h.closeReceivers(ctx)
	h.closeClients()
	if running := h.sandbox.Load(); running != nil {
		if err := running.Stop(ctx); err != nil {
			h.app.printError(err)
		}
	}
}

// closeClients closes unused connections. The sandbox would wait five seconds for one that has not sent a request yet.
func (h *consoleHost) closeClients() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, client := range h.clients {
		client.Close()
	}
}

// startsOnSandbox reports whether the console opens on the sandbox: by flag, or because there is no account.
func (h *consoleHost) startsOnSandbox() bool {
	s := h.file.Load().Settings
	return h.flags.sandbox ||
		(h.app.flags.baseURL == "" && h.app.flags.profile == "" && s.DefaultProfile == "" && len(s.Profiles) == 0)
}

func (h *consoleHost) consoleOptions() (ui.Options, error) {
	if err := h.app.checkTimeZone(); err != nil {
		return ui.Options{}, err
	}
	file := h.file.Load()
	s := file.Settings
	keys, err := keysFromConfig(file)
	if err != nil {
		return ui.Options{}, err
	}
	if err := checkViews(file); err != nil {
		return ui.Options{}, err
	}
	folders, err := h.app.env.Locate()
	if err != nil {
		return ui.Options{}, err
	}
	name, depth := theme.FromEnvironment(theme.Name(cmp.Or(h.flags.theme, string(s.Theme))), h.app.env.Getenv)
	o := ui.Options{
		Connect: h.connect, Join: h.addAccount, Sandbox: h.startsOnSandbox(), Settings: s, Keys: keys, ReadOnly: h.app.flags.readOnly,
		Theme: name, Depth: depth, ASCII: h.flags.ascii || s.ASCII || theme.NeedsASCII(h.app.env.Getenv),
		Mouse: h.flags.mouse || s.Mouse.Decide(h.app.env.Getenv("SSH_TTY") == ""),
		Now:   h.app.now, StateDir: folders.State, WorkDir: workingDirectory(), Person: userName(h.app.env.Getenv),
		Program: "waybill", Version: version(), Environment: os.Environ(),
		Start: h.flags.start,
	}
	if zone := settings.TimeZone(h.app.flags.timeZone); zone != "" && zone != settings.ZoneOrganization {
		o.Zone = zone.Location(nil)
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

// connect connects to a profile; the empty name means the account of the command line.
func (h *consoleHost) connect(ctx context.Context, request ui.ConnectRequest) (ui.Connection, error) {
	made, err := h.connectProfile(ctx, request)
	if err == nil {
		clock := made.Clock(h.app.now)
		h.clock.Store(&clock)
	}
	return made, err
}

// now returns the time of the current account: the clock of a sandbox may differ from the local one.
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
	return h.openConnection(ctx, profile, found.Key, request, fromFlags, h.app.now)
}

// openConnection opens the connection to a profile. fromFlags reports whether it is the account of the command line.
func (h *consoleHost) openConnection(
	ctx context.Context, p settings.Profile, key credentials.Key, request ui.ConnectRequest, fromFlags bool, now func() time.Time,
) (ui.Connection, error) {
	options := h.app.clientOptions(p, key.Reveal)
	options.ReadOnly, options.Now = request.ReadOnly, now
	client, err := apiclient.New(options)
	if err != nil {
		return ui.Connection{}, err
	}
	h.mu.Lock()
	h.clients = append(h.clients, client)
	h.mu.Unlock()
	made := ui.Connection{Client: client, Profile: p}
	if wanted := h.receiverSettings(p, fromFlags); wanted.IsConfigured() {
		receiver, err := h.newReceiver(ctx, p, wanted, key, client.Limiter())
		if err != nil {
			return ui.Connection{}, err
		}
		made.Receiver = receiver
	}
	return made, nil
}

// findProfile returns a profile by name. fromFlags reports whether it is the account of the command line.
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

// keysFromConfig returns the action table with the keys of the config file.
func keysFromConfig(file *settings.File) (*keymaps.Table, error) {
	table := keymaps.Default()
	ids := make([]string, 0, len(table.Actions()))
	for _, action := range table.Actions() {
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

// checkViews reports saved views of the config file with an unknown filter term or column.
func checkViews(file *settings.File) error {
	return file.CheckViews(func(v settings.View) error {
		pane, err := board.ParsePane(string(v.Pane))
		if err == nil {
			_, _, err = board.SavedView{Name: v.Name, Pane: pane, Filter: v.Filter, Sort: v.Sort}.Parse()
		}
		return err
	})
}

// workingDirectory returns the current directory, or an empty string if it is unknown, which means the same.
func workingDirectory() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}

// userName returns the name of the user for the journal. SUDO_USER comes before USER, so that a shared account does not
// hide who made a change.
func userName(getenv func(string) string) string {
	name := cmp.Or(getenv("WAYBILL_PERSON"), getenv("SUDO_USER"), getenv("USER"), getenv("LOGNAME"), getenv("USERNAME"))
	return model.Clean(name)
}
