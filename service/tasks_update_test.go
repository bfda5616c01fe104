package service_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func TestUpdateChangesOnlyWhatWasSent(t *testing.T) {
	s := servicetest.Start(t)
	task := createTask(t, s, `"notes":"first","quantity":2,"recipientName":"Bob","appearance":{"triangleColor":1}`)
	s.Clock.Advance(2e9)
	var updated model.Task
	s.Do("PUT", "/tasks/"+string(task.ID), `{"notes":"second","recipientName":null,"completeBefore":1772474400000}`).OK(&updated)
	require.Equal(t, "second", updated.Notes)
	require.True(t, updated.Overrides.RecipientName.IsNull())
	require.Equal(t, 2.0, updated.Quantity, "what was not sent stays")
	require.Equal(t, task.Appearance, updated.Appearance)
	require.Greater(t, updated.TimeLastModified, task.TimeLastModified)
	require.Equal(t, task.TimeCreated, updated.TimeCreated)
	require.Equal(t, updated, getTask(t, s, task.ID))

	s.Clock.Advance(2e9)
	var same model.Task
	s.Do("PUT", "/tasks/"+string(task.ID), `{"notes":"second"}`).OK(&same)
	require.Equal(t, updated.TimeLastModified, same.TimeLastModified, "an update that changes nothing leaves no trace")
}

