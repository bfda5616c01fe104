package taskimport

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// wrappedTask is a row in a file of failed rows.
type wrappedTask struct {
	Line  int       `json:"line,omitzero"`
	Error string    `json:"error,omitzero"`
	Task  model.Raw `json:"task,omitzero"`
}

// parseJSON reads a list of tasks, the body of a batch ({"tasks": […]}), or one task after another.
func (f *File) parseJSON(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	lines := &lineCounter{data: data, line: 1}
	if decoder.PeekKind() == '[' {
		return f.jsonList(lines, 0)
	}
	for {
		value, err := decoder.ReadValue()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return jsonFailure(lines, 0, err)
		}
		start := int(decoder.InputOffset()) - len(value)
		var body struct {
			Tasks model.Raw `json:"tasks,omitzero"`
		}
		if len(f.Rows) == 0 && model.Unmarshal(value, &body) == nil && body.Tasks.Kind() == '[' {
			// Lines are counted from where the list begins.
			return f.jsonList(lines, start+bytes.Index(value, body.Tasks))
		}
		f.jsonRow(lines.at(start), value.Clone())
	}
}

func (f *File) jsonList(lines *lineCounter, offset int) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(lines.data[offset:]))
	here := func() int { return offset + int(decoder.InputOffset()) }
	if _, err := decoder.ReadToken(); err != nil {
		return jsonFailure(lines, offset, err)
	}
	for decoder.PeekKind() != ']' {
		value, err := decoder.ReadValue()
		if err != nil {
			return jsonFailure(lines, offset, err)
		}
		f.jsonRow(lines.at(here()-len(value)), value.Clone())
	}
	return nil
}

// jsonFailure says where the text at an offset is not JSON.
func jsonFailure(lines *lineCounter, offset int, err error) error {
	text := err.Error()
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, text = offset+int(syntax.ByteOffset), syntax.Err.Error()
	}
	return fmt.Errorf("%w: line %d: it is not JSON: %s", ErrFile, lines.at(offset), model.Clean(text))
}

// lineCounter counts the lines up to offsets that only grow.
type lineCounter struct {
	data   []byte
	offset int
	line   int
}

func (c *lineCounter) at(offset int) int {
	offset = min(max(offset, c.offset), len(c.data))
	c.line += bytes.Count(c.data[c.offset:offset], []byte("\n"))
	c.offset = offset
	return c.line
}

func (f *File) jsonRow(line int, value model.Raw) {
	row := Row{Line: line, raw: value}
	var outer wrappedTask
	if model.Unmarshal(value, &outer) == nil && outer.Task.Kind() == '{' {
		row.raw = outer.Task
	}
	if row.raw.Kind() != '{' {
		row.Problems = append(row.Problems, Problem{Line: line, Text: "it is not an object; every task must be one"})
	} else if err := model.Unmarshal(row.raw, &row.Task); err != nil {
		row.Problems = append(row.Problems, Problem{Line: line, Text: model.Clean(err.Error())})
	}
	canonical := row.raw.Clone()
	if canonical.Canonicalize() == nil {
		row.Hash = hashParts(string(canonical))
	}
	f.Rows = append(f.Rows, row)
}
