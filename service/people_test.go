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

// newTeam creates a team through the interface.
func newTeam(t testing.TB, s *servicetest.Server, name string) model.Team {
	t.Helper()
	var team model.Team
	s.Do("POST", "/teams", fmt.Sprintf(`{"name":%q,"workers":[],"managers":[]}`, name)).OK(&team)
	return team
}

// newWorker creates a worker with more members through the interface.
func newWorker(t testing.TB, s *servicetest.Server, team model.ID, phone, more string) model.Worker {
	t.Helper()
	if more != "" {
		more = "," + more
	}
	var worker model.Worker
	s.Do("POST", "/workers", fmt.Sprintf(`{"name":"Ana Ruiz","phone":%q,"teams":[%q]%s}`, phone, team, more)).OK(&worker)
	return worker
}

func newHub(t testing.TB, s *servicetest.Server, lon, lat float64) model.Hub {
	t.Helper()
	var hub model.Hub
	s.Do("POST", "/hubs", fmt.Sprintf(`{"name":"Depot","address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"},
		"location":[%g,%g]}`, lon, lat)).OK(&hub)
	return hub
}

func TestRecipientFields(t *testing.T) {
	s := servicetest.Start(t)
	var created, read model.Recipient
	s.Do("POST", "/recipients", `{"name":"Boris Foster","phone":"650-809-9258","notes":"Always orders our ham","skipSMSNotifications":true,
		"metadata":[{"name":"vip","type":"boolean","value":true}]}`).OK(&created)
	require.True(t, created.ID.Valid())
	require.Equal(t, s.Org, created.Organization)
	require.Equal(t, "+16508099258", created.Phone)
	require.Equal(t, "Always orders our ham", created.Notes)
	require.True(t, created.SkipSMSNotifications)
	require.Equal(t, []string{"api"}, created.Metadata[0].Visibility.Value())
	require.Zero(t, created.TimeCreated%1000)
	s.Do("GET", "/recipients/"+string(created.ID), nil).OK(&read)
	require.Equal(t, created, read)
}

func TestRecipientRules(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("POST", "/recipients", `{"name":"A","phone":"+14155550100"}`).OK(nil)
	for _, row := range []struct {
		name, body string
		status     int
		subcode    model.Int
	}{
		{"no name", `{"phone":"+14155550101"}`, 400, model.ErrorMissing},
		{"no phone", `{"name":"A"}`, 400, model.ErrorMissing},
		{"bad phone", `{"name":"A","phone":"12"}`, 400, model.ErrorInvalid},
		{"unchecked phone without plus", `{"name":"A","phone":"555","skipPhoneNumberValidation":true}`, 400, model.ErrorInvalid},
		{"taken phone", `{"name":"B","phone":"(415) 555-0100"}`, 400, model.ErrorDuplicate},
		{"bad metadata", `{"name":"A","phone":"+14155550101","metadata":[{"name":"x","type":"number","value":"1"}]}`, 400, model.ErrorInvalid},
		{"not an object", `[]`, 400, model.ErrorWrongType},
	} {
		t.Run(row.name, func(*testing.T) { s.Do("POST", "/recipients", row.body).Refused(row.status, row.subcode) })
	}
}

