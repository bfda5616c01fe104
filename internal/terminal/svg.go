package terminal

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The sizes of a picture in pixels. Every text is stretched to the width of its cells, so that columns are aligned in any
// font.
const (
	cellWidth  = 8.4
	cellHeight = 17
	fontSize   = 14
	baseline   = 13
	margin     = 10
)

// SVG returns the screen as a picture of coloured text without an embedded font.
func (s Screen) SVG(title string, light bool) []byte {
	p := picture{screen: s, palette: darkPalette(), classes: map[string]string{}}
	if light {
		p.palette = lightPalette()
	}
	for y := range s.Height {
		p.line(y)
	}
	width, height := float64(s.Width)*cellWidth+2*margin, float64(s.Height)*cellHeight+2*margin
	var out, label bytes.Buffer
	_ = xml.EscapeText(&label, []byte(title))
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" aria-label="%s">`+"\n", width, height, label.String())
	fmt.Fprintf(&out, "<style>text{font:%dpx ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}%s</style>\n", fontSize, p.styles.String())
	fmt.Fprintf(&out, `<rect width="%g" height="%g" rx="8" fill="%s"/>`+"\n", width, height, hex(p.palette.ground))
	out.Write(p.boxes.Bytes())
	out.Write(p.texts.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

type picture struct {
	screen  Screen
	palette palette
	classes map[string]string // style rule to class
	styles  strings.Builder
	boxes   bytes.Buffer
	texts   bytes.Buffer
}

// line draws a line, one run of cells of the same style at a time.
func (p *picture) line(y int) {
	cells := p.screen.Line(y)
	for x := 0; x < len(cells); {
		end := x + 1
		for end < len(cells) && (cells[end].Width == 0 || cells[end].Style.Equal(&cells[x].Style)) {
			end++
		}
		p.run(x, y, cells[x:end])
		x = end
	}
}

func (p *picture) run(x, y int, cells []uv.Cell) {
	ink, ground := p.colours(&cells[0].Style)
	left, top := margin+float64(x)*cellWidth, margin+float64(y)*cellHeight
	if ground != p.palette.ground {
		fmt.Fprintf(&p.boxes, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top, float64(len(cells))*cellWidth, cellHeight, hex(ground))
	}
	for start := 0; start < len(cells); {
		for start < len(cells) && blank(&cells[start]) {
			start++
		}
		end, text := start, strings.Builder{}
		for end < len(cells) && (!blank(&cells[end]) || end+1 < len(cells) && !blank(&cells[end+1])) {
			text.WriteString(cells[end].Content)
			end++
		}
		if end > start {
			p.text(left+float64(start)*cellWidth, top+baseline, float64(end-start)*cellWidth, text.String(), p.class(&cells[0].Style, ink))
		}
		start = end
	}
}

func blank(c *uv.Cell) bool { return c.Content == " " || c.Content == "" && c.Width > 0 }

func (p *picture) text(x, y, length float64, text, class string) {
	fmt.Fprintf(&p.texts, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" class="%s">`, x, y, length, class)
	_ = xml.EscapeText(&p.texts, []byte(text))
	p.texts.WriteString("</text>\n")
}

// class returns the class of a style and writes its rule once.
func (p *picture) class(s *uv.Style, ink color.RGBA) string {
	rule := "fill:" + hex(ink)
	if s.Attrs&uv.AttrBold != 0 {
		rule += ";font-weight:bold"
	}
	if s.Attrs&uv.AttrItalic != 0 {
		rule += ";font-style:italic"
	}
	if s.Underline != uv.UnderlineNone {
		rule += ";text-decoration:underline"
	}
	name, ok := p.classes[rule]
	if !ok {
		name = fmt.Sprintf("s%d", len(p.classes))
		p.classes[rule] = name
		fmt.Fprintf(&p.styles, ".%s{%s}", name, rule)
	}
	return name
}

func (p *picture) colours(s *uv.Style) (ink, ground color.RGBA) {
	ink, ground = p.palette.convert(s.Fg, p.palette.ink), p.palette.convert(s.Bg, p.palette.ground)
	if s.Attrs&uv.AttrReverse != 0 {
		ink, ground = ground, ink
	}
	if s.Attrs&uv.AttrFaint != 0 {
		ink = color.RGBA{mean(ink.R, ground.R), mean(ink.G, ground.G), mean(ink.B, ground.B), 255}
	}
	return ink, ground
}

func mean(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) } //nolint:gosec // a mean is no larger

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// palette has the default colours of a terminal and its 16 basic colours.
type palette struct {
	ink, ground color.RGBA
	basic       [16]uint32
}

// convert returns a colour of a cell as RGB; none is the colour of cells without one.
func (p *palette) convert(c color.Color, none color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return none
	case ansi.BasicColor:
		return rgb(p.basic[c&15])
	case ansi.IndexedColor:
		if c < 16 {
			return rgb(p.basic[c])
		}
	}
	converted, _ := color.RGBAModel.Convert(c).(color.RGBA)
	return converted
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255} //nolint:gosec // one byte each
}

func darkPalette() palette {
	return palette{ink: rgb(0xc8ccd4), ground: rgb(0x16181d), basic: [16]uint32{
		0x16181d, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xc8ccd4,
		0x6b7280, 0xff7b86, 0xb5e890, 0xffd68a, 0x82c4ff, 0xe09cf5, 0x7fdce8, 0xffffff,
	}}
}

func lightPalette() palette {
	return palette{ink: rgb(0x24292e), ground: rgb(0xffffff), basic: [16]uint32{
		0x24292e, 0xb3261e, 0x22863a, 0x8a6100, 0x0550ae, 0x6f42c1, 0x1b7c83, 0x6a737d,
		0x57606a, 0xcb2431, 0x28a745, 0xb08800, 0x2188ff, 0x8a63d2, 0x3192aa, 0x24292e,
	}}
}
