package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service"
)

// fixtures create one object of each kind in the server's first organization.
func fixtures() map[service.Resource]func(testing.TB, *servicetest.Server) string {
	idOf := func(make func(testing.TB, *servicetest.Server) model.ID) func(testing.TB, *servicetest.Server) string {
		return func(t testing.TB, s *servicetest.Server) string { return string(make(t, s)) }
	}
	created := func(path, body string) func(testing.TB, *servicetest.Server) string {
		return func(_ testing.TB, s *servicetest.Server) string {
			var made struct {
				ID model.ID `json:"id"`
			}
			s.Do("POST", path, body).OK(&made)
			return string(made.ID)
		}
	}
	return map[service.Resource]func(testing.TB, *servicetest.Server) string{
		service.OrganizationResource: func(_ testing.TB, s *servicetest.Server) string { return string(s.Org) },
		service.ContainerResource:    func(_ testing.TB, s *servicetest.Server) string { return string(s.Org) },
		service.DestinationResource:  created("/destinations", place(-122.4, 37.78)),
		service.RecipientResource:    created("/recipients", `{"name":"Ana","phone":"+14155550100"}`),
		service.TaskResource:         idOf(func(t testing.TB, s *servicetest.Server) model.ID { return createTask(t, s, "").ID }),
		service.TeamResource:         idOf(func(t testing.TB, s *servicetest.Server) model.ID { return newTeam(t, s, "North").ID }),
		service.HubResource:          idOf(func(t testing.TB, s *servicetest.Server) model.ID { return newHub(t, s, -122.4, 37.78).ID }),
		service.AdminResource:        created("/admins", `{"name":"Ana","email":"ana@example.com"}`),
		service.RoutePlanResource:    created("/routePlans", `{"name":"Monday round","startTime":1772470800000}`),
		service.OrderResource:        created("/taskOrders", orderBody("")),
		service.WorkerResource: idOf(func(t testing.TB, s *servicetest.Server) model.ID {
			return newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "").ID
		}),
		service.WebhookResource: idOf(func(t testing.TB, s *servicetest.Server) model.ID {
			return createHook(s, newMailbox(t, s).URL, model.TriggerTaskCreated).ID
		}),
		service.DispatchResource: func(t testing.TB, s *servicetest.Server) string {
			var accepted model.DispatchAccepted
			team := newTeam(t, s, "North")
			worker := newWorker(t, s, team.ID, "+14155550100", "")
			require.NoError(t, s.World.GoOnDuty(t.Context(), worker.ID))
			createTask(t, s, fmt.Sprintf(`"container":{"type":"TEAM","team":%q}`, team.ID))
			s.Do("POST", "/teams/"+string(team.ID)+"/dispatch", "{}").OK(&accepted)
			return string(accepted.DispatchID)
		},
		service.BatchResource: func(_ testing.TB, s *servicetest.Server) string {
			var accepted model.BatchAccepted
			s.Do("POST", "/tasks/batch-async", `{"tasks":[`+taskBody("")+`]}`).OK(&accepted)
			return string(accepted.JobID)
		},
	}
}

// lookups are routes with another parameter than an id. Each creates an object and returns its path.
func lookups() map[string]func(testing.TB, *servicetest.Server) string {
	recipient := func(path string) func(testing.TB, *servicetest.Server) string {
		return func(_ testing.TB, s *servicetest.Server) string {
			s.Do("POST", "/recipients", `{"name":"Ana","phone":"+14155550100"}`).OK(nil)
			return path
		}
	}
	event := func(path string) func(testing.TB, *servicetest.Server) string {
		return func(t testing.TB, s *servicetest.Server) string {
			createHook(s, newMailbox(t, s).URL, model.TriggerTaskCreated)
			createTask(t, s, "")
			return path
		}
	}
	return map[string]func(testing.TB, *servicetest.Server) string{
		"GET /recipients/name/{name}":          recipient("/recipients/name/Ana"),
		"GET /recipients/phone/{phone}":        recipient("/recipients/phone/+14155550100"),
		"GET /webhooks/events/{event}":         event("/webhooks/events/1"),
		"POST /webhooks/events/{event}/replay": event("/webhooks/events/1/replay"),
		"GET /tasks/shortId/{shortId}": func(t testing.TB, s *servicetest.Server) string {
			return "/tasks/shortId/" + string(createTask(t, s, "").ShortID)
		},
	}
}

// bodyOf returns a body for a route. An empty object is enough where the path is checked before the body.
func bodyOf(route service.Route) string {
	if strings.HasPrefix(route.Path, "/containers/") {
		return fmt.Sprintf(`{"tasks":[-1,%q]}`, model.NewID())
	}
	return "{}"
}

