package theme

// Glyphs are the signs the console draws. All are one cell wide and need no
// special font. Every one has an ASCII stand-in that differs from the others
// shown in the same place.
type Glyphs struct {
	Unassigned, Assigned, Active, Done, Failed string
	Late, AtRisk, Silent, Idle, Off, Unknown   string

	Cursor, Mark, Range, New       string // gutter of a table
	Changed, Up, Down              string // beside a changed cell
	SortUp, SortDown               string
	More                           string // text was cut here
	Horizontal, Vertical           string // rules
	TeeDown, TeeUp, Cross          string
	TeeRight, TeeLeft              string
	Arrow, Dot, Lock, Bullet, None string
	Here                           string   // the page one is on
	Trend                          []string // low to high
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Unassigned: "○", Assigned: "◐", Active: "▶", Done: "✓", Failed: "✗",
		Late: "!", AtRisk: "~", Silent: "?", Idle: "◇", Off: "·", Unknown: "¿",
		Cursor: "▌", Mark: "●", Range: "◦", New: "+",
		Changed: "•", Up: "↑", Down: "↓",
		SortUp: "▲", SortDown: "▼",
		More:       "…",
		Horizontal: "─", Vertical: "│",
		TeeDown: "┬", TeeUp: "┴", Cross: "┼", TeeRight: "├", TeeLeft: "┤",
		Arrow: "→", Dot: "·", Lock: "■", Bullet: "•", None: "–", Here: "▶",
		Trend: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Unassigned: "o", Assigned: "a", Active: "@", Done: "d", Failed: "x",
		Late: "!", AtRisk: "~", Silent: "?", Idle: "i", Off: ".", Unknown: "#",
		Cursor: ">", Mark: "*", Range: ":", New: "+",
		Changed: "'", Up: "^", Down: "v",
		SortUp: "^", SortDown: "v",
		More:       "$",
		Horizontal: "-", Vertical: "|",
		TeeDown: "+", TeeUp: "+", Cross: "+", TeeRight: "+", TeeLeft: "+",
		Arrow: ">", Dot: ":", Lock: "=", Bullet: "*", None: "-", Here: ">",
		Trend: []string{"_", ".", "-", "=", "+", "*", "%", "#"},
	}
}
