package service_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func listAll(t testing.TB, s *servicetest.Server, path string) []model.ID {
	t.Helper()
	var ids []model.ID
	lastID := ""
	for {
		var page model.TaskPage
		s.Do("GET", path+"&lastId="+url.QueryEscape(lastID), nil).OK(&page)
		require.LessOrEqual(t, len(page.Tasks), model.MaxPageTasks)
		for _, task := range page.Tasks {
			ids = append(ids, task.ID)
		}
		id, more := page.LastID.Get()
		if !more {
			return ids
		}
		lastID = string(id)
	}
}

func TestPagesAreCompleteWithoutRepetition(t *testing.T) {
	s := servicetest.Start(t)
	for _, n := range []int{0, 63, 1, 1, 64} { // so that pages are empty, nearly full, full, one over, and two full
		for range n {
			createTask(t, s, "")
		}
		var page model.TaskPage
		s.Do("GET", "/tasks/all?from=0", nil).OK(&page)
		ids := listAll(t, s, "/tasks/all?from=0")
		require.Equal(t, len(ids) > model.MaxPageTasks, page.LastID.Has())
		seen := map[model.ID]bool{}
		for _, id := range ids {
			require.False(t, seen[id])
			seen[id] = true
		}
	}
	require.Len(t, listAll(t, s, "/tasks/all?from=0"), 129)
}

func TestListFilters(t *testing.T) {
	s := servicetest.Start(t)
	team := addTeam(t, s, s.Org)
	worker := addWorker(t, s, s.Org, model.Location{}, team)
	now := s.World.Now()
	plain := createTask(t, s, `"completeBefore":1772500000000,"completeAfter":1772400000000`)
	s.Clock.Advance(time.Minute)
	assigned := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q},"dependencies":[%q]`, worker, plain.ID))
	s.Clock.Advance(time.Minute)
	inTeam := createTask(t, s, fmt.Sprintf(`"container":{"type":"TEAM","team":%q},"pickupTask":true`, team))
	var workerContainer model.Container
	s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&workerContainer)
	for _, row := range []struct {
		path string
		want []model.ID
	}{
		{"/tasks/all?from=0", []model.ID{plain.ID, assigned.ID, inTeam.ID}},
		{fmt.Sprintf("/tasks/all?from=%d", assigned.TimeCreated), []model.ID{assigned.ID, inTeam.ID}},
		{fmt.Sprintf("/tasks/all?from=%d&to=%d", now, assigned.TimeCreated), []model.ID{plain.ID}},
		{"/tasks/all?from=0&state=1", []model.ID{assigned.ID}},
		{"/tasks/all?from=0&state=0,1", []model.ID{plain.ID, assigned.ID, inTeam.ID}},
		{"/tasks/all?from=0&state=2,3", nil},
		{"/tasks/all?from=0&worker=" + string(worker), []model.ID{assigned.ID}},
		{"/tasks/all?from=0&completeBeforeBefore=1772500000001", []model.ID{plain.ID}},
		{"/tasks/all?from=0&completeBeforeBefore=1772500000000", nil},
		{"/tasks/all?from=0&completeAfterAfter=1772399999999", []model.ID{plain.ID}},
		{"/tasks/all?from=0&dependencies=" + string(model.NewID()) + "," + string(plain.ID), []model.ID{assigned.ID}},
		{"/tasks/all?from=0&containers=" + string(workerContainer.ID), []model.ID{assigned.ID}},
		{"/tasks/all?from=0&containers=" + string(workerContainer.ID) + "," + string(team), []model.ID{assigned.ID, inTeam.ID}},
		{"/workers/" + string(worker) + "/tasks?from=0", []model.ID{assigned.ID}},
		{"/workers/" + string(worker) + "/tasks?isPickupTask=true", nil},
		{"/teams/" + string(team) + "/tasks?from=0", []model.ID{inTeam.ID}},
		{"/teams/" + string(team) + "/tasks?isPickupTask=true", []model.ID{inTeam.ID}},
		{"/teams/" + string(team) + "/tasks?isPickupTask=false", nil},
	} {
		t.Run(row.path, func(t *testing.T) { require.Equal(t, row.want, listAll(t, s, row.path)) })
	}
	s.Clock.Advance(8 * 24 * time.Hour)
	require.Empty(t, listAll(t, s, "/teams/"+string(team)+"/tasks?"), "without a span the last week is listed")
}

func TestListRefusals(t *testing.T) {
	s := servicetest.Start(t)
	for query, subcode := range map[string]model.Int{
		"": model.ErrorMissing, "from=yesterday": model.ErrorInvalid, "from=5&to=4": model.ErrorTimeConstraint,
		"from=0&state=4": model.ErrorInvalid, "from=0&worker=me": model.ErrorWrongType, "from=0&lastId=" + string(model.NewID()): model.ErrorInvalid,
		"from=0&isPickupTask=maybe": model.ErrorInvalid,
	} {
		t.Run(query, func(*testing.T) { s.Do("GET", "/tasks/all?"+query, nil).Refused(http.StatusBadRequest, subcode) })
	}
}

func TestMetadataQueryNeedsEveryEntry(t *testing.T) {
	s := servicetest.Start(t)
	both := createTask(t, s, `"metadata":[{"name":"o","type":"object","value":{"a":1,"b":[1,2]}},{"name":"n","type":"number","value":5}]`)
	createTask(t, s, `"metadata":[{"name":"n","type":"number","value":5}]`)
	for query, want := range map[string]int{
		`[{"name":"n","type":"number","value":5.0}]`:                                                      2,
		`[{"name":"n","type":"string","value":"5"}]`:                                                      0,
		`[{"name":"o","type":"object","value":{"b":[1,2],"a":1}}]`:                                        1,
		`[{"name":"o","type":"object","value":{"b":[2,1],"a":1}}]`:                                        0,
		`[{"name":"n","type":"number","value":5},{"name":"o","type":"object","value":{"b":[1,2],"a":1}}]`: 1,
	} {
		t.Run(query, func(t *testing.T) {
			var found []model.Task
			s.Do("POST", "/tasks/metadata", query).OK(&found)
			require.Len(t, found, want)
			if want == 1 {
				require.Equal(t, both.ID, found[0].ID)
			}
		})
	}
	s.Do("POST", "/tasks/metadata", `[]`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("PUT", "/tasks/"+string(both.ID), `{"metadata":[]}`).OK(nil)
	var found []model.Task
	s.Do("POST", "/tasks/metadata", `[{"name":"n","type":"number","value":5}]`).OK(&found)
	require.Len(t, found, 1, "metadata that was replaced is not found")
}
