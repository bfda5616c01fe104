package settings

import (
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must be known on machines that have no zone files, Windows above all
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"waybill/model"
)

//go:embed zones.txt
var zoneNames string //nolint:gochecknoglobals // read-only table, filled by the compiler

// ErrBaseURL is matched by every error about a base URL.
var ErrBaseURL = errors.New("bad base URL")

// CheckBaseURL returns the address in its one form, without a slash at the end, or an error that says what is wrong with it.
func CheckBaseURL(text string) (string, error) {
	wrong := func(format string, arguments ...any) (string, error) {
		return "", fmt.Errorf("%w: %s", ErrBaseURL, fmt.Sprintf(format, arguments...))
	}
	parsed, err := url.Parse(text)
	switch {
	case err != nil:
		return wrong("%s is not a URL", quoted(text))
	case parsed.User != nil:
		return wrong("it holds a user name or key; keep keys out of the address (see waybill keys add)")
	case parsed.Scheme != "https" && parsed.Scheme != "http":
		return wrong(`%s must begin with "https://" (or "http://")`, quoted(text))
	case parsed.Hostname() == "":
		return wrong("%s names no host", quoted(text))
	case parsed.RawQuery != "" || parsed.Fragment != "" || parsed.ForceQuery:
		return wrong(`%s must end in the version, without "?" or "#"`, quoted(text))
	}
	path := strings.TrimRight(parsed.EscapedPath(), "/")
	if !regexp.MustCompile(`/v[0-9]+$`).MatchString(path) {
		return wrong(`%s must end in the version of the interface; did you mean %q?`, quoted(text), suggestBaseURL(parsed))
	}
	return strings.TrimRight(text, "/"), nil
}

func suggestBaseURL(parsed *url.URL) string {
	return (&url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: strings.TrimRight(parsed.Path, "/") + "/v2"}).String()
}

// SendsKeyUnencrypted reports whether the API key would cross a network unencrypted.
func (p Profile) SendsKeyUnencrypted() bool {
	parsed, err := url.Parse(p.BaseURL)
	if err != nil || parsed.Scheme != "http" || parsed.Hostname() == "localhost" {
		return false
	}
	address, err := netip.ParseAddr(parsed.Hostname())
	return err != nil || !address.IsLoopback()
}

func (d *decoder) readBaseURL(value *node) string {
	text, ok := d.readText(value, "base_url")
	if !ok {
		return ""
	}
	checked, err := CheckBaseURL(text)
	if err != nil {
		d.report(value.offset, "base_url: %s", strings.TrimPrefix(err.Error(), ErrBaseURL.Error()+": "))
	}
	return checked
}

func (d *decoder) readPublicURL(value *node) string {
	text, ok := d.readText(value, "public_url")
	if !ok {
		return ""
	}
	if err := CheckPublicURL(text); err != nil {
		d.report(value.offset, "public_url: %s", err)
		return ""
	}
	return text
}

// CheckPublicURL returns nil for an address that a service can be given to send events to.
func CheckPublicURL(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.Hostname() == "" {
		return fmt.Errorf(`%s must be a whole address, such as "https://ops.example.com/events"`, quoted(text))
	}
	return nil
}

func (d *decoder) readListen(value *node) string {
	text, ok := d.readText(value, "listen")
	if !ok {
		return ""
	}
	if err := CheckListen(text); err != nil {
		d.report(value.offset, "listen: %s", err)
		return ""
	}
	return text
}

// CheckListen returns nil for a host and port that can be listened on. The port must be named: webhooks lead to it.
func CheckListen(text string) error {
	_, port, err := net.SplitHostPort(text)
	if number, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil || number == 0 {
		return fmt.Errorf(`%s must be a host and a port, such as "127.0.0.1:8450" or ":8450"`, quoted(text))
	}
	return nil
}

// readTriggers reads kinds of events by the names they have in events.
func (d *decoder) readTriggers(value *node) []string {
	var valid []string
	for _, trigger := range model.Triggers() {
		valid = append(valid, trigger.Name())
	}
	items := []*node{value}
	if value.kind == unstable.Array {
		items = value.items
	}
	var found []string
	for _, item := range items {
		text, ok := d.readText(item, "triggers")
		switch {
		case !ok:
		case !slices.Contains(valid, text):
			hint := didYouMean(text, valid)
			if hint == "" {
				hint = "; they are " + strings.Join(valid, ", ")
			}
			d.report(item.offset, "triggers: %s is not a kind of event%s", quoted(text), hint)
		default:
			found = append(found, text)
		}
	}
	return found
}

