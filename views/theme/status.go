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
