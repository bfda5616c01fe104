package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func cloneSource(t *testing.T, s *servicetest.Server) model.Task {
	first := createTask(t, s, "")
	worker := addWorker(t, s, s.Org, model.Location{})
	var source model.Task
	s.Do("POST", "/tasks", `{"destination":`+place(-122.4, 37.78)+`,"recipients":[{"name":"Ada","phone":"+14153420112"}],
		"notes":"n","pickupTask":true,"serviceTime":4,"quantity":2,"recipientName":"Bob","completeAfter":1772470800000,"completeBefore":1772474400000,
		"metadata":[{"name":"k","type":"string","value":"v"}],"barcodes":[{"data":"aGVsbG8="}],"appearance":{"triangleColor":1},
		"requirements":{"photo":true},"dependencies":["`+string(first.ID)+`"],"container":{"type":"WORKER","worker":"`+string(worker)+`"}}`).OK(&source)
	return source
}

func TestCloneCopiesTheDetails(t *testing.T) {
	s := servicetest.Start(t)
	source := cloneSource(t, s)
	for _, body := range []any{nil, "null", "{}", `{"options":{}}`} {
		var clone model.Task
		s.Do("POST", "/tasks/"+string(source.ID)+"/clone", body).OK(&clone)
		require.NotEqual(t, source.ID, clone.ID)
		require.NotEqual(t, source.ShortID, clone.ShortID)
		require.NotEqual(t, source.TrackingURL, clone.TrackingURL)
		require.Equal(t, model.Some(source.ID), clone.SourceTaskID)
		require.Equal(t, model.TaskUnassigned, clone.State)
		require.Equal(t, model.Some(model.OrganizationContainer(s.Org)), clone.Container)
		require.Equal(t, source.Destination, clone.Destination)
		require.Equal(t, source.Recipients, clone.Recipients)
		require.Equal(t, source.Notes, clone.Notes)
		require.Equal(t, source.PickupTask, clone.PickupTask)
		require.Equal(t, source.ServiceTime, clone.ServiceTime)
		require.Equal(t, source.Quantity, clone.Quantity)
		require.Equal(t, source.Overrides, clone.Overrides)
		require.Equal(t, source.Appearance, clone.Appearance)
		require.Equal(t, source.Requirements, clone.Requirements)
		require.Equal(t, source.CompleteAfter, clone.CompleteAfter)
		require.Equal(t, source.CompleteBefore, clone.CompleteBefore)
		require.Empty(t, clone.Metadata)
		require.Empty(t, clone.Barcodes.Value().Required)
		require.Empty(t, clone.Dependencies)
		require.Equal(t, clone, getTask(t, s, clone.ID))
	}
}

