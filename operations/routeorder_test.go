package operations_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
)

func TestInsertGoesInFrontOfTheStopThatWasMeant(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	ada, ben := d.workers[0].ID, d.workers[1].ID
	active := d.task(ada, "")
	route := d.tasks(ada, 3)
	require.NoError(t, d.World.StartTask(t.Context(), ada, active))
	fresh := d.tasks("", 2)
	s := d.input(fresh...)
	short := string(s.Board.Tasks.Get(route[1]).ShortID)
	v, err := operations.NewInsert(s)
	require.NoError(t, err)
	position, _ := v.Form.Field("position")
	options := position.Suggest("", form.Values{"who": "ada"})
	require.Len(t, options, 4, "three stops and the end; never in front of what is under way")
	require.Equal(t, "in front of "+short, position.Echo("2", form.Values{"who": "ada"}))
	proposal := prepare(t, v, form.Values{"who": "ada", "position": "2"})
	require.Contains(t, lineTexts(proposal.Lines), "2 tasks go to the route of Ada Okafor, in front of "+short)

	// A stop that comes in at the front meanwhile shifts the numbers, not the place.
	late := d.task("", "")
	_, err = d.api.UpdateContainer(t.Context(), model.WorkerContainer(ada), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some[model.Int](0), IDs: []model.ID{late}},
	})
	require.NoError(t, err)
	done := d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{late, route[0], fresh[0], fresh[1], route[1], route[2]}, d.list(ada))
	d.do(done.Undo.Step)
	require.Equal(t, []model.ID{late, route[0], route[1], route[2]}, d.list(ada))

	// When that stop is gone there is no such place any more.
	d.do(prepare(t, must(operations.NewTransfer(d.input(route[1]))), form.Values{"who": "ben"}).Steps[0])
	_, err = proposal.Steps[0].Do(t.Context(), d.api)
	require.ErrorContains(t, err, "is no longer on the route of Ada Okafor")
	require.Equal(t, []model.ID{route[1]}, d.list(ben))

	for text, problem := range map[string]string{
		"": "Choose a position", "0": "positions 1 to 4", "9": "positions 1 to 4", "x": `"x" is not a position or a stop of Ada Okafor`,
	} {
		_, problems := v.Prepare(form.Values{"who": "ada", "position": text})
		require.Contains(t, problems["position"], problem, text)
	}
}

func must(v operations.Operation, err error) operations.Operation {
	if err != nil {
		panic(err)
	}
	return v
}

// Whatever is moved wherever on a route, taking it back gives the route that was.
func TestInsertingWithinARouteIsUndone(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	route := d.tasks(ada, 6)
	rapid.Check(t, func(rt *rapid.T) {
		chosen := slices.Clone(route)
		chosen = rapid.Permutation(chosen).Draw(rt, "order")[:rapid.IntRange(1, 5).Draw(rt, "many")]
		position := rapid.IntRange(1, len(route)-len(chosen)+1).Draw(rt, "position")
		v := must(operations.NewInsert(d.input(chosen...)))
		done := d.do(prepare(t, v, form.Values{"position": fmt.Sprint(position)}).Steps[0])
		now := d.list(ada)
		if at := slices.Index(now, chosen[0]); at != position-1 || !slices.Equal(now[at:at+len(chosen)], chosen) {
			rt.Fatalf("%v inserted at %d gives %v", chosen, position, now)
		}
		d.do(done.Undo.Step)
		if back := d.list(ada); !slices.Equal(back, route) {
			rt.Fatalf("taken back: %v, was %v", back, route)
		}
	})
}

func TestAStopMovesByOnePosition(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	route := d.tasks(ada, 4)
	input := d.input(route[1])
	input.RouteHidden = true
	require.False(t, prepare(t, must(operations.NewLater(input)), nil).Direct, "nobody would see what it does")
	input.RouteHidden = false
	later := must(operations.NewLater(input))
	proposal := prepare(t, later, nil)
	require.True(t, proposal.Direct)
	shown := d.dryRun(proposal.Steps[0])
	require.JSONEq(t, fmt.Sprintf(`{"tasks":[1,%q]}`, route[2]), string(shown[0].Body), "the stop behind it moves up")
	found, err := proposal.Steps[0].Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Certain && !found.Happened)
	done := d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{route[0], route[2], route[1], route[3]}, d.list(ada))
	require.Equal(t, "now stop 3 of Ada Okafor", done.Summary)
	found, err = proposal.Steps[0].Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Certain && found.Happened)
	require.Empty(t, done.Undo.Unavailable(d.board()))

	// The key again before the board has heard: one place further.
	second := d.do(proposal.Steps[0])
	require.Equal(t, []model.ID{route[0], route[2], route[3], route[1]}, d.list(ada))
	require.Contains(t, done.Undo.Unavailable(d.board()), "has changed in the meantime")
	d.do(second.Undo.Step)

	d.do(prepare(t, must(operations.NewEarlier(d.input(route[1]))), nil).Steps[0])
	require.Equal(t, route, d.list(ada))

	_, err = operations.NewEarlier(d.input(route[0]))
	require.ErrorContains(t, err, "is already the next stop of Ada Okafor")
	_, err = operations.NewLater(d.input(route[3]))
	require.ErrorContains(t, err, "is the last stop of Ada Okafor")
	_, err = operations.NewLater(d.input(route[0], route[1]))
	require.ErrorContains(t, err, "select one stop")
	_, err = operations.NewLater(d.input(d.task("", "")))
	require.EqualError(t, err, "The task is not assigned to a driver.")
}

