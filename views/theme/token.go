package theme

import "waybill/board"

// Token says what a text means. All drawing code uses tokens; only palettes
// know colours.
type Token uint8

// The tokens. Status colours are those dispatchers know from other consoles:
// grey is unassigned, purple assigned, blue active, green done, red failed,
// gold late.
const (
	Text Token = iota
	Muted
	Strong
	Title      // title of a pane without the focus
	TitleFocus // title of the focused pane
	Rule       // thin rules between panes
	ColumnHead
	ColumnSorted
	Key       // a key in a hint
	Accent    // the profile's colour
	AccentBar // a bar filled with it: the profile's name, the text cursor
	Info
	Good
	Warn
	Bad
	Banner       // a filled line: no network, production
	ChangedCell  // a cell that changed recently
	NewRow       // a row that appeared recently
	Mark         // the glyph of a marked row
	Match        // text that matches a search
	statusTokens // the first of the statuses
)

const tokenCount = statusTokens + Token(board.ToneCount-board.ToneUnknown)

// StatusToken returns the token of a status, one of the tones from [board.ToneUnknown] on.
func StatusToken(tone board.Tone) Token { return statusTokens + Token(tone-board.ToneUnknown) }

// TokenCount is the number of tokens.
const TokenCount = int(tokenCount)

// hue is a named colour. A palette defines it for a background.
type hue uint8

const (
	plain hue = iota // the terminal's own foreground
	grey
	purple
	blue
	green
	red
	gold
	orange
	teal
	pink
	hueCount
)

// emphasis is the hue and the attributes of a token.
type emphasis struct {
	hue       hue
	bold      bool
	faint     bool
	underline bool
	reverse   bool
}

// tokenEmphases returns the emphasis of every token. It is the same in all
// themes; themes differ in their palettes.
func tokenEmphases() [tokenCount]emphasis {
	const status = statusTokens - Token(board.ToneUnknown)
	return [tokenCount]emphasis{
		Text:         {},
		Muted:        {hue: grey},
		Strong:       {bold: true},
		Title:        {hue: grey},
		TitleFocus:   {hue: teal, bold: true},
		Rule:         {hue: grey, faint: true},
		ColumnHead:   {hue: grey},
		ColumnSorted: {bold: true},
		Key:          {hue: teal, bold: true},
		Accent:       {hue: teal, bold: true},
		AccentBar:    {hue: teal, bold: true, reverse: true},
		Info:         {hue: blue},
		Good:         {hue: green},
		Warn:         {hue: gold},
		Bad:          {hue: red, bold: true},
		Banner:       {hue: red, bold: true, reverse: true},
		ChangedCell:  {hue: pink, bold: true},
		NewRow:       {hue: green, bold: true},
		Mark:         {hue: pink, bold: true},
		Match:        {hue: gold, underline: true},

		status + Token(board.ToneUnassigned): {hue: grey},
		status + Token(board.ToneAssigned):   {hue: purple},
		status + Token(board.ToneActive):     {hue: blue},
		status + Token(board.ToneBusy):       {hue: blue},
		status + Token(board.ToneDone):       {hue: green},
		status + Token(board.ToneFailed):     {hue: red, bold: true},
		status + Token(board.ToneLate):       {hue: gold, bold: true},
		status + Token(board.ToneAtRisk):     {hue: orange},
		status + Token(board.ToneSilent):     {hue: pink},
		status + Token(board.ToneIdle):       {hue: green},
		status + Token(board.ToneOff):        {hue: grey, faint: true},
	}
}
