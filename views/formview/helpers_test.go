package formview

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"waybill/operations/form"
	"waybill/views/theme"
)

// taskForm is a form with everything in it that a form can have.
func taskForm() form.Form {
	people := []form.Option{
		{Value: "w1", Label: "Ada Okafor", Note: "idle, 0.4 km"},
		{Value: "w2", Label: "Adam Lindqvist", Note: "3 stops"},
		{Value: "w3", Label: "Mina Ruiz", Note: "silent 11m"},
		{Value: "w4", Label: "Jo Mbeki"},
		{Value: "w5", Label: "Sam Oyelaran"},
		{Value: "w6", Label: "Tess Albrecht"},
		{Value: "w7", Label: "Lee Wong"},
	}
	suggest := func(text string, _ form.Values) []form.Option {
		return slices.DeleteFunc(slices.Clone(people), func(o form.Option) bool {
			return o.Value != text && !strings.Contains(strings.ToLower(o.Label), strings.ToLower(text))
		})
	}
	byID := func(value string, _ form.Values) string {
		for _, o := range people {
			if o.Value == value {
				return o.Label
			}
		}
		return ""
	}
	when := func(value string, _ form.Values) string {
		if value == "14:30" {
			return "today 14:30 PST, in 2h"
		}
		return ""
	}
	to := func(mode string) func(form.Values) bool {
		return func(v form.Values) bool { return v.Get("to") == mode }
	}
	return form.Form{
		Title: "New task",
		Start: form.Values{"kind": "drop", "service": "5m"},
		Fields: []form.Field{
			{
				Name: "kind", Title: "Kind", Page: "Where", Kind: form.Choice,
				Options: []form.Option{{Value: "drop", Label: "Drop-off"}, {Value: "pick", Label: "Pick-up", Note: "Collects; a drop-off can depend on it."}},
			},
			{
				Name: "address", Title: "Address", Page: "Where", About: "In one line, or coordinates as 37.77, -122.41.",
				Hint: "543 Howard St, San Francisco", Limit: 40,
				Check: func(v string) error {
					if strings.TrimSpace(v) == "" {
						return errors.New("an address is needed: in one line, or coordinates")
					}
					return nil
				},
			},
			{Name: "phone", Title: "Recipient's phone", Page: "Where", Hint: "+1 415 555 0134"},
			{Name: "name", Title: "Recipient", Page: "Where"},
			{Name: "notes", Title: "Notes", Page: "Where", Kind: form.Text, Limit: 10_000, Hint: "Gate code, floor, whom to call"},
			{Name: "after", Title: "Not before", Page: "When", Echo: when, Hint: "14:30, +2h, tomorrow 9am"},
			{Name: "before", Title: "Not after", Page: "When", Echo: when},
			{Name: "service", Title: "Service time", Page: "When"},
			{
				Name: "to", Title: "Give it to", Page: "Who", Kind: form.Choice,
				Options: []form.Option{{Value: "", Label: "Nobody"}, {Value: "worker", Label: "Worker"}, {Value: "auto", Label: "Auto-assign"}},
			},
			{Name: "worker", Title: "Worker", Page: "Who", Suggest: suggest, Echo: byID, Show: to("worker")},
			{Name: "cap", Title: "Tasks at most", Page: "Who", Show: to("auto")},
			{Name: "sign", Title: "Signature", Page: "Proof", Kind: form.Yes, About: "The driver collects a signature."},
			{Name: "pin", Title: "PIN", Page: "Proof", Kind: form.Secret},
		},
	}
}

func themeOf(t testing.TB, o theme.Options) *theme.Theme {
	t.Helper()
	th, err := theme.New(o)
	require.NoError(t, err)
	return th
}

func dark(t testing.TB) *theme.Theme {
	return themeOf(t, theme.Options{Name: theme.Dark, Depth: theme.Depth256})
}

func newForm(t testing.TB, spec form.Form, values form.Values) *Form {
	t.Helper()
	f := New(spec, values, dark(t))
	f.SetSize(76, 18)
	return f
}

// keyOf is a key by its name, as Bubble Tea reports it.
func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]tea.KeyPressMsg{
		"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "space": {Code: tea.KeySpace, Text: " "},
		"esc": {Code: tea.KeyEscape}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+v": {Code: 'v', Mod: tea.ModCtrl},
		"ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+e": {Code: 'e', Mod: tea.ModCtrl},
		"alt+left": {Code: tea.KeyLeft, Mod: tea.ModAlt}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
	}
	return codes[name]
}

func press(f *Form, names ...string) {
	for _, name := range names {
		f.Update(keyOf(name))
	}
}

func typeText(f *Form, text string) {
	for _, r := range text {
		f.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// screen is what a terminal shows of the form.
func screen(t testing.TB, f *Form) string {
	t.Helper()
	term := vt.NewEmulator(max(f.width, 1)+10, max(f.height, 1))
	_, err := term.Write([]byte(strings.Join(f.Lines(), "\r\n")))
	require.NoError(t, err)
	var b strings.Builder
	for y := range f.height {
		var line strings.Builder
		for x := 0; x < f.width+10; x++ {
			cell := term.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				line.WriteByte(' ')
				continue
			}
			line.WriteString(cell.Content)
			if cell.Width > 1 {
				x += cell.Width - 1
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// terminalWidth counts the cells of a drawn line as the terminal does.
func terminalWidth(th *theme.Theme, line string) int {
	const astronaut = "👩‍🚀"
	if th.Measure.Width(astronaut) == ansi.GraphemeWidth.StringWidth(astronaut) {
		return ansi.GraphemeWidth.StringWidth(line)
	}
	return ansi.WcWidth.StringWidth(line)
}
