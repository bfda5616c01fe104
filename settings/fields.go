package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// topLevel is the name of the part above the first table.
const topLevel = "the top of the file"

// field is a setting of a table: how it is read, and where its value is for writing.
type field struct {
	name string
	// value points to the value in the settings.
	value any
	read  func(d *decoder, value *node, name string)
	// fields are the settings of a table.
	fields []field
}

// check says what is wrong with a text.
type check func(text string) error

func fieldNames(fields []field) []string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// set returns a field whose reader reports false for an invalid value.
func set[T any](name string, into *T, read func(d *decoder, value *node, name string) (T, bool)) field {
	return field{name: name, value: into, read: func(d *decoder, value *node, name string) {
		if read, ok := read(d, value, name); ok {
			*into = read
		}
	}}
}

func textField[T ~string](name string, into *T, checks ...check) field {
	return set(name, into, func(d *decoder, value *node, name string) (T, bool) {
		text, ok := d.readText(value, name, checks...)
		return T(text), ok
	})
}

func listField(name string, into *[]string, checks ...check) field {
	return set(name, into, func(d *decoder, value *node, name string) ([]string, bool) {
		return d.readList(value, name, checks...), true
	})
}

func boolField(name string, into *bool) field {
	return set(name, into, func(d *decoder, value *node, name string) (bool, bool) {
		if value.kind != unstable.Bool {
			d.report(value.offset, "%s must be true or false, not %s", name, describeValue(value))
		}
		return value.text == "true", true
	})
}

func durationField(name string, into *time.Duration, least, most time.Duration) field {
	return set(name, into, func(d *decoder, value *node, name string) (time.Duration, bool) {
		return d.readDuration(value, name, least, most)
	})
}

func tableField(name string, into any, where string, fields []field) field {
	return field{name: name, value: into, fields: fields, read: func(d *decoder, value *node, _ string) {
		d.readTable(value, where, fields)
	}}
}

// oneOf allows only some texts.
func oneOf[T ~string](valid ...T) check {
	return func(text string) error {
		if slices.Contains(valid, T(text)) {
			return nil
		}
		names := make([]string, 0, len(valid))
		for _, value := range valid {
			names = append(names, string(value))
		}
		return fmt.Errorf("%s is not one of %s%s", quoted(text), strings.Join(names, ", "), didYouMean(text, names))
	}
}

func topFields(s *Settings) []field {
	return []field{
		textField("default_profile", &s.DefaultProfile),
		textField("theme", &s.Theme, oneOf(ThemeAuto, ThemeDark, ThemeLight, ThemeHighContrast, ThemeMono)),
		boolField("ascii", &s.ASCII),
		set("mouse", &s.Mouse, (*decoder).readChoice),
		textField("time_zone", &s.TimeZone, CheckTimeZone),
		textField("notifications", &s.Notifications, oneOf(NotifyOff, NotifyBell, NotifyOSC9)),
		tableField("late", &s.Late, "[late]", lateFields(&s.Late)),
		{name: "keys", read: func(d *decoder, value *node, _ string) { d.readBindings(value, "", s) }},
		{name: "views", read: func(d *decoder, value *node, _ string) { d.readViews(value, s) }},
		{name: "profiles", read: func(d *decoder, value *node, _ string) { d.readProfiles(value, s) }},
	}
}

func lateFields(l *Late) []field {
	return []field{
		durationField("at_risk", &l.AtRisk, minThreshold, maxThreshold),
		durationField("silent", &l.Silent, minThreshold, maxThreshold),
	}
}

func viewFields(v *View) []field {
	return []field{
		textField("name", &v.Name),
		textField("pane", &v.Pane, oneOf(PaneTasks, PaneWorkers, PaneDelays, PaneOrders)),
		set("filter", &v.Filter, (*decoder).readString),
		textField("sort", &v.Sort),
		textField("key", &v.Key, CheckKeys),
	}
}

func profileFields(p *Profile) []field {
	return []field{
		textField("base_url", &p.BaseURL, checkBaseURL),
		textField("title", &p.Title),
		set("accent", &p.Accent, (*decoder).readAccent),
		boolField("production", &p.Production),
		boolField("read_only", &p.ReadOnly),
		textField("key_source", &p.KeySource, oneOf(KeySources()...)),
		textField("key_env", &p.KeyEnv, checkVariableName),
		textField("key_file", &p.KeyFile, checkPath),
		set("key_command", &p.KeyCommand, (*decoder).readCommand),
		listField("teams", &p.Teams),
		textField("ca_file", &p.CAFile, checkPath),
		set("requests_per_second", &p.RequestsPerSecond, func(d *decoder, value *node, name string) (int, bool) {
			return d.readInt(value, name, 1, maxRequestsPerSecond)
		}),
		tableField("poll", &p.Poll, tableName("profiles", p.Name, "poll"), pollFields(&p.Poll)),
		tableField("webhooks", &p.Webhooks, tableName("profiles", p.Name, "webhooks"), webhookFields(&p.Webhooks)),
	}
}

func pollFields(p *Poll) []field {
	return []field{
		durationField("tasks", &p.Tasks, minPoll, maxPoll),
		durationField("workers", &p.Workers, minPoll, maxPoll),
		durationField("delays", &p.Delays, minPoll, maxPoll),
		durationField("orders", &p.Orders, minPoll, maxPoll),
	}
}

func webhookFields(w *WebhookReceiver) []field {
	return []field{
		textField("listen", &w.Listen, CheckListen),
		textField("public_url", &w.PublicURL, CheckPublicURL),
		textField("secret_file", &w.SecretFile, checkPath),
		listField("triggers", &w.Triggers, checkTrigger),
		boolField("keep", &w.Keep),
	}
}

func (d *decoder) readChoice(value *node, name string) (Choice, bool) {
	switch {
	case value.kind == unstable.Bool && value.text == "true":
		return ChoiceOn, true
	case value.kind == unstable.Bool:
		return ChoiceOff, true
	case value.kind != unstable.String || Choice(value.text) != ChoiceAuto:
		d.report(value.offset, `%s must be true, false or "auto", not %s`, name, describeValue(value))
	}
	return ChoiceAuto, true
}

func (d *decoder) readAccent(value *node, name string) (string, bool) {
	if value.kind == unstable.Integer {
		d.report(value.offset, "%s must be a string; write it in quotes: %q", name, value.text)
		return "", false
	}
	return d.readText(value, name, CheckAccent)
}

func (d *decoder) readCommand(value *node, name string) (argv []string, ok bool) {
	if value.kind == unstable.Array {
		if len(value.items) == 0 {
			d.report(value.offset, "%s is an empty list; name a program", name)
		}
		return d.readList(value, name), true
	}
	_, ok = d.readText(value, name, func(text string) (err error) {
		argv, err = SplitCommand(text)
		return err
	})
	return argv, ok
}

// tableName writes a table's header as the file would.
func tableName(path ...string) string {
	parts := make([]string, 0, len(path))
	for _, part := range path {
		parts = append(parts, quoteKey(part))
	}
	return "[" + strings.Join(parts, ".") + "]"
}
