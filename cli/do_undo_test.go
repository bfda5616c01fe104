package cli

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// shellWords splits a command line as a shell does, as far as these tests need it.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	word, open := "", false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			open = !open
		case c == '\\' && !open:
			i++
			word += string(line[i])
		case c == ' ' && !open:
			words, word = append(words, word), ""
		default:
			word += string(c)
		}
	}
	require.False(t, open, line)
	return append(words, word)
}

func TestQuoteForShell(t *testing.T) {
	for _, text := range []string{"plain", "two words", "it's", "$HOME `x` \"y\"", ""} {
		require.Equal(t, []string{"a", text}, shellWords(t, "a "+quoteForShell(text)))
	}
}

// Every change that can be undone prints the command that undoes it.
func TestPrintedUndoCommandsUndo(t *testing.T) {
	service := servicetest.Start(t)
	var team model.Team
	service.Do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&team)
	workers := make([]model.Worker, 2)
	for i, name := range []string{"Ada Okafor", "Ben O'Hara"} {
		service.Do("POST", "/workers", fmt.Sprintf(`{"name":%q,"phone":"+1415555%04d","teams":[%q]}`, name, 100+i, team.ID)).OK(&workers[i])
	}
	task := func() (made model.Task) {
		service.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"unparsed":%q}},"recipients":[],"notes":"It's heavy","quantity":3,"completeBefore":%d}`,
			anAddress, service.Clock.Now().UnixMilli()+3_600_500)).OK(&made)
		return made
	}
	route := make([]model.Task, 3)
	for i := range route {
		route[i] = task()
		service.Do("PUT", "/containers/workers/"+string(workers[1].ID), fmt.Sprintf(`{"tasks":[-1,%q]}`, route[i].ID)).OK(nil)
	}
	free, other, pickup := task(), task(), task()
	short := func(m model.Task) string { return string(m.ShortID) }
	for _, c := range []struct {
		args []string
		undo string // how the command begins
	}{
		{[]string{"create.task", anAddress}, "tasks rm"},
		{[]string{"create.task", anAddress, "--set", "assign=worker", "--set", "worker=Ben O'Hara", "--set", "position=1"}, "tasks rm"},
		{[]string{"create.task", anAddress, "--set", "kind=pickup", "--set", "needed_by=" + short(free)}, "tasks rm"},
		{[]string{"task.clone", short(free), short(other)}, "tasks rm"},
		{[]string{"task.notes", short(free), "--set", "notes=new"}, "do task.notes"},
		{[]string{"task.quantity", short(free), "--set", "quantity=7"}, "do task.quantity"},
		{[]string{"task.window", short(free), "--set", "before=+3h", "--set", "after=+1h"}, "do task.window"},
		{[]string{"task.link", short(free), "--set", "depends_on=" + short(pickup)}, "do task.link"},
		{[]string{"route.assign", short(free), short(other), "--set", "who=Ada Okafor"}, "tasks assign"},
		{[]string{"route.unassign", short(route[1])}, "tasks assign"},
		{[]string{"route.insert", short(route[2]), "--set", "who=Ben O'Hara", "--set", "position=1"}, "tasks assign"},
		{[]string{"route.later", short(route[0])}, "do route.earlier"},
	} {
		before := taskAndRouteLines(service)
		a, output := newTestProgram(t, service.Key, "")
		args := append(append([]string{"do"}, c.args...), "--yes", "--base-url", service.URL)
		require.Equal(t, exitOK, execute(context.Background(), a, args), output)
		require.NotEqual(t, before, taskAndRouteLines(service), c.args)
		_, line, found := strings.Cut(output.String(), "Undo: ")
		require.True(t, found, "%v: %s", c.args, output)
		line, _, _ = strings.Cut(line, "\n")
		words := shellWords(t, line)
		require.Equal(t, []string{"waybill", "--base-url", service.URL}, words[:3])
		require.True(t, strings.HasPrefix(strings.Join(words[3:], " "), c.undo), line)
		back, told := newTestProgram(t, service.Key, "")
		if !strings.HasPrefix(c.undo, "tasks assign") {
			words = append(words, "--yes")
		}
		require.Equal(t, exitOK, execute(context.Background(), back, words[1:]), "%s: %s", line, told)
		require.Equal(t, before, taskAndRouteLines(service), line)
	}
}

// taskAndRouteLines returns one line per task and per route of a service.
func taskAndRouteLines(service *servicetest.Server) []string {
	var all struct {
		Tasks []model.Task `json:"tasks"`
	}
	service.Do("GET", "/tasks/all?from=1", nil).OK(&all)
	var lines []string
	for _, t := range all.Tasks {
		lines = append(lines, fmt.Sprint(t.ID, t.Notes, t.Quantity, t.CompleteAfter, t.CompleteBefore, t.Dependencies, t.Worker, t.State))
	}
	var workers []model.Worker
	service.Do("GET", "/workers", nil).OK(&workers)
	for _, w := range workers {
		lines = append(lines, fmt.Sprint(w.Name, w.Tasks))
	}
	return lines
}
