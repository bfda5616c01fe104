package keymaps

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/board"
	"waybill/model"
)

var update = flag.Bool("update", false, "write the generated key reference to docs")

func TestActionsAreComplete(t *testing.T) {
	ids := map[string]bool{}
	var order []Group
	for _, a := range Default().Actions() {
		order = append(order, a.Group)
		require.NotEmpty(t, a.Title, a.ID)
		require.LessOrEqual(t, utf8.RuneCountInString(a.Title), 32, a.Title)
		require.True(t, strings.HasSuffix(a.Help, "."), "%s: help must be a sentence", a.ID)
		require.NotEmpty(t, a.Scopes, a.ID)
		require.False(t, ids[a.ID], "two actions have the id %s", a.ID)
		require.Regexp(t, `^[a-z]+(\.[a-z0-9-]+)?$`, a.ID)
		require.True(t, len(a.Keys) > 0 || !a.Hidden, "%s has no key and is not in the palette", a.ID)
		require.True(t, a.HintOrder == 0 || a.HintLabel != "", a.ID)
		require.True(t, !a.Dangerous || a.Writes, "%s: only a write asks for confirmation", a.ID)
		for _, s := range a.Scopes {
			require.Contains(t, Scopes(), s, a.ID)
		}
		ids[a.ID] = true
	}
	require.Equal(t, groups(), slices.Compact(order), "the actions of a group follow one another")
}

func TestDefaultKeysAreValid(t *testing.T) {
	table := Default()
	all := map[string][]string{}
	for _, a := range table.Actions() {
		if len(a.Keys) > 0 {
			all[a.ID] = a.Keys
		}
	}
	_, err := table.Rebind(all)
	require.NoError(t, err, "default keys must be valid and free of conflicts")
}

func TestEveryActionWorksWithoutControlKeys(t *testing.T) {
	for _, a := range Default().Actions() {
		if a.ID == "interrupt" || a.ID == "suspend" { // quit and the command :suspend do the same
			continue
		}
		usable := len(a.Keys) == 0 // through the palette
		for _, key := range a.Keys {
			usable = usable || !strings.Contains(key, "ctrl+") && !strings.Contains(key, "alt+")
		}
		require.True(t, usable, "%s needs a control key", a.ID)
	}
}

func TestReadOnlyDisablesEveryWrite(t *testing.T) {
	table := Default()
	writes := 0
	for _, a := range table.Actions() {
		reason := table.DisabledReason(a, Context{
			ReadOnly: true, ReadOnlyBy: "the profile", Undo: "x", Objects: []Object{{Kind: Task, Status: board.StatusActive}},
		})
		if a.Writes {
			writes++
			require.Equal(t, "Read-only mode is on (set by the profile). Press ! to allow changes.", reason, a.ID)
		} else {
			require.NotContains(t, reason, "Read-only", a.ID)
		}
	}
	require.Greater(t, writes, 25)
	unlock, _ := table.Get("console.readonly")
	require.False(t, unlock.Writes, "read-only mode can be turned off")
}

// Actions whose id says that they change something must be marked as writes.
func TestWritesAreMarked(t *testing.T) {
	reads := []string{"route.candidates", "create.quote", "job.cancel", "job.failed"}
	for _, a := range Default().Actions() {
		prefix, _, _ := strings.Cut(a.ID, ".")
		if slices.Contains([]string{"task", "route", "create", "order", "webhook", "job"}, prefix) {
			require.Equal(t, !slices.Contains(reads, a.ID), a.Writes, a.ID)
		}
	}
}

func TestResolve(t *testing.T) {
	table := Default()
	found := func(id string, key string, stack ...Scope) {
		t.Helper()
		m := table.Resolve(stack, key)
		require.Equal(t, Found, m.Outcome, key)
		require.Equal(t, id, m.Action.ID)
	}
	found("route.assign", "a", Global, Tasks)
	found("task.delete", "D", Global, Tasks)
	found("order.cancel", "D", Global, Orders)
	found("webhook.delete", "D", Global, Webhooks)
	found("map.down", "j", Global, Map)
	found("move.down", "j", Global, Tasks)
	found("quit", "q", Global, Tasks)
	found("confirm.no", "enter", Global, Tasks, Confirm)
	found("back", "esc", Global, Tasks, Filter)
	found("interrupt", "ctrl+c", Global, Tasks, Filter)
	found("move.top", "g g", Global, Tasks)

	require.Equal(t, Unbound, table.Resolve([]Scope{Global, Orders}, "a").Outcome, "orders cannot be assigned")
	require.Equal(t, Unbound, table.Resolve([]Scope{Global, Tasks, Confirm}, "D").Outcome, "a confirmation takes all keys")
	require.Equal(t, Waiting, table.Resolve([]Scope{Global, Tasks}, "g").Outcome)
}

