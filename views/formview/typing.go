package formview

import "strings"

// typing is letters in a field that is chosen and not typed into. They choose as long as they can be a choice; when they
// turn out to be a text, nothing was chosen, and nothing is until another key is pressed.
type typing struct {
	letters string
	before  string // the value that was chosen when they began
	lost    bool
}

// chooser is a field whose letters may go astray.
type chooser interface {
	rest()
	astray() bool
}

// add takes a key's text, and reports whether it could mean something.
func (t *typing) add(text, value string) bool {
	if t.lost || t.letters == "" && strings.TrimSpace(text) == "" {
		return false
	}
	if t.letters == "" {
		t.before = value
	}
	t.letters += strings.ToLower(text)
	return true
}

// repeated reports that one letter was typed again and again, which goes through what begins with it.
func (t *typing) repeated() bool {
	return len(t.letters) > 1 && strings.Trim(t.letters, t.letters[:1]) == ""
}

// from is how far from the chosen option the search begins: a longer beginning may still mean the same.
func (t *typing) from() int {
	if len(t.letters) == 1 || t.repeated() {
		return 1
	}
	return 0
}

func (t *typing) begins(label string) bool {
	label = strings.ToLower(label)
	return strings.HasPrefix(label, t.letters) || t.repeated() && strings.HasPrefix(label, t.letters[:1])
}

// giveUp is the value to go back to.
func (t *typing) giveUp() string {
	t.lost = true
	return t.before
}

// TextRejected reports that a text was typed where something is to be chosen.
func (f *Form) TextRejected() bool {
	e := f.current()
	if e == nil {
		return false
	}
	c, ok := e.editor.(chooser)
	return ok && c.astray()
}
