package formview

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
)

// thirty is a long form: thirty fields on one page, with echoes and suggestions.
func thirty() (form.Form, form.Values) {
	spec := form.Form{Title: "Thirty"}
	values := form.Values{}
	for i := range 30 {
		f := form.Field{
			Name: fmt.Sprintf("f%d", i), Title: fmt.Sprintf("Field %d", i), About: "A few words about it.", Limit: 200,
			Echo: func(value string, _ form.Values) string { return "taken for " + value },
		}
		if i == 0 {
			f.Suggest = func(text string, _ form.Values) []form.Option {
				return []form.Option{{Value: "a", Label: text + " one"}, {Value: "b", Label: text + " two"}}
			}
		}
		values[f.Name] = "some value"
		spec.Fields = append(spec.Fields, f)
	}
	return spec, values
}

// BenchmarkKey is a key and the drawing that follows it.
func BenchmarkKey(b *testing.B) {
	b.Run("line", func(b *testing.B) {
		spec, values := thirty()
		f := newForm(b, spec, values)
		keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, keyOf("backspace")}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			f.Update(keys[i%2])
			f.Lines()
		}
	})
	b.Run("tab", func(b *testing.B) {
		spec, values := thirty()
		f := newForm(b, spec, values)
		b.ReportAllocs()
		for b.Loop() {
			f.Update(keyOf("tab"))
			f.Lines()
		}
	})
	for _, size := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("text of %d", size), func(b *testing.B) {
			f := newForm(b, taskForm(), form.Values{"notes": strings.Repeat("Ring twice and wait at the gate.\n", size/33)})
			f.Focus("notes")
			keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, keyOf("backspace")}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f.Update(keys[i%2])
				f.Lines()
			}
		})
	}
	b.Run("nothing changed", func(b *testing.B) {
		spec, values := thirty()
		f := newForm(b, spec, values)
		b.ReportAllocs()
		for b.Loop() {
			f.Lines()
		}
	})
}

// BenchmarkNew is opening a form.
func BenchmarkNew(b *testing.B) {
	th := dark(b)
	b.ReportAllocs()
	for b.Loop() {
		f := New(taskForm(), nil, th)
			f.SetSize(76, 18)
		f.Lines()
	}
}
