package theme

import "strings"

// Status is the status of a task, a driver or an order on the board. Late and
// at risk come on top of the other statuses of a task.
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

// Badge shows a status by glyph, word and colour, so that it is understood
// without colours, by a screen reader and in a narrow column.
type Badge struct {
	Glyph string
	Word  string
	Token Token
}

// Badge returns the badge of a status.
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

// OrderBadge returns the badge of an order's status as the service names it. An
// unknown name is shown unchanged.
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