func TestLettersAreTextInTextScopes(t *testing.T) {
	table := Default()
	for _, s := range textScopes() {
		for _, key := range []string{"q", "D", "space", "?", ":", "1", "+", "é", "日"} {
			require.Equal(t, Typed, table.Resolve([]Scope{Global, Tasks, s}, key).Outcome, "%s in %s", key, s)
		}
		require.NotEqual(t, Typed, table.Resolve([]Scope{Global, Tasks, s}, "enter").Outcome)
		require.Equal(t, Unbound, table.Resolve([]Scope{Global, Tasks, s}, "ctrl+d").Outcome, "scopes below receive no keys")
	}
}

func TestKeyboardSequences(t *testing.T) {
	table, stack := Default(), []Scope{Global, Tasks}
	var k Keyboard
	require.Equal(t, Waiting, k.Press(table, stack, "g").Outcome)
	require.Equal(t, "g", k.Prefix())
	require.Equal(t, "move.top", k.Press(table, stack, "g").Action.ID)
	require.Empty(t, k.Prefix())

	k.Press(table, stack, "e")
	require.Equal(t, Unbound, k.Press(table, stack, "D").Outcome, "a key that does not continue the sequence does nothing")
	require.Equal(t, "task.delete", k.Press(table, stack, "D").Action.ID, "the next key starts anew")

	k.Press(table, stack, "e")
	ids := []string{}
	for _, a := range table.Continuations(stack, k.Prefix()) {
		ids = append(ids, a.ID)
	}
	require.Equal(t, []string{"task.notes", "task.window", "task.quantity", "task.link", "task.metadata"}, ids)
	k.Reset()
	require.Equal(t, "route.assign", k.Press(table, stack, "a").Action.ID)
}

func TestRebind(t *testing.T) {
	table := Default()
	next, err := table.Rebind(map[string][]string{
		"route.assign": {"ctrl+a", "f5"}, "task.delete": {Disabled}, "task.fail": nil, "task.clone": {"a"},
	})
	require.NoError(t, err)
	require.Equal(t, "task.clone", next.Resolve([]Scope{Global, Tasks}, "a").Action.ID)
	require.Equal(t, "route.assign", next.Resolve([]Scope{Global, Tasks}, "f5").Action.ID)
	require.Equal(t, Unbound, next.Resolve([]Scope{Global, Tasks}, "D").Outcome)
	require.Equal(t, "route.assign", table.Resolve([]Scope{Global, Tasks}, "a").Action.ID, "the old table is unchanged")
	require.Empty(t, next.FirstKey("task.delete"))
	require.Empty(t, next.FirstKey("task.fail"))

	for name, c := range map[string]struct {
		keys map[string][]string
		want []string
	}{
		"conflict names both":              {map[string][]string{"task.clone": {"a"}}, []string{`"a"`, `"task.clone" (Clone…)`, `"route.assign" (Assign to driver…)`}},
		"conflict with a global":           {map[string][]string{"task.clone": {"q"}}, []string{`"quit"`, `"task.clone"`}},
		"key that begins another":          {map[string][]string{"task.clone": {"g"}}, []string{`"g"`, "also starts", `"task.clone"`}},
		"sequence after a key":             {map[string][]string{"task.clone": {"q q"}}, []string{`"quit" (Quit)`, `"q q"`}},
		"unknown id with a guess":          {map[string][]string{"route.asign": {"a"}}, []string{`did you mean "route.assign"?`}},
		"unknown id without one":           {map[string][]string{"teleport": {"a"}}, []string{"docs/keys.md"}},
		"misspelled key":                   {map[string][]string{"task.clone": {"Ctrl-K"}}, []string{`write "ctrl+k" instead of "Ctrl-K"`}},
		"shifted letter":                   {map[string][]string{"task.clone": {"shift+k"}}, []string{`write "K" instead of`}},
		"not a key":                        {map[string][]string{"task.clone": {"banana"}}, []string{`"banana" is not a key`}},
		"empty key":                        {map[string][]string{"task.clone": {" "}}, []string{"space"}},
		"letter in a text scope":           {map[string][]string{"form.next": {"n"}}, []string{"types text in the form"}},
		"back cannot be disabled":          {map[string][]string{"back": {Disabled}}, []string{"cannot be disabled"}},
		"enter cannot confirm":             {map[string][]string{"confirm.yes": {"enter"}}, []string{"must not confirm"}},
		"key of the action cannot confirm": {map[string][]string{"confirm.yes": {"D"}}, []string{`"task.delete" and "confirm.yes"`}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := table.Rebind(c.keys)
			require.Nil(t, got)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}

	_, err = table.Rebind(map[string][]string{"nope": {"a"}, "task.clone": {"banana"}})
	require.ErrorContains(t, err, "nope")
	require.ErrorContains(t, err, "banana", "all mistakes are reported")
}

// In a table that Rebind accepts, every key of every reachable action runs that
// action in every scope.
func TestAcceptedTablesAreUnambiguous(t *testing.T) {
	base := Default()
	ids := []string{}
	for _, a := range base.Actions() {
		ids = append(ids, a.ID)
	}
	key := rapid.SampledFrom([]string{"a", "b", "D", "g", "g x", "ctrl+k", "f9", "f10", "enter", "T", "Z", "F", "y"})
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.MapOfN(rapid.SampledFrom(ids), rapid.SliceOfN(key, 1, 2), 1, 4).Draw(t, "keys")
		table, err := base.Rebind(keys)
		if err != nil {
			return
		}
		for _, s := range Scopes() {
			stack := []Scope{Global, s}
			for _, a := range table.ReachableActions(stack) {
				for _, k := range a.Keys {
					if m := table.Resolve(stack, k); m.Outcome != Typed {
						require.Equal(t, a.ID, m.Action.ID, "%s in %s", k, s)
					}
				}
			}
		}
	})
}

