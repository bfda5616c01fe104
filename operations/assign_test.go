package operations_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
)

func TestAssignKeepsTheOrderAndIsUndone(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	ada := d.workers[0].ID
	had := d.tasks(ada, 2)
	waiting := d.tasks(d.team.ID, 3)
	loose := d.task("", "")
	v, err := operations.NewAssign(d.input(waiting[2], loose, waiting[0]))
	require.NoError(t, err)
	require.Equal(t, "route.assign", v.ID)

	proposal := prepare(t, v, form.Values{"who": "ada"})
	require.Equal(t, "assign 3 tasks to Ada Okafor", proposal.Summary)
	require.Contains(t, lineTexts(proposal.Lines), "3 tasks go to the end of the route of Ada Okafor, behind 2 stops.")
	require.Empty(t, proposal.Irreversible)
	shown := d.dryRun(proposal.Steps[0])
	require.Len(t, shown, 1)
	require.Equal(t, "PUT /containers/workers/"+string(ada), shown[0].Method+" "+shown[0].Path)
	require.JSONEq(t, fmt.Sprintf(`{"tasks":[-1,%q,%q,%q]}`, waiting[2], loose, waiting[0]), string(shown[0].Body))
	require.Equal(t, had, d.list(ada), "a preview changes nothing")

	done := d.do(proposal.Steps[0])
	require.Equal(t, "3 tasks assigned to Ada Okafor", done.Summary)
	require.Equal(t, slices.Concat(had, []model.ID{waiting[2], loose, waiting[0]}), d.list(ada))
	require.Len(t, done.Change.Tasks, 3, "the board learns at once")

	state := board.NewBoard(board.DefaultSettings(), model.MillisOf(d.Clock.Now()))
	state.Apply(board.Change{Teams: []model.Team{d.team}, Workers: d.workers})
	after, _ := state.Apply(done.Change)
	require.Equal(t, ada, after.Tasks.Get(loose).Worker)
	require.Len(t, after.Workers.Get(ada).Tasks, 5)

	require.Equal(t, "unassign 3 tasks from Ada Okafor", done.Undo.Title)
	require.Empty(t, done.Undo.Unavailable(d.board()))
	require.Len(t, d.dryRun(done.Undo.Step), 3, "two places of the team's list and the organization's")
	undone := d.do(done.Undo.Step)
	require.Contains(t, undone.Summary, "moved back to team North and the organization")
	require.Equal(t, had, d.list(ada))
	require.Equal(t, waiting, d.list(d.team.ID), "in the places they had")
	require.Equal(t, []model.ID{loose}, d.list(""))
	require.Len(t, undone.Change.Tasks, 3)
	found, err := done.Undo.Step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Happened && found.Certain)
}

func TestAssignToATeamAndByArgument(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	task := d.task("", "")
	s := d.input(task)
	s.Argument = "team north"
	v, err := operations.NewAssign(s)
	require.NoError(t, err)
	proposal := prepare(t, v, nil)
	done := d.do(proposal.Steps[0])
	require.Equal(t, "assigned to team North", done.Summary)
	require.Equal(t, []model.ID{task}, d.list(d.team.ID))
	require.Equal(t, task, done.Object)

	who, _ := v.Form.Field("who")
	require.Equal(t, "team North, 0 tasks waiting", who.Echo("north", nil))
	require.Equal(t, "Ada Okafor, North, idle", who.Echo("oka", nil))
	options := who.Suggest("", nil)
	require.Equal(t, []string{"Ada Okafor", "team North"}, []string{options[0].Value, options[1].Value})
	require.Contains(t, options[0].Note, "away")
}

func TestAssignRefusesBeforeSending(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ada Lindqvist")
	ada := d.workers[0].ID
	task, started := d.task(ada, ""), d.task(ada, "")
	require.NoError(t, d.World.StartTask(t.Context(), ada, started))
	s := d.input(task, started, model.NewID())
	v, err := operations.NewAssign(s)
	require.NoError(t, err)
	for text, problem := range map[string]string{
		"":           "Choose a driver or a team",
		"ada":        `"ada" fits 2 drivers: Ada Lindqvist`,
		"zoe":        `o driver or team is called "zoe"`,
		"team south": `No team is called "south"`,
		"okafor":     "Ada Okafor has it already",
	} {
		_, problems := v.Prepare(form.Values{"who": text})
		require.Contains(t, problems["who"], problem, text)
	}
	proposal := prepare(t, v, form.Values{"who": "ada lindqvist"})
	require.Equal(t, []string{"The task has been started; it stays with its driver.", "The task is no longer on the board."},
		[]string{proposal.Skipped[0].Reason, proposal.Skipped[1].Reason})

	_, err = operations.NewAssign(d.input(started))
	require.EqualError(t, err, "The task has been started; it stays with its driver.")
	_, err = operations.NewAssign(d.input())
	require.EqualError(t, err, "select a task first")
}

