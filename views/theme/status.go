package theme

import "strings"

// Status is what a task, a worker or an order is in, as the board shows it.
// Late and at risk lie over the other states of a task; the pane decides which
// one a row leads with.
type Status uint8

// The statuses.
const (
	Unknown Status = iota
	Unassigned
	Assigned
	Active
	Done
	Failed
	Late
	AtRisk
	Silent
	Idle
	Busy
	Off
	statusCount
)

// Badge is a status made visible three times over: sign, word and colour.
// Any two of them may be lost (a screen reader, no colour, a narrow column)
// and the meaning is still there.
type Badge struct {
	Glyph string
	Word  string
	Token Token
}

// Badge is how a status looks in this theme.
func (t *Theme) Badge(s Status) Badge {
	g := &t.Glyphs
	switch s {
	case Unassigned:
		return Badge{g.Unassigned, "unassigned", UnassignedToken}
	case Assigned:
		return Badge{g.Assigned, "assigned", AssignedToken}
	case Active:
		return Badge{g.Active, "active", ActiveToken}
	case Done:
		return Badge{g.Done, "done", DoneToken}
	case Failed:
		return Badge{g.Failed, "failed", FailedToken}
	case Late:
		return Badge{g.Late, "late", LateToken}
	case AtRisk:
		return Badge{g.AtRisk, "at risk", AtRiskToken}
	case Silent:
		return Badge{g.Silent, "silent", SilentToken}
	case Idle:
		return Badge{g.Idle, "idle", IdleToken}
	case Busy:
		return Badge{g.Active, "busy", ActiveToken}
	case Off:
		return Badge{g.Off, "off duty", OffToken}
	default:
		return Badge{g.Unknown, "unknown", UnknownToken}
	}
}

// OrderBadge is the badge of an order's status as the service words it. A word
// that is not known is shown as it came, never guessed at.
func (t *Theme) OrderBadge(word string) Badge {
	b := t.Badge(orderStatus(word))
	if b.Token == UnknownToken && word != "" {
		b.Word = word
	}
	return b
}

func orderStatus(word string) Status {
	switch strings.ToLower(word) {
	case "unassigned", "created", "quoted":
		return Unassigned
	case "assigned":
		return Assigned
	case "active", "in_progress":
		return Active
	case "completed", "succeeded":
		return Done
	case "failed", "rejected":
		return Failed
	case "cancelled", "canceled":
		return Off
	}
	return Unknown
}
