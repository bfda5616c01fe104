package theme

import (
	"fmt"
	"strings"
)

// AccentNames lists the colours a profile may choose for its name in the
// header, so that production and a test organization never look alike.
func AccentNames() []string {
	return []string{"teal", "blue", "green", "gold", "orange", "red", "pink", "purple", "grey"}
}

func accentHue(name string) (hue, bool) {
	switch strings.ToLower(name) {
	case "teal", "":
		return teal, true
	case "blue":
		return blue, true
	case "green":
		return green, true
	case "gold", "yellow":
		return gold, true
	case "orange":
		return orange, true
	case "red":
		return red, true
	case "pink":
		return pink, true
	case "purple":
		return purple, true
	case "grey", "gray":
		return grey, true
	}
	return plain, false
}

func (t *Theme) setAccent(name string) error {
	h, ok := accentHue(name)
	if !ok {
		return fmt.Errorf("no accent is called %q; there are %s", name, strings.Join(AccentNames(), ", "))
	}
	t.looks[Accent].hue = h
	t.looks[AccentBar].hue = h
	return nil
}

// WithAccent is the same theme with another profile's colour.
func (t *Theme) WithAccent(name string) (*Theme, error) {
	next := *t
	if err := next.setAccent(name); err != nil {
		return nil, err
	}
	next.build()
	return &next, nil
}