func TestDisabledReasons(t *testing.T) {
	table := Default()
	task := func(s board.Status) []Object { return []Object{{Kind: Task, Status: s}} }
	for _, c := range []struct {
		id   string
		ctx  Context
		want string
	}{
		{"route.assign", Context{}, "Select a task first."},
		{"route.assign", Context{Objects: task(board.StatusUnassigned)}, ""},
		{"route.assign", Context{Objects: task(board.StatusUnassigned)[:0]}, "Select a task first."},
		{"route.assign", Context{Objects: task(board.StatusActive)}, model.AssignForbidden(model.TaskActive)},
		{"route.assign", Context{Objects: task(board.StatusDone)}, model.AssignForbidden(model.TaskCompleted)},
		{"route.assign", Context{Objects: append(task(board.StatusDone), task(board.StatusAssigned)...)}, ""},
		{
			"route.assign",
			Context{Objects: append(task(board.StatusDone), task(board.StatusFailed)...)},
			"This does not work for any of the 2 selected. " + model.AssignForbidden(model.TaskCompleted),
		},
		{"route.unassign", Context{Objects: task(board.StatusUnassigned)}, model.UnassignForbidden(model.TaskUnassigned)},
		{"task.complete", Context{Objects: task(board.StatusAssigned)}, model.CompleteForbidden(model.TaskAssigned)},
		{
			"task.notes",
			Context{Objects: append(task(board.StatusActive), task(board.StatusActive)...)},
			"Select just one; 2 are selected. Press V to clear the marks.",
		},
		{
			"task.notes",
			Context{Objects: []Object{{Kind: Task, Status: board.StatusActive, Count: 300}}},
			"Select just one; 300 are selected. Press V to clear the marks.",
		},
		{"task.notes", Context{Objects: task(board.StatusUnknown)}, ""},
		{"order.cancel", Context{Objects: task(board.StatusAssigned)}, "Select an order; this is a task."},
		{"route.transfer", Context{Objects: []Object{{Kind: Worker}}}, ""},
		{"console.undo", Context{}, "There is nothing to undo."},
		{"console.undo", Context{Undo: "assignment of c77ff497"}, ""},
		{"preview.send", Context{Sending: "new task"}, "Wait for the answer to the last change: new task."},
		{"create.task", Context{}, ""},
	} {
		a, ok := table.Get(c.id)
		require.True(t, ok, c.id)
		require.Equal(t, c.want, table.DisabledReason(a, c.ctx), "%s %+v", c.id, c.ctx)
	}
}

func TestHintsFit(t *testing.T) {
	table, stack := Default(), []Scope{Global, Tasks}
	ctx := Context{Objects: []Object{{Kind: Task, Status: board.StatusUnassigned}}}
	line := func(width int) string {
		var words []string
		for _, h := range table.Hints(stack, ctx, width) {
			words = append(words, h.Key+" "+h.Label)
		}
		return strings.Join(words, "  ")
	}
	require.Equal(t, "a assign  w compare  c clone  n new  d dispatch  m map  / filter  y copy  E export  : actions  ? help", line(200))
	require.Equal(t, "a assign  w compare  : actions  ? help", line(42))
	require.Empty(t, line(3))
	stack, ctx.Objects = []Scope{Global, Requests}, []Object{{Kind: Request}}
	require.Equal(t, "R repeat  / filter  y copy  E export  : actions  ? help", line(200))
	stack, ctx.Objects = []Scope{Global, Tasks}, []Object{{Kind: Task, Status: board.StatusUnassigned}}
	for width := range 120 {
		require.LessOrEqual(t, len(line(width)), width)
	}
	ctx.ReadOnly = true
	require.Equal(t, "w compare  m map  / filter  y copy  E export  : actions  ? help", line(200))
}

