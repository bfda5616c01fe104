package apitest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

// TestSuite tests the suite with a small service in memory, which has only the rules that the suite needs.
func TestSuite(t *testing.T) {
	t.Parallel()
	m := newMemory()
	server := httptest.NewServer(m)
	defer server.Close()
	apitest.RunSuite(t, apitest.Subject{
		Client: m.client(t, server.URL, "first-key"), OtherOrganization: m.client(t, server.URL, "second-key"),
		WrongKey: m.client(t, server.URL, "wrong-key"), StartTask: m.start, WebhookURL: "https://hooks.example/",
	})
}

// memory is a service in memory.
type memory struct {
	mux        *http.ServeMux
	mu         sync.Mutex
	owner      map[model.ID]model.ID // resource → organization
	places     map[model.ID]model.Destination
	recipients map[model.ID]model.Recipient
	teams      map[model.ID]model.Team
	workers    map[model.ID]model.Worker
	tasks      map[model.ID]model.Task
	order      []model.ID
	routes     map[model.ID][]model.ID // worker → tasks
	jobs       map[model.ID]model.BatchJob
	plans      map[model.ID]model.RoutePlan
	templates  map[string]model.Template
	hooks      []model.Webhook
	orgs       map[string]model.ID
}

type refusal struct {
	status  int
	code    string
	subcode model.Int
	cause   model.Opt[model.Cause]
	batch   bool
}

func (r refusal) Error() string { return fmt.Sprint(r.code, r.subcode) }

func invalid(subcode model.Int) error {
	return refusal{status: 400, code: model.CodeInvalidContent, subcode: subcode}
}

func missing() error {
	return refusal{status: 409, code: model.CodeInvalidArgument, subcode: model.ErrorMissing}
}

func notFound() error {
	return refusal{status: 404, code: model.CodeResourceNotFound, subcode: model.ErrorNotFound}
}

func newMemory() *memory {
	m := &memory{
		mux: http.NewServeMux(), owner: map[model.ID]model.ID{}, places: map[model.ID]model.Destination{},
		recipients: map[model.ID]model.Recipient{}, teams: map[model.ID]model.Team{},
		workers: map[model.ID]model.Worker{}, tasks: map[model.ID]model.Task{}, routes: map[model.ID][]model.ID{},
		jobs: map[model.ID]model.BatchJob{}, plans: map[model.ID]model.RoutePlan{}, templates: map[string]model.Template{},
		orgs: map[string]model.ID{"first-key": model.NewID(), "second-key": model.NewID()},
	}
	m.route("GET /auth/test", func(*http.Request, model.ID) (any, error) { return model.Greeting{Message: "hello"}, nil })
	m.route("GET /organization", func(_ *http.Request, org model.ID) (any, error) { return model.Organization{ID: org}, nil })
	m.routePlaces()
	m.routePeople()
	m.routeTasks()
	m.routeLists()
	m.routeRoutePlans()
	m.routeRest()
	return m
}

func (m *memory) client(t *testing.T, url, key string) *apiclient.Client {
	client, err := apiclient.New(apiclient.Options{
		BaseURL: url + "/v2", Key: apiclient.StaticKey(key),
		Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1_000_000}),
	})
	require.NoError(t, err)
	return client
}

func (m *memory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.StripPrefix("/v2", m.mux).ServeHTTP(w, r)
}

func (m *memory) route(pattern string, handle func(*http.Request, model.ID) (any, error)) {
	m.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		w.Header().Set("X-RateLimit-Remaining", "19")
		key, _, _ := r.BasicAuth()
		org, ok := m.orgs[key]
		answer, err := any(nil), error(refusal{status: 401, code: model.CodeInvalidCredentials, subcode: model.ErrorKey})
		if ok {
			answer, err = handle(r, org)
		}
		if err != nil {
			m.refuse(w, err)
			return
		}
		if answer != nil {
			writeJSON(w, answer)
		}
	})
}

func writeJSON(w http.ResponseWriter, v any) {
	data, err := model.Marshal(v)
	if err == nil {
		_, _ = w.Write(data)
	}
}