func (d *decoder) readTimeZone(value *node) TimeZone {
	text, ok := d.readText(value, "time_zone")
	if !ok {
		return ZoneLocal
	}
	if err := CheckTimeZone(text); err != nil {
		d.report(value.offset, "time_zone: %s", err)
		return ZoneLocal
	}
	return TimeZone(text)
}

// CheckTimeZone returns nil for "local", "organization" and every IANA name.
func CheckTimeZone(text string) error {
	if zone := TimeZone(text); zone == ZoneLocal || zone == ZoneOrganization {
		return nil
	}
	// The library takes "" and "Local" too, which are no names of zones.
	if _, err := time.LoadLocation(text); err == nil && text != "" && text != "Local" {
		return nil
	}
	valid := append(strings.Fields(zoneNames), string(ZoneLocal), string(ZoneOrganization))
	return fmt.Errorf(`%s is not a time zone; write "local", "organization" or a name such as "Europe/Berlin"%s`,
		quoted(text), didYouMean(strings.ReplaceAll(text, " ", "_"), valid))
}

// AccentNames returns the colours an accent may name; they follow the terminal's palette.
func AccentNames() []string {
	return []string{"red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray"}
}

func (d *decoder) readAccent(value *node) string {
	if value.kind == unstable.Integer {
		d.report(value.offset, "accent must be a string; write it in quotes: %q", value.text)
		return ""
	}
	text, ok := d.readText(value, "accent")
	if !ok {
		return ""
	}
	if err := CheckAccent(text); err != nil {
		d.report(value.offset, "accent: %s", err)
		return ""
	}
	return text
}

// CheckAccent returns nil for "#rrggbb", a palette number from 0 to 255 and the names of AccentNames.
func CheckAccent(text string) error {
	if regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`).MatchString(text) || slices.Contains(AccentNames(), text) {
		return nil
	}
	if regexp.MustCompile(`^[0-9]{1,3}$`).MatchString(text) {
		if number, err := strconv.Atoi(text); err == nil && number <= 255 {
			return nil
		}
	}
	return fmt.Errorf(`%s is not a colour; write "#rrggbb", a palette number from "0" to "255", or one of %s%s`,
		quoted(text), strings.Join(AccentNames(), ", "), didYouMean(text, AccentNames()))
}

// CheckProfileName returns nil when name may name a profile. The name also becomes part of a file name and the keyring
// entry's user, hence its narrow alphabet.
func CheckProfileName(name string) error {
	if why := profileNameProblem(name); why != "" {
		return fmt.Errorf("%s cannot be the name of a profile: %s", quoted(name), why)
	}
	return nil
}

func profileNameProblem(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxNameLength:
		return fmt.Sprintf("it is longer than %d characters", maxNameLength)
	case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name):
		return "use letters, digits, dots, dashes and underscores, and begin with a letter or digit"
	}
	return ""
}

func (d *decoder) readVariableName(value *node, name string) string {
	text, ok := d.readText(value, name)
	if ok && !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(text) {
		d.report(value.offset, "%s: %s is not the name of an environment variable (the name, not the key itself)",
			name, describeLength(text))
		return ""
	}
	return text
}

// describeLength keeps a key that was pasted where a variable's name belongs out of the error.
func describeLength(text string) string {
	return fmt.Sprintf("a text of %d characters", utf8.RuneCountInString(text))
}

// readPath reads a file's path. It must say from where it counts: a path relative to nothing means another file in every folder.
func (d *decoder) readPath(value *node, name string) string {
	text, ok := d.readText(value, name)
	if ok && !isAbsolutePath(text) && !strings.HasPrefix(text, "~/") {
		d.report(value.offset, `%s: %s must be a full path or begin with "~/"`, name, quoted(text))
		return ""
	}
	return text
}

// isAbsolutePath takes the full paths of every system, so that one file can be read, and tested, anywhere.
func isAbsolutePath(path string) bool {
	return strings.HasPrefix(path, "/") || regexp.MustCompile(`^([A-Za-z]:[\\/]|\\\\)`).MatchString(path)
}

func (d *decoder) readCommand(value *node, name string) []string {
	if value.kind == unstable.Array {
		argv := d.readList(value, name)
		if len(value.items) == 0 {
			d.report(value.offset, "%s is an empty list; name a program", name)
		}
		return argv
	}
	text, ok := d.readText(value, name)
	if !ok {
		return nil
	}
	argv, err := SplitCommand(text)
	if err != nil {
		d.report(value.offset, "%s: %s", name, err)
	}
	return argv
}

func (d *decoder) readKey(value *node, name string) string {
	text, ok := d.readText(value, name)
	if !ok {
		// A lone space is how some would write the space bar.
		return ""
	}
	if err := CheckKeys(text); err != nil {
		d.report(value.offset, "%s: %s", name, err)
		return ""
	}
	return text
}
