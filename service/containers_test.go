package service_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
)

func idList(ids ...model.ID) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = `"` + string(id) + `"`
	}
	return strings.Join(quoted, ",")
}

func TestInsertingIntoAContainer(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	var ids []model.ID
	for range 5 {
		ids = append(ids, createTask(t, s, "").ID)
	}
	path := "/containers/workers/" + string(worker)
	put := func(tasks string) []model.ID {
		var container model.Container
		s.Do("PUT", path, `{"tasks":[`+tasks+`]}`).OK(&container)
		return container.Tasks
	}
	require.Equal(t, ids[:2], put("-1,"+idList(ids[0], ids[1])), "-1 appends")
	require.Equal(t, []model.ID{ids[2], ids[0], ids[1]}, put("0,"+idList(ids[2])), "0 prepends")
	require.Equal(t, []model.ID{ids[2], ids[3], ids[0], ids[1]}, put("1,"+idList(ids[3])))
	require.Equal(t, []model.ID{ids[2], ids[3], ids[0], ids[1], ids[4]}, put("99,"+idList(ids[4])), "beyond the end appends")
	require.Equal(t, []model.ID{ids[4], ids[2], ids[3], ids[0], ids[1]}, put("0,"+idList(ids[4])), "a task that is there moves")
	require.Equal(t, model.TaskAssigned, getTask(t, s, ids[0]).State)

	require.Equal(t, []model.ID{ids[1], ids[0]}, put(idList(ids[1], ids[0])), "without a position the list is replaced")
	left := getTask(t, s, ids[4])
	require.Equal(t, model.TaskUnassigned, left.State, "what is left out falls to the organization")
	require.Equal(t, model.Some(model.OrganizationContainer(s.Org)), left.Container)
	require.Empty(t, put(""), "an empty list takes all away")
}

