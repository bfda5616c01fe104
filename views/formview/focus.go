package formview

// current is the focused field; nil when none is shown.
func (f *Form) current() *entry {
	if f.order == nil {
		return nil
	}
	if e := f.order.GetFocusedField().(*entry); e.shown {
		return e
	}
	return nil
}

// Focused is the name of the focused field.
func (f *Form) Focused() string {
	if e := f.current(); e != nil {
		return e.spec.Name
	}
	return ""
}

// Focus goes to a field by its name.
func (f *Form) Focus(name string) {
	for _, e := range f.entries {
		if e.spec.Name == name && e.shown {
			f.focus(e)
			return
		}
	}
}

// FocusNext goes to the next field, and from the last to the first.
func (f *Form) FocusNext() { f.step(1) }

// FocusPrevious goes to the field before, and from the first to the last.
func (f *Form) FocusPrevious() { f.step(-1) }

func (f *Form) step(by int) {
	e := f.current()
	if e == nil {
		return
	}
	f.take(e)
	at := 0
	for i, other := range f.entries {
		if other == e {
			at = i
		}
	}
	for range f.entries {
		at = (at + by + len(f.entries)) % len(f.entries)
		if f.entries[at].shown {
			f.focus(f.entries[at])
			return
		}
	}
}

// NextPage goes to the first field of the next page, if there is one.
func (f *Form) NextPage() { f.turn(1) }

// PreviousPage goes to the first field of the page before, if there is one.
func (f *Form) PreviousPage() { f.turn(-1) }

func (f *Form) turn(by int) {
	e := f.current()
	if e == nil {
		return
	}
	f.take(e)
	for at := e.page + by; at >= 0 && at < len(f.pages); at += by {
		if first := f.pages[at].first(); first != nil {
			f.focus(first)
			return
		}
	}
}

// focus leaves one field and goes to another.
func (f *Form) focus(to *entry) {
	if from := f.order.GetFocusedField().(*entry); from != to {
		f.leave(from)
	}
	f.jump(to)
}

// jump goes to a field without a look at the one before.
func (f *Form) jump(to *entry) {
	from := f.order.GetFocusedField().(*entry)
	if from != to {
		from.exit()
		f.touch(from)
		f.walk(to)
	}
	if from.page != to.page {
		f.top = 0
		f.echo()
	}
	to.enter()
	f.touch(to)
}

// leave says what is wrong with the value of a field as soon as it is left.
func (f *Form) leave(e *entry) {
	f.touch(e)
	if !e.shown || e.problem != "" {
		return
	}
	if err := e.check(); err != nil {
		e.problem = err.Error()
	}
}

// walk moves huh's focus. huh knows neighbours only; they notice nothing, being told by enter and exit alone.
func (f *Form) walk(to *entry) {
	for range f.pages {
		at := f.order.GetFocusedField().(*entry).page
		if at == to.page {
			break
		}
		if at < to.page {
			f.order.NextGroup()
		} else {
			f.order.PrevGroup()
		}
	}
	for range f.pages[to.page].entries {
		at := f.order.GetFocusedField().(*entry)
		if at == to {
			return
		}
		if f.pages[to.page].index(at) < f.pages[to.page].index(to) {
			f.order.NextField()
		} else {
			f.order.PrevField()
		}
	}
}

// settle makes sure that the focus is on a field that is shown: the nearest below, or else the last above.
func (f *Form) settle() {
	if f.order == nil {
		return
	}
	at := f.order.GetFocusedField().(*entry)
	if at.shown {
		at.enter()
		f.touch(at)
		return
	}
	var to *entry
	passed := false
	for _, e := range f.entries {
		passed = passed || e == at
		if !e.shown {
			continue
		}
		to = e
		if passed {
			break
		}
	}
	if to != nil {
		f.jump(to)
	}
}

func (f *Form) first() *entry {
	for _, e := range f.entries {
		if e.shown {
			return e
		}
	}
	return nil
}

func (f *Form) last() *entry {
	for i := len(f.entries) - 1; i >= 0; i-- {
		if f.entries[i].shown {
			return f.entries[i]
		}
	}
	return nil
}

func (p *page) first() *entry {
	for _, e := range p.entries {
		if e.shown {
			return e
		}
	}
	return nil
}

func (p *page) shown() bool { return p.first() != nil }

func (p *page) index(e *entry) int {
	for i, other := range p.entries {
		if other == e {
			return i
		}
	}
	return -1
}
