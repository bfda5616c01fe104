package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/run"
)

// offer keeps the command that would come next.
func (d *doing) offer(c operations.Command) {
	next, err := findDoable(c.Action)
	needs := err == nil && len(next.action.Needs.Kinds) > 0
	if err != nil || needs && len(c.Objects) == 0 {
		return
	}
	if !needs {
		c.Objects = nil
	}
	d.result.Next = d.doLine(c)
}

// tellUndo tells the commands that take back what was done, where there are some.
func (d *doing) tellUndo(p *run.Progress) {
	const most = 5 // of more, nobody would run one after the other
	var commands []operations.Command
	for i := range p.Results {
		undo := p.Results[i].Undo
		if undo == nil {
			continue
		}
		if undo.Command.Action == "" {
			return // a part of it cannot be taken back so, and half a way back is none
		}
		commands = together(commands, undo.Command)
	}
	if len(commands) > most {
		return
	}
	for i := range p.Results {
		d.learnNames(p.Results[i].Change)
	}
	for _, c := range commands {
		line, ok := d.undoLine(c)
		if !ok {
			return
		}
		d.result.Undo = append(d.result.Undo, line)
	}
	for _, line := range d.result.Undo {
		d.say("Undo: %s", line)
	}
}

// together adds a command to others; those that differ only in what they act on become one.
func together(commands []operations.Command, c operations.Command) []operations.Command {
	v, err := findDoable(c.Action)
	for i := range commands {
		if err == nil && v.action.Bulk && len(c.Values) == 0 && commands[i].Action == c.Action && len(commands[i].Values) == 0 {
			commands[i].Objects = slices.Concat(commands[i].Objects, c.Objects)
			return commands
		}
	}
	return append(commands, c)
}

// learnNames keeps the short ids of what was made.
func (d *doing) learnNames(change board.Change) {
	if d.short == nil {
		d.short = map[model.ID]model.ShortID{}
	}
	for i := range change.Tasks {
		d.short[change.Tasks[i].ID] = change.Tasks[i].ShortID
	}
	for i := range change.Orders {
		d.short[change.Orders[i].ID] = change.Orders[i].ShortID
	}
}

// undoLine is the command that takes something back; the plain ones where they do the same. It reports false for what
// does not fit on a line.
func (d *doing) undoLine(c operations.Command) (string, bool) {
	for _, value := range c.Values {
		if strings.ContainsAny(value, "\n\r\t") || model.Clean(value) != value {
			return "", false
		}
	}
	plain := func(words ...string) (string, bool) {
		return strings.Join(slices.Concat([]string{d.program()}, words), " "), true
	}
	ids := strings.Join(d.names(c.Objects), " ")
	switch c.Action {
	case "task.delete":
		return plain("tasks delete", ids)
	case "webhook.delete":
		return plain("webhooks rm", ids)
	case "order.cancel":
		return plain("orders cancel", ids)
	case "route.unassign":
		return plain("tasks assign", ids, "--none")
	case "route.insert":
		if n, err := strconv.Atoi(c.Values.Get("position")); err == nil && n > 0 {
			return plain("tasks assign", ids, "--worker", shellWord(d.workerName(model.ID(c.Values.Get("who")))), "--position", strconv.Itoa(n-1))
		}
	}
	return d.doLine(c), true
}

// workerName is the name of a worker where it finds only that one, else the id.
func (d *doing) workerName(id model.ID) string {
	if row := d.scene.Board.Workers.Get(id); row != nil {
		if found, err := operations.FindWorker(d.scene.Board, row.Name); err == nil && found.ID == id {
			return row.Name
		}
	}
	return string(id)
}

// doLine is a verb as a command.
func (d *doing) doLine(c operations.Command) string {
	words := slices.Concat([]string{d.program(), "do", c.Action}, d.names(c.Objects))
	for _, name := range slices.Sorted(maps.Keys(withoutEmpty(c.Values))) {
		words = append(words, "--set", shellWord(name+"="+c.Values[name]))
	}
	return strings.Join(words, " ")
}

// withoutEmpty leaves out what says nothing, unless nothing is what is to be said.
func withoutEmpty(values form.Values) form.Values {
	if len(values) < 2 {
		return values
	}
	kept := values.Clone()
	maps.DeleteFunc(kept, func(_, value string) bool { return value == "" })
	return kept
}

// names are the short ids of objects, and the long ones where those are not known.
func (d *doing) names(ids []model.ID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
		if short := d.short[id]; short != "" {
			names[i] = string(short)
		} else if row := d.scene.Board.Tasks.Get(id); row != nil && row.ShortID != "" {
			names[i] = string(row.ShortID)
		}
	}
	return names
}

// program is how this run was told which account is meant, so that another command means the same one.
func (d *doing) program() string {
	words := []string{"waybill"}
	for _, flag := range []struct{ name, value string }{
		{"--config", d.app.flags.config},
		{"--profile", d.app.flags.profile},
		{"--base-url", d.app.flags.baseURL},
		{"--api-key-file", d.app.flags.keyFile},
		{"--ca-file", d.app.flags.caFile},
	} {
		if flag.value != "" {
			words = append(words, flag.name, shellWord(flag.value))
		}
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
