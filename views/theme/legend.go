package theme

// Sign is a glyph with what it says, for legends.
type Sign struct {
	Glyph, Word, Means string
	Token              Token
}

// Legend lists the signs of the lists, as this theme draws them.
func (t *Theme) Legend() []Sign {
	status := func(s Status, means string) Sign {
		b := t.Badge(s)
		return Sign{b.Glyph, b.Word, means, b.Token}
	}
	g := &t.Glyphs
	return []Sign{
		status(Late, "past its due time, or expected after it; a worker with such a task"),
		status(AtRisk, "in time by the estimate, but barely; or due soon and not on its way"),
		status(Unassigned, "nobody has it"),
		status(Assigned, "someone has it and has not started"),
		{g.Active, "active, busy", "under way; a worker with stops to make, started or not", ActiveToken},
		status(Done, "finished"),
		status(Failed, "finished without success"),
		status(Idle, "on duty with nothing to do"),
		status(Silent, "on duty and not heard of for some time"),
		status(Off, "not working now; an order that was cancelled"),
		status(Unknown, "a state that this version does not know"),
		{g.Cursor, "cursor", "the row that keys act on", Accent},
		{g.Mark, "marked", "marked with space: verbs act on all of these", Accent},
		{g.Range, "range", "in the range that v began", Accent},
		{g.New, "new", "came in with the last looks", ChangedCell},
		{g.Changed, "changed", "the cell before it reads otherwise than at the last looks", ChangedCell},
		{g.Up, "worse", "later than when you last looked at the delays", Bad},
		{g.Down, "better", "less late than when you last looked", Good},
		{g.More, "cut", "there is more text than room", Muted},
		{g.None, "none", "there is no value; before a row that is gone, while rows hold still for a dialog", Muted},
	}
}
