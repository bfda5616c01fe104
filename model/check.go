package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CheckContext is what rules need to know beyond the input itself.
type CheckContext struct {
	// Now is the service's time.
	Now Millis
	// Country is the ISO 3166-1 code of the organization's country, in which phone numbers are read.
	Country string
}

// MaxTaskNotes is the longest that the notes of a task may be, in characters (Unicode code points).
const MaxTaskNotes = 10_000

// Greatest numbers that mean something. The interface names none; beyond these a number was mistyped, and sums of such
// numbers would no longer be times or loads.
const (
	// MaxServiceTime is a week: no stop of a route takes longer.
	MaxServiceTime Minutes = 7 * 24 * 60
	// MaxAllowedDelay is a week, too.
	MaxAllowedDelay Minutes = 7 * 24 * 60
	// MaxQuantity is the most units that a task has or a worker carries, in any dimension.
	MaxQuantity = 1_000_000_000
)

// earliestMillis is in 1973. A smaller number was meant as seconds, and taken as milliseconds would be in 1970.
const earliestMillis Millis = 100_000_000_000

// latestSeconds is in the year 5138. A greater number was meant as milliseconds.
const latestSeconds UnixSeconds = 100_000_000_000

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// index is the path of an element.
func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// need reports a text that must be there.
func (ps *Problems) need(field, value, what string) {
	if isBlank(value) {
		ps.add(field, ErrorMissing, "%s is required.", what)
	}
}

// id reports an id that is not one.
func (ps *Problems) id(field string, id ID) {
	if !id.Valid() {
		ps.add(field, ErrorWrongType, "%.40q is not an id. Ids have %d characters of A–Z, a–z, 0–9, * and ~.",
			Clean(string(id)), IDLength)
	}
}

// optID reports an id that is there but not one. Null clears, so it is no problem.
func (ps *Problems) optID(field string, id Opt[ID]) {
	if value, ok := id.Get(); ok {
		ps.id(field, value)
	}
}

func (ps *Problems) ids(field string, ids []ID) {
	for i, id := range ids {
		ps.id(index(field, i), id)
	}
}

// quantity reports a number of units below zero or too great to be one.
func (ps *Problems) quantity(field string, value Opt[float64]) {
	if v, ok := value.Get(); ok && !(v >= 0 && v <= MaxQuantity) {
		ps.add(field, ErrorInvalid, "Must be a number from 0 to %d.", MaxQuantity)
	}
}

func (ps *Problems) serviceTime(value Opt[Minutes]) {
	if v, ok := value.Get(); ok && !(v >= 0 && v <= MaxServiceTime) {
		ps.add("serviceTime", ErrorInvalid, "Must be from 0 to %.0f minutes (a week).", MaxServiceTime)
	}
}

// notes reports notes longer than a task's may be.
func (ps *Problems) notes(field string, value Opt[string]) {
	if length := utf8.RuneCountInString(value.Value()); length > MaxTaskNotes {
		ps.add(field, ErrorInvalid, "Too long: %d characters, at most %d are allowed. Shorten the text by %d.",
			length, MaxTaskNotes, length-MaxTaskNotes)
	}
}

// timeWindow reports times that are not in milliseconds or not in order.
func (ps *Problems) timeWindow(after, before Opt[Millis]) {
	ps.window("completeAfter", after, "completeBefore", before)
}

func (ps *Problems) window(fromField string, from Opt[Millis], toField string, to Opt[Millis]) {
	fine := ps.millis(fromField, from)
	fine = ps.millis(toField, to) && fine
	start, hasStart := from.Get()
	end, hasEnd := to.Get()
	if fine && hasStart && hasEnd && end <= start {
		ps.add(toField, ErrorTimeConstraint, "Must be after %s.", fromField)
	}
}

// millis reports a time that is not in Unix milliseconds.
func (ps *Problems) millis(field string, value Opt[Millis]) bool {
	v, ok := value.Get()
	switch {
	case ok && v < earliestMillis:
		ps.add(field, ErrorTimeConstraint,
			"%d is not a time in Unix milliseconds. If it is in seconds, multiply it by 1000.", v)
		return false
	case ok && v > latestMillis:
		ps.add(field, ErrorTimeConstraint, "%d is not a time in Unix milliseconds: it is after the year 9999.", v)
		return false
	}
	return true
}
