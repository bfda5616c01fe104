package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/run"
)

// setNextCommand stores the command that is suggested next.
func (d *doCommand) setNextCommand(c operations.Command) {
	next, err := findDoable(c.Action)
	needs := err == nil && len(next.action.Requires.Kinds) > 0
	if err != nil || needs && len(c.Objects) == 0 {
		return
	}
	if !needs {
		c.Objects = nil
	}
	d.result.Next = d.formatDoCommand(c)
}

// printUndo prints the commands that undo the results, if there are any.
func (d *doCommand) printUndo(p *run.Progress) {
	const maxCommands = 5 // nobody would run more than these one by one
	var commands []operations.Command
	for i := range p.Results {
		undo := p.Results[i].Undo
		if undo == nil {
			continue
		}
		if undo.Command.Action == "" {
			return // a part cannot be undone by a command, so print none
		}
		commands = mergeCommand(commands, undo.Command)
	}
	if len(commands) > maxCommands {
		return
	}
	for i := range p.Results {
		d.rememberShortIDs(p.Results[i].Change)
	}
	for _, c := range commands {
		line, ok := d.formatUndo(c)
		if !ok {
			return
		}
		d.result.Undo = append(d.result.Undo, line)
	}
	for _, line := range d.result.Undo {
		d.printLine("Undo: %s", line)
	}
}

// mergeCommand appends a command, or merges it into one that differs only in its objects.
func mergeCommand(commands []operations.Command, c operations.Command) []operations.Command {
	v, err := findDoable(c.Action)
	for i := range commands {
		if err == nil && v.action.Bulk && len(c.Values) == 0 && commands[i].Action == c.Action && len(commands[i].Values) == 0 {
			commands[i].Objects = slices.Concat(commands[i].Objects, c.Objects)
			return commands
		}
	}
	return append(commands, c)
}

// rememberShortIDs stores the short ids of created objects.
func (d *doCommand) rememberShortIDs(change board.Change) {
	for i := range change.Tasks {
		d.shortIDs[change.Tasks[i].ID] = change.Tasks[i].ShortID
	}
	for i := range change.Orders {
		d.shortIDs[change.Orders[i].ID] = change.Orders[i].ShortID
	}
}

// formatUndo returns the command line that undoes a change, preferring the command of the object over do. It reports false
// if a value does not fit on one line.
func (d *doCommand) formatUndo(c operations.Command) (string, bool) {
	for _, value := range c.Values {
		if strings.ContainsAny(value, "\n\r\t") || model.Clean(value) != value {
			return "", false
		}
	}
	plain := func(words ...string) (string, bool) {
		return strings.Join(slices.Concat([]string{d.programWithFlags()}, words), " "), true
	}
	ids := strings.Join(d.objectNames(c.Objects), " ")
	definition, err := operations.FindDefinition(c.Action)
	if err == nil && definition.Command != "" {
		return plain(definition.Command, ids)
	}
	if c.Action == "route.insert" {
		if n, err := strconv.Atoi(c.Values.Get("position")); err == nil && n > 0 {
			return plain("tasks assign", ids, "--worker", quoteForShell(d.workerName(model.ID(c.Values.Get("who")))), "--position", strconv.Itoa(n-1))
		}
	}
	return d.formatDoCommand(c), true
}

// workerName returns the name of a worker if it is unique, otherwise the id.
func (d *doCommand) workerName(id model.ID) string {
	if row := d.input.Board.Workers.Get(id); row != nil {
		if found, err := operations.FindWorker(d.input.Board, row.Name); err == nil && found.ID == id {
			return row.Name
		}
	}
	return string(id)
}

// formatDoCommand returns a do command line.
func (d *doCommand) formatDoCommand(c operations.Command) string {
	words := slices.Concat([]string{d.programWithFlags(), "do", c.Action}, d.objectNames(c.Objects))
	for _, name := range slices.Sorted(maps.Keys(dropEmptyValues(c.Values))) {
		words = append(words, "--set", quoteForShell(name+"="+c.Values[name]))
	}
	return strings.Join(words, " ")
}

// dropEmptyValues removes empty values, unless there is only one value.
func dropEmptyValues(values form.Values) form.Values {
	if len(values) < 2 {
		return values
	}
	kept := values.Clone()
	maps.DeleteFunc(kept, func(_, value string) bool { return value == "" })
	return kept
}

// objectNames returns the short ids of objects, or their ids where the short ids are unknown.
func (d *doCommand) objectNames(ids []model.ID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
		if short := d.shortIDs[id]; short != "" {
			names[i] = string(short)
		} else if row := d.input.Board.Tasks.Get(id); row != nil && row.ShortID != "" {
			names[i] = string(row.ShortID)
		}
	}
	return names
}

// programWithFlags returns the program with the flags that select the account.
func (d *doCommand) programWithFlags() string {
	words := []string{"waybill"}
	for _, flag := range []struct{ name, value string }{
		{"--config", d.app.flags.config},
		{"--profile", d.app.flags.profile},
		{"--base-url", d.app.flags.baseURL},
		{"--api-key-file", d.app.flags.keyFile},
		{"--ca-file", d.app.flags.caFile},
	} {
		if flag.value != "" {
			words = append(words, flag.name, quoteForShell(flag.value))
		}
	}
	return strings.Join(words, " ")
}

// quoteForShell quotes a word for a shell if necessary.
func quoteForShell(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return apiclient.ShellQuote(text)
}
