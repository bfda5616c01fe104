// Package settings reads the config file: profiles, keys, theme, time zone, thresholds and saved views.
//
// A bad file is never repaired and never half-used: every problem is reported with its line and column, and the file is left
// as it is. Writing touches only the lines it must, so that comments and order survive.
package settings

import (
	"cmp"
	"slices"
	"time"

	"waybill/model"
)

// Settings is what the config file says, with defaults where it says nothing.
type Settings struct {
	// DefaultProfile is the profile used when none is named; empty when the file names none.
	DefaultProfile string
	// Theme is the colour theme.
	Theme Theme
	// ASCII asks for plain ASCII in place of line-drawing and status glyphs.
	ASCII bool
	// Mouse says whether the console takes the mouse from the terminal.
	Mouse Choice
	// TimeZone is the zone that times are shown and typed in.
	TimeZone TimeZone
	// Notifications says how the console calls for attention when a task becomes late.
	Notifications Notifications
	// Late holds the thresholds that decide what is at risk and who is silent.
	Late Late
	// Keys holds the rebound actions in the order of the file.
	Keys []Binding
	// Views holds the saved views in the order of the file.
	Views []View
	// Profiles holds the accounts in the order of the file.
	Profiles []Profile
}

// Default returns the settings of a machine without a config file.
func Default() Settings {
	return Settings{
		Theme:         ThemeAuto,
		Mouse:         ChoiceAuto,
		TimeZone:      ZoneLocal,
		Notifications: NotifyOff,
		Late:          Late{AtRisk: 15 * time.Minute, Silent: 10 * time.Minute},
	}
}

// Profile returns the profile of that name.
func (s Settings) Profile(name string) (Profile, bool) {
	for _, profile := range s.Profiles {
		if profile.Name == name {
			return profile, true
		}
	}
	return Profile{}, false
}

// ProfileNames returns the names of all profiles in the order of the file.
func (s Settings) ProfileNames() []string {
	names := make([]string, 0, len(s.Profiles))
	for _, profile := range s.Profiles {
		names = append(names, profile.Name)
	}
	return names
}

// ClosestProfile returns the profile name most like a mistyped one, or "" when none is close.
func (s Settings) ClosestProfile(name string) string {
	return model.ClosestName(name, s.ProfileNames())
}

// Theme names a set of colours.
type Theme string

// The themes. ThemeAuto asks the terminal for its background and takes dark or light.
const (
	ThemeAuto         Theme = "auto"
	ThemeDark         Theme = "dark"
	ThemeLight        Theme = "light"
	ThemeHighContrast Theme = "high-contrast"
	ThemeMono         Theme = "mono"
)

// Choice is yes, no, or left to the program.
type Choice string

// The choices. The file writes the last two as true and false.
const (
	ChoiceAuto Choice = "auto"
	ChoiceOn   Choice = "on"
	ChoiceOff  Choice = "off"
)

// Decide returns the choice, or automatic when it is left to the program.
func (c Choice) Decide(automatic bool) bool {
	switch c {
	case ChoiceOn:
		return true
	case ChoiceOff:
		return false
	default:
		return automatic
	}
}

// Notifications names a way to call for attention.
type Notifications string

// The ways to call for attention: none, the terminal bell, or a desktop notification through OSC 9.
const (
	NotifyOff  Notifications = "off"
	NotifyBell Notifications = "bell"
	NotifyOSC9 Notifications = "osc9"
)

// TimeZone is "local", "organization", or an IANA name known to be valid.
type TimeZone string

// The two zones that are not IANA names.
const (
	ZoneLocal        TimeZone = "local"
	ZoneOrganization TimeZone = "organization"
)

// Location returns the zone to show times in. The organization's own zone comes from the service; while it is not known yet
// (nil), the local zone stands in for it.
func (z TimeZone) Location(organization *time.Location) *time.Location {
	switch z {
	case ZoneLocal, "":
		return time.Local
	case ZoneOrganization:
		return cmp.Or(organization, time.Local)
	}
	location, err := time.LoadLocation(string(z))
	if err != nil {
		return time.Local
	}
	return location
}

// Late holds the thresholds of triage.
type Late struct {
	// AtRisk is how long before its deadline an unfinished task counts as at risk.
	AtRisk time.Duration
	// Silent is how long a worker on duty may go unheard before they count as silent.
	Silent time.Duration
}

// DisabledKey is the text that leaves an action without any key.
const DisabledKey = "<disabled>"

// Binding gives an action other keys than its own.
type Binding struct {
	// Action is the action's id, such as "tasks.assign".
	Action string
	// Keys are the keys that run it; none when the action is disabled.
	Keys []string
	// At is where the file says so.
	At Position
}

