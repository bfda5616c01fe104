package ui

import (
	"cmp"
	"context"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/settings"
	"waybill/ui/dialog"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// TickFunc delivers a message after a while.
type TickFunc func(d time.Duration, make func(time.Time) tea.Msg) tea.Cmd

// Model is the root of the console. Bubble Tea calls it from one goroutine, so it is changed in place; commands capture
// values, never the model.
type Model struct {
	crash    *crashGuard // nil in tests
	options  Options
	keys     *keymaps.Table
	keyboard keymaps.Keyboard
	actions  map[string]handler

	appearance appearance
	width      int
	height     int
	screen     layout.Screen
	focus      board.Pane
	zoom       bool
	inDetail   bool // the detail beside the panes has the focus
	layout     layout.Layout
	chrome     views.Chrome
	spans      []layout.Span
	out        []byte
	line       []byte
	frame      views.Frame

	account  account
	board    *board.Board
	panes    *views.Board
	feed     *feed.Feed
	receiver receiverState
	health   [board.PaneCount]feed.Health
	orders   map[model.ShortID]model.ID // orders on the board
	readOnly *atomic.Bool
	lockedBy string

	detail     *detail
	mapView    *views.Map
	page       page
	dialogs    []openedDialog
	jobs       jobState
	history    dialog.History
	message    message
	messages   messageLog
	views      savedViews
	notifiedAt time.Time // when late tasks were last announced
	remembered rememberedState
	rebuiltAt  time.Time
	graceEnds  time.Time // until then a dialog that opened by itself takes no key
	focused    bool      // the terminal window has the focus

	frameUnchanged bool // the last message changed only ages, which the next tick shows
	slowRequests   int  // requests unanswered for a second
	busy           int  // commands under way, for tests
}

// account is the account that the console is connected to. Every command carries its generation, so that no answer of the
// previous account is shown in the next.
type account struct {
	Connection
	generation   uint64
	ctx          context.Context //nolint:containedctx // cancels what is in flight when the account is left
	cancel       context.CancelFunc
	organization model.Organization
	zone         *time.Location // of the organization
	err          error          // why there is no connection
	tried        string         // the profile that could not be connected to
	connecting   bool
}

// New returns a console that has not drawn anything yet.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tick == nil {
		o.Tick = func(d time.Duration, makeMsg func(time.Time) tea.Msg) tea.Cmd { return tea.Every(d, makeMsg) }
	}
	m := &Model{
		options: o, keys: o.Keys, readOnly: &atomic.Bool{}, focus: board.PaneDelays, focused: true,
		width: 80, height: 24,
	}
	if m.keys == nil {
		m.keys = keymaps.Default()
	}
	m.actions = handlers() //nolint:contextcheck // handlers derive from the account's context when they run
	m.appearance = newAppearance(&o)
	m.mapView = views.NewMap()
	m.page = newPages(m)
	m.views = newSavedViews(o.Settings.Views)
	m.jobs.drafts = map[journal.DraftKey]form.Values{}
	if o.ReadOnly {
		m.readOnly.Store(true)
		m.lockedBy = "--readonly"
	}
	m.account.ctx, m.account.cancel = context.WithCancel(ctx)
	if o.StateDir != "" {
		m.remembered.path = filepath.Join(o.StateDir, "session.json")
	}
	m.reset()
	return m
}

// reset starts with an empty board and feed.
func (m *Model) reset() {
	now := m.now()
	late := m.options.Settings.Late
	limits := board.DefaultSettings()
	limits.AtRisk, limits.Silent = cmp.Or(late.AtRisk, limits.AtRisk), cmp.Or(late.Silent, limits.Silent)
	m.board = board.NewBoard(limits, model.MillisOf(now))
	m.panes = views.NewBoard(m.board.Snapshot())
	m.orders = map[model.ShortID]model.ID{}
	m.detail, m.dialogs = nil, nil
	m.notifiedAt = time.Time{}
	poll := m.account.Profile.Poll
	if poll == (settings.Poll{}) {
		poll = settings.DefaultPoll()
	}
	m.feed = feed.New(feed.Options{
		Intervals: PollIntervals(poll),
		AtRisk:    limits.AtRisk, Shift: shiftStart(now, m.zone()), Rate: m.account.Profile.RequestsPerSecond,
		Seed: uint64(now.UnixNano()), Stamp: m.board.Stamp, //nolint:gosec // jitter
	}, now)
	m.setEmptyTexts()
}

// PollIntervals are the refresh intervals of the settings.
func PollIntervals(p settings.Poll) feed.Intervals {
	return feed.Intervals{board.PaneTasks: p.Tasks, board.PaneWorkers: p.Workers, board.PaneDelays: p.Delays, board.PaneOrders: p.Orders}
}

// shiftStart is the start of today's work: four in the morning, when no driver is out.
func shiftStart(now time.Time, zone *time.Location) time.Time {
	const hour = 4
	local := now.In(zone)
	start := time.Date(local.Year(), local.Month(), local.Day(), hour, 0, 0, 0, zone)
	if local.Before(start) {
		start = start.AddDate(0, 0, -1)
	}
	return start
}

// zone is the time zone that times are shown in.
func (m *Model) zone() *time.Location {
	if m.options.Zone != nil {
		return m.options.Zone
	}
	zone := cmp.Or(m.options.Settings.TimeZone, settings.ZoneLocal)
	return zone.Location(m.account.zone)
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.tick(), m.askTerminal(), m.readState()}
	if m.options.Connection != nil {
		cmds = append(cmds, m.enterAccount(*m.options.Connection))
	} else {
		cmds = append(cmds, m.connect(m.options.Profile))
	}
	return tea.Batch(cmds...)
}

// askTerminal asks for the background colour. Nothing waits for the answer: some terminals give none.
func (m *Model) askTerminal() tea.Cmd {
	if m.appearance.options.Name != theme.Auto && m.appearance.options.Name != theme.HighContrast {
		return nil
	}
	return tea.RequestBackgroundColor
}

// focusedPane is the focused pane.
func (m *Model) focusedPane() views.Pane { return m.panes.Panes[m.focus] }

// now is the current time of the service.
func (m *Model) now() time.Time { return m.clock()() }

func (m *Model) clock() func() time.Time { return m.account.Clock(m.options.Now) }

// Busy is the number of commands under way.
func (m *Model) Busy() int { return m.busy }
