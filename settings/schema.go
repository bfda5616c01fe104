package settings

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// topLevel names the part of the file above its first table in messages.
const topLevel = "the top of the file"

func topFields() []field[Settings] {
	return []field[Settings]{
		{"default_profile", func(d *decoder, v *node, s *Settings) { s.DefaultProfile, _ = d.readText(v, "default_profile") }},
		{"theme", func(d *decoder, v *node, s *Settings) {
			s.Theme = readOneOf(d, v, "theme", ThemeAuto, ThemeDark, ThemeLight, ThemeHighContrast, ThemeMono)
		}},
		{"ascii", func(d *decoder, v *node, s *Settings) { s.ASCII = d.readBool(v, "ascii") }},
		{"mouse", func(d *decoder, v *node, s *Settings) { s.Mouse = d.readChoice(v, "mouse") }},
		{"time_zone", func(d *decoder, v *node, s *Settings) { s.TimeZone = d.readTimeZone(v) }},
		{"notifications", func(d *decoder, v *node, s *Settings) {
			s.Notifications = readOneOf(d, v, "notifications", NotifyOff, NotifyBell, NotifyOSC9)
		}},
		{"late", func(d *decoder, v *node, s *Settings) { readTable(d, v, "[late]", lateFields(), &s.Late) }},
		{"keys", func(d *decoder, v *node, s *Settings) { d.readBindings(v, "", s) }},
		{"views", func(d *decoder, v *node, s *Settings) { d.readViews(v, s) }},
		{"profiles", func(d *decoder, v *node, s *Settings) { d.readProfiles(v, s) }},
	}
}

func lateFields() []field[Late] {
	return []field[Late]{
		{"at_risk", func(d *decoder, v *node, l *Late) { l.AtRisk = d.readDuration(v, "at_risk", minThreshold, maxThreshold) }},
		{"silent", func(d *decoder, v *node, l *Late) { l.Silent = d.readDuration(v, "silent", minThreshold, maxThreshold) }},
	}
}

func viewFields() []field[View] {
	return []field[View]{
		{"name", func(d *decoder, v *node, view *View) { view.Name, _ = d.readText(v, "name") }},
		{"pane", func(d *decoder, v *node, view *View) {
			view.Pane = readOneOf(d, v, "pane", PaneTasks, PaneWorkers, PaneDelays, PaneOrders)
		}},
		{"filter", func(d *decoder, v *node, view *View) { view.Filter, _ = d.readString(v, "filter") }},
		{"sort", func(d *decoder, v *node, view *View) { view.Sort, _ = d.readText(v, "sort") }},
		{"key", func(d *decoder, v *node, view *View) { view.Key = d.readKey(v, "key") }},
	}
}

func profileFields() []field[Profile] {
	return []field[Profile]{
		{"base_url", func(d *decoder, v *node, p *Profile) { p.BaseURL = d.readBaseURL(v) }},
		{"title", func(d *decoder, v *node, p *Profile) { p.Title, _ = d.readText(v, "title") }},
		{"accent", func(d *decoder, v *node, p *Profile) { p.Accent = d.readAccent(v) }},
		{"production", func(d *decoder, v *node, p *Profile) { p.Production = d.readBool(v, "production") }},
		{"read_only", func(d *decoder, v *node, p *Profile) { p.ReadOnly = d.readBool(v, "read_only") }},
		{"key_source", func(d *decoder, v *node, p *Profile) { p.KeySource = readOneOf(d, v, "key_source", KeySources()...) }},
		{"key_env", func(d *decoder, v *node, p *Profile) { p.KeyEnv = d.readVariableName(v, "key_env") }},
		{"key_file", func(d *decoder, v *node, p *Profile) { p.KeyFile = d.readPath(v, "key_file") }},
		{"key_command", func(d *decoder, v *node, p *Profile) { p.KeyCommand = d.readCommand(v, "key_command") }},
		{"teams", func(d *decoder, v *node, p *Profile) { p.Teams = d.readList(v, "teams") }},
		{"ca_file", func(d *decoder, v *node, p *Profile) { p.CAFile = d.readPath(v, "ca_file") }},
		{"requests_per_second", func(d *decoder, v *node, p *Profile) {
			p.RequestsPerSecond = d.readInt(v, "requests_per_second", 1, maxRequestsPerSecond)
		}},
		{"poll", func(d *decoder, v *node, p *Profile) {
			readTable(d, v, tableName("profiles", p.Name, "poll"), pollFields(), &p.Poll)
		}},
		{"webhooks", func(d *decoder, v *node, p *Profile) { d.readWebhooks(v, p) }},
	}
}

