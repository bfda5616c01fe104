package model

import (
	"reflect"
	"slices"
	"strings"
)

// CheckUpdate reports what is wrong with a change of a task. A member that is null clears what was there.
func (in TaskInput) CheckUpdate(current *Task) Problems {
	var ps Problems
	for _, field := range in.Members() {
		if reason := UpdateForbidden(current.State, field); reason != "" {
			ps.add(field, ErrorInvalid, "%s", reason)
		}
	}
	if len(ps) > 0 {
		return ps
	}
	ps.checkUpdateRefs(in)
	after, before := current.CompleteAfter, current.CompleteBefore
	if in.CompleteAfter.Present() {
		after = in.CompleteAfter
	}
	if in.CompleteBefore.Present() {
		before = in.CompleteBefore
	}
	if in.CompleteAfter.Has() || in.CompleteBefore.Has() {
		ps.checkTaskWindow(after, before)
	}
	ps.checkTaskType(in)
	if slices.Contains(in.Dependencies.Value(), current.ID) {
		ps.add("dependencies", ErrorInvalid, "A task cannot depend on itself.")
	}
	if in.AutoAssign.Has() && in.Container.Has() {
		ps.add("autoAssign", ErrorInvalid, "Automatic assignment cannot be combined with a container.")
	}
	ps.checkTaskMembers(in)
	return ps
}

// checkUpdateRefs allows destination and recipient of an update by id only.
func (ps *Problems) checkUpdateRefs(in TaskInput) {
	switch destination, ok := in.Destination.Get(); {
	case in.Destination.IsNull():
		ps.add("destination", ErrorInvalid, "The destination cannot be cleared.")
	case ok && destination.Object != nil:
		ps.add("destination", ErrorInvalid, "An update needs the id of a destination. Create the destination first.")
	case ok:
		ps.checkID("destination", destination.ID)
	}
	recipients := in.Recipients.Value()
	for i, recipient := range recipients {
		if recipient.Object != nil {
			ps.add(elementPath("recipients", i), ErrorInvalid, "An update needs the id of a recipient. Create the recipient first.")
			return
		}
	}
	ps.checkRecipients(recipients, nil)
}

// Members lists the known members that the input carries, as a value or as null, in the order they are sent.
func (in TaskInput) Members() []string {
	var names []string
	members := reflect.ValueOf(in)
	for i := range members.NumField() {
		name, _, _ := strings.Cut(members.Type().Field(i).Tag.Get("json"), ",")
		if name != "" && !members.Field(i).IsZero() {
			names = append(names, name)
		}
	}
	return names
}
