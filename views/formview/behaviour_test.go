package formview

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/operations/form"
)

func TestTabOrderFollowsTheFields(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	var names []string
	for range 11 {
		names = append(names, f.Focused())
		press(f, "tab")
	}
	require.Equal(t, []string{
		"kind", "address", "phone", "name", "notes", "after", "before", "service", "to", "sign", "pin",
	}, names, "hidden fields are passed over")
	require.Equal(t, "kind", f.Focused(), "the last is followed by the first")
	press(f, "shift+tab")
	require.Equal(t, "pin", f.Focused())
}

func TestEnterGoesOnAndCompletesInTheLastField(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	press(f, "enter", "enter")
	require.Equal(t, "phone", f.Focused())
	f.Focus("notes")
	press(f, "enter")
	require.Equal(t, "notes", f.Focused(), "in a text Enter adds a line")
	require.Equal(t, "\n", f.Values()["notes"])
	f.Focus("pin")
	require.False(t, f.Completed())
	press(f, "enter")
	require.True(t, f.Completed())
	typeText(f, "1")
	require.False(t, f.Completed(), "only the last key counts")
}

func TestPagesTurn(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	press(f, "pgdown")
	require.Equal(t, "after", f.Focused())
	press(f, "pgdown", "pgdown", "pgdown", "pgdown")
	require.Equal(t, "sign", f.Focused(), "there is nothing after the last page")
	press(f, "pgup")
	require.Equal(t, "to", f.Focused())
	require.Contains(t, screen(t, f), "▶ Who")
}

func TestFieldsShowAsValuesChange(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("to")
	require.NotContains(t, screen(t, f), "Tasks at most")
	press(f, "left") // from the first to the last
	require.Equal(t, "auto", f.Values()["to"])
	require.Contains(t, screen(t, f), "Tasks at most")
	press(f, "tab")
	typeText(f, "4")
	f.Focus("to")
	typeText(f, "w")
	require.Equal(t, "worker", f.Values()["to"], "a letter jumps to what begins with it")
	require.NotContains(t, screen(t, f), "Tasks at most")
	require.Equal(t, "4", f.Values()["cap"], "what is hidden is not forgotten")
	require.NotContains(t, f.VisibleValues(), "cap", "nor is it asked for")
}

func TestFieldThatHidesItselfLosesTheFocus(t *testing.T) {
	spec := form.Form{Fields: []form.Field{
		{Name: "a"},
		{Name: "b", Show: func(v form.Values) bool { return v["b"] == "" }},
	}}
	f := newForm(t, spec, nil)
	f.Focus("b")
	typeText(f, "x")
	require.Equal(t, "a", f.Focused())
}

