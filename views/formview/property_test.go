package formview

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views/theme"
)

func anyKey() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"tab", "shift+tab", "enter", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "backspace", "delete",
		"space", "esc", "ctrl+c", "ctrl+v", "ctrl+u", "ctrl+w", "ctrl+e", "alt+left", "shift+right",
	})
}

// anyText is what people type and paste, and what they should not.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "ad", "14:30", "Ada", " ", "東京", "🚚", "👩‍🚀", "🇺🇸", "e\u0301", "\u0301", "ك", "\x1b[2J", "\x1b]0;x\x07", "\u202e", "a\r\nb",
			"\x00", "\t", strings.Repeat("long words and more ", 30), strings.Repeat("x", 300), "❤️", "क्षि", "\u200d", "ﷺ",
		}),
		rapid.String(),
	)
}

// requireFits says that what is drawn is no larger than it may be and holds nothing but text and styles.
func requireFits(t require.TestingT, f *Form, width, height int) {
	lines := f.Lines()
	require.Len(t, lines, height)
	for _, line := range lines {
		cells := terminalWidth(f.theme, line)
		require.Equal(t, width, cells, "%q", line)
		plain := ansi.Strip(line)
		require.Equal(t, model.Clean(plain), plain, "%q", line)
		for rest := line; ; { // what is not text must be a style
			at := strings.IndexByte(rest, 0x1b)
			if at < 0 {
				break
			}
			rest = rest[at:]
			end := strings.IndexByte(rest, 'm')
			require.Positive(t, end, "%q", line)
			require.Empty(t, strings.Trim(rest[2:end], "0123456789;"), "%q", line)
			rest = rest[end+1:]
		}
	}
}

func TestRandomKeys(t *testing.T) {
	themes := []*theme.Theme{
		dark(t),
		themeOf(t, theme.Options{Name: theme.Mono, ASCII: true}),
		themeOf(t, theme.Options{Name: theme.Light, Depth: theme.Depth16, Measure: theme.ByGrapheme}),
	}
	rapid.Check(t, func(t *rapid.T) {
		f := New(taskForm(), form.Values{"address": anyText().Draw(t, "address"), "to": "worker"}, rapid.SampledFrom(themes).Draw(t, "theme"))
		width, height := 76, 18
		f.SetSize(width, height)
		t.Repeat(map[string]func(*rapid.T){
			"key":   func(t *rapid.T) { press(f, anyKey().Draw(t, "key")) },
			"paste": func(t *rapid.T) { f.Update(tea.PasteMsg{Content: anyText().Draw(t, "text")}) },
			"type": func(t *rapid.T) {
				text := anyText().Draw(t, "text")
				f.Update(tea.KeyPressMsg{Code: 'x', Text: text})
			},
			"size": func(t *rapid.T) {
				width, height = rapid.IntRange(0, 120).Draw(t, "width"), rapid.IntRange(0, 40).Draw(t, "height")
				f.SetSize(width, height)
			},
			"theme": func(t *rapid.T) { f.SetTheme(rapid.SampledFrom(themes).Draw(t, "theme")) },
			"problems": func(t *rapid.T) {
				name := rapid.SampledFrom([]string{"", "phone", "pin", "notes", "cap", "other"}).Draw(t, "name")
				f.SetProblems(form.Problems{name: anyText().Draw(t, "problem")})
				f.SetNotes(map[string]string{name: anyText().Draw(t, "note")})
			},
			"choose": func(t *rapid.T) {
				if _, options, ok := f.Options(); ok {
					f.ChooseOption(rapid.SampledFrom(options).Draw(t, "option").Value)
				}
			},
			"pages": func(t *rapid.T) {
				f.applySuggestion(f.focus)
				before := f.Values()
				f.turnPage(1)
				f.turnPage(-1)
				f.FocusNext()
				require.Equal(t, before, f.Values())
			},
			"": func(t *rapid.T) {
				requireFits(t, f, width, height)
				require.True(t, f.hasFocus())
				require.True(t, f.focus.focused)
				focused := 0
				for _, fd := range f.fields {
					if fd.focused {
						focused++
					}
				}
				require.Equal(t, 1, focused)
			},
		})
	})
}

// The focused field is seen whatever the size and whatever is said around it.
func TestFocusIsAlwaysSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, values := thirty()
		f := New(spec, values, theme.Choose(theme.Dark, theme.BackgroundDark))
		f.SetSize(rapid.IntRange(30, 100).Draw(t, "width"), rapid.IntRange(6, 40).Draw(t, "height"))
		t.Repeat(map[string]func(*rapid.T){
			"key":  func(t *rapid.T) { press(f, anyKey().Draw(t, "key")) },
			"jump": func(t *rapid.T) { f.Focus(rapid.SampledFrom(spec.Fields).Draw(t, "field").Name) },
			"problem": func(t *rapid.T) {
				f.SetProblems(form.Problems{rapid.SampledFrom(spec.Fields).Draw(t, "field").Name: "it is wrong"})
			},
			"": func(t *rapid.T) {
				seen := false
				for _, line := range f.Lines() {
					seen = seen || strings.HasPrefix(ansi.Strip(line), f.theme.Glyphs.Cursor)
				}
				require.True(t, seen)
			},
		})
	})
}

