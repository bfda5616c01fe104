// Package format reads and writes planning problems and plans as files: the benchmark formats of Solomon, Gehring & Homberger and of
// Li & Lim, a JSON document for whole working days, and the routes as CVRPLIB writes them.
package format

import (
	"errors"
	"fmt"
	"io"
	"math"

	"waybill/planner"
)

// ErrSyntax is what is wrong with a file that cannot be read.
var ErrSyntax = errors.New("file is not in the expected format")

// maxFileTasks bounds what a file may ask for, so that a damaged number does not take all memory.
const maxFileTasks = 20_000

// Rounding says how distances of the plane become whole numbers.
type Rounding int

const (
	// DIMACS truncates distances and times to one decimal, as the DIMACS challenge and CVRPLIB count.
	DIMACS Rounding = iota
	// Double keeps four decimals, for comparison with values computed in floating point.
	Double
)

// Scale is the number of whole units to one unit of the file.
func (r Rounding) Scale() int64 {
	if r == DIMACS {
		return 10
	}
	return 10_000
}

// toUnits turns a distance of the plane into whole units.
func (r Rounding) toUnits(distance float64) int32 {
	if r == DIMACS {
		return int32(distance * 10)
	}
	return int32(math.Round(distance * 10_000))
}

// Document is a problem read from a file, with what is needed to write its solution.
type Document struct {
	Name    string
	Format  Format
	Problem *planner.Problem
	// Scale is the number of whole units of the problem to one unit of the file.
	Scale int64
}

// Format names a file format.
type Format string

// The formats that can be read.
const (
	Solomon Format = "solomon"
	LiLim   Format = "lilim"
	JSON    Format = "json"
)

// Read reads a document in the given format.
func Read(r io.Reader, f Format, rounding Rounding) (*Document, error) {
	switch f {
	case Solomon:
		return ReadSolomon(r, rounding)
	case LiLim:
		return ReadLiLim(r, rounding)
	case JSON:
		return ReadJSON(r)
	default:
		return nil, fmt.Errorf("format %q: %w; use %q, %q or %q", f, ErrSyntax, Solomon, LiLim, JSON)
	}
}