func TestUpdateDestinationAndRecipientByID(t *testing.T) {
	s := servicetest.Start(t)
	var other, updated model.Task
	s.Do("POST", "/tasks", `{"destination":`+place(1, 2)+`,"recipients":[{"name":"A","phone":"+14153420112"}]}`).OK(&other)
	task := createTask(t, s, "")
	s.Do("PUT", "/tasks/"+string(task.ID), fmt.Sprintf(`{"destination":%q,"recipients":[%q]}`,
		other.Destination.Object.ID, other.Recipients[0].Object.ID)).OK(&updated)
	require.Equal(t, other.Destination.Object.ID, updated.Destination.Object.ID)
	require.Equal(t, other.Recipients[0].Object.ID, updated.Recipients[0].Object.ID)
	s.Do("PUT", "/tasks/"+string(task.ID), `{"recipients":[]}`).OK(&updated)
	require.Empty(t, updated.Recipients)
	s.Do("PUT", "/tasks/"+string(task.ID), `{"destination":`+place(1, 2)+`}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", "/tasks/"+string(task.ID), `{"recipients":[{"name":"A","phone":"+14153420112"}]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestNewExecutorGetsTheTask(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	worker := addWorker(t, s, client, model.Location{})
	var task model.Task
	s.DoAs(clientKey, "POST", "/tasks", taskBody(onWorker(worker))).OK(&task)
	s.DoAs(clientKey, "PUT", "/tasks/"+string(task.ID), fmt.Sprintf(`{"executor":%q}`, client)).OK(&task)
	require.Equal(t, model.Some(worker), task.Worker, "who fulfils it already keeps it")
	s.DoAs(clientKey, "PUT", "/tasks/"+string(task.ID), fmt.Sprintf(`{"executor":%q}`, s.Org)).OK(&task)
	require.True(t, task.Worker.IsNull())
	require.Equal(t, model.Some(model.OrganizationContainer(s.Org)), task.Container)
	requireContainersCounted(t, s)
}

func TestDependenciesCannotBeCircular(t *testing.T) {
	s := servicetest.Start(t)
	first := createTask(t, s, "")
	second := createTask(t, s, fmt.Sprintf(`"dependencies":[%q]`, first.ID))
	third := createTask(t, s, fmt.Sprintf(`"dependencies":[%q]`, second.ID))
	s.Do("PUT", "/tasks/"+string(first.ID), fmt.Sprintf(`{"dependencies":[%q]}`, third.ID)).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", "/tasks/"+string(first.ID), fmt.Sprintf(`{"dependencies":[%q]}`, first.ID)).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestDeletedTaskBlocksNothing(t *testing.T) {
	s := servicetest.Start(t)
	first := createTask(t, s, `"metadata":[{"name":"k","type":"string","value":"v"}]`)
	second := createTask(t, s, fmt.Sprintf(`"dependencies":[%q]`, first.ID))
	answer := s.Do("DELETE", "/tasks/"+string(first.ID), nil)
	require.Equal(t, http.StatusOK, answer.Status)
	require.Empty(t, answer.Body)
	s.Do("GET", "/tasks/"+string(first.ID), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("DELETE", "/tasks/"+string(first.ID), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	require.Empty(t, getTask(t, s, second.ID).Dependencies)
	var found []model.Task
	s.Do("POST", "/tasks/metadata", `[{"name":"k","type":"string","value":"v"}]`).OK(&found)
	require.Empty(t, found)
	var container model.Container
	s.Do("GET", "/containers/organizations/"+string(s.Org), nil).OK(&container)
	require.Equal(t, []model.ID{second.ID}, container.Tasks)
}

func TestAssignmentHistoryHasEveryMove(t *testing.T) {
	s := servicetest.Start(t)
	team := addTeam(t, s, s.Org)
	worker := addWorker(t, s, s.Org, model.Location{}, team)
	task := createTask(t, s, "")
	path := "/tasks/" + string(task.ID)
	var moved model.Task
	for _, container := range []string{
		fmt.Sprintf(`{"type":"TEAM","team":%q}`, team), fmt.Sprintf(`{"type":"WORKER","worker":%q}`, worker),
		fmt.Sprintf(`{"type":"WORKER","worker":%q}`, worker), `{"type":"ORGANIZATION"}`,
	} {
		s.Clock.Advance(1e9)
		s.Do("PUT", path, `{"container":`+container+`}`).OK(&moved)
	}
	require.Equal(t, model.TaskUnassigned, moved.State)
	require.True(t, moved.Worker.IsNull())
	require.True(t, moved.AssignmentHistory.IsZero())
	s.Do("GET", path+"?assignmentHistory=true", nil).OK(&moved)
	history := moved.AssignmentHistory.Value()
	require.Len(t, history, 4, "staying where it is is no move")
	for i, want := range []model.ContainerRef{
		model.OrganizationContainer(s.Org), model.TeamContainer(team), model.WorkerContainer(worker), model.OrganizationContainer(s.Org),
	} {
		require.Equal(t, want, history[i].ContainerDescription)
		require.Equal(t, "API", history[i].ActionContext.Value().Type)
		require.True(t, history[i].ActionContext.Value().ID.Valid())
		if i > 0 {
			require.Greater(t, history[i].Time, history[i-1].Time)
		}
	}
}

func TestCustomFieldsOfATask(t *testing.T) {
	s := servicetest.Start(t)
	addCustomField(t, s, `{"key":"floor","name":"Floor","type":"integer","contexts":[{"name":"save","isRequired":true,"conditions":[]}]}`)
	addCustomField(t, s, `{"key":"gate","name":"Gate","type":"single_line_text_field","contexts":[{"name":"save","isRequired":true,
		"conditions":[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true}]}]}`)
	s.Do("POST", "/tasks", taskBody("")).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("POST", "/tasks", taskBody(`"customFields":[{"key":"floor","value":"top"}]`)).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("POST", "/tasks", taskBody(`"pickupTask":true,"customFields":[{"key":"floor","value":3}]`)).Refused(http.StatusBadRequest, model.ErrorMissing)
	task := createTask(t, s, `"customFields":[{"key":"floor","value":3},{"key":"Floor","value":4}]`)
	fields := task.CustomFields.Value()
	require.Len(t, fields, 1, "keys are case-sensitive")
	require.Equal(t, "Floor", fields[0].Name)
	require.Equal(t, "3", string(fields[0].Value.Value()))

	template := addTemplate(t, s, `{"name":"Gates","contextSaveConditions":[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true}],"fields":["gate"]}`)
	s.Do("POST", "/tasks", taskBody(fmt.Sprintf(`"template":%q`, template))).Refused(http.StatusBadRequest, model.ErrorInvalid)
	pickup := createTask(t, s, fmt.Sprintf(`"template":%q,"pickupTask":true,"customFields":[{"key":"gate","value":"7"},{"key":"floor","value":1}]`, template))
	require.Len(t, pickup.CustomFields.Value(), 1, "a template leaves only its own fields")

	var updated model.Task
	s.Do("PUT", "/tasks/"+string(task.ID), `{"customFields":[{"key":"floor","value":9}]}`).OK(&updated)
	require.Equal(t, "9", string(updated.CustomFields.Value()[0].Value.Value()))
	s.Do("PUT", "/tasks/"+string(task.ID), `{"customFields":[{"key":"floor","value":null}]}`).Refused(http.StatusBadRequest, model.ErrorMissing)
}
