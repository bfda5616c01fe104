package settings_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"waybill/settings"
)

// FuzzParse reads any text: every problem has a position inside it, and a valid file can be edited without changing other
// settings.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		commented, minimalProfile, "", "\ufeff[late]\nsilent = \"5m\"", "a", "[", "[[views]]\nname=1", "x = {a=1,a=2}",
		"keys.a.b = ['a', '<disabled>']", "theme = '''\nx'''", "profiles = { a = { base_url = 'https://x/v2' } }",
		"[profiles]\n[profiles.a]\n", "views = [[1],{}]", "a.b.c=1\n[a.b]\n", "\"\" = 1", "late.silent = 2026-01-01", "x = [\n1,\n{a=1, a.b=2}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := settings.Parse("c", text)
		if err == nil {
			checkEditable(t, text)
			return
		}
		var problems *settings.ProblemsError
		if !errors.As(err, &problems) || len(problems.Problems) == 0 {
			t.Fatalf("an error without problems: %v", err)
		}
		lines := strings.Split(string(text), "\n")
		for _, problem := range problems.Problems {
			if problem.At.Line < 1 || problem.At.Line > len(lines) || problem.At.Column < 1 {
				t.Fatalf("the problem %q is at %+v of %d lines", problem.Message, problem.At, len(lines))
			}
			if longest := utf8.RuneCountInString(lines[problem.At.Line-1]) + 1; problem.At.Column > longest {
				t.Fatalf("the problem %q is at %+v of a line of %d characters", problem.Message, problem.At, longest)
			}
		}
	})
}

func checkEditable(t *testing.T, text []byte) {
	t.Helper()
	file := settings.FileFromText(filepath.Join("nowhere", "config.toml"), text)
	const name = "profile-of-the-fuzz-test"
	added, err := file.AddProfile(settings.NewProfile(name, "https://x/v2"))
	if err != nil {
		return // refused, which is always allowed
	}
	if _, err := added.RemoveProfile(name); err != nil {
		t.Fatalf("a profile that was added cannot be removed: %v\n%s", err, added.Text())
	}
	for _, profile := range file.Settings.ProfileNames() {
		for _, edit := range []func() (*settings.File, error){
			func() (*settings.File, error) { return file.RemoveProfile(profile) },
			func() (*settings.File, error) { return file.SetDefaultProfile(profile) },
			func() (*settings.File, error) { return file.SetProfileValue(profile, "read_only", true) },
		} {
			// Each edit checks its own outcome; here it must not panic and must keep a readable file.
			if edited, err := edit(); err == nil {
				if _, err := settings.Parse("c", []byte(edited.Text())); err != nil {
					t.Fatalf("an edit left a bad file: %v\n%s", err, edited.Text())
				}
			}
		}
	}
}
