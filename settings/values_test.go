package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
	"waybill/settings"
)

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"pass show x":                 {"pass", "show", "x"},
		"  op read\t'op://a/b c' ":    {"op", "read", "op://a/b c"},
		`a "b \"c\" \d" e\ f ''`:      {"a", `b "c" \d`, "e f", ""},
		`vault 'kv|x' "a;b" \$HOME`:   {"vault", "kv|x", "a;b", "$HOME"},
		`"C:\Program Files\op.exe" x`: {`C:\Program Files\op.exe`, "x"},
	} {
		got, err := settings.SplitCommand(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"":             "names no program",
		"'' x":         "names no program",
		"a 'b":         "never closed",
		`a \`:          "ends in a backslash",
		"a | b":        "only works in a shell",
		"a $HOME":      "only works in a shell",
		"a \"`date`\"": "only works in a shell",
		"~/bin/key":    "only works in a shell",
	} {
		_, err := settings.SplitCommand(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestSplitCommandKeepsQuotedWords checks that words in single quotes do not change.
func TestSplitCommandKeepsQuotedWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[^'\x00]{1,12}`), 1, 5).Draw(t, "words")
		got, err := settings.SplitCommand("'" + strings.Join(words, "' '") + "'")
		if err != nil || strings.Join(got, "\x00") != strings.Join(words, "\x00") {
			t.Fatalf("got %q, %v", got, err)
		}
	})
}

func TestCheckKeystroke(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"a", "A", "é", "+", "ctrl++", "ctrl+d", "ctrl+shift+tab", "f12", "space", "?", "alt+enter", "<"} {
		require.NoError(t, settings.CheckKeystroke(key), key)
	}
	for _, key := range []string{"", "ab", "ctrl+", "control+a", "ctrl-a", "f21", "Enter", "a+b"} {
		require.Error(t, settings.CheckKeystroke(key), key)
	}
}

func TestCheckKeys(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"g", "g g", "space f", "g shift+tab", "N d x"} {
		require.NoError(t, settings.CheckKeys(keys), keys)
	}
	for _, keys := range []string{"", " ", "g  g", "g ", "gg", "a b c d"} {
		require.Error(t, settings.CheckKeys(keys), keys)
	}
}

func TestCheckBaseURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://api.example.com/api/v2":  "https://api.example.com/api/v2",
		"https://api.example.com/api/v2/": "https://api.example.com/api/v2",
		"http://[::1]:8400/v2":            "http://[::1]:8400/v2",
	} {
		got, err := settings.CheckBaseURL(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "https://", "https:///v2", "ftp://x/v2", "https://x/v", "https://x/v2/tasks", "https://x/av2", "://"} {
		_, err := settings.CheckBaseURL(text)
		require.ErrorIs(t, err, model.ErrBaseURL, text)
	}
}

func TestProfileSendsKeyUnencrypted(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://api.example.com/v2": false, "http://127.0.0.1:8400/v2": false, "http://localhost/v2": false,
		"http://[::1]/v2": false, "http://10.0.0.5/v2": true, "http://ops.example.com/v2": true,
	} {
		require.Equal(t, want, settings.NewProfile("p", url).SendsKeyUnencrypted(), url)
	}
}

func TestEveryListedZoneIsAZone(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("zones.txt")
	require.NoError(t, err)
	zones := strings.Fields(string(text))
	require.Greater(t, len(zones), 400)
	for _, zone := range zones {
		require.NoError(t, settings.CheckTimeZone(zone))
	}
	for _, not := range []string{"", "Local", "../etc/passwd", "Mars/Olympus"} {
		require.Error(t, settings.CheckTimeZone(not), not)
	}
}

func TestTimeZoneLocation(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	require.Equal(t, time.Local, settings.ZoneLocal.Location(berlin))
	require.Equal(t, berlin, settings.ZoneOrganization.Location(berlin))
	require.Equal(t, time.Local, settings.ZoneOrganization.Location(nil))
	require.Equal(t, "Asia/Tokyo", settings.TimeZone("Asia/Tokyo").Location(berlin).String())
}

func TestChoice(t *testing.T) {
	t.Parallel()
	require.True(t, settings.ChoiceOn.Decide(false))
	require.False(t, settings.ChoiceOff.Decide(true))
	require.True(t, settings.ChoiceAuto.Decide(true))
	require.False(t, settings.ChoiceAuto.Decide(false))
}

func TestClosestProfile(t *testing.T) {
	t.Parallel()
	got, err := settings.Parse("c", []byte(minimalProfile))
	require.NoError(t, err)
	require.Equal(t, "prod", got.ClosestProfile("prdo"))
	require.Empty(t, got.ClosestProfile("sandbox"))
	require.Empty(t, got.ClosestProfile(strings.Repeat("prod", 1000)))
}

func TestLocate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	home := filepath.Join(root, "home")
	xdg := filepath.Join(root, "xdg")
	at := func(system string, variables map[string]string) (settings.Folders, error) {
		return settings.Environment{
			Getenv: func(name string) string { return variables[name] }, Home: home, OS: system,
		}.Locate()
	}

	folders, err := at("linux", nil)
	require.NoError(t, err)
	require.Equal(t, settings.Folders{
		Config: filepath.Join(home, ".config", "waybill"),
		Data:   filepath.Join(home, ".local", "share", "waybill"),
		State:  filepath.Join(home, ".local", "state", "waybill"),
	}, folders)
	require.Equal(t, filepath.Join(home, ".config", "waybill", "config.toml"), folders.ConfigFile())

	folders, err = at("darwin", map[string]string{"XDG_STATE_HOME": xdg})
	require.NoError(t, err)
	support := filepath.Join(home, "Library", "Application Support", "waybill")
	require.Equal(t, settings.Folders{
		Config: support, Data: filepath.Join(support, "data"), State: filepath.Join(xdg, "waybill"),
	}, folders)

	folders, err = at("windows", map[string]string{"AppData": root, "LocalAppData": xdg})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, "waybill"), folders.Config)
	require.Equal(t, filepath.Join(xdg, "waybill", "state"), folders.State)

	folders, err = at("linux", map[string]string{"XDG_CONFIG_HOME": "relative/path"})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(home, ".config", "waybill"), folders.Config, "a relative path is ignored")

	_, err = at("windows", nil)
	require.ErrorIs(t, err, settings.ErrNoHome)
	home = ""
	_, err = at("linux", nil)
	require.ErrorIs(t, err, settings.ErrNoHome)
}

func TestExpand(t *testing.T) {
	t.Parallel()
	environment := settings.Environment{Home: filepath.FromSlash("/home/ada")}
	require.Equal(t, filepath.FromSlash("/home/ada/key"), environment.Expand("~/key"))
	require.Equal(t, "/etc/~/key", environment.Expand("/etc/~/key"))
	require.NotEmpty(t, settings.SystemEnvironment().OS)
}