func TestHelpListsDisabledActionsWithReason(t *testing.T) {
	sections := Default().HelpSections([]Scope{Global, Tasks}, Context{ReadOnly: true})
	require.Equal(t, GroupMove, sections[0].Group)
	for _, s := range sections {
		for _, l := range s.Lines {
			if l.Action.ID == "create.task" {
				require.Contains(t, l.DisabledReason, "Read-only")
				return
			}
		}
	}
	t.Fatal("the help does not list create.task")
}

func TestSearch(t *testing.T) {
	table := Default()
	first := func(query string) string {
		return table.Search(query, Context{Objects: []Object{{Kind: Task, Status: board.StatusAssigned}}, Undo: "x"})[0].Action.ID
	}
	require.Equal(t, "route.assign", first("assign"))
	require.Equal(t, "route.unassign", first("unas"))
	require.Equal(t, "create.task", first("new t"))
	require.Equal(t, "route.dispatch", first("disp"))
	require.Equal(t, "task.clone-assign", first("clonas"))
	require.Equal(t, "console.theme", first("theme"))
	require.Equal(t, "console.unlock", first("rw"))
	require.Equal(t, "console.lock", first("ro"))
	require.Empty(t, table.Search("zzzz", Context{}))
	for _, hit := range table.Search("", Context{ReadOnly: true}) {
		require.False(t, hit.Action.Hidden)
		require.Equal(t, hit.Action.Writes, strings.HasPrefix(hit.DisabledReason, "Read-only"), hit.Action.ID)
	}
	hits := table.Search("clone", Context{ReadOnly: true})
	require.NotEmpty(t, hits[0].DisabledReason, "disabled actions are found with their reason")
	require.Equal(t, []int{0, 1, 2, 3, 4}, hits[0].Positions)
}

func TestMatchFuzzyPositionsSpellTheQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zé ]{0,20}`).Draw(t, "text")
		query := rapid.StringMatching(`[a-zé]{1,5}`).Draw(t, "query")
		_, positions, ok := MatchFuzzy(query, text)
		if !ok {
			return
		}
		runes := []rune(text)
		spelled := []rune{}
		for i, p := range positions {
			require.True(t, i == 0 || p > positions[i-1])
			spelled = append(spelled, runes[p])
		}
		require.Equal(t, query, string(spelled))
	})
}

func TestMatchWords(t *testing.T) {
	t.Parallel()
	at, ok := MatchWords("late Tasks", "Tasks that are late, tasks first")
	require.True(t, ok)
	require.Equal(t, []int{0, 1, 2, 3, 4, 15, 16, 17, 18}, at)
	_, ok = MatchWords("late", "Let a task end")
	require.False(t, ok, "letters in order are not a word")
	_, ok = MatchWords("  ", "")
	require.True(t, ok)
	_, ok = MatchWords("longer", "long")
	require.False(t, ok)
}

func TestParseCommand(t *testing.T) {
	table := Default()
	a, argument, ok := table.ParseCommand("  profile  acme east ")
	require.True(t, ok)
	require.Equal(t, "console.profile", a.ID)
	require.Equal(t, "acme east", argument)
	a, _, ok = table.ParseCommand("prof")
	require.True(t, ok)
	require.Equal(t, "console.profile", a.ID)
	a, _, ok = table.ParseCommand("route.assign")
	require.True(t, ok)
	require.Equal(t, "route.assign", a.ID)
	_, _, ok = table.ParseCommand("re") // refresh, requests, readonly
	require.False(t, ok)
	_, _, ok = table.ParseCommand(" ")
	require.False(t, ok)

	words := map[string]string{}
	for _, a := range table.Actions() {
		for _, w := range a.Commands {
			require.Empty(t, words[w], "%s and %s share the command %s", words[w], a.ID, w)
			words[w] = a.ID
		}
	}
}

func TestKeyReferenceIsUpToDate(t *testing.T) {
	const path = "../docs/keys.md"
	want := renderMarkdown(Default())
	if *update {
		require.NoError(t, os.MkdirAll("../docs", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run: go test ./keymaps -run KeyReference -update")
}

func BenchmarkResolve(b *testing.B) {
	table, stack := Default(), []Scope{Global, Tasks}
	b.ReportAllocs()
	for b.Loop() {
		table.Resolve(stack, "q")
	}
}

func BenchmarkHints(b *testing.B) {
	table, stack := Default(), []Scope{Global, Tasks}
	b.ReportAllocs()
	for b.Loop() {
		table.Hints(stack, Context{}, 80)
	}
}

func BenchmarkSearch(b *testing.B) {
	table := Default()
	for b.Loop() {
		table.Search("assign", Context{})
	}
}
