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

func TestTaskWithNewDestinationAndRecipient(t *testing.T) {
	s := servicetest.Start(t)
	var task, read model.Task
	s.Do("POST", "/tasks", `{"destination":`+place(-122.4, 37.78)+`,"recipients":[{"name":"Ada","phone":"415 342 0112","notes":"side door"}],
		"completeAfter":1772470800000,"notes":"handle with care"}`).OK(&task)
	require.True(t, task.ID.Valid())
	require.True(t, task.ShortID.Valid())
	require.Equal(t, "http://localhost:8580/t/"+string(task.ShortID), task.TrackingURL)
	require.Equal(t, model.TaskUnassigned, task.State)
	require.Equal(t, model.Some(false), task.DidAutoAssign)
	require.Equal(t, s.Org, task.Organization)
	require.Equal(t, s.Org, task.Merchant)
	require.Equal(t, s.Org, task.Executor)
	require.Equal(t, model.Some(model.OrganizationContainer(s.Org)), task.Container)
	require.True(t, task.Worker.IsNull())
	require.True(t, task.ETA.IsNull())
	require.Equal(t, "+14153420112", task.Recipients[0].Object.Phone)
	require.Equal(t, model.Some(false), task.Destination.Object.UseGPS)
	require.Zero(t, task.TimeCreated%1000)

	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	require.True(t, read.DidAutoAssign.IsZero())
	read.DidAutoAssign = task.DidAutoAssign
	require.Equal(t, task, read)
	s.Do("GET", "/tasks/shortId/"+string(task.ShortID), nil).OK(&read)
	require.Equal(t, task.ID, read.ID)

	var destination model.Destination
	s.Do("GET", "/destinations/"+string(task.Destination.Object.ID), nil).OK(&destination)
}

func TestTaskDefaults(t *testing.T) {
	s := servicetest.Start(t)
	body := string(s.Do("POST", "/tasks", taskBody("")).Body)
	for _, member := range []string{
		`"orderShortId":null`, `"worker":null`, `"dependencies":[]`, `"state":0`, `"completeAfter":null`, `"completeBefore":null`,
		`"pickupTask":false`, `"notes":""`, `"feedback":[]`, `"metadata":[]`, `"quantity":0`, `"serviceTime":0`,
		`"overrides":{"recipientSkipSMSNotifications":null,"recipientNotes":null,"recipientName":null,"useMerchantForProxy":null}`,
		`"additionalQuantities":{"quantityA":0,"quantityB":0,"quantityC":0}`, `"barcodes":{"required":[],"captured":[]}`,
		`"identity":{"failedScanCount":0,"checksum":null}`, `"appearance":{"triangleColor":null}`, `"scanOnlyRequiredBarcodes":false`,
		`"requirements":{"signature":false,"notes":false,"photo":false,"minimumAge":0}`, `"trackingViewed":false`, `"recipients":[]`,
		`"estimatedCompletionTime":null`, `"estimatedArrivalTime":null`, `"eta":null`, `"delayTime":null`, `"failureReason":"NONE"`,
		`"events":[]`, `"firstLocation":[]`, `"lastLocation":[]`, `"actions":[]`, `"unavailableAttachments":[]`, `"photoUploadIds":null`,
	} {
		require.Contains(t, body, member)
	}
	require.NotContains(t, body, "routePlan")
	require.NotContains(t, body, "assignmentHistory")
	require.NotContains(t, body, "geofenceAttempts")
}

