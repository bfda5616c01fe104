package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/settings"
)

const commented = `# my settings
default_profile = "prod" # the real one

theme = "dark"

# --- accounts ---

# Acme, do not touch on Fridays
[profiles.prod]
base_url = "https://api.example.com/v2"
# read_only = true

  [profiles.prod.poll] # fast
  tasks = "5s"
  # orders = "1m"

# staging comes second
[profiles.staging]
base_url = "https://staging.example.com/v2" # moved in May
teams = [
  "North", # the busy one
  "South",
]

[[views]]
name = "late"
pane = "tasks"
`

func load(t testing.TB, text string) *settings.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	file, err := settings.Load(path)
	require.NoError(t, err)
	return file
}

func reload(t testing.TB, file *settings.File) *settings.File {
	t.Helper()
	require.NoError(t, file.Save())
	again, err := settings.Load(file.Path)
	require.NoError(t, err)
	return again
}

func TestAddProfileToANewFile(t *testing.T) {
	t.Parallel()
	file, err := settings.Load(filepath.Join(t.TempDir(), "waybill", "config.toml"))
	require.NoError(t, err)
	file, err = file.AddProfile(settings.Profile{Name: "prod", BaseURL: "https://api.example.com/v2/"})
	require.NoError(t, err)
	file, err = file.SetDefaultProfile("prod")
	require.NoError(t, err)
	again := reload(t, file)
	require.Equal(t, "default_profile = \"prod\"\n\n[profiles.prod]\nbase_url = \"https://api.example.com/v2\"\n", again.Text())
	require.Equal(t, "prod", again.Settings.DefaultProfile)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(again.Path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestAddProfileWritesEverySetting(t *testing.T) {
	t.Parallel()
	profile := settings.Profile{
		Name: "a.b", BaseURL: "https://a.example.com/v2", Title: `Acme "South" \ Zürich`, Accent: "208", Production: true,
		ReadOnly: true, KeySource: settings.KeyFromCommand, KeyCommand: []string{"sh", "-c", `pass "x" | head -1`},
		Teams: []string{"North", "South"}, CAFile: "/ca.pem", RequestsPerSecond: 7,
		Poll: settings.Poll{Tasks: 5 * time.Second, Workers: 90 * time.Second, Delays: time.Hour, Orders: 30 * time.Second},
		Webhooks: settings.WebhookReceiver{
			Listen: ":8581", PublicURL: "https://ops.example.com/e", SecretFile: "~/secret",
			Triggers: []string{"taskCompleted", "taskFailed"}, Keep: true,
		},
	}
	file, err := load(t, commented).AddProfile(profile)
	require.NoError(t, err)
	again := reload(t, file)
	require.True(t, strings.HasPrefix(again.Text(), commented+"\n[profiles.\"a.b\"]\n"), "what was there stays to the letter")
	got, ok := again.Settings.Profile("a.b")
	require.True(t, ok)
	require.True(t, got.At.IsKnown())
	got.At = settings.Position{}
	require.Equal(t, profile, got)
}

func TestAddProfileRefuses(t *testing.T) {
	t.Parallel()
	file := load(t, commented)
	for name, test := range map[string]struct {
		profile settings.Profile
		want    string
	}{
		"taken":      {settings.NewProfile("prod", "https://x/v2"), `already a profile named "prod"`},
		"only case":  {settings.NewProfile("PROD", "https://x/v2"), "only in case"},
		"bad name":   {settings.NewProfile("a/b", "https://x/v2"), "cannot be the name"},
		"bad URL":    {settings.NewProfile("x", "https://x"), "version"},
		"no command": {settings.Profile{Name: "x", BaseURL: "https://x/v2", KeySource: settings.KeyFromCommand}, "needs key_command"},
		"bad title":  {settings.Profile{Name: "x", BaseURL: "https://x/v2", Title: "a\nb"}, "control character"},
	} {
		_, err := file.AddProfile(test.profile)
		require.ErrorContains(t, err, test.want, name)
	}
	require.Equal(t, commented, file.Text())
}

func TestRemoveProfileKeepsTheRest(t *testing.T) {
	t.Parallel()
	file, err := load(t, commented).RemoveProfile("prod")
	require.NoError(t, err)
	require.Equal(t, `# my settings

theme = "dark"

# --- accounts ---

# Acme, do not touch on Fridays

# staging comes second
[profiles.staging]
base_url = "https://staging.example.com/v2" # moved in May
teams = [
  "North", # the busy one
  "South",
]

[[views]]
name = "late"
pane = "tasks"
`, reload(t, file).Text())
	require.Empty(t, file.Settings.DefaultProfile)

	file, err = load(t, commented).RemoveProfile("staging")
	require.NoError(t, err)
	require.Contains(t, file.Text(), "# staging comes second\n\n[[views]]\n")
	require.Equal(t, "prod", file.Settings.DefaultProfile)

	_, err = file.RemoveProfile("pord")
	require.ErrorContains(t, err, `did you mean "prod"?`)
}

func TestRemoveProfileInOtherForms(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"dotted":            {"profiles.a.base_url = \"https://x/v2\"\nprofiles.a.title = \"A\"\nascii = true\n", "ascii = true\n"},
		"inline in a table": {"[profiles]\n# first\na = { base_url = \"https://x/v2\" }\n", "[profiles]\n# first\n"},
		"comment leads on":  {"[profiles.a]\nbase_url = \"https://x/v2\"\n# of b\n[profiles.b]\nbase_url = \"https://x/v2\"\n", "# of b\n[profiles.b]\nbase_url = \"https://x/v2\"\n"},
		"windows lines":     {"ascii = true\r\n\r\n[profiles.a]\r\nbase_url = \"https://x/v2\"\r\n", "ascii = true\r\n\r\n"},
		"no last newline":   {"ascii = true\n[profiles.a]\nbase_url = \"https://x/v2\"", "ascii = true\n"},
		"apart":             {"[profiles.a]\nbase_url = \"https://x/v2\"\n\n[late]\nsilent = \"5m\"\n\n[profiles.a.poll]\ntasks = \"5s\"\n", "[late]\nsilent = \"5m\"\n\n"},
	} {
		file, err := load(t, test.text).RemoveProfile("a")
		require.NoError(t, err, name)
		require.Equal(t, test.want, file.Text(), name)
	}
	_, err := load(t, `profiles = { a = { base_url = "https://x/v2" } }`).RemoveProfile("a")
	require.ErrorIs(t, err, settings.ErrNotEditable)
}

func TestSetProfileValue(t *testing.T) {
	t.Parallel()
	file := load(t, commented)
	for _, step := range []struct {
		profile, setting string
		value            any
		want             string
	}{
		{"prod", "base_url", "https://new.example.com/v2", "base_url = \"https://new.example.com/v2\"\n# read_only = true\n"},
		{"prod", "key_source", "age", "/v2\"\nkey_source = \"age\"\n# read_only = true\n"},
		{"prod", "key_source", "keyring", "\nkey_source = \"keyring\"\n"},
		{"staging", "teams", []string{"East"}, "\nteams = [\"East\"]\n"},
		{"staging", "read_only", true, "teams = [\"East\"]\nread_only = true\n"},
		{"staging", "requests_per_second", 3, "read_only = true\nrequests_per_second = 3\n"},
	} {
		next, err := file.SetProfileValue(step.profile, step.setting, step.value)
		require.NoError(t, err, step.setting)
		require.Contains(t, next.Text(), step.want)
		file = next
	}
	require.Contains(t, reload(t, file).Text(), "# moved in May")

	_, err := file.SetProfileValue("prod", "bas_url", "x")
	require.ErrorContains(t, err, `did you mean "base_url"?`)
	_, err = file.SetProfileValue("prod", "read_only", "yes")
	require.ErrorContains(t, err, "must be true or false")
	_, err = file.SetProfileValue("prod", "read_only", 1.5)
	require.ErrorContains(t, err, "float64")
	_, err = file.SetProfileValue("nobody", "read_only", true)
	require.ErrorContains(t, err, "no profile named")
	_, err = load(t, "profiles.a.base_url = \"https://x/v2\"\n").SetProfileValue("a", "read_only", true)
	require.ErrorIs(t, err, settings.ErrNotEditable)
}

func TestSetDefaultProfilePosition(t *testing.T) {
	t.Parallel()
	const profile = "[profiles.a]\nbase_url = \"https://x/v2\"\n"
	for name, test := range map[string]struct{ text, want string }{
		"replaces":           {"default_profile = 'a' # x\n" + profile, "default_profile = \"a\" # x\n" + profile},
		"after the last":     {"ascii = true # x\n\n" + profile, "ascii = true # x\ndefault_profile = \"a\"\n\n" + profile},
		"before the comment": {"# file\n\n# of a\n" + profile, "# file\n\ndefault_profile = \"a\"\n\n# of a\n" + profile},
		"windows lines":      {"ascii = true\r\n[profiles.a]\r\nbase_url = \"https://x/v2\"", "ascii = true\r\ndefault_profile = \"a\"\r\n[profiles.a]\r\nbase_url = \"https://x/v2\""},
		"dotted, no newline": {"profiles.a.base_url = \"https://x/v2\"", "profiles.a.base_url = \"https://x/v2\"\ndefault_profile = \"a\"\n"},
		"byte order mark":    {"\ufeff" + profile, "\ufeffdefault_profile = \"a\"\n\n" + profile},
	} {
		file, err := load(t, test.text).SetDefaultProfile("a")
		require.NoError(t, err, name)
		require.Equal(t, test.want, reload(t, file).Text(), name)
	}
	_, err := load(t, profile).SetDefaultProfile("b")
	require.ErrorContains(t, err, "no profile named")
}

func TestSaveRefusesAFileThatChanged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"edited":  func(path string) error { return os.WriteFile(path, []byte(commented+"# mine\n"), 0o600) },
		"broken":  func(path string) error { return os.WriteFile(path, []byte("x ="), 0o600) },
		"removed": os.Remove,
	} {
		file := load(t, commented)
		changed, err := file.RemoveProfile("prod")
		require.NoError(t, err)
		require.NoError(t, change(file.Path))
		before, _ := os.ReadFile(file.Path)
		require.ErrorIs(t, changed.Save(), settings.ErrChanged, name)
		after, _ := os.ReadFile(file.Path)
		require.Equal(t, before, after, name)
	}

	// A file that appeared where there was none counts as changed too, even an empty one.
	path := filepath.Join(t.TempDir(), "config.toml")
	file, err := settings.Load(path)
	require.NoError(t, err)
	file, err = file.AddProfile(settings.NewProfile("a", "https://x/v2"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.ErrorIs(t, file.Save(), settings.ErrChanged)
}

func TestSaveTwice(t *testing.T) {
	t.Parallel()
	file := load(t, commented)
	require.NoError(t, file.Save())
	changed, err := file.SetDefaultProfile("staging")
	require.NoError(t, err)
	require.NoError(t, changed.Save())
	require.ErrorIs(t, file.Save(), settings.ErrChanged, "the older copy must not win")
}

// TestAddThenRemoveRestoresTheFile adds and removes random profiles.
func TestAddThenRemoveRestoresTheFile(t *testing.T) {
	t.Parallel()
	bases := []string{commented, "", "ascii = true\n", "# only a comment\n"}
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom(bases).Draw(t, "file")
		text := rapid.StringMatching(`[^\x00-\x1f\x7f-\x{9f}]{0,40}`)
		profile := settings.NewProfile(rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,20}`).Draw(t, "name"), "https://x.example.com/v2")
		profile.Title = strings.TrimSpace(text.Draw(t, "title"))
		profile.ReadOnly = rapid.Bool().Draw(t, "read only")
		if team := text.Draw(t, "team"); strings.TrimSpace(team) != "" {
			profile.Teams = []string{team}
		}
		profile.Poll.Tasks = time.Duration(rapid.Int64Range(int64(2*time.Second), int64(time.Hour)).Draw(t, "poll"))

		file := settings.FileFromText("config.toml", []byte(base))
		if _, taken := file.Settings.Profile(strings.ToLower(profile.Name)); taken {
			t.Skip("the name is taken")
		}
		added, err := file.AddProfile(profile)
		if err != nil {
			t.Fatalf("add: %v", err)
		}
		removed, err := added.RemoveProfile(profile.Name)
		if err != nil {
			t.Fatalf("remove: %v", err)
		}
		if got := strings.TrimRight(removed.Text(), "\n"); got != strings.TrimRight(base, "\n") {
			t.Fatalf("got %q", got)
		}
	})
}
