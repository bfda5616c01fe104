package theme

import (
	"fmt"
	"slices"
	"strings"
)

// accents are the colours a profile may choose for its name in the header, so
// that production and a test organization look different.
func accents() []struct {
	name string
	hue  hue
} {
	return []struct {
		name string
		hue  hue
	}{
		{"teal", teal}, {"blue", blue}, {"green", green}, {"gold", gold}, {"orange", orange},
		{"red", red}, {"pink", pink}, {"purple", purple}, {"grey", grey},
	}
}

// AccentNames returns the names of the accents.
func AccentNames() []string {
	var names []string
	for _, a := range accents() {
		names = append(names, a.name)
	}
	return names
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
		return accents()[i].hue, nil
	}
	return plain, fmt.Errorf("unknown accent %q; use %s", name, strings.Join(AccentNames(), ", "))
}