// The stop under way is the first on the screen and in no list.
func TestAMovedStopIsCountedAsItIsShown(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	route := d.tasks(ada, 4)
	require.NoError(t, d.World.StartTask(t.Context(), ada, route[0]))
	done := d.do(prepare(t, must(operations.NewLater(d.input(route[1]))), nil).Steps[0])
	require.Equal(t, "now stop 3 of Ada Okafor", done.Summary)
	require.Equal(t, "now stop 2 of Ada Okafor", d.do(done.Undo.Step).Summary)
}

func TestAStopDoesNotPassNewStopsOrLinkedTasks(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	pickup, dropoff := d.pair(ada)
	_, err := operations.NewLater(d.input(pickup))
	require.ErrorContains(t, err, "the pickup comes before the drop-off")
	_, err = operations.NewEarlier(d.input(dropoff))
	require.ErrorContains(t, err, "the pickup comes before the drop-off")

	last := d.task(ada, "")
	step := prepare(t, must(operations.NewEarlier(d.input(last))), nil).Steps[0]
	_, err = d.api.UpdateContainer(t.Context(), model.WorkerContainer(ada), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some[model.Int](2), IDs: []model.ID{d.task("", "")}},
	})
	require.NoError(t, err)
	_, err = step.Do(t.Context(), d.api)
	require.ErrorContains(t, err, "there is a new stop beside it")
}

func TestAutoAssignReportsDriversAndIsUndone(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz", "Cleo Diaz")
	ada, ben := d.workers[0].ID, d.workers[1].ID
	team := d.tasks(d.team.ID, 3)
	loose := d.task("", "")
	taken := d.task(ada, "")
	v, err := operations.NewAutoAssign(d.input(team[0], loose, team[2], taken))
	require.NoError(t, err)
	excluded, _ := v.Form.Field("excluded")
	require.Equal(t, "Ada Okafor, Ben Ruiz", excluded.Suggest("Ada Okafor, be", nil)[0].Value)
	proposal := prepare(t, v, form.Values{"mode": "load", "maxAssignedTaskCount": "2", "excluded": "cleo", "teams": "North"})
	require.Equal(t, "auto-assign 3 tasks", proposal.Summary)
	require.Contains(t, proposal.Skipped[0].Reason, "Ada Okafor has it already")
	require.Contains(t, lineTexts(proposal.Lines), "2 drivers can take tasks.")
	shown := d.dryRun(proposal.Steps[0])
	require.JSONEq(t, fmt.Sprintf(`{"tasks":[%q,%q,%q],"options":{"mode":"load","teams":[%q],"maxAssignedTaskCount":2,"excludedWorkerIds":[%q]}}`,
		team[0], loose, team[2], d.team.ID, d.workers[2].ID), string(shown[0].Body))
	done := d.do(proposal.Steps[0])
	require.Len(t, slices.Concat(d.list(ada), d.list(ben)), 4)
	require.Contains(t, done.Summary, "3 tasks assigned to ")
	require.Contains(t, lineTexts(done.Report), "Ben Ruiz gets ")
	require.Len(t, done.Change.Tasks, 3)

	require.Empty(t, done.Undo.Unavailable(d.board()))
	d.do(done.Undo.Step)
	require.Equal(t, team, d.list(d.team.ID))
	require.Equal(t, []model.ID{loose}, d.list(""))
	require.Equal(t, []model.ID{taken}, d.list(ada))
}

func TestAutoAssignReportsUnassignedTasks(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	tasks := d.tasks("", 3)
	v := must(operations.NewAutoAssign(d.input(tasks...)))
	step := prepare(t, v, form.Values{"maxAssignedTaskCount": "1", "excluded": "ben"}).Steps[0]
	d.do(prepare(t, must(operations.NewAssign(d.input(tasks[0]))), form.Values{"who": "ben"}).Steps[0])
	done := d.do(step)
	require.Equal(t, "1 task assigned to Ada Okafor, 2 unassigned", done.Summary)
	require.Contains(t, lineTexts(done.Report), "stays unassigned: it is with Ben Ruiz now.")
	require.Contains(t, lineTexts(done.Report), "stays unassigned: no driver can take it.")

	_, problems := v.Prepare(form.Values{"maxAssignedTaskCount": "0", "teams": "South", "excluded": "zoe"})
	require.Contains(t, problems["maxAssignedTaskCount"], "1 or more")
	require.Contains(t, problems["teams"], "o team is called")
	require.Contains(t, problems["excluded"], "o driver is called")
}

func TestAutoAssignKeepsPairsTogether(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	pickup, dropoff := d.pair(d.team.ID)
	v := must(operations.NewAutoAssign(d.input(dropoff)))
	step := prepare(t, v, nil).Steps[0]
	require.JSONEq(t, fmt.Sprintf(`{"tasks":[%q,%q],"options":{"mode":"distance","considerDependencies":true}}`, pickup, dropoff),
		string(d.dryRun(step)[0].Body))
	found, err := step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, found.Happened || found.Certain)
	d.cut = true
	_, err = step.Do(t.Context(), d.api)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	found, err = step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Happened && found.Certain)
	for _, w := range d.workers {
		if list := d.list(w.ID); len(list) > 0 {
			require.Equal(t, []model.ID{pickup, dropoff}, list)
		}
	}
}

// A task that is inserted in front of its own partner takes the partner along, so the place is in front of what follows.
func TestInsertInFrontOfItsOwnPartner(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	route := d.tasks(ada, 3)
	drop := d.task("", "")
	_, err := d.api.UpdateTask(t.Context(), drop, model.TaskInput{Dependencies: model.Some([]model.ID{route[0]})})
	require.NoError(t, err)
	v, err := operations.NewInsert(d.input(drop))
	require.NoError(t, err)
	d.do(prepare(t, v, form.Values{"who": "ada", "position": "1", "together": "yes"}).Steps[0])
	require.Equal(t, []model.ID{route[0], drop, route[1], route[2]}, d.list(ada))
}
