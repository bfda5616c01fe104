package operations

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

const (
	// promptName is shown in an empty field that is filled in from a list of names.
	promptName = "type part of the name"
	// maxSuggestions is how many lines a picker shows.
	maxSuggestions = 20
)

// Named is an object that people know by its name.
type Named struct {
	ID   model.ID
	Name string
	Note string // for a list to choose from
}

// NameError is a name that fits no object or several.
type NameError struct {
	Noun, Text string
	Candidates []Named // several objects that the name fits; empty when it fits none
	Closest    string  // the name that was probably meant; empty when none is close
}

func (e *NameError) Error() string {
	text := model.Clean(e.Text)
	if len(e.Candidates) == 0 {
		if e.Closest == "" {
			return fmt.Sprintf("no %s is called %.60q", e.Noun, text)
		}
		return fmt.Sprintf("no %s is called %.60q; did you mean %s?", e.Noun, text, model.Clean(e.Closest))
	}
	candidates := mapList(e.Candidates, func(c Named) string { return fmt.Sprintf("%s (%s)", model.Clean(c.Name), c.ID) })
	return fmt.Sprintf("%.60q fits %s: %s; type more of the name, or the id",
		text, model.FormatCount(len(candidates), e.Noun), joinNames(candidates, 5))
}

// Unwrap makes a name that fits nothing an [apiclient.ErrNotFound].
func (e *NameError) Unwrap() error {
	if len(e.Candidates) == 0 {
		return apiclient.ErrNotFound
	}
	return nil
}

// ResolveName finds the one object that a text means: by id, by name, or by the start of any word of its name, whatever
// the case. A valid id is accepted although it is not listed: the service decides then.
func ResolveName(all []Named, text, noun string) (Named, error) {
	wanted := strings.ToLower(strings.TrimSpace(text))
	if wanted == "" {
		return Named{}, fmt.Errorf("name the %s", noun)
	}
	var exact, starting []Named
	for _, n := range all {
		switch name := strings.ToLower(strings.TrimSpace(n.Name)); {
		case string(n.ID) == strings.TrimSpace(text):
			return n, nil
		case name == wanted:
			exact = append(exact, n)
		case startsWord(name, wanted):
			starting = append(starting, n)
		}
	}
	found := exact
	if len(exact) == 0 {
		found = starting
	}
	id := model.ID(strings.TrimSpace(text))
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && id.Valid():
		return Named{ID: id}, nil
	case len(found) == 0:
		names := mapList(all, func(n Named) string { return n.Name })
		return Named{}, &NameError{Noun: noun, Text: text, Closest: model.ClosestName(wanted, names)}
	}
	return Named{}, &NameError{Noun: noun, Text: text, Candidates: sortByName(found)}
}

// startsWord reports whether a name has a word, or a run of words, that starts with the text.
func startsWord(name, text string) bool {
	for {
		if strings.HasPrefix(name, text) {
			return true
		}
		_, rest, more := strings.Cut(name, " ")
		if !more {
			return false
		}
		name = strings.TrimLeft(rest, " ")
	}
}

func resolveName(all []Named, text, noun string) (model.ID, error) {
	found, err := ResolveName(all, text, noun)
	return found.ID, err
}

