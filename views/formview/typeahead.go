package formview

import "strings"

// typeAhead collects letters typed into a field of choices. They select a choice as long as one starts with them;
// otherwise the text was meant for another field and the value before is restored.
type typeAhead struct {
	letters  string
	before   string // the value before the first letter
	rejected bool
}

// chooser is an editor that only offers choices.
type chooser interface {
	resetTyping()
	textRejected() bool
}

// add adds typed text and reports whether it may select a choice.
func (t *typeAhead) add(text, value string) bool {
	if t.rejected || t.letters == "" && strings.TrimSpace(text) == "" {
		return false
	}
	if t.letters == "" {
		t.before = value
	}
	t.letters += strings.ToLower(text)
	return true
}

// isRepeated reports whether one letter was typed several times, which steps through the choices that start with it.
func (t *typeAhead) isRepeated() bool {
	return len(t.letters) > 1 && strings.Trim(t.letters, t.letters[:1]) == ""
}

// searchOffset returns where the search starts, relative to the current choice: a longer prefix may still match it.
func (t *typeAhead) searchOffset() int {
	if len(t.letters) == 1 || t.isRepeated() {
		return 1
	}
	return 0
}

func (t *typeAhead) matches(label string) bool {
	label = strings.ToLower(label)
	return strings.HasPrefix(label, t.letters) || t.isRepeated() && strings.HasPrefix(label, t.letters[:1])
}

// reject ignores all further text and returns the value to restore.
func (t *typeAhead) reject() string {
	t.rejected = true
	return t.before
}