// TestEveryRouteRefusesOtherOrganizations tries the id of another organization, an unknown and a malformed one on every
// route. A new route needs a fixture for its resource.
func TestEveryRouteRefusesOtherOrganizations(t *testing.T) {
	for _, route := range service.Routes() {
		if !strings.Contains(route.Path, "{") {
			require.Equal(t, service.NoResource, route.Resource, "%s %s names a resource but has no {id}", route.Method, route.Path)
			continue
		}
		t.Run(route.Method+strings.ReplaceAll(route.Path, "/", " "), func(t *testing.T) {
			t.Parallel()
			if make, ok := lookups()[route.Method+" "+route.Path]; ok {
				require.Equal(t, service.NoResource, route.Resource)
				requireFoundByOwnerOnly(t, route.Method, make)
				return
			}
			make, ok := fixtures()[route.Resource]
			require.True(t, ok, "there is no fixture for %q", route.Resource)
			s := servicetest.Start(t)
			_, stranger := s.AddOrganization("Stranger", "")
			id := make(t, s)
			do := func(key, id string) servicetest.Answer {
				var body any
				if route.Method == "POST" || route.Method == "PUT" {
					body = bodyOf(route)
				}
				return s.DoAs(key, route.Method, strings.Replace(route.Path, "{id}", id, 1), body)
			}
			foreign := do(stranger, id)
			require.Equal(t, http.StatusUnauthorized, foreign.Status, "a stranger's key: %s", foreign.Body)
			require.Equal(t, model.ErrorScope, subcode(t, foreign), "a stranger's key: %s", foreign.Body)
			unknown := do(s.Key, string(model.NewID()))
			require.Equal(t, http.StatusNotFound, unknown.Status, "an unknown id: %s", unknown.Body)
			require.Equal(t, model.ErrorNotFound, subcode(t, unknown), "an unknown id: %s", unknown.Body)
			for _, malformed := range []string{"x", "%20", id + "A", strings.Repeat("-", model.IDLength), "%00", "..%2F" + id} {
				answer := do(s.Key, malformed)
				require.Equal(t, http.StatusNotFound, answer.Status, "%q: %s", malformed, answer.Body)
				require.Equal(t, model.ErrorNotFound, subcode(t, answer), "%q: %s", malformed, answer.Body)
			}
		})
	}
}

// subcode returns the subcode of an error in either of the two shapes.
func subcode(t testing.TB, a servicetest.Answer) model.Int {
	t.Helper()
	var envelope struct {
		Message model.Raw `json:"message"`
		Error   model.Int `json:"error,omitzero"`
	}
	require.NoError(t, model.Unmarshal(a.Body, &envelope), "%s", a.Body)
	if envelope.Error != 0 {
		return envelope.Error
	}
	var message model.ErrorMessage
	require.NoError(t, model.Unmarshal(envelope.Message, &message), "%s", a.Body)
	return message.Error
}

// requireFoundByOwnerOnly requests a path with the key of its owner and of another organization.
func requireFoundByOwnerOnly(t *testing.T, method string, make func(testing.TB, *servicetest.Server) string) {
	t.Helper()
	s := servicetest.Start(t)
	_, stranger := s.AddOrganization("Stranger", "")
	path := make(t, s)
	s.Do(method, path, nil).OK(nil)
	require.Contains(t, []model.Int{model.ErrorNotFound, model.ErrorScope}, subcode(t, s.DoAs(stranger, method, path, nil)))
}

// TestListsShowOnlyTheOrganization reads every list with the key of another organization.
func TestListsShowOnlyTheOrganization(t *testing.T) {
	s := servicetest.Start(t)
	_, stranger := s.AddOrganization("Stranger", "")
	entry := `[{"name":"a","type":"number","value":1}]`
	more := `,"metadata":` + entry
	team := newTeam(t, s, "North")
	newWorker(t, s, team.ID, "+14155550100", more[1:])
	newHub(t, s, -122.4, 37.78)
	s.Do("POST", "/recipients", `{"name":"Ana","phone":"+14155550100"`+more+`}`).OK(nil)
	s.Do("POST", "/admins", `{"name":"Ana","email":"ana@example.com"`+more+`}`).OK(nil)
	s.Do("POST", "/customFields", `{"fields":[{"key":"a","name":"A","type":"date"}]}`).OK(nil)
	s.Do("POST", "/cfGroups/task", `{"name":"T","contextSaveConditions":[],"fields":["a"]}`).OK(nil)
	createTask(t, s, more[1:])
	for _, path := range []string{"/teams", "/workers", "/hubs", "/admins", "/cfGroups/task", "/customFields/Task", "/tasks/all?from=1"} {
		require.NotRegexp(t, `^(\[\]|\{"(tasks|fields)":\[\]\})$`, string(s.Do("GET", path, nil).Body), path)
		require.Regexp(t, `^(\[\]|\{"(tasks|fields)":\[\]\})$`, string(s.DoAs(stranger, "GET", path, nil).Body), path)
	}
	for _, kind := range []string{"workers", "recipients", "admins", "tasks"} {
		path := fmt.Sprintf("/%s/metadata", kind)
		require.NotEqual(t, "[]", string(s.Do("POST", path, entry).Body), path)
		require.Equal(t, "[]", string(s.DoAs(stranger, "POST", path, entry).Body), path)
	}
}
