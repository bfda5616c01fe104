package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/settings"
)

const minimalProfile = "[profiles.prod]\nbase_url = \"https://api.example.com/v2\"\n"

func TestNoFileMeansDefaults(t *testing.T) {
	t.Parallel()
	file, err := settings.Load(filepath.Join(t.TempDir(), "config.toml"))
	require.NoError(t, err)
	require.False(t, file.Exists())
	require.Equal(t, settings.Default(), file.Settings)
}

func TestEmptyFileMeansDefaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "# nothing but a comment", "\ufeff"} {
		got, err := settings.Parse("config.toml", []byte(text))
		require.NoError(t, err)
		require.Equal(t, settings.Default(), got)
	}
}

func TestProfileDefaults(t *testing.T) {
	t.Parallel()
	got, err := settings.Parse("config.toml", []byte("\ufeff"+strings.ReplaceAll(minimalProfile, "\n", "\r\n")))
	require.NoError(t, err)
	profile, ok := got.Profile("prod")
	require.True(t, ok)
	want := settings.NewProfile("prod", "https://api.example.com/v2")
	want.At = settings.Position{Line: 1, Column: 11}
	require.Equal(t, want, profile)
	require.Equal(t, "prod", profile.Label())
	require.Equal(t, time.Minute, profile.Poll.IntervalOf(settings.PaneDelays))
	require.False(t, profile.Webhooks.IsConfigured())
}

