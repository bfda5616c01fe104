package layout

import "waybill/board"

// Part is a named area of the screen. Titles are rules with text in them, not
// boxes: that leaves more rows and sends fewer bytes.
type Part uint8

// The parts.
const (
	Nothing Part = iota
	Header
	Banner
	Tabs
	DelaysTitle
	DelaysBody
	WorkersTitle
	WorkersBody
	TasksTitle
	TasksBody
	OrdersTitle
	OrdersBody
	Divider
	PageTitle
	PageBody
	MapTitle
	MapBody
	NearDivider
	NearTitle
	NearBody
	DetailDivider
	DetailTitle
	DetailBody
	Jobs
	Status
	Message // replaces everything when the terminal is too small
	partCount
)

// TitleOf returns the part of a pane's title.
func TitleOf(p board.Pane) Part { return DelaysTitle + 2*Part(p) }

// BodyOf returns the part of a pane's rows.
func BodyOf(p board.Pane) Part { return DelaysBody + 2*Part(p) }

// Pane returns the pane a part belongs to.
func (p Part) Pane() (board.Pane, bool) {
	if p < DelaysTitle || p > OrdersBody {
		return 0, false
	}
	return board.Pane((p - DelaysTitle) / 2), true
}

// IsTitle reports whether the part is a title.
func (p Part) IsTitle() bool {
	switch p {
	case DelaysTitle, WorkersTitle, TasksTitle, OrdersTitle, PageTitle, MapTitle, NearTitle, DetailTitle:
		return true
	default:
		return false
	}
}

// IsDivider reports whether the part is a vertical rule.
func (p Part) IsDivider() bool { return p == Divider || p == NearDivider || p == DetailDivider }

// Span is the section of a screen line that belongs to one part.
type Span struct {
	Part  Part
	X, W  int
	Line  int   // line inside the part
	Joint Joint // for dividers: how the rules meet here
}

// Joint is how a vertical rule meets the titles beside it.
type Joint uint8

// The joints.
const (
	Straight Joint = iota
	TeeDown
	Cross
	TeeLeft
	TeeRight
)

// AppendRow appends the spans of screen line y from left to right. Together
// they are as wide as the screen.
func (l *Layout) AppendRow(dst []Span, y int) []Span {
	first := len(dst)
	for p := range partCount {
		r := l.rects[p]
		if r.Empty() || y < r.Y || y >= r.Y+r.H {
			continue
		}
		dst = append(dst, Span{Part: p, X: r.X, W: r.W, Line: y - r.Y})
		for i := len(dst) - 1; i > first && dst[i].X < dst[i-1].X; i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	row := dst[first:]
	for i := range row {
		if row[i].Part.IsDivider() {
			row[i].Joint = jointOf(row, i)
		}
	}
	return dst
}

func jointOf(row []Span, i int) Joint {
	left := i > 0 && row[i-1].Part.IsTitle()
	right := i < len(row)-1 && row[i+1].Part.IsTitle()
	switch {
	case left && right && row[i].Line == 0:
		return TeeDown
	case left && right:
		return Cross
	case left:
		return TeeLeft
	case right:
		return TeeRight
	default:
		return Straight
	}
}