func (m *memory) refuse(w http.ResponseWriter, err error) {
	r, ok := errors.AsType[refusal](err)
	if !ok {
		r = refusal{status: 400, code: model.CodeInvalidContent, subcode: model.ErrorWrongType}
	}
	w.WriteHeader(r.status)
	if r.batch {
		writeJSON(w, model.BatchErrorBody{StatusCode: model.Int(r.status), Error: r.subcode, Message: "no"})
		return
	}
	writeJSON(w, model.ErrorBody{Code: r.code, Message: model.ErrorMessage{
		Error: r.subcode, Message: "no", Cause: r.cause, Request: "4d3f",
	}})
}

func body[T any](r *http.Request) (T, error) {
	var v T
	data := make([]byte, r.ContentLength)
	for n := 0; n < len(data); {
		read, err := r.Body.Read(data[n:])
		if n += read; err != nil && n < len(data) {
			return v, err
		}
	}
	return v, model.Unmarshal(data, &v)
}

// lookup finds a resource of an organization.
func lookup[T any](m *memory, in map[model.ID]T, r *http.Request, org model.ID) (T, error) {
	id := model.ID(r.PathValue("id"))
	found, ok := in[id]
	var none T
	switch {
	case !ok:
		return none, notFound()
	case m.owner[id] != org:
		return none, refusal{status: 401, code: model.CodeInvalidCredentials, subcode: model.ErrorScope}
	}
	return found, nil
}

func (m *memory) own(org model.ID) model.ID {
	id := model.NewID()
	m.owner[id] = org
	return id
}

func now() model.Millis { return model.MillisOf(time.Now()) }

func (m *memory) newPlace(in model.DestinationInput, org model.ID) (model.Destination, error) {
	a := in.Address.Value()
	if a.Unparsed != "" && in.Location.Has() || a.Unparsed == "" && a.City == "" {
		return model.Destination{}, invalid(model.ErrorInvalid)
	}
	d := model.Destination{
		ID: m.own(org), TimeCreated: now(), Location: in.Location.Value(), Notes: in.Notes, Metadata: []model.Metadata{},
		Address: model.Address{Number: a.Number, Street: a.Street, City: a.City, Country: a.Country},
	}
	m.places[d.ID] = d
	return d, nil
}

func (m *memory) routePlaces() {
	m.route("POST /destinations", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.DestinationInput](r)
		if err != nil {
			return nil, err
		}
		return m.newPlace(in, org)
	})
	m.route("GET /destinations/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.places, r, org) })
}

// normal keeps the digits of an American number.
func normal(phone string) (string, error) {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, strings.TrimPrefix(phone, "+1"))
	if len(digits) != 10 {
		return "", invalid(model.ErrorInvalid)
	}
	return "+1" + digits, nil
}

func (m *memory) newRecipient(in model.RecipientInput, org model.ID) (model.Recipient, error) {
	phone, err := normal(in.Phone.Value())
	if err != nil {
		return model.Recipient{}, err
	}
	for _, other := range m.recipients {
		if other.Organization == org && other.Phone == phone {
			return other, refusal{
				status: 400, code: model.CodeInvalidContent, subcode: model.ErrorDuplicate,
				cause: model.Some(model.DuplicateCause("phone", phone)),
			}
		}
	}
	r := model.Recipient{
		ID: m.own(org), Organization: org, TimeCreated: now(), Name: in.Name.Value(), Phone: phone,
		Notes: in.Notes.Value(), Metadata: in.Metadata.Or([]model.Metadata{}),
	}
	m.recipients[r.ID] = r
	return r, nil
}

func (m *memory) findRecipient(is func(model.Recipient) bool) (any, error) {
	for _, r := range m.recipients {
		if is(r) {
			return r, nil
		}
	}
	return nil, notFound()
}