func TestFindRecipients(t *testing.T) {
	s := servicetest.Start(t)
	var ana, odd, found model.Recipient
	s.Do("POST", "/recipients", `{"name":"Ana / Söhne","phone":"+14155550100","metadata":[{"name":"zone","type":"object","value":{"b":1,"a":[1,2]}},
		{"name":"vip","type":"boolean","value":true}]}`).OK(&ana)
	s.Do("POST", "/recipients", `{"name":"Odd","phone":"+1 555 01","skipPhoneNumberValidation":true}`).OK(&odd)
	require.Equal(t, "+155501", odd.Phone)

	for _, path := range []string{
		"/recipients/name/ANA%20%2F%20S%C3%96HNE", "/recipients/phone/415-555-0100", "/recipients/phone/+14155550100",
		"/recipients/phone/%2B14155550100",
	} {
		s.Do("GET", path, nil).OK(&found)
		require.Equal(t, ana.ID, found.ID, path)
	}
	s.Do("GET", "/recipients/phone/+155501?skipPhoneNumberValidation=true", nil).OK(&found)
	require.Equal(t, odd.ID, found.ID)
	s.Do("GET", "/recipients/phone/+155501", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("GET", "/recipients/name/Ana", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	_, other := s.AddOrganization("Other", "")
	s.DoAs(other, "GET", "/recipients/phone/+14155550100", nil).Refused(http.StatusNotFound, model.ErrorNotFound)

	var list []model.Recipient
	s.Do("POST", "/recipients/metadata", `[{"name":"vip","type":"boolean","value":true},{"name":"zone","type":"object","value":{"a":[1,2],"b":1}}]`).OK(&list)
	require.Len(t, list, 1)
	s.Do("POST", "/recipients/metadata", `[{"name":"zone","type":"object","value":{"a":[2,1],"b":1}}]`).OK(&list)
	require.Empty(t, list)
	s.Do("POST", "/recipients/metadata", `[]`).Refused(http.StatusBadRequest, model.ErrorMissing)
}

func TestUpdateRecipient(t *testing.T) {
	s := servicetest.Start(t)
	var r model.Recipient
	s.Do("POST", "/recipients", `{"name":"Ana","phone":"+14155550100","notes":"x","metadata":[{"name":"a","type":"number","value":1}]}`).OK(&r)
	path := "/recipients/" + string(r.ID)
	s.Clock.Advance(1500 * time.Millisecond)
	var changed model.Recipient
	s.Do("PUT", path, `{"name":"Ana Ruiz","notes":null,"skipSMSNotifications":true,"metadata":[{"name":"b","type":"number","value":2}]}`).OK(&changed)
	require.Equal(t, "Ana Ruiz", changed.Name)
	require.Empty(t, changed.Notes)
	require.True(t, changed.SkipSMSNotifications)
	require.Greater(t, changed.TimeLastModified, r.TimeLastModified)
	require.Equal(t, r.TimeCreated, changed.TimeCreated)
	var list []model.Recipient
	s.Do("POST", "/recipients/metadata", `[{"name":"a","type":"number","value":1}]`).OK(&list)
	require.Empty(t, list, "the old entry is not found any more")
	s.Do("POST", "/recipients/metadata", `[{"name":"b","type":"number","value":2.0}]`).OK(&list)
	require.Len(t, list, 1)
	s.Do("PUT", path, `{"phone":"+14155550101"}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", path, `{"name":""}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("GET", "/recipients/name/ana%20ruiz", nil).OK(&changed)
}

func TestTeams(t *testing.T) {
	s := servicetest.Start(t)
	north := newTeam(t, s, "North")
	require.True(t, north.ID.Valid())
	require.False(t, north.EnableSelfAssignment.Value())
	require.True(t, north.Hub.IsNull())
	require.Empty(t, north.Workers)
	worker := newWorker(t, s, north.ID, "+14155550100", "")
	hub := newHub(t, s, -122.4, 37.78)
	var admin model.Admin
	s.Do("POST", "/admins", `{"name":"Boss","email":"boss@example.com"}`).OK(&admin)

	s.Clock.Advance(time.Second)
	var south model.Team
	s.Do("POST", "/teams", fmt.Sprintf(`{"name":"South","workers":[%q],"managers":[%q],"hub":%q,"enableSelfAssignment":true}`,
		worker.ID, admin.ID, hub.ID)).OK(&south)
	require.Equal(t, []model.ID{worker.ID}, south.Workers)
	require.Equal(t, []model.ID{admin.ID}, south.Managers)
	require.Equal(t, hub.ID, south.Hub.Value())
	require.True(t, south.EnableSelfAssignment.Value())
	task := createTask(t, s, fmt.Sprintf(`"container":{"type":"TEAM","team":%q}`, south.ID))

	var list []model.Team
	s.Do("GET", "/teams", nil).OK(&list)
	require.Len(t, list, 2)
	var read model.Team
	s.Do("GET", "/teams/"+string(south.ID), nil).OK(&read)
	require.Equal(t, []model.ID{task.ID}, read.Tasks)
	require.Equal(t, read, list[1])

	var admins []model.Admin
	s.Do("GET", "/admins", nil).OK(&admins)
	require.Equal(t, []model.ID{south.ID}, admins[0].Teams)

	path := "/teams/" + string(south.ID)
	s.Do("PUT", path, `{"name":"South East","hub":null,"managers":[]}`).OK(&read)
	require.Equal(t, "South East", read.Name)
	require.True(t, read.Hub.IsNull())
	require.Empty(t, read.Managers)
	require.Equal(t, []model.ID{worker.ID}, read.Workers)

	s.Do("DELETE", path, nil).Refused(http.StatusConflict, model.ErrorInvalid)
	s.Do("PUT", path, `{"workers":[]}`).OK(&read)
	answer := s.Do("DELETE", path, nil)
	answer.OK(nil)
	require.Empty(t, answer.Body)
	s.Do("GET", path, nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	moved := getTask(t, s, task.ID)
	require.Equal(t, model.ContainerOrganization, moved.Container.Value().Type)
}

func TestTeamRules(t *testing.T) {
	s := servicetest.Start(t)
	team := newTeam(t, s, "North")
	newTeam(t, s, "South")
	worker := newWorker(t, s, team.ID, "+14155550100", "")
	unknown := model.NewID()
	for _, row := range []struct {
		name, method, path, body string
		subcode                  model.Int
		status                   int
	}{
		{"no name", "POST", "/teams", `{"workers":[],"managers":[]}`, model.ErrorMissing, 400},
		{"no workers", "POST", "/teams", `{"name":"X","managers":[]}`, model.ErrorMissing, 400},
		{"no managers", "POST", "/teams", `{"name":"X","workers":[]}`, model.ErrorMissing, 400},
		{"taken name", "POST", "/teams", `{"name":"NORTH ","workers":[],"managers":[]}`, model.ErrorNotUnique, 400},
		{"unknown worker", "POST", "/teams", fmt.Sprintf(`{"name":"X","workers":[%q],"managers":[]}`, unknown), model.ErrorInvalid, 400},
		{"unknown manager", "POST", "/teams", fmt.Sprintf(`{"name":"X","workers":[],"managers":[%q]}`, unknown), model.ErrorInvalid, 400},
		{"no id", "POST", "/teams", `{"name":"X","workers":["me"],"managers":[]}`, model.ErrorWrongType, 400},
		{"unknown hub", "POST", "/teams", fmt.Sprintf(`{"name":"X","workers":[],"managers":[],"hub":%q}`, unknown), model.ErrorNotFound, 404},
		{"rename to taken", "PUT", "/teams/" + string(team.ID), `{"name":"south"}`, model.ErrorNotUnique, 400},
		{"a worker without team", "PUT", "/teams/" + string(team.ID), `{"workers":[]}`, model.ErrorInvalid, 400},
	} {
		t.Run(row.name, func(t *testing.T) {
			refusal := s.Do(row.method, row.path, row.body).Refused(row.status, row.subcode)
			if row.subcode == model.ErrorNotUnique {
				require.Equal(t, model.CodeInvalidArgument, refusal.Code)
				require.Equal(t, "Name is not unique within org", refusal.Message.Cause.Value().Text)
			}
		})
	}
	var read model.Team
	s.Do("GET", "/teams/"+string(team.ID), nil).OK(&read)
	require.Equal(t, []model.ID{worker.ID}, read.Workers, "a refused change leaves nothing behind")
}

func TestHubs(t *testing.T) {
	s := servicetest.Start(t)
	team, other := newTeam(t, s, "North"), newTeam(t, s, "South")
	var hub model.Hub
	s.Do("POST", "/hubs", fmt.Sprintf(`{"name":"Mission","address":{"number":"10","street":"Market St","city":"San Francisco","state":"CA",
		"country":"USA"},"teams":[%q],"phone":"415 555 0100"}`, team.ID)).OK(&hub)
	require.InDelta(t, 37.77, hub.Location.Lat, 0.2)
	require.Equal(t, []model.ID{team.ID}, hub.Teams)
	require.Equal(t, "+14155550100", hub.Phone.Value())
	path := "/hubs/" + string(hub.ID)
	s.Do("PUT", path, fmt.Sprintf(`{"name":"Mission 2","teams":[%q]}`, other.ID)).OK(&hub)
	require.Equal(t, []model.ID{other.ID}, hub.Teams)
	s.Do("PUT", path, `{"address":{"number":"1","street":"Main St","city":"Oakland","country":"USA"},"location":[-122.27,37.8]}`).OK(&hub)
	require.Equal(t, model.Location{Lon: -122.27, Lat: 37.8}, hub.Location)
	require.Equal(t, "Oakland", hub.Address.City)
	s.Do("PUT", path, `{"location":[-122.28,37.81]}`).OK(&hub)
	require.Equal(t, model.Location{Lon: -122.28, Lat: 37.81}, hub.Location)
	require.Equal(t, "Oakland", hub.Address.City)
	var hubs []model.Hub
	s.Do("GET", "/hubs", nil).OK(&hubs)
	require.Equal(t, []model.Hub{hub}, hubs)
	for name, body := range map[string]string{
		"no name":    `{"address":{"number":"1","street":"A","city":"San Francisco","country":"USA"}}`,
		"no address": `{"name":"X"}`,
		"no street":  `{"name":"X","address":{"city":"San Francisco","country":"USA"}}`,
	} {
		t.Run(name, func(*testing.T) { s.Do("POST", "/hubs", body).Refused(http.StatusBadRequest, model.ErrorMissing) })
	}
	s.Do("POST", "/hubs", `{"name":"X","address":{"unparsed":"1 Void Rd, Nowhereville-on-Void, USA"}}`).
		Refused(http.StatusBadRequest, model.ErrorGeocoding)
}

func TestAdmins(t *testing.T) {
	s := servicetest.Start(t)
	var owner, admin model.Admin
	s.Do("POST", "/admins", `{"name":"Owner","email":"owner@example.com","type":"super"}`).OK(&owner)
	require.True(t, owner.IsAccountOwner)
	s.Clock.Advance(time.Second)
	s.Do("POST", "/admins", `{"name":"Ana","email":"Ana@example.com","phone":"415 555 0100","isReadOnly":true,
		"metadata":[{"name":"desk","type":"number","value":7}]}`).OK(&admin)
	require.Equal(t, "standard", admin.Type)
	require.Equal(t, "+14155550100", admin.Phone.Value())
	require.True(t, admin.IsActive)
	require.True(t, admin.IsReadOnly)
	for _, row := range []struct {
		name, body string
		subcode    model.Int
	}{
		{"no name", `{"email":"x@example.com"}`, model.ErrorMissing},
		{"no email", `{"name":"X"}`, model.ErrorMissing},
		{"bad email", `{"name":"X","email":"x"}`, model.ErrorInvalid},
		{"bad phone", `{"name":"X","email":"x@example.com","phone":"12"}`, model.ErrorInvalid},
		{"bad type", `{"name":"X","email":"x@example.com","type":"king"}`, model.ErrorInvalid},
		{"second super", `{"name":"X","email":"x@example.com","type":"super"}`, model.ErrorInvalid},
		{"taken email", `{"name":"X","email":"ana@EXAMPLE.com"}`, model.ErrorDuplicate},
		{"bad metadata", `{"name":"X","email":"x@example.com","metadata":[{"name":"a"}]}`, model.ErrorMissing},
	} {
		t.Run(row.name, func(*testing.T) { s.Do("POST", "/admins", row.body).Refused(http.StatusBadRequest, row.subcode) })
	}
	var list []model.Admin
	s.Do("POST", "/admins/metadata", `[{"name":"desk","type":"number","value":7}]`).OK(&list)
	require.Len(t, list, 1)
	s.Do("PUT", "/admins/"+string(admin.ID), `{"name":"Ana Ruiz","phone":null,"isReadOnly":false}`).OK(&admin)
	require.Equal(t, "Ana Ruiz", admin.Name)
	require.True(t, admin.Phone.IsNull())
	require.False(t, admin.IsReadOnly)
	s.Do("DELETE", "/admins/"+string(admin.ID), nil).OK(nil)
	s.Do("DELETE", "/admins/"+string(owner.ID), nil).Refused(http.StatusConflict, model.ErrorInvalid)
	s.Do("GET", "/admins", nil).OK(&list)
	require.Len(t, list, 1)
}

func TestOrganizations(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	stranger, _ := s.AddOrganization("Stranger", "")
	var own, connected model.Organization
	s.DoAs(clientKey, "GET", "/organization", nil).OK(&own)
	require.Equal(t, []model.ID{s.Org}, own.Delegatees)
	s.DoAs(clientKey, "GET", "/organizations/"+string(s.Org), nil).OK(&connected)
	require.Equal(t, "Bay Couriers", connected.Name)
	require.True(t, connected.IsFulfillment.Value())
	s.Do("GET", "/organizations/"+string(client), nil).OK(&connected)
	require.False(t, connected.IsFulfillment.Value())
	require.False(t, connected.TimeCreated.Present())
	s.Do("GET", "/organizations/"+string(stranger), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
}

func TestCustomFieldsAndTemplates(t *testing.T) {
	s := servicetest.Start(t)
	pickup := `[{"isRequired":false,"conditions":[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true}]}]`
	dropoff := `[{"isRequired":false,"conditions":[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":false}]}]`
	var made model.CustomFieldList
	s.Do("POST", "/customFields", `{"model":"Task","fields":[
		{"key":"any","name":"Any","type":"single_line_text_field"},
		{"key":"up","name":"Up","type":"integer","contexts":`+pickup+`},
		{"key":"off","name":"Off","type":"Url","contexts":`+dropoff+`}]}`).OK(&made)
	require.Len(t, made.Fields, 3)
	require.Equal(t, "save", made.Fields[0].Contexts[0].Name)
	require.Equal(t, model.FieldURL, made.Fields[2].Type)
	var list model.CustomFieldList
	s.Do("GET", "/customFields/Task", nil).OK(&list)
	require.ElementsMatch(t, made.Fields, list.Fields)

	condition := func(target string) string {
		return `[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":` + target + `}]`
	}
	for _, row := range []struct {
		name, conditions, fields string
		subcode                  model.Int
	}{
		{"both", `[]`, `["any"]`, 0},
		{"pickup with pickup field", condition("true"), `["up","any"]`, 0},
		{"drop-off with drop-off field", condition("false"), `["off"]`, 0},
		{"no fields at all", `[]`, `[]`, 0},
		{"pickup with drop-off field", condition("true"), `["off"]`, model.ErrorInvalid},
		{"drop-off with pickup field", condition("false"), `["up"]`, model.ErrorInvalid},
		{"both with pickup field", `[]`, `["up"]`, model.ErrorInvalid},
		{"both with drop-off field", `[]`, `["off"]`, model.ErrorInvalid},
		{"unknown field", `[]`, `["Any"]`, model.ErrorInvalid},
		{"other condition", `[{"fieldName":"quantity","comparison":"equal_to","targetValue":true}]`, `[]`, model.ErrorInvalid},
		{"two conditions", `[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true},
			{"fieldName":"pickupTask","comparison":"equal_to","targetValue":false}]`, `[]`, model.ErrorInvalid},
		{"null fields", `[]`, `null`, model.ErrorMissing},
		{"null conditions", `null`, `[]`, model.ErrorMissing},
	} {
		t.Run(row.name, func(t *testing.T) {
			s.Clock.Advance(time.Millisecond)
			answer := s.Do("POST", "/cfGroups/task", fmt.Sprintf(`{"name":%q,"contextSaveConditions":%s,"fields":%s}`,
				row.name, row.conditions, row.fields))
			if row.subcode != 0 {
				answer.Refused(http.StatusBadRequest, row.subcode)
				return
			}
			var template model.Template
			answer.OK(&template)
			require.True(t, template.ID.Valid())
			require.True(t, template.DeletedAt.IsNull())
			require.False(t, template.IsDefault)
		})
	}
	s.Do("POST", "/cfGroups/task", `{"contextSaveConditions":[],"fields":[]}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	cause := s.Do("POST", "/cfGroups/task", `{"name":"BOTH","contextSaveConditions":[],"fields":[]}`).
		Refused(http.StatusBadRequest, model.ErrorDuplicate).Message.Cause.Value()
	require.Equal(t, "name", cause.Object.Key.Value())

	s.Do("PUT", "/customFields", `{"model":"Task","fields":[{"key":"up","description":"Floors","contexts":`+dropoff+`}]}`).
		Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", "/customFields", `{"fields":[{"key":"up","description":"Floors"}]}`).OK(&made)
	require.Equal(t, "Floors", made.Fields[0].Description)
	s.Do("PUT", "/customFields", `{"fields":[{"key":"up","type":"boolean"}]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", "/customFields", `{"fields":[{"key":"none"}]}`).Refused(http.StatusNotFound, model.ErrorNotFound)

	answer := s.Do("DELETE", "/customFields", `{"model":"Task","fields":[{"key":"any"}]}`)
	answer.OK(nil)
	require.Empty(t, answer.Body)
	var templates []model.Template
	s.Do("GET", "/cfGroups/task", nil).OK(&templates)
	require.Len(t, templates, 4)
	require.Equal(t, []string{"up"}, templates[1].Fields, "a removed field leaves the templates")
}

func TestCustomFieldRules(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("POST", "/customFields", `{"fields":[{"key":"a","name":"A","type":"date"}]}`).OK(nil)
	for _, row := range []struct {
		name, body string
		subcode    model.Int
	}{
		{"none", `{"model":"Task","fields":[]}`, model.ErrorMissing},
		{"other model", `{"model":"Worker","fields":[{"key":"b","name":"B","type":"date"}]}`, model.ErrorInvalid},
		{"no key", `{"fields":[{"name":"B","type":"date"}]}`, model.ErrorMissing},
		{"no name", `{"fields":[{"key":"b","type":"date"}]}`, model.ErrorMissing},
		{"no type", `{"fields":[{"key":"b","name":"B"}]}`, model.ErrorMissing},
		{"bad type", `{"fields":[{"key":"b","name":"B","type":"colour"}]}`, model.ErrorInvalid},
		{"bad visibility", `{"fields":[{"key":"b","name":"B","type":"date","visibility":["all"]}]}`, model.ErrorInvalid},
		{"bad editability", `{"fields":[{"key":"b","name":"B","type":"date","editability":["all"]}]}`, model.ErrorInvalid},
		{"bad condition", `{"fields":[{"key":"b","name":"B","type":"date","contexts":[{"conditions":[{"fieldName":"x","comparison":"equal_to"}]}]}]}`, model.ErrorInvalid},
		{"key twice", `{"fields":[{"key":"b","name":"B","type":"date"},{"key":"b","name":"B","type":"date"}]}`, model.ErrorInvalid},
		{"taken key", `{"fields":[{"key":"a","name":"A","type":"date"}]}`, model.ErrorDuplicate},
	} {
		t.Run(row.name, func(*testing.T) { s.Do("POST", "/customFields", row.body).Refused(http.StatusBadRequest, row.subcode) })
	}
}
