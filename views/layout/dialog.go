package layout

// DialogKind is the kind of a dialog. It decides where the dialog lies.
type DialogKind uint8

// The kinds of dialog.
const (
	NoDialog DialogKind = iota
	Menu                // a short list or a question, in the middle
	Palette             // a searchable list at the top, so that it stays there as the list shrinks
	Form                // as high as its fields
	Full                // help and long texts
)

// Dialog is a dialog with the size of its content, frame included.
type Dialog struct {
	Kind          DialogKind
	Width, Height int
}

// formWidth is the width of forms; longer lines are hard to read.
const formWidth = 100

// rectIn returns the rectangle of the dialog inside the body, so that header
// and status line stay visible. On a small screen forms and texts fill the body.
func (d Dialog) rectIn(body Rect) Rect {
	switch d.Kind {
	case Menu:
		return center(body, d.Width, d.Height)
	case Palette:
		r := center(body, d.Width, d.Height)
		r.Y = body.Y
		return r
	default:
	}
	if body.W < QuadWidth || body.H < QuadHeight-2 {
		return body
	}
	width, height := formWidth, body.H-2
	if d.Kind == Full {
		width = body.W - 8
	}
	if d.Height > 0 {
		height = min(height, d.Height)
	}
	return center(body, width, height)
}

func center(in Rect, w, h int) Rect {
	w, h = clamp(w, 1, in.W), clamp(h, 1, in.H)
	return Rect{in.X + (in.W-w)/2, in.Y + (in.H-h)/2, w, h}
}
