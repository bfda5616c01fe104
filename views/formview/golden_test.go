package formview

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/stretchr/testify/require"

	"waybill/operations/form"
	"waybill/views/theme"
)

// filled is a form in the middle of being filled in.
func filled(th *theme.Theme, width, height int, where string) *Form {
	spec := taskForm()
	f := New(spec, spec.Start, th)
	f.SetSize(width, height)
	press(f, "tab")
	typeText(f, "88 Colin P Kelly Jr St, San Francisco")
	switch where {
	case "where":
		press(f, "tab")
		typeText(f, "+1 415")
		f.SetNotes(map[string]string{"phone": "!Ada Okafor has this number: her name and notes would be overwritten."})
		press(f, "tab", "tab")
		typeText(f, "Ring twice.")
		press(f, "enter")
		typeText(f, "Gate code 4711")
		press(f, "up")
	case "when":
		f.Focus("after")
		typeText(f, "14:30")
		f.SetProblems(form.Problems{
			"after": "in the past: it is 15:10 now", "phone": "not a phone number",
			"": "The service refused it. Request 5d20c1aa-77, as support will ask.",
		})
		f.Focus("before")
	case "who":
		f.Focus("to")
		press(f, "right", "tab")
		typeText(f, "a")
		press(f, "down", "down")
	case "proof":
		f.Focus("sign")
		press(f, "space", "tab")
		typeText(f, "1234")
	}
	return f
}

func TestScreens(t *testing.T) {
	themes := map[string]theme.Options{
		"dark":  {Name: theme.Dark, Depth: theme.Depth256},
		"mono":  {Name: theme.Mono},
		"ascii": {Name: theme.Mono, ASCII: true},
	}
	colour := regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-9]|4[0-9]|9[0-7]|10[0-7])\b[0-9;]*m`)
	for name, options := range themes {
		for _, size := range [][2]int{{76, 18}, {96, 34}} {
			for _, where := range []string{"where", "when", "who", "proof"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], where), func(t *testing.T) {
					f := filled(themeOf(t, options), size[0], size[1], where)
					drawn := strings.Join(f.Lines(), "\n")
					if name != "dark" {
						require.NotRegexp(t, colour, drawn)
					}
					if name == "ascii" {
						require.NotRegexp(t, `[^\x00-\x7f]`, drawn)
					}
					golden.RequireEqual(t, []byte(screen(t, f)+"\n"+styled(f)))
				})
			}
		}
	}
}

// styled is the focused field with its styles: what colours and attributes say beside the words.
func styled(f *Form) string {
	fd := f.focus
	lines := append(append([]string{}, fd.block.head...), fd.block.rest...)
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.ReplaceAll(line, "\x1b", "^"), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
