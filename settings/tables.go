package settings

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// readBindings reads [keys]. An id with a dot may be bare, which TOML reads as nested tables, or in quotes.
func (d *decoder) readBindings(table *node, prefix string, s *Settings) {
	if !table.isTable() {
		d.report(table.offset, "[keys] must be a table, not %s", describeValue(table))
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
	items := value.asList()
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
		if key, ok := d.readText(item, action, CheckKeys); ok {
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
		d.readTable(item, "[[views]]", viewFields(&view))
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
		if err := CheckProfileName(found.name); err != nil {
			d.report(found.offset, "%s", err)
			continue
		}
		folded := strings.ToLower(found.name)
		if first, taken := seen[folded]; taken {
			d.report(found.offset, "profile %q differs from %q at line %d only in case; rename one of them",
				found.name, first.Name, first.At.Line)
		}
		profile := NewProfile(found.name, "")
		profile.At = d.positionOf(found.offset)
		d.readTable(found.value, tableName("profiles", found.name), profileFields(&profile))
		d.checkProfile(found, &profile)
		seen[folded] = profile
		s.Profiles = append(s.Profiles, profile)
	}
}

// checkProfile checks settings that depend on each other.
func (d *decoder) checkProfile(found *entry, profile *Profile) {
	if !found.value.isTable() {
		return
	}
	if checked, err := CheckBaseURL(profile.BaseURL); err == nil {
		profile.BaseURL = checked
	}
	if found.value.get("base_url") == nil {
		d.reportMissing(found.offset, `%s needs base_url, the address of the service, such as "https://api.example.com/v2"`,
			tableName("profiles", profile.Name))
	}
	if webhooks := found.value.get("webhooks"); webhooks != nil && webhooks.isTable() && webhooks.get("listen") == nil {
		d.reportMissing(webhooks.offset, `%s needs listen, the address to receive events on, such as "127.0.0.1:8581"`,
			tableName("profiles", profile.Name, "webhooks"))
	}
	d.inferKeySource(found, profile)
}

// inferKeySource sets the source if only key_env, key_file or key_command is given, and reports contradictions.
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
	if stated && profile.KeySource == "" {
		return // an invalid source is reported already
	}
	implied := ""
	for _, companion := range companions {
		value := found.value.get(companion.setting)
		switch {
		case value == nil && stated && companion.needed && profile.KeySource == companion.source:
			d.reportMissing(found.value.get("key_source").offset, "key_source is %q, which needs %s as well",
				companion.source, companion.setting)
		case value == nil:
		case stated && profile.KeySource != companion.source:
			d.report(value.offset, "%s is ignored while key_source is %q; remove one of the two",
				companion.setting, profile.KeySource)
		case !stated && implied != "":
			d.report(value.offset, "both %s and %s are set; set key_source to choose one", implied, companion.setting)
		case !stated:
			implied, profile.KeySource = companion.setting, companion.source
		}
	}
}

// checkDefaultProfile checks that default_profile exists. It needs the whole file, so it is skipped if a part could not be read.
func (d *decoder) checkDefaultProfile(root *node, s *Settings) {
	if s.DefaultProfile == "" {
		return
	}
	if _, ok := s.Profile(s.DefaultProfile); !ok {
		d.report(root.get("default_profile").offset, "default_profile names %s, which is not a profile of this file%s",
			quoted(s.DefaultProfile), didYouMean(s.DefaultProfile, s.ProfileNames()))
	}
}