func pollFields() []field[Poll] {
	return []field[Poll]{
		{"tasks", func(d *decoder, v *node, p *Poll) { p.Tasks = d.readDuration(v, "tasks", minPoll, maxPoll) }},
		{"workers", func(d *decoder, v *node, p *Poll) { p.Workers = d.readDuration(v, "workers", minPoll, maxPoll) }},
		{"delays", func(d *decoder, v *node, p *Poll) { p.Delays = d.readDuration(v, "delays", minPoll, maxPoll) }},
		{"orders", func(d *decoder, v *node, p *Poll) { p.Orders = d.readDuration(v, "orders", minPoll, maxPoll) }},
	}
}

func webhookFields() []field[WebhookReceiver] {
	return []field[WebhookReceiver]{
		{"listen", func(d *decoder, v *node, w *WebhookReceiver) { w.Listen = d.readListen(v) }},
		{"public_url", func(d *decoder, v *node, w *WebhookReceiver) { w.PublicURL = d.readPublicURL(v) }},
		{"secret_file", func(d *decoder, v *node, w *WebhookReceiver) { w.SecretFile = d.readPath(v, "secret_file") }},
		{"triggers", func(d *decoder, v *node, w *WebhookReceiver) { w.Triggers = d.readTriggers(v) }},
		{"keep", func(d *decoder, v *node, w *WebhookReceiver) { w.Keep = d.readBool(v, "keep") }},
	}
}

func (d *decoder) readChoice(value *node, name string) Choice {
	if value.kind == unstable.Bool {
		if value.text == "true" {
			return ChoiceOn
		}
		return ChoiceOff
	}
	if value.kind != unstable.String || Choice(value.text) != ChoiceAuto {
		d.report(value.offset, `%s must be true, false or "auto", not %s`, name, describe(value))
	}
	return ChoiceAuto
}

// readBindings reads [keys]. An id with a dot may be written bare, which TOML reads as a table in a table, or in quotes.
func (d *decoder) readBindings(table *node, prefix string, s *Settings) {
	if !table.isTable() {
		d.report(table.offset, "[keys] must be a table, not %s", describe(table))
		return
	}
	for _, found := range table.entries {
		action := prefix + found.name
		if found.value.isTable() {
			d.readBindings(found.value, action+".", s)
			continue
		}
		if found.name == "" || strings.ContainsFunc(action, isControl) {
			d.report(found.offset, "%s is not an action id", quoted(action))
			continue
		}
		s.Keys = append(s.Keys, Binding{Action: action, Keys: d.readKeys(found.value, action), At: d.positionOf(found.offset)})
	}
}