func TestAssignWarns(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	require.NoError(t, d.World.GoOffDuty(t.Context(), d.workers[0].ID))
	v, err := operations.NewAssign(d.input(d.task("", `"quantity":12`)))
	require.NoError(t, err)
	words := lineTexts(prepare(t, v, form.Values{"who": "ada"}).Lines)
	require.Contains(t, words, "! Ada Okafor is off duty.")
	require.Contains(t, words, "! Ada Okafor would carry 12 but has a capacity of 10.")
}

// pair makes a pickup and the drop-off that waits for it.
func (d *teamFixture) pair(owner model.ID) (pickup, dropoff model.ID) {
	pickup = d.task(owner, `"pickupTask":true`)
	return pickup, d.task(owner, fmt.Sprintf(`"dependencies":[%q]`, pickup))
}

func TestLinkedTasksStayTogether(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	ada, ben := d.workers[0].ID, d.workers[1].ID
	pickup, dropoff := d.pair(d.team.ID)
	s := d.input(dropoff)
	v, err := operations.NewAssign(s)
	require.NoError(t, err)
	proposal := prepare(t, v, form.Values{"who": "Ada Okafor"})
	require.Contains(t, lineTexts(proposal.Lines), "moves along: linked with a selected task")
	d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{pickup, dropoff}, d.list(ada), "the pickup comes first")

	// The other way round: who chooses the pickup gets the drop-off behind it, and both leave Ada.
	v, err = operations.NewTransfer(d.input(pickup))
	require.NoError(t, err)
	d.do(prepare(t, v, form.Values{"who": "ben"}).Steps[0])
	require.Equal(t, []model.ID{pickup, dropoff}, d.list(ben))

	// A pickup that is there already stays in its place.
	next := d.task(ben, "")
	more := d.task("", fmt.Sprintf(`"dependencies":[%q]`, pickup))
	v, err = operations.NewAssign(d.input(more))
	require.NoError(t, err)
	d.do(prepare(t, v, form.Values{"who": "ben"}).Steps[0])
	require.Equal(t, []model.ID{pickup, dropoff, next, more}, d.list(ben))

	v, err = operations.NewUnassign(d.input(dropoff))
	require.NoError(t, err)
	proposal = prepare(t, v, form.Values{"together": ""})
	require.Contains(t, lineTexts(proposal.Lines), "stays with Ben Ruiz")
	d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{pickup, next, more}, d.list(ben))
}

func TestTransferKeepsTheOrderAndLeavesWhatWasStarted(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz", "Cleo Diaz")
	ada, ben, cleo := d.workers[0].ID, d.workers[1].ID, d.workers[2].ID
	started := d.task(ada, "")
	route := d.tasks(ada, 6)
	others := d.tasks(ben, 2)
	require.NoError(t, d.World.StartTask(t.Context(), ada, started))
	s := d.input()
	s.Workers = []model.ID{ada, ben}
	v, err := operations.NewTransfer(s)
	require.NoError(t, err)
	proposal := prepare(t, v, form.Values{"who": "cleo"})
	require.Equal(t, "Move 8 tasks from Ada Okafor and Ben Ruiz to Cleo Diaz?", proposal.Irreversible)
	require.Len(t, proposal.Skipped, 1)
	done := d.do(proposal.Steps[0])
	require.Equal(t, slices.Concat(route, others), d.list(cleo))
	require.Empty(t, d.list(ada))
	d.do(done.Undo.Step)
	require.Equal(t, route, d.list(ada))
	require.Equal(t, others, d.list(ben))

	// Marked tasks go in the order of the route, however they were marked.
	v, err = operations.NewTransfer(d.input(route[4], route[1]))
	require.NoError(t, err)
	done = d.do(prepare(t, v, form.Values{"who": "cleo"}).Steps[0])
	require.Equal(t, []model.ID{route[1], route[4]}, d.list(cleo))
	d.do(done.Undo.Step)
	require.Equal(t, route, d.list(ada), "each in its own place again")

	idle := d.input()
	idle.Workers = []model.ID{cleo}
	_, err = operations.NewTransfer(idle)
	require.EqualError(t, err, "Cleo Diaz has no tasks to move")
}

