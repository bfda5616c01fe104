package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// CheckContext is what rules need to know besides the input.
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

// earliestMillis is in 1973. A smaller number was probably meant as seconds.
const earliestMillis Millis = 100_000_000_000

// latestSeconds is in the year 5138. A larger number was probably meant as milliseconds.
const latestSeconds UnixSeconds = 100_000_000_000

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// elementPath returns the path of an element of a list.
func elementPath(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// checkRequired reports a missing text.
func (ps *Problems) checkRequired(field, value, what string) {
	if isBlank(value) {
		ps.add(field, ErrorMissing, "%s is required.", what)
	}
}

// checkName reports a missing name of a new resource, or a name that a change clears.
func (ps *Problems) checkName(field string, value Opt[string], what string, creates bool) {
	if creates || value.Present() {
		ps.checkRequired(field, value.Value(), what)
	}
}

// checkID reports an invalid id.
func (ps *Problems) checkID(field string, id ID) {
	if !id.Valid() {
		ps.add(field, ErrorWrongType, "%.40q is not an id. Ids have %d characters of A–Z, a–z, 0–9, * and ~.",
			Clean(string(id)), IDLength)
	}
}

// checkRef checks the id of a resource, or a resource that is created with its parent.
func checkRef[T any](ps *Problems, field string, ref IDOr[T], check func(T) Problems) {
	if ref.Object != nil {
		ps.addWithin(field, check(*ref.Object))
		return
	}
	ps.checkID(field, ref.ID)
}

// checkOptionalID reports an invalid id. Absent and null are allowed.
func (ps *Problems) checkOptionalID(field string, id Opt[ID]) {
	if value, ok := id.Get(); ok {
		ps.checkID(field, value)
	}
}

func (ps *Problems) checkIDs(field string, ids []ID) {
	for i, id := range ids {
		ps.checkID(elementPath(field, i), id)
	}
}

// checkRequiredIDs reports invalid ids and an empty list.
func (ps *Problems) checkRequiredIDs(field string, ids []ID, missing string) {
	if len(ids) == 0 {
		ps.add(field, ErrorMissing, "%s", missing)
	}
	ps.checkIDs(field, ids)
}

// checkEachOf reports texts that are not one of those allowed.
func (ps *Problems) checkEachOf(field string, texts []string, allowed ...string) {
	for i, text := range texts {
		if !slices.Contains(allowed, text) {
			last := len(allowed) - 1
			ps.add(elementPath(field, i), ErrorInvalid, "%.40q is not one of %s and %s.",
				Clean(text), strings.Join(allowed[:last], ", "), allowed[last])
		}
	}
}

// checkQuantity reports a number of units that is negative or too large.
func (ps *Problems) checkQuantity(field string, value Opt[float64]) {
	if v, ok := value.Get(); ok && !(v >= 0 && v <= MaxQuantity) {
		ps.add(field, ErrorInvalid, "Must be a number, 0 or more and at most %d.", MaxQuantity)
	}
}

func (ps *Problems) checkServiceTime(value Opt[Minutes]) {
	if v, ok := value.Get(); ok && !(v >= 0 && v <= MaxServiceTime) {
		ps.add("serviceTime", ErrorInvalid, "Must be 0 or more and at most %.0f minutes (a week).", MaxServiceTime)
	}
}

// checkNotes reports notes that are too long.
func (ps *Problems) checkNotes(field string, value Opt[string]) {
	if length := utf8.RuneCountInString(value.Value()); length > MaxTaskNotes {
		ps.add(field, ErrorInvalid, "%d characters; the limit is %d. Remove %d.",
			length, MaxTaskNotes, length-MaxTaskNotes)
	}
}

// checkTaskWindow reports times of a task that are not in milliseconds or not in order.
func (ps *Problems) checkTaskWindow(after, before Opt[Millis]) {
	ps.checkWindow("completeAfter", after, "completeBefore", before)
}

func (ps *Problems) checkWindow(fromField string, from Opt[Millis], toField string, to Opt[Millis]) {
	fine := ps.checkMillis(fromField, from)
	fine = ps.checkMillis(toField, to) && fine
	start, hasStart := from.Get()
	end, hasEnd := to.Get()
	if fine && hasStart && hasEnd && end <= start {
		ps.add(toField, ErrorTimeConstraint, "Must be after %s.", fromField)
	}
}

// checkMillis reports a time that is not in Unix milliseconds.
func (ps *Problems) checkMillis(field string, value Opt[Millis]) bool {
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