func TestSuggestions(t *testing.T) {
	asked := 0
	spec := taskForm()
	worker, _ := spec.Field("worker")
	suggest := worker.Suggest
	worker.Suggest = func(text string, v form.Values) []form.Option {
		asked++
		return suggest(text, v)
	}
	begin := func() *Form {
		f := newForm(t, spec, form.Values{"to": "worker"})
		f.Focus("worker")
		asked = 0
		return f
	}

	t.Run("asked on edits only", func(t *testing.T) {
		f := begin()
		typeText(f, "ad")
		require.Equal(t, 2, asked)
		for range 3 {
			f.stale = true
			require.Contains(t, screen(t, f), "Adam Lindqvist  3 stops")
		}
		press(f, "left", "down")
		require.Equal(t, 2, asked)
	})
	t.Run("two could be meant", func(t *testing.T) {
		f := begin()
		typeText(f, "ada")
		press(f, "tab")
		require.Equal(t, "ada", f.Values()["worker"], "Ada and Adam both begin like that")
	})
	t.Run("one could be meant", func(t *testing.T) {
		f := begin()
		typeText(f, "ada ")
		press(f, "tab")
		require.Equal(t, "w1", f.Values()["worker"])
		f.Focus("worker")
		require.Contains(t, screen(t, f), "Worker      Ada Okafor")
		require.NotContains(t, screen(t, f), "→ Ada Okafor", "what the field says is not said again")
	})
	t.Run("chosen", func(t *testing.T) {
		f := begin()
		typeText(f, "o")
		press(f, "down", "down", "enter")
		require.Equal(t, "w4", f.Values()["worker"])
		require.Equal(t, "sign", f.Focused())
	})
	t.Run("free text", func(t *testing.T) {
		f := begin()
		typeText(f, "mina")
		press(f, "down", "up", "tab")
		require.Equal(t, "mina", f.Values()["worker"], "the line above the first is what was typed")
	})
	t.Run("taken and typed once more", func(t *testing.T) {
		f := begin()
		typeText(f, "min")
		press(f, "tab", "shift+tab")
		require.Equal(t, "w3", f.Values()["worker"])
		typeText(f, " x")
		require.Equal(t, "Mina Ruiz x", f.Values()["worker"], "what is edited is no longer what was taken")
		press(f, "ctrl+u")
		typeText(f, "min")
		press(f, "tab")
		require.Equal(t, "min", f.Values()["worker"], "whoever types it twice means it")
		press(f, "shift+tab", "ctrl+u")
		typeText(f, "sam")
		press(f, "tab")
		require.Equal(t, "w5", f.Values()["worker"])
	})
	t.Run("escape", func(t *testing.T) {
		f := begin()
		require.False(t, f.CloseSuggestions())
		typeText(f, "min")
		require.True(t, f.CloseSuggestions())
		require.NotContains(t, screen(t, f), "Mina Ruiz")
		press(f, "tab")
		require.Equal(t, "min", f.Values()["worker"])
	})
	t.Run("down opens the whole list", func(t *testing.T) {
		f := begin()
		press(f, "down")
		require.Equal(t, 1, asked)
		require.Contains(t, screen(t, f), "+2 more")
		press(f, "down", "down", "down", "down", "down", "down", "down")
		require.Contains(t, screen(t, f), "▌ Lee Wong")
		press(f, "tab")
		require.Equal(t, "w7", f.Values()["worker"])
	})
	t.Run("draft with an id", func(t *testing.T) {
		f := newForm(t, spec, form.Values{"to": "worker", "worker": "w3"})
		f.Focus("worker")
		require.Contains(t, screen(t, f), "Mina Ruiz")
		require.Equal(t, "w3", f.Values()["worker"])
	})
}

func TestChooseOption(t *testing.T) {
	f := newForm(t, taskForm(), form.Values{"to": "worker"})
	f.Focus("worker")
	title, options, ok := f.Options()
	require.True(t, ok)
	require.Equal(t, "Worker", title)
	require.Len(t, options, 7)
	f.ChooseOption("w5")
	require.Equal(t, "w5", f.Values()["worker"])
	require.Contains(t, screen(t, f), "Sam Oyelaran")
	f.Focus("kind")
	_, options, ok = f.Options()
	require.True(t, ok)
	require.Len(t, options, 2)
	f.ChooseOption("pick")
	require.Equal(t, "pick", f.Values()["kind"])
	f.Focus("name")
	_, _, ok = f.Options()
	require.False(t, ok)
}

func TestProblemsAreShownAndGoWithAnEdit(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("pin")
	f.SetProblems(form.Problems{"phone": "too short", "after": "in the past", "cap": "too many", "": "refused, request 77"})
	require.Equal(t, "phone", f.Focused(), "the first of them")
	require.Contains(t, screen(t, f), "✗ too short")
	require.Contains(t, screen(t, f), "▶ Where ✗    When ✗    Who")
	require.Contains(t, screen(t, f), "✗ refused, request 77")
	require.Contains(t, screen(t, f), "Tasks at most: too many", "its field is hidden")
	press(f, "tab", "shift+tab")
	require.Contains(t, screen(t, f), "✗ too short", "looking around changes nothing")
	typeText(f, "1")
	require.NotContains(t, screen(t, f), "✗ too short")
	require.NotContains(t, screen(t, f), "request 77")
	require.Contains(t, screen(t, f), "When ✗")
}

func TestFieldWithAProblemCanBeLeft(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("address")
	press(f, "tab")
	require.Equal(t, "phone", f.Focused())
	require.Contains(t, screen(t, f), "✗ an address is needed")
	require.Equal(t, form.Problems{"address": "an address is needed: in one line, or coordinates"}, f.Check())
	f.Focus("address")
	typeText(f, strings.Repeat("a", 41))
	require.Contains(t, screen(t, f), "41/40")
	require.Equal(t, "1 over the limit of 40 characters", f.Check()["address"])
}