// ResolveNames resolves names or ids separated by commas. Each object is listed once.
func ResolveNames(all []Named, text, noun string) ([]model.ID, error) {
	var ids []model.ID
	for name := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(name) == "" {
			continue
		}
		id, err := resolveName(all, name, noun)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// FindWorker resolves a worker of the board by name or id.
func FindWorker(snapshot *board.Snapshot, text string) (*board.WorkerRow, error) {
	return findRow(boardWorkers(snapshot), snapshot.Workers.Get, text, "driver")
}

// FindTeam resolves a team of the board by name or id.
func FindTeam(snapshot *board.Snapshot, text string) (*board.TeamRow, error) {
	return findRow(boardTeams(snapshot), snapshot.Teams.Get, text, "team")
}

func findRow[T any](all []Named, get func(model.ID) *T, text, noun string) (*T, error) {
	id, err := resolveName(all, text, noun)
	if err != nil {
		return nil, err
	}
	row := get(id)
	if row == nil {
		return nil, &NameError{Noun: noun, Text: text}
	}
	return row, nil
}

// isUnknownName reports a name that fits nothing, which another kind of object may have.
func isUnknownName(err error) bool {
	e, ok := errors.AsType[*NameError](err)
	return ok && len(e.Candidates) == 0
}

// ResolveTask finds a task by its id, or by the short id of one on the board.
func ResolveTask(snapshot *board.Snapshot, text string) (model.ID, error) {
	switch short := model.ShortID(strings.ToLower(text)); {
	case model.ID(text).Valid():
		return model.ID(text), nil
	case !short.Valid():
		return "", fmt.Errorf("%.40q is not the id of a task; short ids have %d hex digits", model.Clean(text), model.ShortIDLength)
	default:
		if row := snapshot.TaskByShortID(short); row != nil {
			return row.ID, nil
		}
		return "", fmt.Errorf("the board has no task %s; use the long id of an older task", short)
	}
}

func boardWorkers(snapshot *board.Snapshot) []Named {
	all := make([]Named, 0, snapshot.Workers.Len())
	for w := range snapshot.Workers.All() {
		all = append(all, Named{ID: w.ID, Name: w.Name})
	}
	return all
}

func boardTeams(snapshot *board.Snapshot) []Named {
	all := make([]Named, 0, snapshot.Teams.Len())
	for t := range snapshot.Teams.All() {
		all = append(all, Named{t.ID, t.Name, model.FormatCount(len(t.Workers), "driver")})
	}
	return all
}

// describedWorkers are the board's workers with what helps to choose among them.
func describedWorkers(snapshot *board.Snapshot) []Named {
	all := boardWorkers(snapshot)
	for i := range all {
		w := snapshot.Workers.Get(all[i].ID)
		all[i].Note = w.State.String() + ", " + model.FormatCount(w.Stops(), "stop")
		if w.TeamNames != "" {
			all[i].Note += ", " + w.TeamNames
		}
	}
	return all
}

func sortByName(all []Named) []Named {
	slices.SortFunc(all, func(a, b Named) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// suggestNames lists the objects whose names contain the text, those that start with it first. The value of a name that
// two objects share is the id.
func suggestNames(all []Named, text string) []form.Option {
	wanted := strings.ToLower(strings.TrimSpace(text))
	uses := map[string]int{}
	for _, n := range all {
		uses[strings.ToLower(n.Name)]++
	}
	var starting, containing []form.Option
	for _, n := range sortByName(slices.Clone(all)) {
		name := strings.ToLower(n.Name)
		option := form.Option{Value: n.Name, Label: n.Name, Note: n.Note}
		if uses[name] > 1 || name == "" {
			option.Value = string(n.ID)
		}
		switch {
		case strings.HasPrefix(name, wanted):
			starting = append(starting, option)
		case strings.Contains(name, wanted):
			containing = append(containing, option)
		}
	}
	found := append(starting, containing...)
	return found[:min(len(found), maxSuggestions)]
}

// suggestLast suggests for the last of several texts and keeps those before it.
func suggestLast(separators string, suggest func(string, form.Values) []form.Option) func(string, form.Values) []form.Option {
	return func(text string, values form.Values) []form.Option {
		at := strings.LastIndexAny(text, separators) + 1
		kept := text[:at]
		if strings.HasSuffix(kept, ",") {
			kept += " "
		}
		options := suggest(text[at:], values)
		for i := range options {
			options[i].Value = kept + options[i].Value
		}
		return options
	}
}

// nameField asks for one object by name.
func nameField(all []Named, noun string, f form.Field) form.Field {
	f.Prompt = promptName
	f.Suggest = func(text string, _ form.Values) []form.Option { return suggestNames(all, text) }
	resolve := func(text string) (Named, error) { return ResolveName(all, text, noun) }
	f.Check, f.Echo = checkText(resolve), echoText(resolve, describeNamed)
	return f
}

// namesField asks for several objects by name.
func namesField(all []Named, noun string, f form.Field) form.Field {
	f.Suggest = suggestLast(",", func(text string, _ form.Values) []form.Option { return suggestNames(all, text) })
	f.Check = checkText(func(text string) ([]model.ID, error) { return ResolveNames(all, text, noun) })
	f.Flag.Join = ","
	return f
}

// describeNamed is an object's name with its note.
func describeNamed(n Named) string {
	if n.Name == "" {
		return "not on the board"
	}
	return strings.TrimSuffix(n.Name+", "+n.Note, ", ")
}
