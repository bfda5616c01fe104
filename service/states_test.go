package service_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/world"
)

// inState creates a task in a state.
func inState(t testing.TB, s *servicetest.Server, worker model.ID, state model.TaskState) model.Task {
	t.Helper()
	more := ""
	if state != model.TaskUnassigned {
		more = onWorker(worker)
	}
	task := createTask(t, s, more)
	if state >= model.TaskActive {
		require.NoError(t, s.World.StartTask(t.Context(), worker, task.ID))
	}
	if state == model.TaskCompleted {
		require.NoError(t, s.World.CompleteTask(t.Context(), worker, task.ID, world.Completion{}))
	}
	return getTask(t, s, task.ID)
}

func TestChangesAllowedInEachState(t *testing.T) {
	s := servicetest.Start(t)
	for _, row := range []struct {
		state   model.TaskState
		allowed map[string]bool
	}{
		{model.TaskUnassigned, map[string]bool{"notes": true, "metadata": true, "quantity": true, "container": true, "delete": true}},
		{model.TaskAssigned, map[string]bool{"notes": true, "metadata": true, "quantity": true, "container": true, "delete": true}},
		{model.TaskActive, map[string]bool{"notes": true, "metadata": true, "complete": true}},
		{model.TaskCompleted, map[string]bool{"metadata": true, "customFields": true}},
	} {
		for name, body := range map[string]string{
			"notes": `{"notes":"x"}`, "metadata": `{"metadata":[{"name":"a","type":"number","value":1}]}`, "quantity": `{"quantity":1}`,
			"container": `{"container":{"type":"ORGANIZATION"}}`, "customFields": `{"customFields":[]}`,
			"delete": "", "complete": `{"completionDetails":{"success":true}}`,
		} {
			t.Run(fmt.Sprint(row.state, " ", name), func(t *testing.T) {
				worker := addWorker(t, s, s.Org, model.Location{})
				task := inState(t, s, worker, row.state)
				require.Equal(t, row.state, task.State)
				method, path := "PUT", "/tasks/"+string(task.ID)
				switch name {
				case "delete":
					method = "DELETE"
				case "complete":
					method, path = "POST", path+"/complete"
				case "customFields":
					if row.state < model.TaskActive {
						t.Skip("custom fields can be changed before the start; shown elsewhere")
					}
				}
				answer := s.Do(method, path, body)
				if row.allowed[name] {
					require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
				} else {
					answer.Refused(http.StatusBadRequest, model.ErrorInvalid)
				}
			})
		}
	}
	requireContainersCounted(t, s)
}

