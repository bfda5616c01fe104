package settings

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must be known on machines that have no zone files, Windows above all
	"unicode/utf8"

	"waybill/model"
)

//go:embed zones.txt
var zoneNames string //nolint:gochecknoglobals // read-only table, filled by the compiler

// CheckBaseURL returns the address without a trailing slash, or a [model.BaseURLError].
func CheckBaseURL(text string) (string, error) {
	base, err := model.ParseBaseURL(text)
	if err != nil {
		return "", err
	}
	return base.String(), nil
}

func checkBaseURL(text string) error {
	_, err := model.ParseBaseURL(text)
	if wrong, ok := errors.AsType[*model.BaseURLError](err); ok {
		return errors.New(wrong.Problem())
	}
	return err
}

// SendsKeyUnencrypted reports whether the API key would be sent unencrypted over a network.
func (p Profile) SendsKeyUnencrypted() bool {
	base, err := model.ParseBaseURL(p.BaseURL)
	return err == nil && model.SendsKeyUnencrypted(base)
}

// CheckPublicURL returns nil for an address that a service can send events to.
func CheckPublicURL(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.Hostname() == "" {
		return fmt.Errorf(`%s must be a whole address, such as "https://ops.example.com/events"`, quoted(text))
	}
	return nil
}

// CheckListen returns nil for a host and port to listen on. The port is required, because webhooks point to it.
func CheckListen(text string) error {
	_, port, err := net.SplitHostPort(text)
	if number, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil || number == 0 {
		return fmt.Errorf(`%s must be a host and a port, such as "127.0.0.1:8581" or ":8581"`, quoted(text))
	}
	return nil
}

// checkTrigger allows the names of triggers.
func checkTrigger(text string) error {
	valid := model.TriggerNames()
	if slices.Contains(valid, text) {
		return nil
	}
	hint := cmp.Or(didYouMean(text, valid), "; they are "+strings.Join(valid, ", "))
	return fmt.Errorf("%s is not a kind of event%s", quoted(text), hint)
}

// CheckTimeZone returns nil for "local", "organization" and every IANA name.
func CheckTimeZone(text string) error {
	if zone := TimeZone(text); zone == ZoneLocal || zone == ZoneOrganization {
		return nil
	}
	// time.LoadLocation also accepts "" and "Local", which are not zone names.
	if _, err := time.LoadLocation(text); err == nil && text != "" && text != "Local" {
		return nil
	}
	valid := append(strings.Fields(zoneNames), string(ZoneLocal), string(ZoneOrganization))
	return fmt.Errorf(`%s is not a time zone; write "local", "organization" or a name such as "Europe/Berlin"%s`,
		quoted(text), didYouMean(strings.ReplaceAll(text, " ", "_"), valid))
}

// AccentNames returns the named colours of an accent; they use the palette of the terminal.
func AccentNames() []string {
	return []string{"red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray"}
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

// CheckProfileName returns nil for a valid profile name; see [model.CheckProfileName].
func CheckProfileName(name string) error {
	if err := model.CheckProfileName(name); err != nil {
		return fmt.Errorf("%s cannot be the name of a profile: %w", quoted(name), err)
	}
	return nil
}

// checkVariableName does not show the text, because it may be a key that was pasted by mistake.
func checkVariableName(text string) error {
	if regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(text) {
		return nil
	}
	return fmt.Errorf("a text of %d characters is not the name of an environment variable (the name, not the key itself)",
		utf8.RuneCountInString(text))
}

// checkPath refuses relative paths, because they would depend on the working directory. It accepts the absolute paths of
// every system, so that a config file is valid on all of them.
func checkPath(text string) error {
	if regexp.MustCompile(`^(/|~/|[A-Za-z]:[\\/]|\\\\)`).MatchString(text) {
		return nil
	}
	return fmt.Errorf(`%s must be a full path or begin with "~/"`, quoted(text))
}
