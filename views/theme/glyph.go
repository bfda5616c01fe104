package theme

// Glyphs are the symbols the console draws. Each is one cell wide, needs no
// special font and has an ASCII replacement.
type Glyphs struct {
	Unassigned, Assigned, Active, Done, Failed string
	Late, AtRisk, Silent, Idle, Off, Unknown   string

	Cursor, Mark, Range, New       string // in the gutter of a table
	Changed, Up, Down              string // beside a changed cell
	SortUp, SortDown               string
	More                           string // ends truncated text
	Horizontal, Vertical           string // rules
	TeeDown, TeeUp, Cross          string
	TeeRight, TeeLeft              string
	Arrow, Dot, Lock, Bullet, None string
	Here                           string   // the current page of a form
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