// TestTaskMembers has one row per member of POST /tasks.
func TestTaskMembers(t *testing.T) {
	s := servicetest.Start(t)
	first := createTask(t, s, "")
	for _, row := range []struct {
		name, sent string
		check      func(*testing.T, model.Task)
	}{
		{"destination by id", `"destination":"` + string(first.Destination.Object.ID) + `"`, func(t *testing.T, task model.Task) {
			require.Equal(t, first.Destination.Object.ID, task.Destination.Object.ID)
		}},
		{"merchant", `"merchant":"` + string(s.Org) + `"`, func(t *testing.T, task model.Task) { require.Equal(t, s.Org, task.Merchant) }},
		{"executor", `"executor":"` + string(s.Org) + `"`, func(t *testing.T, task model.Task) { require.Equal(t, s.Org, task.Executor) }},
		{"completeAfter", `"completeAfter":1772470800000`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some(model.Millis(1772470800000)), task.CompleteAfter)
		}},
		{"completeBefore", `"completeBefore":1772474400000`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some(model.Millis(1772474400000)), task.CompleteBefore)
		}},
		{"pickupTask", `"pickupTask":true`, func(t *testing.T, task model.Task) { require.True(t, task.PickupTask) }},
		{"type wins", `"type":0`, func(t *testing.T, task model.Task) { require.True(t, task.PickupTask) }},
		{"dependencies", `"dependencies":["` + string(first.ID) + `"]`, func(t *testing.T, task model.Task) {
			require.Equal(t, []model.ID{first.ID}, task.Dependencies)
		}},
		{"notes at the limit", `"notes":"` + strings.Repeat("é", 10_000) + `"`, func(t *testing.T, task model.Task) {
			require.Len(t, []rune(task.Notes), 10_000)
		}},
		{"quantity", `"quantity":2.5`, func(t *testing.T, task model.Task) { require.Equal(t, 2.5, task.Quantity) }},
		{"additionalQuantities", `"additionalQuantities":{"quantityB":3}`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Quantities{B: 3}, task.AdditionalQuantities)
		}},
		{"serviceTime", `"serviceTime":7`, func(t *testing.T, task model.Task) { require.Equal(t, model.Minutes(7), task.ServiceTime) }},
		{"recipientName", `"recipientName":"Bob"`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some("Bob"), task.Overrides.RecipientName)
		}},
		{"recipientNotes", `"recipientNotes":"b"`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some("b"), task.Overrides.RecipientNotes)
		}},
		{"recipientSkipSMSNotifications", `"recipientSkipSMSNotifications":true`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some(true), task.Overrides.RecipientSkipSMSNotifications)
		}},
		{"useMerchantForProxy", `"useMerchantForProxy":true`, func(t *testing.T, task model.Task) {
			require.Equal(t, `"`+string(s.Org)+`"`, string(task.Overrides.UseMerchantForProxy.Value()))
		}},
		{"requirements", `"requirements":{"signature":true,"minimumAge":18}`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Requirements{
				Signature: model.Some(true), Notes: model.Some(false), Photo: model.Some(false), MinimumAge: model.Some(model.Int(18)),
			}, task.Requirements.Value())
		}},
		{"scanOnlyRequiredBarcodes", `"scanOnlyRequiredBarcodes":true`, func(t *testing.T, task model.Task) {
			require.True(t, task.ScanOnlyRequiredBarcodes)
		}},
		{"barcode", `"barcode":[{"data":"aGVsbG8=","blockCompletion":true}]`, func(t *testing.T, task model.Task) {
			required := task.Barcodes.Value().Required
			require.Len(t, required, 1)
			require.True(t, required[0].BlockCompletion)
			require.True(t, required[0].ID.Value().Valid())
		}},
		{"barcodes", `"barcodes":[{"data":"aGVsbG8="}]`, func(t *testing.T, task model.Task) {
			require.Len(t, task.Barcodes.Value().Required, 1)
		}},
		{"appearance", `"appearance":{"triangleColor":2}`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some(model.TriangleMagenta), task.Appearance.TriangleColor)
		}},
		{"metadata", `"metadata":[{"name":"n","type":"number","value":1}]`, func(t *testing.T, task model.Task) {
			require.Equal(t, model.Some([]string{"api"}), task.Metadata[0].Visibility)
		}},
		{"unknown custom fields are dropped", `"customFields":[{"key":"nobody","value":1}]`, func(t *testing.T, task model.Task) {
			require.Empty(t, task.CustomFields.Value())
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			body := taskBody(row.sent)
			if strings.HasPrefix(row.sent, `"destination"`) {
				body = `{"recipients":[],` + row.sent + `}`
			}
			var task model.Task
			s.Do("POST", "/tasks", body).OK(&task)
			row.check(t, task)
			row.check(t, getTask(t, s, task.ID))
		})
	}
}

