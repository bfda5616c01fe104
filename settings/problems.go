package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// ErrInvalid is matched by every error about the contents of a config file.
var ErrInvalid = errors.New("the config file has problems")

// Position is a place in the config file. Lines and columns start at 1 and columns count characters.
type Position struct {
	Line, Column int
}

// IsKnown reports whether the position is a place in a file; what was built in the program has none.
func (p Position) IsKnown() bool { return p.Line > 0 }

// Problem is one thing wrong with a config file.
type Problem struct {
	At      Position
	Message string
}

// ProblemsError holds everything wrong with a config file, in the order of the file.
type ProblemsError struct {
	Path     string
	Problems []Problem
}

// Error lists the problems, one a line, in the form that editors and terminals turn into links.
func (e *ProblemsError) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, problem := range e.Problems {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Path, problem.At.Line, problem.At.Column, problem.Message))
	}
	return strings.Join(lines, "\n")
}

// Is makes errors.Is(err, ErrInvalid) true.
func (e *ProblemsError) Is(target error) bool { return target == ErrInvalid }

// problemsError returns nil when there is nothing to report, as an untyped nil.
func problemsError(path string, problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		if a.At.Line != b.At.Line {
			return a.At.Line - b.At.Line
		}
		return a.At.Column - b.At.Column
	})
	return &ProblemsError{Path: path, Problems: problems}
}

// positionAt turns a byte offset into a line and a column.
func positionAt(text []byte, offset int) Position {
	offset = max(0, min(offset, len(text)))
	// The TOML library sometimes points into the middle of a character.
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	before := text[:offset]
	line, column := 1, 1
	for len(before) > 0 {
		char, size := utf8.DecodeRune(before)
		before = before[size:]
		if char == '\n' {
			line, column = line+1, 1
		} else {
			column++
		}
	}
	return Position{Line: line, Column: column}
}

// quoted shows a text from the file in an error: on one line, without control characters, and not endlessly long.
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