func TestContainerRefusals(t *testing.T) {
	s := servicetest.Start(t)
	_, otherKey := s.AddOrganization("Other", "")
	team := addTeam(t, s, s.Org)
	worker := addWorker(t, s, s.Org, model.Location{}, team)
	task := createTask(t, s, "")
	var foreign model.Task
	s.DoAs(otherKey, "POST", "/tasks", taskBody("")).OK(&foreign)
	onWorker, onTeam := "/containers/workers/"+string(worker), "/containers/teams/"+string(team)
	s.Do("PUT", onTeam, `{"tasks":[`+idList(task.ID)+`]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", onWorker, `{"tasks":[-2,`+idList(task.ID)+`]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", onWorker, `{"tasks":[0]}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("PUT", onWorker, `{"tasks":[`+idList(task.ID, task.ID)+`]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", onWorker, `{"tasks":[`+idList(model.NewID())+`]}`).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("PUT", onWorker, `{"tasks":[`+idList(foreign.ID)+`]}`).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.DoAs(otherKey, "PUT", onWorker, `{"tasks":[]}`).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.DoAs(otherKey, "GET", "/containers/organizations/"+string(s.Org), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.DoAs(otherKey, "PUT", onTeam, nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.DoAs(otherKey, "PUT", "/containers/organizations/"+string(s.Org), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("GET", "/containers/workers/"+string(model.NewID()), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("PUT", onTeam, `{"tasks":[-1,`+idList(task.ID)+`]}`).OK(nil)
	require.Equal(t, model.Some(model.TeamContainer(team)), getTask(t, s, task.ID).Container)
}

func TestContainerHoldsTenThousand(t *testing.T) {
	s := servicetest.Start(t)
	task := createTask(t, s, "")
	ctx := context.Background()
	setSize := func(n int) {
		require.NoError(t, s.Store.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE containers SET size = $1 WHERE owner = $2", n, s.Org)
			return err
		}))
	}
	setSize(model.MaxContainerTasks - 1)
	createTask(t, s, "")
	s.Do("POST", "/tasks", taskBody("")).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("DELETE", "/tasks/"+string(task.ID), nil).OK(nil)
	createTask(t, s, "")
}

func TestDependenciesAreMovedAlongAndFirst(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	pickup := createTask(t, s, "")
	dropoff := createTask(t, s, `"dependencies":[`+idList(pickup.ID)+`]`)
	var container model.Container
	s.Do("PUT", "/containers/workers/"+string(worker), `{"tasks":[`+idList(dropoff.ID)+`],"considerDependencies":true}`).OK(&container)
	require.Equal(t, []model.ID{pickup.ID, dropoff.ID}, container.Tasks)
}

// TestContainersKeepOrder compares containers with plain lists after random moves.
func TestContainersKeepOrder(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	var ids []model.ID
	for range 8 {
		ids = append(ids, createTask(t, s, "").ID)
	}
	path := "/containers/workers/" + string(worker)
	want := []model.ID{}
	rapid.Check(t, func(rt *rapid.T) {
		for range 5 {
			chosen := rapid.Permutation(ids).Draw(rt, "order")[:rapid.IntRange(1, 3).Draw(rt, "count")]
			index := rapid.IntRange(-1, 8).Draw(rt, "index")
			want = slices.DeleteFunc(want, func(id model.ID) bool { return slices.Contains(chosen, id) })
			if index < 0 || index > len(want) {
				index = len(want)
			}
			want = slices.Insert(want, index, chosen...)
			var container model.Container
			s.Do("PUT", path, fmt.Sprintf(`{"tasks":[%d,%s]}`, index, idList(chosen...))).OK(&container)
			require.Equal(rt, want, container.Tasks)
		}
	})
}

// TestContainerIsRenumberedWhenAGapIsUsedUp inserts at one index until there is no gap between two positions.
func TestContainerIsRenumberedWhenAGapIsUsedUp(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	path := "/containers/workers/" + string(worker)
	var want []model.ID
	for i := range 30 {
		id := createTask(t, s, "").ID
		index := min(i, 1)
		want = slices.Insert(want, index, id)
		var container model.Container
		s.Do("PUT", path, fmt.Sprintf(`{"tasks":[%d,%s]}`, index, idList(id))).OK(&container)
		require.Equal(t, want, container.Tasks)
	}
	last := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker))
	var container model.Container
	s.Do("GET", path, nil).OK(&container)
	require.Equal(t, append(want, last.ID), container.Tasks)
}

func TestConcurrentCreatesIntoOneContainer(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker)) })
	}
	wg.Wait()
	var container model.Container
	s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&container)
	require.Len(t, container.Tasks, 50)
	slices.Sort(container.Tasks)
	require.Len(t, slices.Compact(container.Tasks), 50)
	requireContainersCounted(t, s)
}

func TestConcurrentAssignmentsLeaveATaskInOneContainer(t *testing.T) {
	s := servicetest.Start(t)
	workers := []model.ID{addWorker(t, s, s.Org, model.Location{}), addWorker(t, s, s.Org, model.Location{})}
	task := createTask(t, s, "")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s.Do("PUT", "/tasks/"+string(task.ID), fmt.Sprintf(`{"container":{"type":"WORKER","worker":%q}}`, workers[i%2])).OK(nil)
		})
	}
	wg.Wait()
	found := 0
	for _, worker := range workers {
		var container model.Container
		s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&container)
		found += len(container.Tasks)
		if slices.Contains(container.Tasks, task.ID) {
			require.Equal(t, model.Some(worker), getTask(t, s, task.ID).Worker)
		}
	}
	require.Equal(t, 1, found)
	requireContainersCounted(t, s)
}

// requireContainersCounted compares the counts of containers with their tasks.
func requireContainersCounted(t testing.TB, s *servicetest.Server) {
	t.Helper()
	var wrong int
	require.NoError(t, s.Store.QueryRow(context.Background(), `SELECT count(*) FROM containers c WHERE c.size <>
		(SELECT count(*) FROM tasks t WHERE t.container_owner = c.owner AND t.state < 2)`).Scan(&wrong))
	require.Zero(t, wrong)
}
