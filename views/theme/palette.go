package theme

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

// palette defines every hue and the background of the cursor row; a negative
// background reverses the row instead.
type palette struct {
	hues   [hueCount]colour
	cursor colour
}

func terminalForeground() colour { return colour{-1, -1} }

// darkPalette keeps at least 4.5:1 against black and the usual dark greys.
func darkPalette() palette {
	return palette{
		hues: [hueCount]colour{
			plain:  terminalForeground(),
			grey:   {246, 7},
			purple: {141, 13},
			blue:   {75, 12},
			green:  {78, 10},
			red:    {203, 9},
			gold:   {220, 11},
			orange: {214, 3},
			teal:   {80, 14},
			pink:   {212, 5},
		},
		cursor: colour{237, -1},
	}
}

// lightPalette keeps at least 4.5:1 against white, 4:1 against paper tones.
func lightPalette() palette {
	return palette{
		hues: [hueCount]colour{
			plain:  terminalForeground(),
			grey:   {241, 8},
			purple: {91, 5},
			blue:   {25, 4},
			green:  {22, 2},
			red:    {124, 1},
			gold:   {94, 3},
			orange: {130, 3},
			teal:   {23, 6},
			pink:   {125, 5},
		},
		cursor: colour{254, -1},
	}
}

// neutralPalette is for an unknown background: every hue keeps 3:1 or better
// on black and on white, and the cursor row is reversed.
func neutralPalette() palette {
	return palette{
		hues: [hueCount]colour{
			plain:  terminalForeground(),
			grey:   {244, -1},
			purple: {133, 5},
			blue:   {32, 4},
			green:  {28, 2},
			red:    {160, 1},
			gold:   {136, 3},
			orange: {166, 3},
			teal:   {30, 6},
			pink:   {162, 5},
		},
		cursor: terminalForeground(),
	}
}

// highContrastDark keeps 7:1 on black.
func highContrastDark() palette {
	return palette{
		hues: [hueCount]colour{
			plain:  {15, 15},
			grey:   {252, 7},
			purple: {183, 13},
			blue:   {117, 14},
			green:  {120, 10},
			red:    {217, 9},
			gold:   {226, 11},
			orange: {215, 11},
			teal:   {123, 14},
			pink:   {219, 13},
		},
		cursor: terminalForeground(),
	}
}

// highContrastLight keeps 7:1 on white.
func highContrastLight() palette {
	return palette{
		hues: [hueCount]colour{
			plain:  {16, 0},
			grey:   {238, 0},
			purple: {54, 5},
			blue:   {18, 4},
			green:  {22, 2},
			red:    {88, 1},
			gold:   {52, 0},
			orange: {52, 1},
			teal:   {23, 4},
			pink:   {53, 5},
		},
		cursor: terminalForeground(),
	}
}

// monoPalette has no colours; bold, reverse and underline remain.
func monoPalette() palette {
	p := palette{cursor: terminalForeground()}
	for h := range p.hues {
		p.hues[h] = terminalForeground()
	}
	return p
}
