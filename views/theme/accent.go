package theme

import (
	"fmt"
	"slices"
	"strings"
)

// AccentNames returns the colours a profile may choose for its name in the
// header, so that production and a test organization look different.
func AccentNames() []string {
	return []string{"teal", "blue", "green", "gold", "orange", "red", "pink", "purple", "grey"}
}

// parseAccent returns the hue of an accent; an empty name is the default.
func parseAccent(name string) (hue, error) {
	switch name = strings.ToLower(name); name {
	case "":
		return teal, nil
	case "yellow":
		name = "gold"
	case "gray":
		name = "grey"
	}
	if i := slices.Index(AccentNames(), name); i >= 0 {
		return []hue{teal, blue, green, gold, orange, red, pink, purple, grey}[i], nil
	}
	return plain, fmt.Errorf("unknown accent %q; use %s", name, strings.Join(AccentNames(), ", "))
}
