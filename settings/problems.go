package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// ErrInvalid is matched by every error about the contents of a config file.
var ErrInvalid = errors.New("the config file has problems")

// Position is a position in the config file. Lines and columns start at 1 and columns count characters.
type Position struct {
	Line, Column int
}

// IsKnown reports whether the position is in a file; settings built by the program have none.
func (p Position) IsKnown() bool { return p.Line > 0 }

// Problem is an error in a config file.
type Problem struct {
	At      Position
	Message string
}

// ProblemsError lists all errors in a config file, in the order of the file.
type ProblemsError struct {
	Path     string
	Problems []Problem
}

// Error lists the problems, one per line, as path:line:column, which editors and terminals turn into links.
func (e *ProblemsError) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, problem := range e.Problems {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Path, problem.At.Line, problem.At.Column, problem.Message))
	}
	return strings.Join(lines, "\n")
}

// Is makes errors.Is(err, ErrInvalid) true.
func (e *ProblemsError) Is(target error) bool { return target == ErrInvalid }

// problemsError returns the problems as an error, or nil without any.
func problemsError(path string, problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(a.At.Line-b.At.Line, a.At.Column-b.At.Column)
	})
	return &ProblemsError{Path: path, Problems: problems}
}

// positionAt converts a byte offset to a line and a column.
func positionAt(text []byte, offset int) Position {
	offset = max(0, min(offset, len(text)))
	// The TOML library sometimes points into the middle of a character.
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	before := text[:offset]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return Position{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[lineStart:]) + 1}
}

// quoted returns a text from the file for an error: quoted and truncated.
func quoted(text string) string {
	const longest = 60
	runes := []rune(text)
	if len(runes) > longest {
		return fmt.Sprintf("%q…", string(runes[:longest]))
	}
	return fmt.Sprintf("%q", text)
}

func didYouMean(got string, valid []string) string {
	if best := model.ClosestName(got, valid); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
