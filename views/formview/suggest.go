package formview

import (
	"strings"

	"waybill/operations/form"
)

// maxSuggestions is how many lines of suggestions are seen at once.
const maxSuggestions = 5

// suggestions are what could be meant by what is being typed.
type suggestions struct {
	options []form.Option
	open    bool
	at      int  // the chosen one; -1 is what was typed
	moved   bool // the person chose
	// completed is what was typed when a suggestion was taken for it. Typed once more, it is meant as it stands: or else
	// what happens to begin like a suggestion could never be typed.
	completed string
}

// show opens the list.
func (s *suggestions) show(options []form.Option) {
	s.options, s.at, s.moved = options, -1, false
	s.open = len(options) > 0
}

func (s *suggestions) close() {
	s.options, s.open, s.at, s.moved = nil, false, -1, false
}

// move chooses another line; above the first is what was typed.
func (s *suggestions) move(by int) {
	if !s.open {
		return
	}
	s.moved = true
	s.at = max(-1, min(s.at+by, len(s.options)-1))
}

// meant is the option that is taken when the field is left: the one that was chosen, the one that was typed in full, or
// the only one that begins with what was typed.
func (s *suggestions) meant(text string) (form.Option, bool) {
	if !s.open {
		return form.Option{}, false
	}
	if s.moved {
		if s.at >= 0 {
			return s.options[s.at], true
		}
		return form.Option{}, false
	}
	if text = folded(text); text == "" {
		return form.Option{}, false
	}
	if o, ok := s.only(func(name string) bool { return name == text }); ok {
		return o, true
	}
	if text == s.completed {
		return form.Option{}, false
	}
	return s.only(func(name string) bool { return strings.HasPrefix(name, text) })
}

// folded is a text as it is compared.
func folded(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// only is the one option that fits by its label or its value.
func (s *suggestions) only(fits func(name string) bool) (found form.Option, ok bool) {
	for _, o := range s.options {
		if !fits(folded(o.Label)) && !fits(folded(o.Value)) {
			continue
		}
		if ok {
			return form.Option{}, false
		}
		found, ok = o, true
	}
	return found, ok
}

// window is the part of the list that is seen.
func (s *suggestions) window() (from, to int) {
	from = max(0, min(s.at-maxSuggestions/2, len(s.options)-maxSuggestions))
	return from, min(from+maxSuggestions, len(s.options))
}