// TestTaskRefusals has one row per rule of POST /tasks.
func TestTaskRefusals(t *testing.T) {
	s := servicetest.Start(t)
	otherOrg, otherKey := s.AddOrganization("Other", "")
	var foreign model.Task
	s.DoAs(otherKey, "POST", "/tasks", `{"destination":`+place(1, 2)+`,"recipients":[{"name":"A","phone":"+14153420112"}]}`).OK(&foreign)
	unknown := string(model.NewID())
	foreignWorker := addWorker(t, s, otherOrg, model.Location{})
	missing, bad, stranger, gone := http.StatusBadRequest, http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound
	for _, row := range []struct {
		name, body string
		status     int
		subcode    model.Int
	}{
		{"no destination", `{"recipients":[]}`, missing, model.ErrorMissing},
		{"no recipients", `{"destination":` + place(1, 2) + `}`, missing, model.ErrorMissing},
		{"two recipients", `{"destination":` + place(1, 2) + `,"recipients":["` + unknown + `","` + unknown + `"]}`, bad, model.ErrorInvalid},
		{"notes too long", taskBody(`"notes":"` + strings.Repeat("x", 10_001) + `"`), bad, model.ErrorInvalid},
		{"autoAssign and container", taskBody(`"autoAssign":{"mode":"distance"},"container":{"type":"ORGANIZATION"}`), bad, model.ErrorInvalid},
		{"autoAssign without mode", taskBody(`"autoAssign":{}`), missing, model.ErrorMissing},
		{"unknown triangle", taskBody(`"appearance":{"triangleColor":3}`), bad, model.ErrorInvalid},
		{"type against pickupTask", taskBody(`"type":1,"pickupTask":true`), bad, model.ErrorInvalid},
		{"window backwards", taskBody(`"completeAfter":1772470800000,"completeBefore":1772470700000`), bad, model.ErrorTimeConstraint},
		{"seconds for milliseconds", taskBody(`"completeAfter":1772470800`), bad, model.ErrorTimeConstraint},
		{"unknown destination", `{"destination":"` + unknown + `","recipients":[]}`, gone, model.ErrorNotFound},
		{"foreign destination", `{"destination":"` + string(foreign.Destination.Object.ID) + `","recipients":[]}`, stranger, model.ErrorScope},
		{"unknown recipient", `{"destination":` + place(1, 2) + `,"recipients":["` + unknown + `"]}`, gone, model.ErrorNotFound},
		{"foreign recipient", `{"destination":` + place(1, 2) + `,"recipients":["` + string(foreign.Recipients[0].Object.ID) + `"]}`, stranger, model.ErrorScope},
		{"bad phone", `{"destination":` + place(1, 2) + `,"recipients":[{"name":"A","phone":"12"}]}`, bad, model.ErrorInvalid},
		{"unknown dependency", taskBody(`"dependencies":["` + unknown + `"]`), gone, model.ErrorNotFound},
		{"foreign dependency", taskBody(`"dependencies":["` + string(foreign.ID) + `"]`), stranger, model.ErrorScope},
		{"unconnected merchant", taskBody(`"merchant":"` + string(otherOrg) + `"`), bad, model.ErrorInvalid},
		{"unconnected executor", taskBody(`"executor":"` + string(otherOrg) + `"`), bad, model.ErrorInvalid},
		{"unknown worker", taskBody(`"container":{"type":"WORKER","worker":"` + unknown + `"}`), bad, model.ErrorInvalid},
		{"foreign worker", taskBody(`"container":{"type":"WORKER","worker":"` + string(foreignWorker) + `"}`), stranger, model.ErrorScope},
		{"foreign organization", taskBody(`"container":{"type":"ORGANIZATION","organization":"` + string(otherOrg) + `"}`), stranger, model.ErrorScope},
		{"unknown template", taskBody(`"template":"` + unknown + `"`), gone, model.ErrorNotFound},
		{"not geocodable", `{"destination":{"address":{"number":"1","street":"X","city":"Nowhereville-on-Void","country":"USA"}},"recipients":[]}`, bad, model.ErrorGeocoding},
		{"wrong kind of value", taskBody(`"quantity":"many"`), bad, model.ErrorWrongType},
	} {
		t.Run(row.name, func(*testing.T) { s.Do("POST", "/tasks", row.body).Refused(row.status, row.subcode) })
	}
	var page model.TaskPage
	s.Do("GET", "/tasks/all?from=0", nil).OK(&page)
	require.Empty(t, page.Tasks, "a refused task leaves nothing")
}

