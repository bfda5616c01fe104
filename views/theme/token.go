package theme

// Token names what a piece of text means. Everything that draws speaks in
// tokens; only the palettes know colours.
type Token uint8

// The tokens. Status tokens carry the meanings dispatchers know from other
// consoles: grey waits, purple is planned, blue moves, green is well, red
// failed, gold is late.
const (
	Text Token = iota
	Muted
	Strong
	Title      // title of a pane without the focus
	TitleFocus // title of the pane that has it
	Rule       // thin rules between panes
	ColumnHead
	ColumnSorted
	Key       // a key in a hint
	Accent    // the profile's own colour
	AccentBar // the same as a filled bar, for its name in the header
	Info
	Good
	Warn
	Bad
	Banner      // a filled line that must be seen: no network, production
	ChangedCell // a cell that changed lately
	NewRow      // a row that was not there before
	Mark        // the sign of a marked row
	Match       // text that matches a search
	statusTokens
)

// The status tokens stand beside the statuses of status.go.
const (
	UnassignedToken = statusTokens + Token(iota)
	AssignedToken
	ActiveToken
	DoneToken
	FailedToken
	LateToken
	AtRiskToken
	SilentToken
	IdleToken
	OffToken
	UnknownToken
	tokenCount
)

// TokenCount is how many tokens there are, for tables indexed by token.
const TokenCount = int(tokenCount)

// hue is a colour by its name; a palette says which colour that is on a
// given background.
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

// look is how a token is drawn, before a palette gives its hue a colour.
type look struct {
	hue       hue
	bold      bool
	faint     bool
	underline bool
	reverse   bool
}

// looks is the one table from meaning to appearance. It is the same for every
// theme: themes differ in palettes, not in which text is loud.
func looks() [tokenCount]look {
	return [tokenCount]look{
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

		UnassignedToken: {hue: grey},
		AssignedToken:   {hue: purple},
		ActiveToken:     {hue: blue},
		DoneToken:       {hue: green},
		FailedToken:     {hue: red, bold: true},
		LateToken:       {hue: gold, bold: true},
		AtRiskToken:     {hue: orange},
		SilentToken:     {hue: pink},
		IdleToken:       {hue: green},
		OffToken:        {hue: grey, faint: true},
		UnknownToken:    {},
	}
}
