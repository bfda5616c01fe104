package theme

import (
	"fmt"
	"slices"
	"strings"
)

// Depth is the number of colours a terminal shows.
type Depth uint8

// The depths. There is no truecolor: it takes up to twice the bytes of an
// indexed colour and adds no meaning.
const (
	Depth256 Depth = iota
	Depth16
	DepthNone
)

// colour is the index of a colour at both depths; negative is the terminal's
// own foreground.
type colour struct{ c256, c16 int16 }

// palette is a column of the table of colours.
type palette uint8

const (
	darkPalette       palette = iota // at least 4.5:1 against black and the usual dark greys
	lightPalette                     // at least 4.5:1 against white, 4:1 against paper tones
	neutralPalette                   // for an unknown background: 3:1 or better on black and on white
	highContrastDark                 // 7:1 on black
	highContrastLight                // 7:1 on white
	monoPalette                      // no colours; bold, reverse and underline remain
	paletteCount
)

// hueColours returns the colour of every hue in every palette, in the order of the palettes.
func hueColours() [hueCount][paletteCount]colour {
	none := colour{-1, -1}
	return [hueCount][paletteCount]colour{
		plain:  {none, none, none, {15, 15}, {16, 0}, none},
		grey:   {{246, 7}, {241, 8}, {244, -1}, {252, 7}, {238, 0}, none},
		purple: {{141, 13}, {91, 5}, {133, 5}, {183, 13}, {54, 5}, none},
		blue:   {{75, 12}, {25, 4}, {32, 4}, {117, 14}, {18, 4}, none},
		green:  {{78, 10}, {22, 2}, {28, 2}, {120, 10}, {22, 2}, none},
		red:    {{203, 9}, {124, 1}, {160, 1}, {217, 9}, {88, 1}, none},
		gold:   {{220, 11}, {94, 3}, {136, 3}, {226, 11}, {52, 0}, none},
		orange: {{214, 3}, {130, 3}, {166, 3}, {215, 11}, {52, 1}, none},
		teal:   {{80, 14}, {23, 6}, {30, 6}, {123, 14}, {23, 4}, none},
		pink:   {{212, 5}, {125, 5}, {162, 5}, {219, 13}, {53, 5}, none},
	}
}

// cursorColour returns the background of the cursor row. Where there is none, the row is reversed.
func (p palette) cursorColour() colour {
	switch p {
	case darkPalette:
		return colour{237, -1}
	case lightPalette:
		return colour{254, -1}
	default:
		return colour{-1, -1}
	}
}

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