// TestProblems gives one bad file at a time and the whole report expected for it.
func TestProblems(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"unknown setting in a profile": {
			"[profiles.prod]\n  bas_url = \"https://api.example.com/v2\"\n",
			`c:1:11: [profiles.prod] needs base_url, the address of the service, such as "https://api.example.com/v2"` + "\n" +
				`c:2:3: unknown setting "bas_url" in [profiles.prod]; did you mean "base_url"?`,
		},
		"unknown setting, nothing near":   {"wibble = 1", `c:1:1: unknown setting "wibble"`},
		"dash for underscore":             {`time-zone = "local"`, `c:1:1: unknown setting "time-zone"; did you mean "time_zone"?`},
		"top setting under a table":       {minimalProfile + `theme = "dark"`, `c:3:1: unknown setting "theme" in [profiles.prod]; it is a top-level setting: move it above the first [table] of the file`},
		"profile setting at the top":      {`read_only = true`, `c:1:1: unknown setting "read_only"; it belongs to a profile: put it under [profiles.NAME]`},
		"key in the file":                 {minimalProfile + `api_key = "s3cret"`, `c:3:1: unknown setting "api_key" in [profiles.prod]; keys do not belong in this file: store it with 'waybill keys add'`},
		"wrong type, bool":                {`ascii = "yes"`, `c:1:9: ascii must be true or false, not a string ("yes")`},
		"wrong type, string":              {`theme = 3`, `c:1:9: theme must be a string in quotes, not 3`},
		"wrong type, list":                {`theme = ["dark"]`, `c:1:9: theme must be a string in quotes, not a list`},
		"wrong type, date":                {`theme = 2026-01-01`, `c:1:9: theme must be a string in quotes, not a date or time`},
		"wrong type, table":               {`theme = {}`, `c:1:9: theme must be a string in quotes, not a table`},
		"table expected":                  {`late = 5`, `c:1:8: [late] must be a table, not 5`},
		"keys not a table":                {`keys = 5`, `c:1:8: [keys] must be a table, not 5`},
		"views not tables":                {`views = "x"`, `c:1:9: views must be written as [[views]], one for each view`},
		"profiles not tables":             {`profiles = []`, `c:1:12: profiles must be written as [profiles.NAME], one for each profile`},
		"profile not a table":             {"[profiles]\nprod = \"x\"", `c:2:8: [profiles.prod] must be a table, not a string ("x")`},
		"value near another":              {`theme = "drak"`, `c:1:9: theme: "drak" is not one of auto, dark, light, high-contrast, mono; did you mean "dark"?`},
		"mouse":                           {`mouse = "on"`, `c:1:9: mouse must be true, false or "auto", not a string ("on")`},
		"zone near another":               {`time_zone = "Europe/Berln"`, `c:1:13: time_zone: "Europe/Berln" is not a time zone; write "local", "organization" or a name such as "Europe/Berlin"; did you mean "Europe/Berlin"?`},
		"zone with a space":               {`time_zone = "america/new york"`, `c:1:13: time_zone: "america/new york" is not a time zone; write "local", "organization" or a name such as "Europe/Berlin"; did you mean "America/New_York"?`},
		"duration without unit":           {"[late]\nat_risk = 15", `c:2:11: at_risk must be a duration in quotes with its unit, such as "30s" or "5m", not 15`},
		"duration not parsed":             {"[late]\nat_risk = \"15 minutes\"", `c:2:11: at_risk: "15 minutes" is not a duration; write a number and a unit, such as "30s", "5m" or "1h"`},
		"duration out of range":           {"[late]\nsilent = \"2s\"", `c:2:10: silent must be from 1m to 24h, not 2s`},
		"poll of nothing":                 {minimalProfile + "poll.tasks = \"0s\"", `c:3:14: tasks must be from 2s to 1h, not 0s`},
		"number out of range":             {minimalProfile + "requests_per_second = 0x0", `c:3:23: requests_per_second must be from 1 to 1000, not 0`},
		"number with a fraction":          {minimalProfile + "requests_per_second = 1.5", `c:3:23: requests_per_second must be a whole number, not 1.5`},
		"url without version":             {"[profiles.p]\nbase_url = \"https://api.example.com/api\"", `c:2:12: base_url: it must end in the version of the interface, such as /v2 ("https://api.example.com/api"); try "https://api.example.com/api/v2"`},
		"url without scheme":              {"[profiles.p]\nbase_url = \"api.example.com/v2\"", `c:2:12: base_url: it must begin with https:// or http:// ("api.example.com/v2")`},
		"url with a key":                  {"[profiles.p]\nbase_url = \"https://s3cret@api.example.com/v2\"", `c:2:12: base_url: it contains a user or password; store the API key with waybill keys add instead ("https://api.example.com/v2")`},
		"url with a query":                {"[profiles.p]\nbase_url = \"https://api.example.com/v2?x\"", `c:2:12: base_url: it must not have a query (?…) or a fragment (#…) ("https://api.example.com/v2")`},
		"profile's name":                  {"[profiles.\"../x\"]\n", `c:1:11: "../x" cannot be the name of a profile: use letters, digits, dots, dashes and underscores, and begin with a letter or digit`},
		"names that differ in case":       {minimalProfile + strings.ReplaceAll(minimalProfile, "prod", "Prod"), `c:3:11: profile "Prod" differs from "prod" at line 1 only in case; rename one of them`},
		"default profile":                 {"default_profile = \"pord\"\n" + minimalProfile, `c:1:19: default_profile names "pord", which is not a profile of this file; did you mean "prod"?`},
		"accent":                          {minimalProfile + "accent = \"magneta\"", `c:3:10: accent: "magneta" is not a colour; write "#rrggbb", a palette number from "0" to "255", or one of red, green, yellow, blue, magenta, cyan, white, gray; did you mean "magenta"?`},
		"accent as a number":              {minimalProfile + "accent = 208", `c:3:10: accent must be a string; write it in quotes: "208"`},
		"source without companion":        {minimalProfile + "key_source = \"file\"", `c:3:14: key_source is "file", which needs key_file as well`},
		"source against companion":        {minimalProfile + "key_source = \"keyring\"\nkey_command = \"pass x\"", `c:4:15: key_command is ignored while key_source is "keyring"; remove one of the two`},
		"two companions":                  {minimalProfile + "key_file = \"/k\"\nkey_command = \"pass x\"", `c:4:15: both key_file and key_command are set; set key_source to choose one`},
		"relative path":                   {minimalProfile + "key_file = \"keys/prod\"", `c:3:12: key_file: "keys/prod" must be a full path or begin with "~/"`},
		"key where a name belongs":        {minimalProfile + "key_env = \"s3cret-key\"", `c:3:11: key_env: a text of 10 characters is not the name of an environment variable (the name, not the key itself)`},
		"shell syntax":                    {minimalProfile + "key_command = \"pass x | head -1\"", `c:3:15: key_command: '|' only works in a shell, and key_command runs without one; write ["sh", "-c", "…"] to use one, or quote it`},
		"empty command":                   {minimalProfile + "key_command = []", `c:3:15: key_command is an empty list; name a program`},
		"teams":                           {minimalProfile + "teams = [\"North\", 3]", `c:3:19: teams must be a string in quotes, not 3`},
		"webhooks without listen":         {minimalProfile + "[profiles.prod.webhooks]\n", `c:3:16: [profiles.prod.webhooks] needs listen, the address to receive events on, such as "127.0.0.1:8581"`},
		"webhooks listen":                 {minimalProfile + "webhooks = { listen = \"8581\" }", `c:3:23: listen: "8581" must be a host and a port, such as "127.0.0.1:8581" or ":8581"`},
		"webhooks address":                {minimalProfile + "webhooks = { listen = \":1\", public_url = \"ops/events\" }", `c:3:42: public_url: "ops/events" must be a whole address, such as "https://ops.example.com/events"`},
		"webhooks trigger":                {minimalProfile + "webhooks = { listen = \":1\", triggers = [\"taskStarted\", \"taskComplete\"] }", `c:3:56: triggers: "taskComplete" is not a kind of event; did you mean "taskCompleted"?`},
		"webhooks unknown":                {minimalProfile + "webhooks = { listen = \":1\", public_ur = \"x\" }", `c:3:29: unknown setting "public_ur" in [profiles.prod.webhooks]; did you mean "public_url"?`},
		"view without pane":               {"[[views]]\nname = \"x\"", `c:1:3: a view needs at least a name and a pane`},
		"two views of a name":             {"[[views]]\nname = \"x\"\npane = \"tasks\"\n[[views]]\nname = \"x\"\npane = \"tasks\"", `c:4:3: there is already a view named "x" at line 1`},
		"modifier":                        {"[keys]\nroute.assign = \"crtl+a\"", `c:2:16: route.assign: "crtl+a" is not a key: "crtl" is not a modifier; did you mean "ctrl"?`},
		"key's name":                      {"[keys]\nx = \"entre\"", `c:2:5: x: "entre" is not a key; write one character, or a name such as "enter", "f5" or "ctrl+d"; did you mean "enter"?`},
		"two spaces between keys":         {"[keys]\nx = \"g  g\"", `c:2:5: x: "" names no key; separate the keys of a sequence with one space, and the space bar is "space"`},
		"disabled beside a key":           {"[keys]\nx = [\"a\", \"<disabled>\"]", `c:2:11: x lists "<disabled>" beside other keys; it must stand alone`},
		"no keys at all":                  {"[keys]\nx = []", `c:2:5: x has an empty list of keys; write "<disabled>" to leave it without a key`},
		"control character":               {"[profiles.p]\nbase_url = \"https://a/v2\"\ntitle = \"a\\u001b[31m\"", `c:3:9: title contains a control character; write plain text`},
		"empty text":                      {minimalProfile + "title = \" \"", `c:3:9: title is empty; give it a value or remove the line`},
		"column counts characters":        {"views = [{ name = \"Zürich\", pane = \"task\" }]", `c:1:36: pane: "task" is not one of tasks, workers, delays, orders; did you mean "tasks"?`},
		"not TOML":                        {"theme = dark", `c:1:9: not valid TOML: `},
		"twice":                           {"ascii = true\nascii = false", `c:2:1: not valid TOML: key ascii is already defined; nothing after this line was read`},
		"broken late, problems before it": {"[profiles.p]\nreed_only = true\nx = \n", `c:2:1: unknown setting "reed_only" in [profiles.p]; did you mean "read_only"?` + "\nc:3:5: not valid TOML: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := settings.Parse("c", []byte(test.text))
			require.ErrorIs(t, err, settings.ErrInvalid)
			if strings.HasSuffix(test.want, ": ") {
				require.True(t, strings.HasPrefix(err.Error(), test.want), "got %q", err.Error())
				return
			}
			require.Equal(t, test.want, err.Error())
		})
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := settings.Parse("c", []byte("theme = 1\nascii = 2\nwibble = 3\n[late]\nsilent = 4\n"))
	var problems *settings.ProblemsError
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems.Problems, 4)
	for i, line := range []int{1, 2, 3, 5} {
		require.Equal(t, line, problems.Problems[i].At.Line)
	}
}