func TestUnassign(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	route := d.tasks(ada, 3)
	v, err := operations.NewUnassign(d.input(route[1]))
	require.NoError(t, err)
	back, _ := v.Form.Field("back")
	require.Equal(t, []string{"team North", "the organization"}, []string{back.Options[0].Label, back.Options[1].Label})
	proposal := prepare(t, v, nil)
	require.Contains(t, proposal.Irreversible, "from Ada Okafor?")
	done := d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{route[1]}, d.list(d.team.ID))
	d.do(done.Undo.Step)
	require.Equal(t, route, d.list(ada))

	d.do(prepare(t, v, form.Values{"back": string(d.Org)}).Steps[0])
	require.Equal(t, []model.ID{route[1]}, d.list(""))
	_, err = operations.NewUnassign(d.input(route[1]))
	require.EqualError(t, err, "The task is not assigned to a driver.")
}

func TestTheSecondOfTwoConsolesGetsAnError(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	ada, ben := d.workers[0].ID, d.workers[1].ID
	tasks := d.tasks(d.team.ID, 7)
	first, err := operations.NewAssign(d.input(tasks[0]))
	require.NoError(t, err)
	second, err := operations.NewAssign(d.input(tasks[0]))
	require.NoError(t, err)
	many, err := operations.NewAssign(d.input(tasks...))
	require.NoError(t, err)
	done := d.do(prepare(t, first, form.Values{"who": "ada"}).Steps[0])

	_, err = prepare(t, second, form.Values{"who": "ben"}).Steps[0].Do(t.Context(), d.newClient())
	require.ErrorContains(t, err, "changed in the meantime")
	require.ErrorContains(t, err, "it is with Ada Okafor now")
	require.Equal(t, []model.ID{tasks[0]}, d.list(ada))

	// Of many, the others still go.
	result := d.do(prepare(t, many, form.Values{"who": "ben"}).Steps[0])
	require.Equal(t, "6 tasks assigned to Ben Ruiz, 1 task skipped", result.Summary)
	require.Contains(t, lineTexts(result.Report), "was skipped: it is with Ada Okafor now.")
	require.Equal(t, tasks[1:], d.list(ben))

	// What was moved on meanwhile cannot be taken back, and the board says so before anyone tries.
	v, err := operations.NewTransfer(d.input(tasks[0]))
	require.NoError(t, err)
	d.Clock.Advance(time.Second)
	d.do(prepare(t, v, form.Values{"who": "ben"}).Steps[0])
	require.Contains(t, done.Undo.Unavailable(d.board()), "was moved in the meantime")
	_, err = done.Undo.Step.Do(t.Context(), d.api)
	require.ErrorContains(t, err, "it is with Ben Ruiz now")
}

func TestAnAssignmentOfUnknownOutcomeIsLookedUp(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	tasks := d.tasks("", 2)
	v, err := operations.NewAssign(d.input(tasks...))
	require.NoError(t, err)
	step := prepare(t, v, form.Values{"who": "ada"}).Steps[0]
	found, err := step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, found.Happened)
	d.cut = true
	_, err = step.Do(t.Context(), d.api)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	found, err = step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Happened && found.Certain, found.Summary)
}

func TestCandidatesLeadToAssign(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz", "Ben Ruiz")
	s := d.input(d.task("", `"quantity":4`))
	candidates := s.Board.Candidates(s.Board.Tasks.Get(s.Tasks[0]), 10)
	require.Len(t, candidates, 3)
	require.True(t, candidates[0].Fits)
	require.Equal(t, model.VehicleCar, candidates[0].Worker.Vehicle)
	require.Equal(t, board.Load{Capacity: 10}, candidates[0].Load)
	for _, c := range candidates {
		s.Argument = s.WorkerText(c.Worker)
		v, err := operations.NewAssign(s)
		require.NoError(t, err)
		proposal := prepare(t, v, nil)
		require.Contains(t, lineTexts(proposal.Lines), c.Worker.Name+": "+c.Arrival.ArrivalText(s.Zone)+", "+c.Arrival.DistanceText()+".", "the same estimate")
		shown := d.dryRun(proposal.Steps[0])
		require.Equal(t, "/containers/workers/"+string(c.Worker.ID), shown[0].Path, "also of two with one name")
	}
}

func TestAPartialUndoIsReportedBesideItsError(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	waiting, loose := d.task(d.team.ID, ""), d.task("", "")
	v, err := operations.NewAssign(d.input(waiting, loose))
	require.NoError(t, err)
	done := d.do(prepare(t, v, form.Values{"who": "ada"}).Steps[0])
	d.forbid = 2
	half, err := done.Undo.Step.Do(t.Context(), d.api)
	require.ErrorIs(t, err, apiclient.ErrForbidden)
	require.Equal(t, "some tasks are moved back, but not those of the organization", half.Summary)
	require.Equal(t, []model.ID{waiting}, d.list(d.team.ID))
	require.Equal(t, []model.ID{loose}, d.list(d.workers[0].ID))
	found, err := done.Undo.Step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, found.Certain)
	require.Equal(t, "1 of 2 tasks are back; check before you send it again", found.Summary)
}
