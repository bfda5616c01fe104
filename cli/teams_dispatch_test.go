package cli

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	serviceworld "waybill/service/world"
)

// A preview plans within the shifts of the workers, as the dispatch does.
func TestDispatchPreviewRespectsShifts(t *testing.T) {
	service := servicetest.Start(t)
	var team model.Team
	service.Do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&team)
	var worker model.Worker
	service.Do("POST", "/workers", fmt.Sprintf(`{"name":"Ada Okafor","phone":"+14155550199","teams":[%q],"vehicle":{"type":"CAR"}}`, team.ID)).OK(&worker)
	require.NoError(t, service.World.GoOnDuty(t.Context(), worker.ID))
	at := model.Location{Lon: -122.40, Lat: 37.78}
	require.NoError(t, service.World.ReportPositions(t.Context(), []serviceworld.Position{{Worker: worker.ID, Location: at}}))
	var task model.Task
	service.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"1","street":"Howard St","city":"San Francisco","country":"USA"},
		"location":[-122.41,37.78]},"recipients":[],"completeBefore":%d,"container":{"type":"TEAM","team":%q}}`,
		servicetest.Epoch().Add(time.Hour).UnixMilli(), team.ID)).OK(&task)
	preview := func() int {
		a, output := newTestProgram(t, service.Key, "")
		args := []string{"teams", "dispatch", "North", "--preview", "--json", "--base-url", service.URL}
		require.Equal(t, exitOK, execute(context.Background(), a, args), "%s", output)
		var plan model.DispatchPlan
		require.NoError(t, model.Unmarshal(output.Bytes(), &plan), "%s", output)
		return len(plan.Unplanned)
	}
	require.Zero(t, preview())
	from, to := servicetest.Epoch().Add(4*time.Hour), servicetest.Epoch().Add(8*time.Hour)
	service.Do("POST", "/workers/"+string(worker.ID)+"/schedule", fmt.Sprintf(
		`{"entries":[{"date":%q,"timezone":"America/Los_Angeles","shifts":[[%d,%d]]}]}`, from.Format(time.DateOnly), from.UnixMilli(), to.UnixMilli())).OK(nil)
	require.Equal(t, 1, preview(), "whoever comes in four hours cannot be there within one")
}