func TestNotes(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.SetNotes(map[string]string{"phone": "!Known: Ada's name would be overwritten.", "name": "3 other tasks today"})
	require.Contains(t, screen(t, f), "! Known: Ada's name")
	require.Contains(t, screen(t, f), "• 3 other tasks today")
	f.Focus("phone")
	typeText(f, "5")
	require.NotContains(t, screen(t, f), "Known", "it was about the number before")
}

func TestReset(t *testing.T) {
	f := newForm(t, taskForm(), form.Values{"kind": "pick", "address": "x"})
	f.Focus("pin")
	f.SetProblems(form.Problems{"phone": "bad"})
	f.Reset()
	require.Equal(t, form.Values{"kind": "drop", "service": "5m"}, f.Values())
	require.Equal(t, "kind", f.Focused())
	require.NotContains(t, screen(t, f), "✗")
}

func TestValuesWithoutFieldAreKept(t *testing.T) {
	f := newForm(t, taskForm(), form.Values{"id": "abc"})
	require.Equal(t, form.Values{"id": "abc", "kind": "drop"}, f.Values())
}

func TestUnknownChoiceIsKept(t *testing.T) {
	f := newForm(t, taskForm(), form.Values{"kind": "swap"})
	require.Equal(t, "swap", f.Values()["kind"])
	require.Contains(t, f.Check()["kind"], "is no longer available")
	press(f, "right")
	require.Equal(t, "drop", f.Values()["kind"])
}

func TestToggle(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("sign")
	press(f, "space")
	require.True(t, f.Values().Yes("sign"))
	require.Contains(t, screen(t, f), "[x] yes")
	typeText(f, "n")
	require.NotContains(t, f.Values(), "sign")
	typeText(f, "y")
	require.True(t, f.Values().Yes("sign"))
	press(f, "backspace")
	require.NotContains(t, f.Values(), "sign")
	typeText(f, "ny")
	require.True(t, f.Values().Yes("sign"), "the last letter counts")
	press(f, "left")
	require.NotContains(t, f.Values(), "sign")
}

func TestSecretIsNotShown(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("pin")
	typeText(f, "hush")
	require.Equal(t, "hush", f.Values()["pin"])
	require.NotContains(t, screen(t, f), "hush")
	require.Contains(t, screen(t, f), "****")
	press(f, "shift+tab")
	require.NotContains(t, screen(t, f), "hush")
}

func TestPasteIsCleaned(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("name")
	f.Update(tea.PasteMsg{Content: "Ada\x1b[31m\x1b]52;c;aGk=\x07 \u202eOkafor\u200b\n"})
	require.Equal(t, "Ada Okafor", f.Values()["name"])
	f.Update(tea.KeyPressMsg{Code: 'x', Text: "\u202ex\x1b[2J"})
	require.Equal(t, "Ada Okaforx", f.Values()["name"])
	f.Focus("notes")
	f.Update(tea.PasteMsg{Content: "one\r\ntwo\x1b[2J\tthree"})
	require.Equal(t, "one\ntwo three", f.Values()["notes"])
	lines := strings.Repeat("x\n", 300)
	press(f, "ctrl+u")
	f.Update(tea.PasteMsg{Content: lines})
	require.Equal(t, 301, strings.Count(f.Values()["notes"], "\n"), "nothing of what was pasted is dropped")
}

func TestControlKeysDoNotEndTheForm(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	f.Focus("notes")
	press(f, "ctrl+c", "ctrl+e", "ctrl+v", "esc")
	typeText(f, "ok")
	require.Equal(t, "ok", f.Values()["notes"], "none of them ends the form or opens an editor")
}