func (d *decoder) readKeys(value *node, action string) []string {
	items := []*node{value}
	if value.kind == unstable.Array {
		items = value.items
	}
	if len(items) == 0 {
		d.report(value.offset, "%s has an empty list of keys; write %q to leave it without a key", action, DisabledKey)
	}
	var keys []string
	for _, item := range items {
		if item.kind == unstable.String && item.text == DisabledKey {
			if len(items) > 1 {
				d.report(item.offset, "%s lists %q beside other keys; it must stand alone", action, DisabledKey)
			}
			continue
		}
		if key := d.readKey(item, action); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

func (d *decoder) readViews(array *node, s *Settings) {
	if array.kind != unstable.Array {
		d.report(array.offset, "views must be written as [[views]], one for each view")
		return
	}
	seen := map[string]Position{}
	for _, item := range array.items {
		before := len(d.problems)
		view := View{At: d.positionOf(item.offset)}
		readTable(d, item, "[[views]]", viewFields(), &view)
		if len(d.problems) == before {
			d.checkView(item, view, seen)
		}
		s.Views = append(s.Views, view)
	}
}

func (d *decoder) checkView(item *node, view View, seen map[string]Position) {
	if view.Name == "" || view.Pane == "" {
		d.reportMissing(item.offset, "a view needs at least a name and a pane")
		return
	}
	if first, taken := seen[view.Name]; taken {
		d.report(item.offset, "there is already a view named %s at line %d", quoted(view.Name), first.Line)
	}
	seen[view.Name] = view.At
}

func (d *decoder) readProfiles(table *node, s *Settings) {
	if !table.isTable() {
		d.report(table.offset, "profiles must be written as [profiles.NAME], one for each profile")
		return
	}
	seen := map[string]Profile{}
	for _, found := range table.entries {
		if why := profileNameProblem(found.name); why != "" {
			d.report(found.offset, "%s cannot be the name of a profile: %s", quoted(found.name), why)
			continue
		}
		folded := strings.ToLower(found.name)
		if first, taken := seen[folded]; taken {
			d.report(found.offset, "profile %q differs from %q at line %d only in case; rename one of them",
				found.name, first.Name, first.At.Line)
		}
		profile := NewProfile(found.name, "")
		profile.At = d.positionOf(found.offset)
		readTable(d, found.value, tableName("profiles", found.name), profileFields(), &profile)
		d.checkProfile(found, &profile)
		seen[folded] = profile
		s.Profiles = append(s.Profiles, profile)
	}
}

func (d *decoder) readWebhooks(value *node, profile *Profile) {
	where := tableName("profiles", profile.Name, "webhooks")
	readTable(d, value, where, webhookFields(), &profile.Webhooks)
	if value.isTable() && value.get("listen") == nil {
		d.reportMissing(value.offset, `%s needs listen, the address to receive events on, such as "127.0.0.1:8450"`, where)
	}
}

// checkProfile checks what only makes sense together.
func (d *decoder) checkProfile(found *entry, profile *Profile) {
	if !found.value.isTable() {
		return
	}
	where := tableName("profiles", profile.Name)
	if found.value.get("base_url") == nil {
		d.reportMissing(found.offset, `%s needs base_url, the address of the service, such as "https://api.example.com/v2"`, where)
	}
	d.inferKeySource(found, profile)
}

// inferKeySource fills in a source that the file says through its companion alone, and reports contradictions.
func (d *decoder) inferKeySource(found *entry, profile *Profile) {
	companions := []struct {
		setting string
		source  KeySource
		needed  bool
	}{
		{"key_env", KeyFromEnv, false},
		{"key_file", KeyFromFile, true},
		{"key_command", KeyFromCommand, true},
	}
	stated := found.value.get("key_source") != nil
	implied := ""
	for _, companion := range companions {
		value := found.value.get(companion.setting)
		switch {
		case value == nil && stated && companion.needed && profile.KeySource == companion.source:
			d.reportMissing(found.value.get("key_source").offset, "key_source is %q, which needs %s as well",
				companion.source, companion.setting)
		case value == nil:
		case stated && profile.KeySource != companion.source:
			d.report(value.offset, "%s has no use while key_source is %q; remove one of the two",
				companion.setting, profile.KeySource)
		case !stated && implied != "":
			d.report(value.offset, "both %s and %s are set; say which one counts with key_source", implied, companion.setting)
		case !stated:
			implied, profile.KeySource = companion.setting, companion.source
		}
	}
}

// checkDefaultProfile checks what holds the file together. It needs the whole file, so it is skipped when a part could not be read.
func (d *decoder) checkDefaultProfile(root *node, s *Settings) {
	if s.DefaultProfile == "" {
		return
	}
	if _, ok := s.Profile(s.DefaultProfile); !ok {
		d.report(root.get("default_profile").offset, "default_profile names %s, which is not a profile of this file%s",
			quoted(s.DefaultProfile), didYouMean(s.DefaultProfile, s.ProfileNames()))
	}
}

// tableName writes a table's header as the file would.
func tableName(path ...string) string {
	parts := make([]string, 0, len(path))
	for _, part := range path {
		parts = append(parts, quoteKey(part))
	}
	return "[" + strings.Join(parts, ".") + "]"
}
