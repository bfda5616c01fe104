package dialog

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
	"waybill/operations"
	"waybill/views"
	"waybill/views/theme"
)

// Text is a text laid out for a width.
type Text struct {
	measure theme.Measure
	width   int
	Lines   []views.Span
}

// NewText returns an empty text of a width.
func NewText(measure theme.Measure, width int) *Text { return &Text{measure: measure, width: width} }

// AddParagraph wraps a paragraph; its further lines are indented like the first.
func (t *Text) AddParagraph(token theme.Token, text string) { t.wrap(token, text, "") }

// AddParagraphs wraps several paragraphs.
func (t *Text) AddParagraphs(token theme.Token, texts ...string) {
	for _, text := range texts {
		t.AddParagraph(token, text)
	}
}

// AddLine wraps a line that is too long; its further lines are indented by two more.
func (t *Text) AddLine(token theme.Token, line string) { t.wrap(token, line, "  ") }

func (t *Text) wrap(token theme.Token, text, hanging string) {
	const minWidth = 10
	rest := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(rest)]
	for i, line := range views.Wrap(rest, max(t.width-len(indent)-len(hanging), minWidth), t.measure) {
		if i > 0 {
			line = hanging + line
		}
		t.Lines = append(t.Lines, views.Span{Token: token, Text: indent + line})
	}
}

// AddLines adds the lines of a proposal or a report in their colours.
func (t *Text) AddLines(lines []operations.Line) {
	for _, line := range lines {
		token := theme.Text
		switch {
		case line.Warning:
			token = theme.Warn
		case line.Good:
			token = theme.Good
		}
		t.AddLine(token, line.Text)
	}
}

// AddJSON adds a body, indented.
func (t *Text) AddJSON(token theme.Token, body model.Raw) {
	for line := range strings.SplitSeq(indentJSON(body), "\n") {
		t.AddLine(token, line)
	}
}

// AddGap adds an empty line, unless there is one already.
func (t *Text) AddGap() {
	if n := len(t.Lines); n > 0 && t.Lines[n-1].Text != "" {
		t.Lines = append(t.Lines, views.Span{})
	}
}

func indentJSON(body model.Raw) string {
	if len(body) == 0 {
		return "no body"
	}
	pretty := body.Clone()
	if err := pretty.Indent(jsontext.WithIndent("  ")); err != nil {
		return indentPartialJSON(string(body))
	}
	return string(pretty)
}

// indentPartialJSON indents a body that is incomplete, such as one that the request log has cut. A body that is neither
// an object nor a list is returned as it is.
func indentPartialJSON(body string) string {
	if body[0] != '{' && body[0] != '[' {
		return body
	}
	var b strings.Builder
	depth, quoted, escaped := 0, false, false
	newLine := func() { b.WriteString("\n" + strings.Repeat("  ", max(depth, 0))) }
	for i, r := range body {
		switch {
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = r != '"', r == '\\'
		case r == '"':
			quoted = true
		case r == '}' || r == ']':
			depth--
			if last := body[i-1]; last != '{' && last != '[' {
				newLine()
			}
		}
		b.WriteRune(r)
		switch {
		case quoted || escaped:
		case r == '{' || r == '[':
			depth++
			if next := body[i+1:]; next != "" && next[0] != '}' && next[0] != ']' {
				newLine()
			}
		case r == ',':
			newLine()
		case r == ':':
			b.WriteByte(' ')
		}
	}
	return b.String()
}