func TestKnownPhoneReusesTheRecipient(t *testing.T) {
	s := servicetest.Start(t)
	create := func(recipient string) model.Recipient {
		var task model.Task
		s.Do("POST", "/tasks", `{"destination":`+place(1, 2)+`,"recipients":[`+recipient+`]}`).OK(&task)
		return *task.Recipients[0].Object
	}
	first := create(`{"name":"Ada","phone":"+14153420112","notes":"gate 1","skipSMSNotifications":true}`)
	s.Clock.Advance(1500 * 1e6)
	second := create(`{"name":"Ada L.","phone":"(415) 342-0112","notes":"gate 2"}`)
	require.Equal(t, first.ID, second.ID)
	require.Equal(t, "Ada L.", second.Name)
	require.Equal(t, "gate 2", second.Notes)
	require.True(t, second.SkipSMSNotifications, "who opted out stays opted out")
	require.Greater(t, second.TimeLastModified, first.TimeLastModified)
	third := create(`{"name":"Ada L.","phone":"+14153420112"}`)
	require.Equal(t, "gate 2", third.Notes, "notes that were not sent stay")
	byID := create(`"` + string(first.ID) + `"`)
	require.Equal(t, third, byID)
}

func TestTaskIsCreatedInItsContainer(t *testing.T) {
	s := servicetest.Start(t)
	team := addTeam(t, s, s.Org)
	worker := addWorker(t, s, s.Org, model.Location{Lon: -122.4, Lat: 37.78}, team)
	assigned := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker))
	require.Equal(t, model.TaskAssigned, assigned.State)
	require.Equal(t, model.Some(worker), assigned.Worker)
	require.Equal(t, model.Some(model.WorkerContainer(worker)), assigned.Container)
	second := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker))
	inTeam := createTask(t, s, fmt.Sprintf(`"container":{"type":"TEAM","team":%q}`, team))
	require.Equal(t, model.TaskUnassigned, inTeam.State)
	require.Equal(t, model.Some(model.TeamContainer(team)), inTeam.Container)
	var container model.Container
	s.Do("GET", "/containers/workers/"+string(worker), nil).OK(&container)
	require.Equal(t, []model.ID{assigned.ID, second.ID}, container.Tasks)
	require.Equal(t, model.Some(worker), container.Worker)
	require.True(t, container.ActiveTask.IsNull())
	s.Do("GET", "/containers/teams/"+string(team), nil).OK(&container)
	require.Equal(t, []model.ID{inTeam.ID}, container.Tasks)
}

func TestConnectedOrganizationsShareATask(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	_, strangerKey := s.AddOrganization("Stranger", "")
	worker := addWorker(t, s, s.Org, model.Location{})
	var task, read model.Task
	s.DoAs(clientKey, "POST", "/tasks", taskBody(fmt.Sprintf(`"executor":%q,"merchant":%q`, s.Org, client))).OK(&task)
	require.Equal(t, client, task.Organization)
	require.Equal(t, s.Org, task.Executor)
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	s.DoAs(strangerKey, "GET", "/tasks/"+string(task.ID), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	var page model.TaskPage
	s.Do("GET", "/tasks/all?from=0", nil).OK(&page)
	require.Len(t, page.Tasks, 1, "who fulfils a task sees it in the list")
	assign := fmt.Sprintf(`{"container":{"type":"WORKER","worker":%q}}`, worker)
	s.DoAs(clientKey, "PUT", "/tasks/"+string(task.ID), assign).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("PUT", "/tasks/"+string(task.ID), assign).OK(&read)
	require.Equal(t, model.Some(worker), read.Worker)
}