func TestEmptyForms(t *testing.T) {
	never := func(form.Values) bool { return false }
	for name, spec := range map[string]form.Form{
		"no fields":   {Title: "Nothing"},
		"none shown":  {Fields: []form.Field{{Name: "a", Show: never}, {Name: "b", Show: never, Page: "x"}}},
		"no options":  {Fields: []form.Field{{Name: "a", Kind: form.Choice}}},
		"first hides": {Fields: []form.Field{{Name: "a", Show: never}, {Name: "b", Show: never}, {Name: "c"}, {Name: "d", Show: never}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newForm(t, spec, nil)
			press(f, "tab", "shift+tab", "enter", "up", "down", "left", "pgup", "pgdown", "space")
			typeText(f, "abc")
			f.Reset()
			f.SetProblems(form.Problems{"a": "wrong"})
			f.ChooseOption("x")
			require.Len(t, f.Lines(), 18)
		})
	}
	f := newForm(t, form.Form{Fields: []form.Field{{Name: "a", Show: never}, {Name: "b"}}}, nil)
	require.Equal(t, "b", f.Focused())
}

func TestRevisionFollowsEdits(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	before := f.Revision()
	press(f, "tab", "tab", "left")
	require.Equal(t, before, f.Revision())
	typeText(f, "5")
	require.NotEqual(t, before, f.Revision())
}

// Whatever names, people and errors are called, they reach the screen as text.
func TestUnsafeText(t *testing.T) {
	bad := "Zed\x1b[2J\x1b]0;owned\x07\u202e\x00\x9b31m"
	options := []form.Option{{Value: bad, Label: bad, Note: bad}, {Value: "b" + bad, Label: "b" + bad}}
	spec := form.Form{Title: bad, Fields: []form.Field{
		{
			Name: "a", Title: bad, About: bad, Hint: bad, Page: bad,
			Suggest: func(string, form.Values) []form.Option { return options },
			Echo:    func(string, form.Values) string { return bad },
			Check:   func(string) error { return errors.New(bad) },
		},
		{Name: "b", Title: bad, Page: bad, Kind: form.Choice, Options: options},
		{Name: "c", Title: bad, Page: "2" + bad, Kind: form.Text, Hint: bad},
	}}
	f := newForm(t, spec, form.Values{"a": bad, "c": bad})
	f.SetNotes(map[string]string{"a": bad, "b": "!" + bad})
	f.SetProblems(form.Problems{"": bad, "a": bad, "b": bad})
	requireFits(t, f, 76, 18)
	f.Focus("a")
	press(f, "down", "down")
	requireFits(t, f, 76, 18)
	require.Contains(t, screen(t, f), "Zed")
	press(f, "tab", "tab", "tab", "shift+tab")
	requireFits(t, f, 76, 18)
}

// A text that is typed where something is to be chosen chooses nothing, blanks and all.
func TestTypedTextDoesNotChangeChoice(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	require.Equal(t, "kind", f.Focused())
	for _, text := range []string{"543 Howard St", "Park Ave", "  pier 39", "Down the road", "p d p d"} {
		typeText(f, text)
		require.Equal(t, "drop", f.Values()["kind"], text)
		press(f, "tab", "shift+tab")
	}
	typeText(f, "543 H")
	require.True(t, f.TextRejected())
	press(f, "right")
	require.False(t, f.TextRejected())
	require.Equal(t, "pick", f.Values()["kind"])
	typeText(f, "d")
	require.Equal(t, "drop", f.Values()["kind"], "a letter alone still goes to what begins with it")
	press(f, "tab", "shift+tab")
	typeText(f, "pick")
	require.Equal(t, "pick", f.Values()["kind"])

	f.Focus("sign")
	for _, text := range []string{"543 Howard St", "yonder St", "No 5 Navy St"} {
		typeText(f, text)
		require.NotContains(t, f.Values(), "sign", text)
		press(f, "tab", "shift+tab")
	}
}

// A form may begin elsewhere than at its top.
func TestFormStartsAtFirstField(t *testing.T) {
	spec := taskForm()
	spec.First = "address"
	f := newForm(t, spec, nil)
	require.Equal(t, "address", f.Focused())
	f.Focus("pin")
	f.Reset()
	require.Equal(t, "address", f.Focused())
}

// The example of an empty field stays where it is when the field is gone to.
func TestExampleDoesNotMove(t *testing.T) {
	f := newForm(t, taskForm(), nil)
	at := func() int {
		for _, line := range strings.Split(screen(t, f), "\n") {
			if i := strings.Index(line, "543 Howard"); i >= 0 {
				return len([]rune(line[:i]))
			}
		}
		return -1
	}
	away := at()
	require.Positive(t, away)
	f.Focus("address")
	require.Equal(t, away, at())
}