// View is a saved view: a pane with a filter and an order.
type View struct {
	// Name is shown beside the view's counter.
	Name string
	// Pane is the pane the view filters.
	Pane Pane
	// Filter is the filter text, as typed after "/".
	Filter string
	// Sort is a column name, with a leading "-" for the reverse order.
	Sort string
	// Key is the key that opens the view.
	Key string
	// At is where the file says so.
	At Position
}

// Pane names one of the four panes.
type Pane string

// The panes.
const (
	PaneTasks   Pane = "tasks"
	PaneWorkers Pane = "workers"
	PaneDelays  Pane = "delays"
	PaneOrders  Pane = "orders"
)

// Profile is one account: a service, an organization on it and how to get at its key.
type Profile struct {
	// Name is the profile's name in the file, on the command line and in the keyring.
	Name string
	// BaseURL is the service's address and ends in its version segment.
	BaseURL string
	// Title is what the console calls the account; Label falls back to the name.
	Title string
	// Accent is the colour that marks the account: "#rrggbb", a number from 0 to 255, or a colour's name.
	Accent string
	// Production makes the console look different and ask harder questions.
	Production bool
	// ReadOnly starts the console and every command without the right to change anything.
	ReadOnly bool
	// KeySource is where the API key is; empty tries the keyring, then the encrypted file.
	KeySource KeySource
	// KeyEnv is the environment variable with the key, for KeyFromEnv.
	KeyEnv string
	// KeyFile is the file with the key, for KeyFromFile.
	KeyFile string
	// KeyCommand is the program and arguments that print the key, for KeyFromCommand.
	KeyCommand []string
	// Teams limits the console to these teams, by name or id; none means all.
	Teams []string
	// CAFile is a PEM file with certificates to trust beside the system's.
	CAFile string
	// RequestsPerSecond caps the requests of this program, so that others with the same key keep their share.
	RequestsPerSecond int
	// Poll is how often each pane asks for news.
	Poll Poll
	// Webhooks is where this console receives events, if it does.
	Webhooks WebhookReceiver
	// At is where the file defines the profile.
	At Position
}

// NewProfile returns a profile with every default in place.
func NewProfile(name, baseURL string) Profile {
	return Profile{Name: name, BaseURL: baseURL, RequestsPerSecond: defaultRequestsPerSecond, Poll: DefaultPoll()}
}

// Label returns what to call the profile on the screen.
func (p Profile) Label() string { return cmp.Or(p.Title, p.Name) }

// KeySource names the place of a profile's API key.
type KeySource string

// The places a key may be kept.
const (
	KeyFromKeyring KeySource = "keyring"
	KeyFromEnv     KeySource = "env"
	KeyFromFile    KeySource = "file"
	KeyFromCommand KeySource = "command"
	KeyFromAge     KeySource = "age"
)

// KeySources returns every key source a profile may name.
func KeySources() []KeySource {
	return []KeySource{KeyFromKeyring, KeyFromEnv, KeyFromFile, KeyFromCommand, KeyFromAge}
}

// Poll is how often each pane asks for news.
type Poll struct {
	Tasks, Workers, Delays, Orders time.Duration
}

// DefaultPoll returns intervals that stay well inside a budget of 20 requests a second. Delays change slowly on the
// service, so they are asked for least.
func DefaultPoll() Poll {
	return Poll{Tasks: 15 * time.Second, Workers: 15 * time.Second, Delays: time.Minute, Orders: 30 * time.Second}
}

// IntervalOf returns the interval of a pane.
func (p Poll) IntervalOf(pane Pane) time.Duration {
	switch pane {
	case PaneWorkers:
		return p.Workers
	case PaneDelays:
		return p.Delays
	case PaneOrders:
		return p.Orders
	default:
		return p.Tasks
	}
}

// WebhookReceiver is where the console listens for events; the zero value listens nowhere.
type WebhookReceiver struct {
	// Listen is the host and port to listen on.
	Listen string
	// PublicURL is the address under which the service reaches the listener.
	PublicURL string
	// SecretFile holds the secret that events are signed with; without it the service is asked.
	SecretFile string
	// Triggers are the kinds of events to receive, by name; none means all that need no threshold.
	Triggers []string
	// Keep leaves the webhooks in place when the console ends.
	Keep bool
}

// IsConfigured reports whether the profile receives events at all.
func (w WebhookReceiver) IsConfigured() bool { return w.Listen != "" }

// Limits of what the file may ask for.
const (
	defaultRequestsPerSecond = 20
	maxRequestsPerSecond     = 1000
	minPoll                  = 2 * time.Second
	maxPoll                  = time.Hour
	minThreshold             = time.Minute
	maxThreshold             = 24 * time.Hour
	maxNameLength            = 64
	maxTextLength            = 1024
)

func toStrings[T ~string](values ...T) []string {
	texts := make([]string, 0, len(values))
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return slices.Clip(texts)
}