// TestCloneOptions tests each option at both levels where clients put it.
func TestCloneOptions(t *testing.T) {
	s := servicetest.Start(t)
	source := cloneSource(t, s)
	for _, row := range []struct {
		options string
		check   func(*testing.T, model.Task)
	}{
		{`{"includeMetadata":true}`, func(t *testing.T, clone model.Task) { require.Equal(t, source.Metadata, clone.Metadata) }},
		{`{"includeMetadata":false}`, func(t *testing.T, clone model.Task) { require.Empty(t, clone.Metadata) }},
		{`{"includeBarcodes":true}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, source.Barcodes.Value().Required[0].Data, clone.Barcodes.Value().Required[0].Data)
		}},
		{`{"includeDependencies":true}`, func(t *testing.T, clone model.Task) { require.Equal(t, source.Dependencies, clone.Dependencies) }},
		{`{"overrides":{"destination":` + place(3, 4) + `}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, model.Location{Lon: 3, Lat: 4}, clone.Destination.Object.Location)
		}},
		{`{"overrides":{"destination":"` + string(source.Destination.Object.ID) + `"}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, source.Destination.Object.ID, clone.Destination.Object.ID)
		}},
		{`{"overrides":{"recipients":[]}}`, func(t *testing.T, clone model.Task) { require.Empty(t, clone.Recipients) }},
		{`{"overrides":{"recipients":[{"name":"Eve","phone":"+14153420113"}]}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, "Eve", clone.Recipients[0].Object.Name)
		}},
		{`{"overrides":{"recipients":["` + string(source.Recipients[0].Object.ID) + `"]}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, "Ada", clone.Recipients[0].Object.Name)
		}},
		{`{"overrides":{"notes":"other"}}`, func(t *testing.T, clone model.Task) { require.Equal(t, "other", clone.Notes) }},
		{`{"overrides":{"pickupTask":false}}`, func(t *testing.T, clone model.Task) { require.False(t, clone.PickupTask) }},
		{`{"overrides":{"serviceTime":9}}`, func(t *testing.T, clone model.Task) { require.Equal(t, model.Minutes(9), clone.ServiceTime) }},
		{`{"overrides":{"metadata":[{"name":"x","type":"number","value":1}]}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, "x", clone.Metadata[0].Name)
		}},
		{`{"overrides":{"completeAfter":1772472000000}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, model.Some(model.Millis(1772472000000)), clone.CompleteAfter)
			require.Equal(t, source.CompleteBefore, clone.CompleteBefore)
		}},
		{`{"overrides":{"completeAfter":1772480000000,"completeBefore":null}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, model.Some(model.Millis(1772480000000)), clone.CompleteAfter)
			require.True(t, clone.CompleteBefore.IsNull())
		}},
		{`{"overrides":{"completeBefore":1772480000000}}`, func(t *testing.T, clone model.Task) {
			require.Equal(t, source.CompleteAfter, clone.CompleteAfter)
			require.Equal(t, model.Some(model.Millis(1772480000000)), clone.CompleteBefore)
		}},
	} {
		t.Run(row.options, func(t *testing.T) {
			for _, body := range []string{row.options, `{"options":` + row.options + `}`} {
				var clone model.Task
				s.Do("POST", "/tasks/"+string(source.ID)+"/clone", body).OK(&clone)
				row.check(t, clone)
			}
		})
	}
}

func TestCloneRefusals(t *testing.T) {
	s := servicetest.Start(t)
	_, otherKey := s.AddOrganization("Other", "")
	source := cloneSource(t, s)
	now := s.World.Now()
	for overrides, subcode := range map[string]model.Int{
		fmt.Sprintf(`{"completeAfter":%d}`, now):                              model.ErrorTimeConstraint,
		fmt.Sprintf(`{"completeBefore":%d}`, now-1):                           model.ErrorTimeConstraint,
		fmt.Sprintf(`{"completeAfter":%d,"completeBefore":%d}`, now+9, now+5): model.ErrorTimeConstraint,
		`{"completeAfter":1772480000000}`:                                     model.ErrorTimeConstraint, // after the deadline that it keeps
		`{"notes":"` + strings.Repeat("x", 10_001) + `"}`:                     model.ErrorInvalid,
		`{"recipients":[{"name":"A"}]}`:                                       model.ErrorMissing,
		`{"destination":{"location":[1,2]}}`:                                  model.ErrorMissing,
		`{"serviceTime":-1}`:                                                  model.ErrorInvalid,
		`{"metadata":[{"name":"x","type":"number","value":"y"}]}`:             model.ErrorInvalid,
	} {
		refused := s.Do("POST", "/tasks/"+string(source.ID)+"/clone", `{"options":{"overrides":`+overrides+`}}`).Refused(http.StatusBadRequest, subcode)
		require.Regexp(t, `^options\.overrides\.`, refused.Message.Cause.Value().Text)
	}
	s.Do("POST", "/tasks/"+string(model.NewID())+"/clone", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.DoAs(otherKey, "POST", "/tasks/"+string(source.ID)+"/clone", nil).Refused(http.StatusUnauthorized, model.ErrorScope)
}