func (m *memory) routePeople() {
	m.route("POST /recipients", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.RecipientInput](r)
		if err != nil {
			return nil, err
		}
		return m.newRecipient(in, org)
	})
	m.route("GET /recipients/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.recipients, r, org) })
	m.route("GET /recipients/name/{name}", func(r *http.Request, _ model.ID) (any, error) {
		return m.findRecipient(func(x model.Recipient) bool { return strings.EqualFold(x.Name, r.PathValue("name")) })
	})
	m.route("GET /recipients/phone/{phone}", func(r *http.Request, _ model.ID) (any, error) {
		phone, err := normal(r.PathValue("phone"))
		if err != nil {
			return nil, err
		}
		return m.findRecipient(func(x model.Recipient) bool { return x.Phone == phone })
	})
	m.route("PUT /recipients/{id}", func(r *http.Request, org model.ID) (any, error) {
		recipient, err := lookup(m, m.recipients, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.RecipientInput](r)
		recipient.Notes = in.Notes.Or(recipient.Notes)
		m.recipients[recipient.ID] = recipient
		return recipient, err
	})
	m.route("POST /recipients/metadata", func(r *http.Request, _ model.ID) (any, error) {
		match, err := body[[]model.Metadata](r)
		found := []model.Recipient{}
		for _, x := range m.recipients {
			if hasAll(x.Metadata, match) {
				found = append(found, x)
			}
		}
		return found, err
	})
	m.routeTeams()
	m.routeWorkers()
}

func hasAll(entries, match []model.Metadata) bool {
	return !slices.ContainsFunc(match, func(want model.Metadata) bool {
		return !slices.ContainsFunc(entries, func(has model.Metadata) bool {
			return has.Name == want.Name && string(has.Value) == string(want.Value)
		})
	})
}

func (m *memory) routeTeams() {
	m.route("POST /teams/metadata", func(r *http.Request, _ model.ID) (any, error) {
		match, err := body[[]model.Metadata](r)
		found := []model.Team{}
		for _, team := range m.teams {
			if hasAll(team.Metadata.Value(), match) {
				found = append(found, team)
			}
		}
		return found, err
	})
	m.route("POST /teams", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.TeamInput](r)
		for _, other := range m.teams {
			if other.Name == in.Name.Value() {
				return nil, refusal{status: 409, code: model.CodeInvalidArgument, subcode: model.ErrorNotUnique}
			}
		}
		team := model.Team{
			ID: m.own(org), Name: in.Name.Value(), Workers: []model.ID{}, Managers: []model.ID{}, Tasks: []model.ID{},
		}
		m.teams[team.ID] = team
		return team, err
	})
	m.route("GET /teams", func(*http.Request, model.ID) (any, error) {
		all := []model.Team{}
		for _, team := range m.teams {
			all = append(all, team)
		}
		return all, nil
	})
	m.route("GET /teams/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.teams, r, org) })
	m.route("PUT /teams/{id}", func(r *http.Request, org model.ID) (any, error) {
		team, err := lookup(m, m.teams, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.TeamInput](r)
		team.Name = in.Name.Or(team.Name)
		if in.Metadata.Present() {
			team.Metadata = in.Metadata
		}
		m.teams[team.ID] = team
		return team, err
	})
	m.route("DELETE /teams/{id}", func(r *http.Request, org model.ID) (any, error) {
		team, err := lookup(m, m.teams, r, org)
		delete(m.teams, team.ID)
		return nil, err
	})
	m.route("POST /teams/{id}/dispatch", func(r *http.Request, org model.ID) (any, error) {
		if _, err := lookup(m, m.teams, r, org); err != nil {
			return nil, err
		}
		in, err := body[model.DispatchRequest](r)
		window := in.TaskTimeWindow.Value()
		if in.MaxTasksPerRoute.Value() > 200 || in.MaxAllowedDelay.Or(10) <= 0 || in.RouteEnd.Has() ||
			len(window) == 2 && time.Until(window[1].Time()) > 12*time.Hour {
			return nil, invalid(model.ErrorInvalid)
		}
		return model.DispatchAccepted{DispatchID: model.NewID()}, err
	})
}
