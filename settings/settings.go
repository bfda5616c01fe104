// Package settings reads the config file: profiles, keys, theme, time zone, thresholds and saved views.
//
// An invalid file is not used at all: every problem is reported with its line and column. Writing changes only the lines
// concerned, so that comments and order survive.
package settings

import (
	"cmp"
	"time"

	"waybill/model"
)

// Settings is the content of the config file, with defaults for missing settings.
type Settings struct {
	// DefaultProfile is the profile to use without --profile. It may be empty.
	DefaultProfile string
	// Theme is the colour theme.
	Theme Theme
	// ASCII replaces line-drawing and status glyphs by plain ASCII.
	ASCII bool
	// Mouse says whether the console uses the mouse.
	Mouse Choice
	// TimeZone is the zone for times on the screen and in input.
	TimeZone TimeZone
	// Notifications says how the console notifies the user when a task becomes late.
	Notifications Notifications
	// Late holds the thresholds for at risk and silent.
	Late Late
	// Keys holds the rebound actions in the order of the file.
	Keys []Binding
	// Views holds the saved views in the order of the file.
	Views []View
	// Profiles holds the accounts in the order of the file.
	Profiles []Profile
}

// Default returns the settings without a config file.
func Default() Settings {
	return Settings{
		Theme:         ThemeAuto,
		Mouse:         ChoiceAuto,
		TimeZone:      ZoneLocal,
		Notifications: NotifyOff,
		Late:          Late{AtRisk: 15 * time.Minute, Silent: 10 * time.Minute},
	}
}

// Profile returns a profile by name.
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

// ClosestProfile returns the profile name most similar to a mistyped one, or "".
func (s Settings) ClosestProfile(name string) string {
	return model.ClosestName(name, s.ProfileNames())
}

// Theme names a set of colours.
type Theme string

// The themes. ThemeAuto is dark or light, depending on the background of the terminal.
const (
	ThemeAuto         Theme = "auto"
	ThemeDark         Theme = "dark"
	ThemeLight        Theme = "light"
	ThemeHighContrast Theme = "high-contrast"
	ThemeMono         Theme = "mono"
)

// Choice is on, off, or automatic.
type Choice string

// The choices. The file writes ChoiceOn and ChoiceOff as true and false.
const (
	ChoiceAuto Choice = "auto"
	ChoiceOn   Choice = "on"
	ChoiceOff  Choice = "off"
)

// Decide returns the choice as a bool; automatic is the value for ChoiceAuto.
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

// Notifications is a way to notify the user.
type Notifications string

// The notifications: none, the terminal bell, or a desktop notification through OSC 9.
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

// Location returns the zone to show times in. organization is the zone of the organization; while it is nil, the local zone is
// used instead.
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

// Late holds the thresholds for at risk and silent.
type Late struct {
	// AtRisk is how long before due an open task is at risk.
	AtRisk time.Duration
	// Silent is how long after the last contact a worker on duty is silent.
	Silent time.Duration
}

// DisabledKey is the value for an action without keys.
const DisabledKey = "<disabled>"

// Binding replaces the keys of an action.
type Binding struct {
	// Action is the action's id, such as "route.assign".
	Action string
	// Keys are the keys of the action; none if it is disabled.
	Keys []string
	// At is the position in the file.
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
	// At is the position in the file.
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

// Profile is a named account: a service, an organization and how to get the API key.
type Profile struct {
	// Name is the profile's name in the file, on the command line and in the keyring.
	Name string
	// BaseURL is the service's address and ends in its version segment.
	BaseURL string
	// Title is what the console calls the account; Label falls back to the name.
	Title string
	// Accent is the colour that marks the account: "#rrggbb", a number from 0 to 255, or a colour's name.
	Accent string
	// Production marks the account on the screen and makes confirmations stricter.
	Production bool
	// ReadOnly starts the console and every command in read-only mode.
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
	// CAFile is a PEM file with certificates to trust in addition to those of the system.
	CAFile string
	// RequestsPerSecond limits the requests of this program, to leave some for others with the same key.
	RequestsPerSecond int
	// Poll is how often each pane refreshes.
	Poll Poll
	// Webhooks is where this console receives events, if it does.
	Webhooks WebhookReceiver
	// At is where the file defines the profile.
	At Position
}

// NewProfile returns a profile with the defaults.
func NewProfile(name, baseURL string) Profile {
	return Profile{Name: name, BaseURL: baseURL, RequestsPerSecond: defaultRequestsPerSecond, Poll: DefaultPoll()}
}

// Label returns the name of the profile on the screen.
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

// Poll is how often each pane refreshes.
type Poll struct {
	Tasks, Workers, Delays, Orders time.Duration
}

// DefaultPoll returns intervals that stay well below 20 requests per second. Delays change slowly, so they refresh least often.
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

// WebhookReceiver configures how the console receives events; the zero value receives none.
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

// Limits of the values in the file.
const (
	defaultRequestsPerSecond = 20
	maxRequestsPerSecond     = 1000
	minPoll                  = 2 * time.Second
	maxPoll                  = time.Hour
	minThreshold             = time.Minute
	maxThreshold             = 24 * time.Hour
	maxTextLength            = 1024
)
