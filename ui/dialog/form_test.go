package dialog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/operations"
	"waybill/operations/form"
	"waybill/views/theme"
)

// A terminal can report its background after a form was opened. The open form then changes its colours with the rest.
func TestOpenFormFollowsTheTheme(t *testing.T) {
	dark, light := theme.Choose(theme.Auto, theme.BackgroundDark), theme.Choose(theme.Auto, theme.BackgroundLight)
	fields := []form.Field{{Name: "name", Title: "Name"}, {Name: "notes", Title: "Notes", Kind: form.Text}}
	open := func(th *theme.Theme) *Form {
		operation := operations.Operation{Title: "New thing", Form: form.Form{Fields: fields}}
		return NewForm(FormOptions{Operation: operation, Theme: th, Now: time.Now})
	}
	draw := func(d *Form, th *theme.Theme) (lines []string) {
		c := &Context{Theme: th, Width: 80, KeyFor: func(string) string { return "" }}
		for y := range 12 {
			lines = append(lines, string(d.AppendLine(nil, c, y, 60, 12)))
		}
		return lines
	}
	opened := open(dark)
	require.NotEqual(t, draw(open(light), light), draw(opened, dark))
	require.Equal(t, draw(open(light), light), draw(opened, light))
}
