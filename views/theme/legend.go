package theme

import "waybill/board"

// Sign is a glyph with its word and its meaning.
type Sign struct {
	Glyph, Word, Means string
	Token              Token
}

// Legend returns the glyphs of the panes with their meanings.
func (t *Theme) Legend() []Sign {
	status := func(tone board.Tone, means string) Sign {
		b := t.Badge(tone)
		return Sign{b.Glyph, b.Word, means, b.Token}
	}
	g := &t.Glyphs
	return []Sign{
		status(board.ToneLate, "past due or expected after due; a driver with such a task"),
		status(board.ToneAtRisk, "on time, but only just; or due soon and not started"),
		status(board.ToneUnassigned, "no driver has it"),
		status(board.ToneAssigned, "a driver has it and has not started"),
		{g.Active, "active, busy", "started; a driver with stops left", StatusToken(board.ToneActive)},
		status(board.ToneDone, "completed"),
		status(board.ToneFailed, "completed without success"),
		status(board.ToneIdle, "on duty without stops"),
		status(board.ToneSilent, "on duty, but no position for some time"),
		status(board.ToneOff, "off duty; a cancelled order"),
		status(board.ToneUnknown, "a status this version does not know"),
		{g.Cursor, "cursor", "the current row", Accent},
		{g.Mark, "marked", "marked with space: operations apply to all marked rows", Accent},
		{g.Range, "range", "in the range started with v", Accent},
		{g.New, "new", "appeared in the last refreshes", ChangedCell},
		{g.Changed, "changed", "the cell before it changed in the last refreshes", ChangedCell},
		{g.Up, "worse", "later than when you last viewed the delays", Bad},
		{g.Down, "better", "less late than when you last viewed the delays", Good},
		{g.More, "cut", "the text is truncated", Muted},
		{g.None, "none", "no value; in front of a row: removed since the dialog opened", Muted},
	}
}
