package formview

import "slices"

// hasFocus reports whether a visible field has the focus.
func (f *Form) hasFocus() bool { return f.focus != nil && f.focus.visible }

// Focused returns the name of the focused field; it is empty when no field is visible.
func (f *Form) Focused() string {
	if !f.hasFocus() {
		return ""
	}
	return f.focus.spec.Name
}

// Focus moves the focus to a field by its name.
func (f *Form) Focus(name string) {
	if fd := f.visibleField(name); fd != nil {
		f.leaveFor(fd)
	}
}

// FocusNext moves the focus to the next field, and from the last to the first.
func (f *Form) FocusNext() { f.moveFocus(1) }

// FocusPrevious moves the focus to the previous field, and from the first to the last.
func (f *Form) FocusPrevious() { f.moveFocus(-1) }

func (f *Form) moveFocus(step int) {
	if !f.hasFocus() {
		return
	}
	f.applySuggestion(f.focus)
	at := slices.Index(f.fields, f.focus)
	for range f.fields {
		at = (at + step + len(f.fields)) % len(f.fields)
		if f.fields[at].visible {
			f.leaveFor(f.fields[at])
			return
		}
	}
}

// turnPage moves the focus to the first field of the next or previous page.
func (f *Form) turnPage(step int) {
	if !f.hasFocus() {
		return
	}
	f.applySuggestion(f.focus)
	for at := f.focus.page + step; at >= 0 && at < len(f.pages); at += step {
		if first := firstVisible(f.pages[at].fields); first != nil {
			f.leaveFor(first)
			return
		}
	}
}

// leaveFor checks the focused field and moves the focus to another one.
func (f *Form) leaveFor(to *field) {
	if f.focus != to {
		f.checkField(f.focus)
	}
	f.setFocus(to)
}

// setFocus moves the focus without checking the field before.
func (f *Form) setFocus(to *field) {
	from := f.focus
	f.focus = to
	if from != nil && from != to {
		from.blur()
		f.invalidate(from)
	}
	if from == nil || from.page != to.page {
		f.top = 0
		f.updateEchoes()
	}
	to.focused = true
	f.invalidate(to)
}

// checkField shows what is wrong with a field when the focus leaves it.
func (f *Form) checkField(fd *field) {
	f.invalidate(fd)
	if !fd.visible || fd.problem != "" {
		return
	}
	if err := fd.check(); err != nil {
		fd.problem = err.Error()
	}
}

// focusStart moves the focus to the field where the form starts.
func (f *Form) focusStart() {
	to := f.visibleField(f.spec.First)
	if to == nil {
		to = firstVisible(f.fields)
	}
	if to != nil {
		f.setFocus(to)
	}
}

// focusVisible moves the focus from an invisible field to the next visible one, or to the last one.
func (f *Form) focusVisible() {
	if f.focus == nil || f.focus.visible {
		return
	}
	to := firstVisible(f.fields[slices.Index(f.fields, f.focus):])
	if to == nil {
		to = f.lastField()
	}
	if to != nil {
		f.setFocus(to)
	}
}

func (f *Form) visibleField(name string) *field {
	for _, fd := range f.fields {
		if fd.spec.Name == name && fd.visible {
			return fd
		}
	}
	return nil
}

// lastField returns the last visible field.
func (f *Form) lastField() *field {
	for _, fd := range slices.Backward(f.fields) {
		if fd.visible {
			return fd
		}
	}
	return nil
}

func firstVisible(fields []*field) *field {
	for _, fd := range fields {
		if fd.visible {
			return fd
		}
	}
	return nil
}
