package formview

import (
	"strings"

	"waybill/operations/form"
)

// maxSuggestions is the number of suggestions shown at once.
const maxSuggestions = 5

// suggestions are the options that match the typed text.
type suggestions struct {
	options []form.Option
	isOpen  bool
	cursor  int  // -1 is the typed text
	moved   bool // the user moved the cursor
	// completed is the text that was last completed to an option. Typed again, it is taken as it is: otherwise a text that
	// is the prefix of an option could never be entered.
	completed string
}

func (s *suggestions) open(options []form.Option) {
	s.options, s.cursor, s.moved = options, -1, false
	s.isOpen = len(options) > 0
}

func (s *suggestions) close() { s.open(nil) }

// move moves the cursor; above the first option is the typed text.
func (s *suggestions) move(step int) {
	if !s.isOpen {
		return
	}
	s.moved = true
	s.cursor = max(-1, min(s.cursor+step, len(s.options)-1))
}

// match returns the option that a text means: the one under the cursor, the one with exactly this text, or the only one
// that starts with it.
func (s *suggestions) match(text string) (form.Option, bool) {
	if !s.isOpen {
		return form.Option{}, false
	}
	if s.moved {
		if s.cursor >= 0 {
			return s.options[s.cursor], true
		}
		return form.Option{}, false
	}
	if text = foldText(text); text == "" {
		return form.Option{}, false
	}
	if o, ok := s.uniqueOption(func(name string) bool { return name == text }); ok {
		return o, true
	}
	if text == s.completed {
		return form.Option{}, false
	}
	return s.uniqueOption(func(name string) bool { return strings.HasPrefix(name, text) })
}

// foldText returns a text in the form in which texts are compared.
func foldText(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// uniqueOption returns the option whose label or value matches, if there is exactly one.
func (s *suggestions) uniqueOption(matches func(name string) bool) (found form.Option, ok bool) {
	for _, o := range s.options {
		if !matches(foldText(o.Label)) && !matches(foldText(o.Value)) {
			continue
		}
		if ok {
			return form.Option{}, false
		}
		found, ok = o, true
	}
	return found, ok
}

// visibleRange returns the range of the options that are shown.
func (s *suggestions) visibleRange() (from, to int) {
	from = max(0, min(s.cursor-maxSuggestions/2, len(s.options)-maxSuggestions))
	return from, min(from+maxSuggestions, len(s.options))
}
