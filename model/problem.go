package model

import (
	"fmt"
	"strings"
)

// Problem is a rule that an input breaks.
type Problem struct {
	// Field is the path of the member as it is sent, such as "destination.address.city" or "recipients[0].phone".
	Field string
	// Subcode is the interface's code for it.
	Subcode Int
	// Text says what is wrong and what is allowed.
	Text string
}

func (p Problem) Error() string {
	if p.Field == "" {
		return p.Text
	}
	return p.Field + ": " + p.Text
}

// Problems are all rules that an input breaks, in the order of its fields.
type Problems []Problem

func (ps Problems) Error() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.Error()
	}
	return strings.Join(texts, "; ")
}

// Err returns nil without problems, so that an empty list is not a non-nil error.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Field returns the first problem of a field.
func (ps Problems) Field(path string) (Problem, bool) {
	for _, p := range ps {
		if p.Field == path {
			return p, true
		}
	}
	return Problem{}, false
}

func (ps *Problems) add(field string, subcode Int, format string, args ...any) {
	*ps = append(*ps, Problem{Field: field, Subcode: subcode, Text: fmt.Sprintf(format, args...)})
}

// Within returns the problems of a part under its path in the whole.
func (ps Problems) Within(path string) Problems {
	var whole Problems
	whole.addWithin(path, ps)
	return whole
}

// addWithin adds the problems of a part under its path.
func (ps *Problems) addWithin(path string, part Problems) {
	for _, p := range part {
		switch {
		case p.Field == "":
			p.Field = path
		case p.Field[0] == '[':
			p.Field = path + p.Field
		default:
			p.Field = path + "." + p.Field
		}
		*ps = append(*ps, p)
	}
}
