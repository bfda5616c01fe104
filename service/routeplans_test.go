package service_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

const planStart = `"startTime":1772470800000`

func createPlan(s *servicetest.Server, more string) model.RoutePlan {
	var plan model.RoutePlan
	s.Do("POST", "/routePlans", `{"name":"Round",`+planStart+more+`}`).OK(&plan)
	return plan
}

func TestRoutePlanStateFollowsItsTasks(t *testing.T) {
	s := servicetest.Start(t)
	worker := newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
	assigned := fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker.ID)
	first, second, third := createTask(t, s, assigned), createTask(t, s, assigned), createTask(t, s, "")
	plan := createPlan(s, fmt.Sprintf(`,"endTime":1772474400000,"worker":%q,"tasks":[%q,%q,%q]`, worker.ID, second.ID, first.ID, third.ID))
	require.Equal(t, []model.ID{second.ID, first.ID, third.ID}, plan.Tasks)
	require.Equal(t, []model.TaskState{model.TaskAssigned, model.TaskAssigned, model.TaskUnassigned}, plan.TaskStates.Value())
	require.Equal(t, model.RoutePlanPending, plan.State)
	require.True(t, plan.ActualStartTime.IsNull() && plan.EndAt.IsNull() && plan.PlannedDistance.IsNull())

	read := func() model.RoutePlan {
		s.Do("GET", "/routePlans/"+string(plan.ID), nil).OK(&plan)
		return plan
	}
	s.Do("DELETE", "/tasks/"+string(third.ID), nil).OK(nil)
	require.Equal(t, []model.ID{second.ID, first.ID}, read().Tasks)
	require.NoError(t, s.World.GoOnDuty(t.Context(), worker.ID))
	for i, task := range []model.Task{first, second} {
		require.NoError(t, s.World.StartTask(t.Context(), worker.ID, task.ID))
		require.Equal(t, model.RoutePlanStarted, read().State)
		if i == 0 {
			require.Equal(t, s.World.Now(), plan.ActualStartTime.Value())
		}
		s.Clock.Advance(2 * time.Hour)
		require.True(t, read().IsOverdue.Value())
		s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	}
	require.Equal(t, model.RoutePlanCompleted, read().State)
	require.Equal(t, s.World.Now(), plan.ActualEndTime.Value())
	require.False(t, plan.IsOverdue.Value())
}

func TestATaskIsOnOneRoutePlan(t *testing.T) {
	s := servicetest.Start(t)
	a, b := createTask(t, s, ""), createTask(t, s, "")
	one := createPlan(s, fmt.Sprintf(`,"tasks":[%q,%q]`, a.ID, b.ID))
	two := createPlan(s, fmt.Sprintf(`,"tasks":[%q]`, b.ID))
	s.Do("GET", "/routePlans/"+string(one.ID), nil).OK(&one)
	require.Equal(t, []model.ID{a.ID}, one.Tasks)
	s.Do("PUT", "/routePlans/"+string(two.ID)+"/tasks", fmt.Sprintf(`{"tasks":[%q]}`, a.ID)).OK(&two)
	require.Equal(t, []model.ID{b.ID, a.ID}, two.Tasks)
	s.Do("PUT", "/routePlans/"+string(two.ID)+"/tasks", fmt.Sprintf(`{"tasks":[%q]}`, b.ID)).OK(&two)
	require.Equal(t, []model.ID{a.ID, b.ID}, two.Tasks)
	s.Do("PUT", "/routePlans/"+string(two.ID), fmt.Sprintf(`{"tasks":[%q],"color":"#123456","worker":null}`, b.ID)).OK(&two)
	require.Equal(t, []model.ID{b.ID}, two.Tasks)
	require.Equal(t, "#123456", two.Color.Value())
	var task model.Task
	s.Do("GET", "/tasks/"+string(a.ID), nil).OK(&task)
	require.False(t, task.RoutePlan.Present())
}

func TestRoutePlanFilters(t *testing.T) {
	s := servicetest.Start(t)
	worker := newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
	empty := createPlan(s, "")
	s.Clock.Advance(time.Minute)
	full := createPlan(s, fmt.Sprintf(`,"worker":%q,"tasks":[%q]`, worker.ID, createTask(t, s, "").ID))
	var late model.RoutePlan
	s.Do("POST", "/routePlans", `{"name":"Late","startTime":1772557200000}`).OK(&late)
	for query, want := range map[string][]model.RoutePlan{
		"": {empty, full, late}, "?limit=1": {empty}, "?hasTasks=true": {full}, "?hasTasks=false": {empty, late},
		"?workerId=" + string(worker.ID):                                  {full},
		"?startTimeFrom=1772470800001":                                    {late},
		"?startTimeTo=1772470800001":                                      {empty, full},
		fmt.Sprintf("?createdTimeFrom=%d", empty.TimeLastModified+1):      {full, late},
		fmt.Sprintf("?createdTimeTo=%d&limit=500", full.TimeLastModified): {empty},
	} {
		var list []model.RoutePlan
		s.Do("GET", "/routePlans"+query, nil).OK(&list)
		require.Equal(t, want, list, query)
	}
	s.Do("GET", "/routePlans?limit=501", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("DELETE", "/workers/"+string(worker.ID), nil).OK(nil)
	s.Do("GET", "/routePlans/"+string(full.ID), nil).OK(&full)
	require.True(t, full.Worker.IsNull(), "a plan outlives its worker")
}

func TestRoutePlanRefusals(t *testing.T) {
	s := servicetest.Start(t)
	plan := createPlan(s, "")
	task := createTask(t, s, "")
	nobody := string(model.NewID())
	for body, want := range map[string]model.Int{
		`{"name":"Round"}`:                                                                                 model.ErrorMissing,
		`{` + planStart + `}`:                                                                              model.ErrorMissing,
		`{"name":"Round","startTime":1772470800}`:                                                          model.ErrorTimeConstraint,
		`{"name":"Round",` + planStart + `,"endTime":1772470800000}`:                                       model.ErrorTimeConstraint,
		`{"name":"Round",` + planStart + `,"startAt":"HOME"}`:                                              model.ErrorInvalid,
		`{"name":"Round",` + planStart + `,"vehicleType":"TANK"}`:                                          model.ErrorInvalid,
		`{"name":"Round",` + planStart + `,"timezone":"Mars/Olympus"}`:                                     model.ErrorInvalid,
		`{"name":"Round",` + planStart + `,"tasks":["` + string(task.ID) + `","` + string(task.ID) + `"]}`: model.ErrorInvalid,
	} {
		s.Do("POST", "/routePlans", body).Refused(http.StatusBadRequest, want)
	}
	for _, member := range []string{"worker", "team", "startingHubId", "endingHubId"} {
		s.Do("POST", "/routePlans", `{"name":"Round",`+planStart+`,"`+member+`":"`+nobody+`"}`).
			Refused(http.StatusNotFound, model.ErrorNotFound)
	}
	s.Do("PUT", "/routePlans/"+string(plan.ID)+"/tasks", `{"tasks":["`+nobody+`"]}`).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("PUT", "/routePlans/"+string(plan.ID)+"/tasks", `{}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("PUT", "/routePlans/"+string(plan.ID), `{"startTime":null}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("PUT", "/routePlans/"+string(plan.ID), `{"endTime":1772470799999}`).Refused(http.StatusBadRequest, model.ErrorTimeConstraint)
}
