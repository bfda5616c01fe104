package service_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// taskAt creates a task at a longitude on the equator.
func taskAt(t testing.TB, s *servicetest.Server, lon float64, more string) model.Task {
	t.Helper()
	var task model.Task
	s.Do("POST", "/tasks", fmt.Sprintf(`{"destination":%s,"recipients":[],%s}`, place(lon, 0), more)).OK(&task)
	return task
}

func onWorker(worker model.ID) string {
	return fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker)
}

func TestAutoAssignAtCreation(t *testing.T) {
	s := servicetest.Start(t)
	team, other := addTeam(t, s, s.Org), addTeam(t, s, s.Org)
	near := addWorker(t, s, s.Org, model.Location{Lon: 1}, team)
	far := addWorker(t, s, s.Org, model.Location{Lon: 2}, other, team)
	off := addWorker(t, s, s.Org, model.Location{Lon: 0}, team)
	require.NoError(t, s.World.GoOffDuty(t.Context(), off))
	// The near worker has a long way to go before a task at 0.
	stop := taskAt(t, s, 9, onWorker(near))
	for _, row := range []struct {
		name, wish string
		want       model.ID
	}{
		{"the nearest by distance, not who is off duty", `{"mode":"distance"}`, near},
		{"the shortest way through all stops by load", `{"mode":"load"}`, far},
		{"only of the team", fmt.Sprintf(`{"mode":"distance","team":%q}`, other), far},
		{"nobody who has enough", `{"mode":"distance","maxAssignedTaskCount":1}`, far},
		{"nobody excluded", fmt.Sprintf(`{"mode":"distance","excludedWorkerIds":[%q]}`, near), far},
		{"nobody", fmt.Sprintf(`{"mode":"distance","excludedWorkerIds":[%q,%q]}`, near, far), ""},
		{"who has what must be done first", `{"mode":"load","considerDependencies":true}`, near},
	} {
		t.Run(row.name, func(t *testing.T) {
			more := `"autoAssign":` + row.wish
			if row.name == "who has what must be done first" {
				more += `,"dependencies":["` + string(stop.ID) + `"]`
			}
			task := taskAt(t, s, 0, more)
			require.Equal(t, model.Some(row.want != ""), task.DidAutoAssign)
			if row.want == "" {
				require.Equal(t, model.TaskUnassigned, task.State)
				require.Equal(t, model.Some(model.OrganizationContainer(s.Org)), task.Container)
			} else {
				require.Equal(t, model.TaskAssigned, task.State)
				require.Equal(t, model.Some(row.want), task.Worker)
			}
			s.Do("DELETE", "/tasks/"+string(task.ID), nil).OK(nil)
		})
	}
	unassigned := taskAt(t, s, 5, `"notes":""`)
	waiting := taskAt(t, s, 0, fmt.Sprintf(`"autoAssign":{"mode":"distance","considerDependencies":true},"dependencies":[%q]`, unassigned.ID))
	require.Equal(t, model.Some(false), waiting.DidAutoAssign, "nobody has the task that must be done first")
	s.Do("POST", "/tasks", taskBody(fmt.Sprintf(`"autoAssign":{"mode":"distance","team":%q}`, model.NewID()))).
		Refused(http.StatusNotFound, model.ErrorNotFound)
}

func TestLoadCountsTheActiveTaskFirst(t *testing.T) {
	s := servicetest.Start(t)
	busy := addWorker(t, s, s.Org, model.Location{Lon: 1})
	idle := addWorker(t, s, s.Org, model.Location{Lon: 4})
	started := taskAt(t, s, 8, onWorker(busy))
	require.NoError(t, s.World.StartTask(t.Context(), busy, started.ID))
	task := taskAt(t, s, 0, `"autoAssign":{"mode":"load"}`)
	require.Equal(t, model.Some(idle), task.Worker)
	task = taskAt(t, s, 0, `"autoAssign":{"mode":"distance","maxAssignedTaskCount":1}`)
	require.Equal(t, model.Some(false), task.DidAutoAssign, "a started task counts, too")
}

func TestAutoAssignOfAList(t *testing.T) {
	s := servicetest.Start(t)
	team := addTeam(t, s, s.Org)
	west := addWorker(t, s, s.Org, model.Location{Lon: 0}, team)
	east := addWorker(t, s, s.Org, model.Location{Lon: 10})
	tasks := []model.Task{taskAt(t, s, 1, `"notes":""`), taskAt(t, s, 2, `"notes":""`), taskAt(t, s, 9, `"notes":""`)}
	dependent := taskAt(t, s, 8, fmt.Sprintf(`"dependencies":[%q]`, tasks[0].ID))
	var result model.AutoAssignResult
	s.Do("POST", "/tasks/autoAssign", fmt.Sprintf(`{"tasks":[%s],"options":{"considerDependencies":true}}`,
		idList(dependent.ID, tasks[0].ID, tasks[1].ID, tasks[2].ID))).OK(&result)
	require.Equal(t, model.Int(4), result.AssignedTasksCount)
	require.Equal(t, map[model.ID]model.ID{tasks[0].ID: west, tasks[1].ID: west, tasks[2].ID: east, dependent.ID: west}, result.AssignedTasks.ByTask)
	require.Equal(t, model.Some(west), getTask(t, s, dependent.ID).Worker)

	more := []model.Task{taskAt(t, s, 9, fmt.Sprintf(`"container":{"type":"TEAM","team":%q}`, team)), tasks[0]}
	s.Do("POST", "/tasks/autoAssign", fmt.Sprintf(`{"tasks":[%s],"options":{"mode":"load","restrictAutoAssignmentToTeam":true}}`,
		idList(more[0].ID, more[1].ID))).OK(&result)
	require.Equal(t, map[model.ID]model.ID{more[0].ID: west}, result.AssignedTasks.ByTask, "a task stays in its team, and an assigned one where it is")
	full := taskAt(t, s, 9, `"notes":""`)
	s.Do("POST", "/tasks/autoAssign", fmt.Sprintf(`{"tasks":[%s],"options":{"maxAssignedTaskCount":1}}`, idList(full.ID))).OK(&result)
	require.Zero(t, result.AssignedTasksCount)
	s.Do("POST", "/tasks/autoAssign", `{"tasks":[]}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("POST", "/tasks/autoAssign", `{"tasks":[`+idList(model.NewID())+`]}`).Refused(http.StatusNotFound, model.ErrorNotFound)
	requireContainersCounted(t, s)
}
