package layout

// DialogKind is what lies on top, which decides where.
type DialogKind uint8

// The kinds of overlay.
const (
	NoDialog DialogKind = iota
	Menu                  // a short list or a question, in the middle
	Palette               // typed into, so it stays near the top as its list shrinks
	Form                  // as tall as it wants to be, on a small screen as it can be
	Full                  // help and long texts
)

// Dialog is an overlay and the size its content would like, frame included.
type Dialog struct {
	Kind          DialogKind
	Width, Height int
}

func (o Dialog) none() bool { return o.Kind == NoDialog }

// formWidth is where a form's lines are still easy to read.
const formWidth = 100

// place puts an overlay inside the body, so that header and status line stay
// in sight. On a small screen forms and texts take the whole body.
func (o Dialog) place(body Rect) Rect {
	small := body.W < QuadWidth || body.H < QuadHeight-2
	switch o.Kind {
	case Menu:
		return centred(body, o.Width, o.Height)
	case Palette:
		r := centred(body, o.Width, o.Height)
		r.Y = body.Y
		return r
	case Form:
		if small {
			return body
		}
		height := body.H - 2
		if o.Height > 0 {
			height = min(height, o.Height)
		}
		return centred(body, formWidth, height)
	default:
		if small {
			return body
		}
		height := body.H - 2
		if o.Height > 0 {
			height = min(height, o.Height)
		}
		return centred(body, body.W-8, height)
	}
}

func centred(in Rect, w, h int) Rect {
	w, h = clamp(w, 1, in.W), clamp(h, 1, in.H)
	return Rect{in.X + (in.W-w)/2, in.Y + (in.H-h)/2, w, h}
}
