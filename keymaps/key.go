package keymaps

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedKeys returns the keys that are words, spelled as Bubble Tea spells them.
func namedKeys() []string {
	return []string{
		"enter", "tab", "esc", "space", "backspace", "delete", "insert", "up", "down", "left", "right",
		"home", "end", "pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
		"f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20",
	}
}

// modifiers returns the modifiers in the order in which Bubble Tea writes them.
func modifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

func firstKey(sequence string) string { first, _, _ := strings.Cut(sequence, " "); return first }

func lastKey(sequence string) string { return sequence[strings.LastIndexByte(sequence, ' ')+1:] }

// typesText reports whether a key types a character.
func typesText(key string) bool {
	if key == "space" {
		return true
	}
	return !strings.Contains(strings.TrimSuffix(key, "+"), "+") && !slices.Contains(namedKeys(), key)
}

// checkSequence accepts keys as the terminal reports them. A binding to
// anything else would never fire.
func checkSequence(sequence string) error {
	if strings.TrimSpace(sequence) == "" {
		return errors.New(`a key is empty; write "space" for the space bar`)
	}
	for key := range strings.SplitSeq(sequence, " ") {
		if err := checkKey(key); err != nil {
			return err
		}
	}
	return nil
}

func checkKey(key string) error {
	if r, size := utf8.DecodeRuneInString(key); size > 0 && size == len(key) && unicode.IsPrint(r) {
		return nil
	}
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(key, "-", "+")), "+")
	base := standardKeyName(parts[len(parts)-1])
	isLetter := utf8.RuneCountInString(base) == 1
	var mods []string
	for _, m := range modifiers() {
		if slices.Contains(parts[:len(parts)-1], m) {
			mods = append(mods, m)
		}
	}
	if len(mods) != len(parts)-1 || !isLetter && !slices.Contains(namedKeys(), base) {
		return fmt.Errorf("%q is not a key; write keys like a, A, ctrl+d, shift+tab, pgdown, f2, or g g for a sequence", key)
	}
	standard := strings.Join(append(mods, base), "+")
	if isLetter && slices.Equal(mods, []string{"shift"}) {
		standard = strings.ToUpper(base)
	}
	if standard != key {
		return fmt.Errorf("write %q instead of %q", standard, key)
	}
	return nil
}

// standardKeyName returns Bubble Tea's name of a key that also has another common name.
func standardKeyName(name string) string {
	standard := map[string]string{"escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdown", "del": "delete"}
	return cmp.Or(standard[name], name)
}

// DisplayKey returns a key sequence as hints and help show it.
func DisplayKey(sequence string) string {
	keys := strings.Split(sequence, " ")
	for i, key := range keys {
		base := strings.LastIndexByte(key, '+') + 1
		switch key[base:] {
		case "up":
			keys[i] = key[:base] + "↑"
		case "down":
			keys[i] = key[:base] + "↓"
		case "left":
			keys[i] = key[:base] + "←"
		case "right":
			keys[i] = key[:base] + "→"
		}
	}
	return strings.Join(keys, " ")
}
