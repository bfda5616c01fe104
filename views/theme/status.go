package theme

import "waybill/board"

// Badge shows a tone by glyph, word and colour, so that it is understood
// without colours, by a screen reader and in a narrow column.
type Badge struct {
	Glyph string
	Word  string
	Token Token
}

// Badge returns the badge of a tone. Only statuses have a word.
func (t *Theme) Badge(tone board.Tone) Badge { return t.badges[tone] }

func badgesOf(g *Glyphs) [board.ToneCount]Badge {
	badges := [board.ToneCount]Badge{
		board.ToneText:       {Token: Text},
		board.ToneMuted:      {Token: Muted},
		board.ToneWarning:    {Token: Warn},
		board.ToneGrowing:    {Glyph: g.Up, Token: Bad},
		board.ToneShrinking:  {Glyph: g.Down, Token: Good},
		board.ToneUnknown:    {Glyph: g.Unknown, Word: "unknown"},
		board.ToneUnassigned: {Glyph: g.Unassigned, Word: "unassigned"},
		board.ToneAssigned:   {Glyph: g.Assigned, Word: "assigned"},
		board.ToneActive:     {Glyph: g.Active, Word: "active"},
		board.ToneDone:       {Glyph: g.Done, Word: "done"},
		board.ToneFailed:     {Glyph: g.Failed, Word: "failed"},
		board.ToneLate:       {Glyph: g.Late, Word: "late"},
		board.ToneAtRisk:     {Glyph: g.AtRisk, Word: "at risk"},
		board.ToneSilent:     {Glyph: g.Silent, Word: "silent"},
		board.ToneIdle:       {Glyph: g.Idle, Word: "idle"},
		board.ToneBusy:       {Glyph: g.Active, Word: "busy"},
		board.ToneOff:        {Glyph: g.Off, Word: "off duty"},
	}
	for tone := board.ToneUnknown; tone < board.ToneCount; tone++ {
		badges[tone].Token = StatusToken(tone)
	}
	return badges
}

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
		status(board.ToneLate, "past due or expected after due; or a driver with a late task"),
		status(board.ToneAtRisk, "on time, but only just; or due soon and not started"),
		status(board.ToneUnassigned, "no driver has it"),
		status(board.ToneAssigned, "a driver has it and has not started"),
		{g.Active, "active, busy", "started; a driver with stops left", StatusToken(board.ToneActive)},
		status(board.ToneDone, "completed"),
		status(board.ToneFailed, "completed as failed"),
		status(board.ToneIdle, "on duty without stops"),
		status(board.ToneSilent, "on duty, but no position for some time"),
		status(board.ToneOff, "off duty; a cancelled order"),
		status(board.ToneUnknown, "a status this version does not know"),
		{g.Cursor, "cursor", "the current row", Accent},
		{g.Mark, "marked", "marked with space: operations apply to all marked rows", Accent},
		{g.Range, "range", "in the range started with v", Accent},
		{g.New, "new", "new since the last few refreshes", ChangedCell},
		{g.Changed, "changed", "the cell before it changed in the last few refreshes", ChangedCell},
		{g.Up, "worse", "later than when you last viewed the delays", Bad},
		{g.Down, "better", "less late than when you last viewed the delays", Good},
		{g.More, "cut", "the text is truncated", Muted},
		{g.None, "none", "no value; in front of a row: removed since the dialog opened", Muted},
	}
}