func TestStartedTaskLeavesItsContainer(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{Lon: -122.4, Lat: 37.7})
	first, second := createTask(t, s, onWorker(worker)), createTask(t, s, onWorker(worker))
	require.NoError(t, s.World.StartTask(t.Context(), worker, first.ID))
	var container model.Container
	s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&container)
	require.Equal(t, []model.ID{second.ID}, container.Tasks)
	require.Equal(t, model.Some(first.ID), container.ActiveTask)
	active := getTask(t, s, first.ID)
	require.Equal(t, model.TaskActive, active.State)
	require.Equal(t, model.Some(worker), active.Worker)
	require.Error(t, s.World.StartTask(t.Context(), worker, second.ID), "one task at a time")
	require.Error(t, s.World.GoOffDuty(t.Context(), worker))
	s.Do("PUT", "/containers/workers/"+string(worker), `{"tasks":[`+idList(first.ID)+`]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	require.NoError(t, s.World.FailTask(t.Context(), worker, first.ID, world.Completion{FailureReason: "NOBODY_HOME", Notes: "rang twice"}))
	failed := getTask(t, s, first.ID)
	require.True(t, failed.Failed())
	require.Equal(t, "NOBODY_HOME", failed.CompletionDetails.FailureReason)
	require.Equal(t, "rang twice", failed.CompletionDetails.FailureNotes)
	s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&container)
	require.True(t, container.ActiveTask.IsNull())
	require.NoError(t, s.World.StartTask(t.Context(), worker, second.ID))
	requireContainersCounted(t, s)
}

func TestCompletionDetails(t *testing.T) {
	s := servicetest.Start(t)
	ctx := t.Context()
	worker := addWorker(t, s, s.Org, model.Location{Lon: 0, Lat: 0})
	task := createTask(t, s, onWorker(worker))
	begin := s.World.Now()
	require.NoError(t, s.World.StartTask(ctx, worker, task.ID))
	for lon := range 5 {
		s.Clock.Advance(time.Minute)
		require.NoError(t, s.World.ReportPositions(ctx, []world.Position{
			{Worker: worker, Location: model.Location{Lon: float64(lon) / 100}, Battery: model.Some(0.5)},
		}))
	}
	require.NoError(t, s.World.ReportPositions(ctx, []world.Position{{Worker: worker, Location: model.Location{Lon: 50}, Time: begin - 1}}))
	require.NoError(t, s.World.RecordArrival(ctx, worker, task.ID))
	require.NoError(t, s.World.RecordGeofenceAttempt(ctx, worker, task.ID, world.GeofenceWarned))
	s.Clock.Advance(time.Minute)
	require.NoError(t, s.World.RecordDeparture(ctx, worker, task.ID))
	require.NoError(t, s.World.CompleteTask(ctx, worker, task.ID, world.Completion{
		Notes: "left at door", PhotoUploadIDs: []string{"aaaaaaaaaaaaaaaaaaaaaaaa"}, SignatureText: "Ada",
	}))
	done := getTask(t, s, task.ID)
	details := done.CompletionDetails
	require.True(t, done.Succeeded())
	require.Equal(t, model.Some(s.World.Now()), details.Time)
	require.InDelta(t, model.Location{}.MetersTo(model.Location{Lon: 0.04}), details.Distance.Value(), 1, "a position that came too late is not travelled")
	require.Equal(t, model.MaybeLocation{Known: true}, details.FirstLocation)
	require.InDelta(t, 0.04, details.LastLocation.Lon, 1e-9)
	require.Equal(t, model.FailureNone, details.FailureReason)
	require.Equal(t, "left at door", details.SuccessNotes)
	require.Equal(t, model.Some("aaaaaaaaaaaaaaaaaaaaaaaa"), details.PhotoUploadID)
	names := []string{}
	for _, event := range details.Events {
		names = append(names, event.Name)
		require.Equal(t, event.Name != model.EventStart, event.Location.Has())
	}
	require.Equal(t, []string{"start", "arrival", "departure"}, names)
	require.Equal(t, begin, details.Events[0].Time)
	require.Equal(t, world.GeofenceWarned, done.GeofenceAttempts.Value()[0].Type)
	require.Equal(t, model.Some(true), done.CompletedWithGeofenceWarning)
	// Lists compare a completed task by the time it was completed.
	require.Len(t, listAll(t, s, fmt.Sprintf("/tasks/all?from=%d", s.World.Now())), 1)
	require.Empty(t, listAll(t, s, fmt.Sprintf("/tasks/all?from=0&to=%d", s.World.Now())))
}

func TestDependenciesBlockAStart(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	first := createTask(t, s, onWorker(worker))
	second := createTask(t, s, onWorker(worker)+fmt.Sprintf(`,"dependencies":[%q]`, first.ID))
	require.ErrorContains(t, s.World.StartTask(t.Context(), worker, second.ID), "completed first")
	require.NoError(t, s.World.StartTask(t.Context(), worker, first.ID))
	require.NoError(t, s.World.CompleteTask(t.Context(), worker, first.ID, world.Completion{}))
	require.NoError(t, s.World.StartTask(t.Context(), worker, second.ID))
}

// TestRequirementsBlockACompletion checks that a driver can fail a task without its requirements, but not complete it.
func TestRequirementsBlockACompletion(t *testing.T) {
	s := servicetest.Start(t)
	for _, row := range []struct {
		requires string
		fulfils  world.Completion
	}{
		{`"requirements":{"signature":true}`, world.Completion{SignatureUploadID: "s"}},
		{`"requirements":{"photo":true}`, world.Completion{PhotoUploadIDs: []string{"p"}}},
		{`"requirements":{"notes":true}`, world.Completion{Notes: "n"}},
		{`"requirements":{"minimumAge":21}`, world.Completion{VerifiedAge: 21}},
		{`"barcodes":[{"data":"aGVsbG8=","blockCompletion":true}]`, world.Completion{Barcodes: []model.CapturedBarcode{{Data: "aGVsbG8="}}}},
		{`"barcodes":[{"blockCompletion":true}]`, world.Completion{Barcodes: []model.CapturedBarcode{{Data: "YW55"}}}},
	} {
		t.Run(row.requires, func(t *testing.T) {
			worker := addWorker(t, s, s.Org, model.Location{})
			task := createTask(t, s, onWorker(worker)+","+row.requires)
			require.NoError(t, s.World.StartTask(t.Context(), worker, task.ID))
			require.Error(t, s.World.CompleteTask(t.Context(), worker, task.ID, world.Completion{}))
			require.Equal(t, model.TaskActive, getTask(t, s, task.ID).State)
			require.NoError(t, s.World.CompleteTask(t.Context(), worker, task.ID, row.fulfils))
			task = createTask(t, s, onWorker(worker)+","+row.requires)
			require.NoError(t, s.World.StartTask(t.Context(), worker, task.ID))
			require.NoError(t, s.World.FailTask(t.Context(), worker, task.ID, world.Completion{}))
		})
	}
	worker := addWorker(t, s, s.Org, model.Location{})
	strict := createTask(t, s, onWorker(worker)+`,"scanOnlyRequiredBarcodes":true,"barcodes":[{"data":"aGVsbG8="}]`)
	require.NoError(t, s.World.StartTask(t.Context(), worker, strict.ID))
	require.Error(t, s.World.CompleteTask(t.Context(), worker, strict.ID, world.Completion{Barcodes: []model.CapturedBarcode{{Data: "b3RoZXI="}}}))
}

func TestDriversChangeTheirOwnTasks(t *testing.T) {
	s := servicetest.Start(t)
	worker, other := addWorker(t, s, s.Org, model.Location{}), addWorker(t, s, s.Org, model.Location{})
	task := createTask(t, s, onWorker(worker))
	require.Error(t, s.World.StartTask(t.Context(), other, task.ID))
	require.NoError(t, s.World.GoOffDuty(t.Context(), worker))
	require.ErrorContains(t, s.World.StartTask(t.Context(), worker, task.ID), "off duty")
	require.NoError(t, s.World.GoOnDuty(t.Context(), worker))
	require.ErrorContains(t, s.World.RecordArrival(t.Context(), worker, task.ID), "assigned")
	require.ErrorContains(t, s.World.CompleteTask(t.Context(), worker, task.ID, world.Completion{}), "not started")
	require.NoError(t, s.World.StartTask(t.Context(), worker, task.ID))
	require.Error(t, s.World.CompleteTask(t.Context(), other, task.ID, world.Completion{}))
	unassigned := createTask(t, s, "")
	require.ErrorContains(t, s.World.StartTask(t.Context(), worker, unassigned.ID), "not assigned")
}

func TestDispatcherCompletesAStartedTask(t *testing.T) {
	s := servicetest.Start(t)
	worker := addWorker(t, s, s.Org, model.Location{})
	task := inState(t, s, worker, model.TaskActive)
	path := "/tasks/" + string(task.ID) + "/complete"
	s.Do("POST", path, `{"completionDetails":{}}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("POST", path, nil).Refused(http.StatusBadRequest, model.ErrorMissing)
	answer := s.Do("POST", path, `{"completionDetails":{"success":false,"notes":"no one home"}}`)
	require.Equal(t, http.StatusOK, answer.Status)
	require.Empty(t, answer.Body)
	done := getTask(t, s, task.ID)
	require.True(t, done.Failed())
	require.Equal(t, "no one home", done.CompletionDetails.FailureNotes)
	s.Do("POST", path, `{"completionDetails":{"success":true}}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
}