func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	_, err := settings.Load(folder)
	require.ErrorContains(t, err, "is a folder")

	large := filepath.Join(folder, "large.toml")
	require.NoError(t, os.WriteFile(large, []byte(strings.Repeat("#\n", 1<<20)), 0o600))
	_, err = settings.Load(large)
	require.ErrorContains(t, err, "cannot be a config file")
}

func TestKeySourceMayBeImplied(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]settings.KeySource{
		`key_env = "MY_KEY"`:            settings.KeyFromEnv,
		`key_file = "~/key"`:            settings.KeyFromFile,
		`key_command = ["pass", "a b"]`: settings.KeyFromCommand,
		`key_source = "age"`:            settings.KeyFromAge,
		`key_source = "env"`:            settings.KeyFromEnv,
		``:                              "",
	} {
		got, err := settings.Parse("c", []byte(minimalProfile+line))
		require.NoError(t, err, line)
		require.Equal(t, want, got.Profiles[0].KeySource, line)
	}
}

func TestCheckActions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte("[keys]\nroute.asign = \"a\"\n\"task.clone\" = \"c\"\n"), 0o600))
	file, err := settings.Load(path)
	require.NoError(t, err)
	known := []string{"route.assign", "task.clone"}
	require.EqualError(t, file.CheckActions(known),
		path+`:2:7: unknown action "route.asign" in [keys]; did you mean "route.assign"?`)
	require.NoError(t, file.CheckActions(append(known, "route.asign")))
}

func TestCheckViews(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte("\n[[views]]\nname = \"late\"\npane = \"tasks\"\nfilter = \"late>\"\n"), 0o600))
	file, err := settings.Load(path)
	require.NoError(t, err)
	require.NoError(t, file.CheckViews(func(settings.View) error { return nil }))
	err = file.CheckViews(func(view settings.View) error { return errors.New("no number in " + view.Filter) })
	require.EqualError(t, err, path+`:2:3: no number in late>`)
}
