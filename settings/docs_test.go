package settings

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func readDocs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/settings.md")
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// TestEverySettingIsDocumented compares the tables of the reference with the fields.
func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	sections := map[string][]string{
		"## Top of the file": fieldNames(topFields(new(Settings))),
		"## late":            fieldNames(lateFields(new(Late))),
		"## views":           fieldNames(viewFields(new(View))),
		"## profiles":        fieldNames(profileFields(new(Profile))),
		"### poll":           fieldNames(pollFields(new(Poll))),
		"### webhooks":       fieldNames(webhookFields(new(WebhookReceiver))),
	}
	docs := readDocs(t)
	for heading, settings := range sections {
		_, after, found := strings.Cut(docs, "\n"+heading+"\n")
		require.True(t, found, "docs/settings.md has no section %q", heading)
		section := regexp.MustCompile(`(?m)^##`).Split(after, 2)[0]
		var documented []string
		for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section, -1) {
			documented = append(documented, row[1])
		}
		require.ElementsMatch(t, settings, documented, "the table under %q", heading)
	}
}

// TestDocumentedFileSetsEverything checks that the example is valid and sets every field.
func TestDocumentedFileSetsEverything(t *testing.T) {
	t.Parallel()
	_, after, found := strings.Cut(readDocs(t), "```toml\n")
	require.True(t, found)
	example, _, _ := strings.Cut(after, "```")
	got, err := Parse("docs/settings.md", []byte(example))
	require.NoError(t, err)

	merged := got
	merged.Profiles = nil
	requireDiffers(t, "Settings", reflect.ValueOf(merged), reflect.ValueOf(Default()), "Profiles")
	require.Equal(t, []string{"prod", "night", "box"}, got.ProfileNames())
	// The three sources exclude each other, so the example spreads them over three profiles.
	all := got.Profiles[0]
	all.KeyEnv, all.KeyFile = got.Profiles[1].KeyEnv, got.Profiles[2].KeyFile
	requireDiffers(t, "Profile", reflect.ValueOf(all), reflect.ValueOf(NewProfile("", "")))
	requireDiffers(t, "View", reflect.ValueOf(got.Views[0]), reflect.ValueOf(View{}))
	require.Equal(t, []Binding{
		{Action: "route.assign", Keys: []string{"a"}, At: got.Keys[0].At},
		{Action: "task.complete", Keys: []string{"x", "ctrl+enter"}, At: got.Keys[1].At},
		{Action: "look.jobs", Keys: []string{"g j"}, At: got.Keys[2].At},
		{Action: "task.delete", At: got.Keys[3].At},
	}, got.Keys)
}

func requireDiffers(t *testing.T, path string, got, usual reflect.Value, except ...string) {
	t.Helper()
	for i := range got.NumField() {
		name := got.Type().Field(i).Name
		if slices.Contains(except, name) {
			continue
		}
		if inner := got.Field(i); inner.Kind() == reflect.Struct {
			requireDiffers(t, path+"."+name, inner, usual.Field(i))
			continue
		}
		require.NotEqual(t, usual.Field(i).Interface(), got.Field(i).Interface(),
			"%s.%s keeps its default in the documented file", path, name)
	}
}

func TestDocumentedDefaultsAreTheDefaults(t *testing.T) {
	t.Parallel()
	docs, usual := readDocs(t), Default()
	poll := DefaultPoll()
	for setting, value := range map[string]string{
		"theme": string(usual.Theme), "mouse": string(usual.Mouse), "time_zone": string(usual.TimeZone),
		"notifications": string(usual.Notifications),
		"at_risk":       shortDuration(usual.Late.AtRisk), "silent": shortDuration(usual.Late.Silent),
		"tasks": shortDuration(poll.Tasks), "workers": shortDuration(poll.Workers),
		"delays": shortDuration(poll.Delays), "orders": shortDuration(poll.Orders),
	} {
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s` \\|.*`\"%s\"` \\|", setting, regexp.QuoteMeta(value)))
		require.Regexp(t, row, docs, "default of %s", setting)
	}
}