// The text editor holds what a plain text with a cursor would hold.
func TestTextEditorKeepsTheText(t *testing.T) {
	th := dark(t)
	rapid.Check(t, func(t *rapid.T) {
		e := newTextEditor(&form.Field{}, th.Measure)
		var runes []rune
		at := 0
		width := rapid.IntRange(2, 60).Draw(t, "width")
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				text := rapid.StringOfN(rapid.SampledFrom([]rune("ab  \n東é")), 0, 30, -1).Draw(t, "text")
				e.update(tea.PasteMsg{Content: text})
				runes = append(runes[:at:at], append([]rune(text), runes[at:]...)...)
				at += len([]rune(text))
			},
			"backspace": func(*rapid.T) {
				e.update(keyOf("backspace"))
				if at > 0 {
					runes = append(runes[:at-1:at-1], runes[at:]...)
					at--
				}
			},
			"delete": func(*rapid.T) {
				e.update(keyOf("delete"))
				if at < len(runes) {
					runes = append(runes[:at:at], runes[at+1:]...)
				}
			},
			"left": func(*rapid.T) {
				e.update(keyOf("left"))
				at = max(at-1, 0)
			},
			"right": func(*rapid.T) {
				e.update(keyOf("right"))
				at = min(at+1, len(runes))
			},
			"up and down": func(t *rapid.T) {
				e.update(keyOf(rapid.SampledFrom([]string{"up", "down", "home", "end"}).Draw(t, "key")))
				at = len([]rune(e.content[:e.cursor]))
			},
			"": func(t *rapid.T) {
				require.Equal(t, string(runes), e.value())
				require.Equal(t, at, len([]rune(e.content[:e.cursor])))
				lines := e.draw(th, width, 4, true)
				cursorStart, _, _ := strings.Cut(th.Render(theme.AccentBar, "x"), "x")
				var cursors int
				for _, line := range lines {
					cursors += strings.Count(line, cursorStart)
					require.Equal(t, width, terminalWidth(th, line))
				}
				require.Equal(t, 1, cursors)
				for i := 1; i < len(e.rows); i++ { // no byte is lost between the rows
					gap := e.content[e.rows[i-1].to:e.rows[i].from]
					require.Equal(t, e.rows[i-1].wrapped, gap == "")
				}
			},
		})
	})
}

// Whichever fields and pages come and go, the focus is on one that is shown and reaches all others.
func TestFocusReachesWhatIsShown(t *testing.T) {
	th := dark(t)
	rapid.Check(t, func(t *rapid.T) {
		hidden := map[string]bool{}
		var spec form.Form
		pages := rapid.IntRange(1, 4).Draw(t, "pages")
		for p := range pages {
			for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
				name := string(rune('a'+p)) + string(rune('0'+i))
				spec.Fields = append(spec.Fields, form.Field{
					Name: name, Page: string(rune('a' + p)), Kind: form.Yes,
					Show: func(form.Values) bool { return !hidden[name] },
				})
				hidden[name] = rapid.Bool().Draw(t, "hidden")
			}
		}
		f := New(spec, nil, th)
		f.SetSize(60, 12)
		shown := func() (names []string) {
			for _, s := range spec.Fields {
				if !hidden[s.Name] {
					names = append(names, s.Name)
				}
			}
			return names
		}
		t.Repeat(map[string]func(*rapid.T){
			"key": func(t *rapid.T) { press(f, anyKey().Draw(t, "key")) },
			"change": func(t *rapid.T) {
				for _, s := range spec.Fields {
					hidden[s.Name] = rapid.Bool().Draw(t, "hidden")
				}
				f.Reset() // one way of asking the fields again
			},
			"hide while here": func(t *rapid.T) {
				hidden[rapid.SampledFrom(spec.Fields).Draw(t, "field").Name] = true
				press(f, "space")
				if !f.hasFocus() && len(shown()) > 0 {
					t.Fatalf("nothing has the focus, though %v are shown", shown())
				}
				f.updateVisibility()
				f.focusVisible()
			},
			"": func(t *rapid.T) {
				names := shown()
				if len(names) == 0 {
					require.Empty(t, f.Focused())
					return
				}
				require.Contains(t, names, f.Focused())
				to := rapid.SampledFrom(names).Draw(t, "to")
				f.Focus(to)
				require.Equal(t, to, f.Focused())
				f.Focus(names[0])
				for _, name := range names {
					require.Equal(t, name, f.Focused())
					f.FocusNext()
				}
				require.Equal(t, names[0], f.Focused())
			},
		})
	})
}
