package keymaps

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedKeys are the keys that are words, spelled as Bubble Tea spells them.
func namedKeys() []string {
	return []string{
		"enter", "tab", "esc", "space", "backspace", "delete", "insert", "up", "down", "left", "right",
		"home", "end", "pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
		"f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20",
	}
}

// modifiers, in the one order Bubble Tea writes them in.
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

// checkSequence accepts keys as the terminal will report them; anything else
// would be a binding that never fires.
func checkSequence(sequence string) error {
	if strings.TrimSpace(sequence) == "" {
		return fmt.Errorf("an empty key is no key; the space bar is written %q", "space")
	}
	for _, key := range strings.Split(sequence, " ") {
		if err := checkKey(key); err != nil {
			return err
		}
	}
	return nil
}

func checkKey(key string) error {
	if utf8.RuneCountInString(key) == 1 {
		if r, _ := utf8.DecodeRuneInString(key); unicode.IsPrint(r) {
			return nil
		}
	}
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(key, "-", "+")), "+")
	base := parts[len(parts)-1]
	switch base {
	case "escape":
		base = "esc"
	case "return":
		base = "enter"
	case "pageup":
		base = "pgup"
	case "pagedown":
		base = "pgdown"
	case "del":
		base = "delete"
	}
	known := slices.Contains(namedKeys(), base) || utf8.RuneCountInString(base) == 1
	var mods []string
	for _, m := range modifiers() {
		if slices.Contains(parts[:len(parts)-1], m) {
			mods = append(mods, m)
		}
	}
	if !known || len(mods) != len(parts)-1 {
		return fmt.Errorf("%q is not a key; keys are written like a, A, ctrl+d, shift+tab, pgdown, f2, or g g for two in a row", key)
	}
	if len(mods) == 1 && mods[0] == "shift" && utf8.RuneCountInString(base) == 1 {
		return fmt.Errorf("%q is written %q", key, strings.ToUpper(base))
	}
	if right := strings.Join(append(mods, base), "+"); right != key {
		return fmt.Errorf("%q is written %q", key, right)
	}
	return nil
}

// DisplayKey is a key as people read it in hints and in the help.
func DisplayKey(sequence string) string {
	keys := strings.Split(sequence, " ")
	for i, key := range keys {
		switch key {
		case "up":
			keys[i] = "↑"
		case "down":
			keys[i] = "↓"
		case "left":
			keys[i] = "←"
		case "right":
			keys[i] = "→"
		case "shift+up":
			keys[i] = "shift+↑"
		case "shift+down":
			keys[i] = "shift+↓"
		}
	}
	return strings.Join(keys, " ")
}
