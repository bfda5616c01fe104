package settings

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tableWriter writes a table, leaving out what the defaults say anyway.
type tableWriter struct{ text strings.Builder }

func (w *tableWriter) line(name, value string) { fmt.Fprintf(&w.text, "%s = %s\n", name, value) }

func (w *tableWriter) str(name, value string) {
	if value != "" {
		w.line(name, quote(value))
	}
}

func (w *tableWriter) flag(name string, value bool) {
	if value {
		w.line(name, "true")
	}
}

func (w *tableWriter) list(name string, values []string) {
	if len(values) > 0 {
		w.line(name, quoteList(values))
	}
}

func (w *tableWriter) duration(name string, value, usual time.Duration) {
	if value != usual {
		w.line(name, quote(shortDuration(value)))
	}
}

func writeProfile(profile Profile) string {
	var w tableWriter
	fmt.Fprintln(&w.text, tableName("profiles", profile.Name))
	w.line("base_url", quote(profile.BaseURL))
	w.str("title", profile.Title)
	w.str("accent", profile.Accent)
	w.flag("production", profile.Production)
	w.flag("read_only", profile.ReadOnly)
	w.str("key_source", string(profile.KeySource))
	w.str("key_env", profile.KeyEnv)
	w.str("key_file", profile.KeyFile)
	w.list("key_command", profile.KeyCommand)
	w.list("teams", profile.Teams)
	w.str("ca_file", profile.CAFile)
	if profile.RequestsPerSecond != defaultRequestsPerSecond {
		w.line("requests_per_second", strconv.Itoa(profile.RequestsPerSecond))
	}
	if usual := DefaultPoll(); profile.Poll != usual {
		fmt.Fprintf(&w.text, "\n%s\n", tableName("profiles", profile.Name, "poll"))
		w.duration("tasks", profile.Poll.Tasks, usual.Tasks)
		w.duration("workers", profile.Poll.Workers, usual.Workers)
		w.duration("delays", profile.Poll.Delays, usual.Delays)
		w.duration("orders", profile.Poll.Orders, usual.Orders)
	}
	if profile.Webhooks.IsConfigured() {
		fmt.Fprintf(&w.text, "\n%s\n", tableName("profiles", profile.Name, "webhooks"))
		w.str("listen", profile.Webhooks.Listen)
		w.str("public_url", profile.Webhooks.PublicURL)
		w.str("secret_file", profile.Webhooks.SecretFile)
		w.list("triggers", profile.Webhooks.Triggers)
		w.flag("keep", profile.Webhooks.Keep)
	}
	return w.text.String()
}

func writeView(view View) string {
	var w tableWriter
	fmt.Fprintln(&w.text, "[[views]]")
	w.line("name", quote(view.Name))
	w.line("pane", quote(string(view.Pane)))
	w.str("filter", view.Filter)
	w.str("sort", view.Sort)
	w.str("key", view.Key)
	return w.text.String()
}

func writeValue(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return quote(value), nil
	case bool:
		return strconv.FormatBool(value), nil
	case int:
		return strconv.Itoa(value), nil
	case []string:
		return quoteList(value), nil
	default:
		return "", fmt.Errorf("a setting cannot hold a %T", value)
	}
}

func quoteList(values []string) string {
	quotedValues := make([]string, 0, len(values))
	for _, value := range values {
		quotedValues = append(quotedValues, quote(value))
	}
	return "[" + strings.Join(quotedValues, ", ") + "]"
}

// quote writes a TOML basic string.
func quote(text string) string {
	var written strings.Builder
	written.WriteByte('"')
	for _, char := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case char == '"' || char == '\\':
			written.WriteByte('\\')
			written.WriteRune(char)
		case isControl(char):
			fmt.Fprintf(&written, `\u%04X`, char)
		default:
			written.WriteRune(char)
		}
	}
	written.WriteByte('"')
	return written.String()
}

// quoteKey writes a TOML key, bare where it can be.
func quoteKey(name string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(name) {
		return name
	}
	return quote(name)
}
