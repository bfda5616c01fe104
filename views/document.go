package views

import (
	"strings"

	"waybill/model"
	"waybill/views/theme"
)

// document builds the lines of a text with headings and fields.
type document struct {
	measure theme.Measure
	width   int
	lines   []docLine
}

// docLine is one line. The cursor stops on lines with a target.
type docLine struct {
	spans  []Span
	target model.ID
	kind   LinkKind
}

// LinkKind is the kind of object that a line of a detail links to.
type LinkKind uint8

// The kinds of link.
const (
	NoLink LinkKind = iota
	TaskLink
	WorkerLink
	// The following kinds are links from a task to its related objects. Only opening follows them; other actions apply
	// to the task.
	DriverLink
	OrderLink
	RecipientLink
	DestinationLink
)

// labelWidth is the width of the labels of fields.
const labelWidth = 11

// addLine adds a line.
func (d *document) addLine(spans ...Span) { d.lines = append(d.lines, docLine{spans: spans}) }

// addGap adds an empty line unless the last one is empty.
func (d *document) addGap() {
	if len(d.lines) > 0 && len(d.lines[len(d.lines)-1].spans) > 0 {
		d.lines = append(d.lines, docLine{})
	}
}

// addHeading adds a heading.
func (d *document) addHeading(text string) {
	d.addGap()
	d.addLine(Span{theme.ColumnHead, text})
}

// addField adds a label with its wrapped value. Empty values are skipped.
func (d *document) addField(label string, token theme.Token, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for i, line := range Wrap(text, max(d.width-labelWidth-1, 8), d.measure) {
		if i > 0 {
			label = ""
		}
		d.addLine(Span{theme.Muted, d.measure.Fit(label, labelWidth, theme.Left) + " "}, Span{token, line})
	}
}

// addLinkedField adds a field that links to an object.
func (w *detailWriter) addLinkedField(kind LinkKind, id model.ID, label, text string) {
	at := len(w.lines)
	w.addField(label, theme.Text, text)
	if at < len(w.lines) && id != "" {
		first := &w.lines[at]
		first.target, first.kind = id, kind
		first.spans = append(first.spans, Span{theme.Key, " " + w.th.Glyphs.Arrow})
	}
}

// addText adds a wrapped paragraph.
func (d *document) addText(token theme.Token, text string) {
	for _, line := range Wrap(text, d.width, d.measure) {
		d.addLine(Span{token, line})
	}
}

// addLink adds a line that links to an object.
func (d *document) addLink(kind LinkKind, id model.ID, spans ...Span) {
	d.lines = append(d.lines, docLine{spans: spans, target: id, kind: kind})
}
