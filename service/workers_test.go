package service_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service"
	"waybill/service/store"
	"waybill/service/world"
)

func TestCreateWorkerFields(t *testing.T) {
	s := servicetest.Start(t)
	team := newTeam(t, s, "North")
	worker := newWorker(t, s, team.ID, "617 342 8853", `"vehicle":{"type":"CAR","description":"Tesla Model S","licensePlate":"FKNS9A","color":"purple"},
		"capacity":10.5,"displayName":"Ana","additionalCapacities":{"capacityA":10,"capacityB":20.5,"capacityC":30},"timezone":"America/New_York",
		"metadata":[{"name":"shift","type":"string","value":"early"}]`)
	require.True(t, worker.ID.Valid())
	require.Equal(t, s.Org, worker.Organization)
	require.Equal(t, "+16173428853", worker.Phone)
	require.Equal(t, []model.ID{team.ID}, worker.Teams)
	require.Equal(t, "Ana", worker.DisplayName.Value())
	require.InDelta(t, 10.5, worker.Capacity, 0)
	require.Equal(t, model.Capacities{A: 10, B: 20.5, C: 30}, worker.AdditionalCapacities.Value())
	vehicle := worker.Vehicle.Value()
	require.True(t, vehicle.ID.Value().Valid())
	require.Equal(t, model.VehicleCar, vehicle.Type)
	require.Equal(t, "FKNS9A", vehicle.LicensePlate.Value())
	require.True(t, vehicle.TimeLastModified.Has())
	require.Equal(t, model.AccountInvited, worker.AccountStatus)
	require.False(t, worker.OnDuty)
	require.Empty(t, worker.Tasks)
	for _, null := range []interface{ IsNull() bool }{
		worker.ActiveTask, worker.TimeLastSeen, worker.ImageURL, worker.DelayTime, worker.Location, worker.Addresses.Value().Routing,
	} {
		require.True(t, null.IsNull())
	}
	require.False(t, worker.Password.Present(), "the password is not in the answer")
	var read model.Worker
	s.Do("GET", "/workers/"+string(worker.ID), nil).OK(&read)
	require.Equal(t, worker, read)
}

func TestCreateWorkerRules(t *testing.T) {
	s := servicetest.Start(t)
	team := newTeam(t, s, "North")
	newWorker(t, s, team.ID, "+16173428853", "")
	otherOrg, otherKey := s.AddOrganization("Other", "")
	foreign := addTeam(t, s, otherOrg)
	teams := fmt.Sprintf(`"teams":[%q]`, team.ID)
	good := `"name":"B","phone":"+14155550100",` + teams
	for _, row := range []struct {
		name, body, code string
		status           int
		subcode          model.Int
	}{
		{"no name", `{"phone":"+14155550100",` + teams + `}`, "InvalidArgument", 400, 1900},
		{"no phone", `{"name":"B",` + teams + `}`, "InvalidArgument", 400, 1900},
		{"no teams", `{"name":"B","phone":"+14155550100"}`, "InvalidArgument", 400, 1900},
		{"empty teams", `{"name":"B","phone":"+14155550100","teams":[]}`, "InvalidArgument", 400, 1900},
		{"bad phone", `{"name":"B","phone":"123",` + teams + `}`, "InvalidContent", 400, 1000},
		{"taken phone", `{"name":"B","phone":"(617) 342-8853",` + teams + `}`, "InvalidContent", 400, 1004},
		{"unknown team", fmt.Sprintf(`{"name":"B","phone":"+14155550100","teams":[%q]}`, model.NewID()), "ResourceNotFound", 404, 1402},
		{"foreign team", fmt.Sprintf(`{"name":"B","phone":"+14155550100","teams":[%q]}`, foreign), "InvalidCredentials", 401, 1103},
		{"vehicle without type", `{` + good + `,"vehicle":{"color":"red"}}`, "InvalidArgument", 400, 1900},
		{"odd vehicle", `{` + good + `,"vehicle":{"type":"BOAT"}}`, "InvalidContent", 400, 1000},
		{"negative capacity", `{` + good + `,"capacity":-1}`, "InvalidContent", 400, 1000},
		{"negative capacity A", `{` + good + `,"additionalCapacities":{"capacityA":-1}}`, "InvalidContent", 400, 1000},
		{"routing without location", `{` + good + `,"addresses":{"routing":{"address":{"number":"1","street":"A","city":"B","country":"C"}}}}`, "InvalidArgument", 400, 1900},
		{"routing without address", `{` + good + `,"addresses":{"routing":{"location":[1,2]}}}`, "InvalidArgument", 400, 1900},
		{"unknown routing", fmt.Sprintf(`{%s,"addresses":{"routing":%q}}`, good, model.NewID()), "ResourceNotFound", 404, 1402},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.code, s.Do("POST", "/workers", row.body).Refused(row.status, row.subcode).Code)
		})
	}
	cause := s.Do("POST", "/workers", `{"name":"B","phone":"617-342-8853",`+teams+`}`).Refused(400, 1004).Message.Cause.Value()
	require.Equal(t, "duplicateKey", cause.Object.Type)
	require.Equal(t, "phone", cause.Object.Key.Value())
	require.Equal(t, "+16173428853", cause.Object.ValueText())
	cause = s.Do("POST", "/workers", `{"name":"B","phone":"123",`+teams+`}`).Refused(400, 1000).Message.Cause.Value()
	require.Equal(t, "Invalid phone number format", cause.Text)
	var list []model.Worker
	s.Do("GET", "/workers", nil).OK(&list)
	require.Len(t, list, 1, "a refused worker leaves nothing behind")
	s.DoAs(otherKey, "POST", "/workers", fmt.Sprintf(`{"name":"B","phone":"+16173428853","teams":[%q]}`, foreign)).OK(nil)
}

func TestRoutingAddressFormats(t *testing.T) {
	s := servicetest.Start(t)
	team := newTeam(t, s, "North")
	var d model.Destination
	s.Do("POST", "/destinations", place(-122.4, 37.7)).OK(&d)
	byID := newWorker(t, s, team.ID, "+14155550100", fmt.Sprintf(`"addresses":{"routing":%q}`, d.ID))
	require.Equal(t, d.ID, byID.Addresses.Value().Routing.Value().Object.ID)
	byObject := newWorker(t, s, team.ID, "+14155550101", `"addresses":{"routing":`+place(-122.5, 37.6)+`}`)
	routing := byObject.Addresses.Value().Routing.Value().Object
	require.Equal(t, model.Location{Lon: -122.5, Lat: 37.6}, routing.Location)
	require.Equal(t, "Howard St", routing.Address.Street)
	singular := newWorker(t, s, team.ID, "+14155550102", fmt.Sprintf(`"address":{"routing":%q}`, d.ID))
	require.True(t, singular.Addresses.Value().Routing.Has())
	var cleared model.Worker
	s.Do("PUT", "/workers/"+string(byID.ID), `{"addresses":{"routing":null}}`).OK(&cleared)
	require.True(t, cleared.Addresses.Value().Routing.IsNull())
}

// sentMessages records messages.
type sentMessages struct{ list []world.Message }

func (m *sentMessages) Send(_ context.Context, message world.Message) error {
	m.list = append(m.list, message)
	return nil
}

func TestInvitation(t *testing.T) {
	var log bytes.Buffer
	opened, err := store.Open(context.Background(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close() })
	sent := &sentMessages{}
	w := world.New(world.Options{Store: opened, Messenger: sent, Log: slog.New(slog.NewTextHandler(&log, nil))})
	org, _, err := w.CreateOrganization(t.Context(), world.NewOrganization{Name: "Bay Couriers", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	actor := world.Actor{Type: world.ActorAPI, Org: org.ID}
	team, err := w.CreateTeam(t.Context(), actor, model.TeamInput{
		Name: model.Some("North"), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(t, err)
	worker, err := w.CreateWorker(t.Context(), actor, model.WorkerInput{
		Name: model.Some("Ana"), Phone: model.Some("+14155550100"), Teams: model.Some([]model.ID{team.ID}),
	})
	require.NoError(t, err)
	require.Len(t, sent.list, 1)
	require.Equal(t, "+14155550100", sent.list[0].Phone)

	list, err := w.Workers(t.Context(), org.ID, world.WorkersQuery{Passwords: true})
	require.NoError(t, err)
	details := list[0].Password.Value()
	require.False(t, details.IsPermanent)
	require.False(t, details.Value.Present(), "only its hash is stored")
	_, rest, _ := strings.Cut(sent.list[0].Body, "temporary password ")
	password, _, _ := strings.Cut(rest, ",")
	require.Len(t, password, 10)
	require.NotContains(t, log.String(), password)
	var unsent int
	require.NoError(t, opened.QueryRow(t.Context(), "SELECT COUNT(*) FROM outbox WHERE sent IS NULL").Scan(&unsent))
	require.Zero(t, unsent)

	_, err = w.LogInWorker(t.Context(), "+14155550100", "wrong")
	require.Error(t, err)
	login, err := w.LogInWorker(t.Context(), "+1 415 555 0100", password)
	require.NoError(t, err)
	require.Equal(t, world.WorkerLogin{Worker: worker.ID, Org: org.ID, Temporary: true}, login)
	require.Error(t, w.SetWorkerPassword(t.Context(), worker.ID, "short", ""))
	require.NoError(t, w.SetWorkerPassword(t.Context(), worker.ID, "correct horse", ""))
	_, err = w.LogInWorker(t.Context(), "+14155550100", password)
	require.Error(t, err, "the temporary password is gone")
	login, err = w.LogInWorker(t.Context(), "+14155550100", "correct horse")
	require.NoError(t, err)
	require.False(t, login.Temporary)
	list, err = w.Workers(t.Context(), org.ID, world.WorkersQuery{Passwords: true})
	require.NoError(t, err)
	require.Equal(t, model.PasswordDetails{IsPermanent: true}, list[0].Password.Value())
	require.Equal(t, model.AccountAccepted, list[0].AccountStatus)
}

func TestInvitationWaitsWithoutProvider(t *testing.T) {
	s := servicetest.Start(t)
	newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
	var phone, body string
	require.NoError(t, s.Store.QueryRow(t.Context(), "SELECT phone, body FROM outbox WHERE kind = 'invitation' AND sent IS NULL").Scan(&phone, &body))
	require.Equal(t, "+14155550100", phone)
	require.Contains(t, body, "Bay Couriers")
}

func TestListWorkers(t *testing.T) {
	s := servicetest.Start(t)
	north, south := newTeam(t, s, "North"), newTeam(t, s, "South")
	off := newWorker(t, s, north.ID, "+14155550100", "")
	s.Clock.Advance(time.Second)
	idle := newWorker(t, s, south.ID, "+14155550101", "")
	s.Clock.Advance(time.Second)
	active := newWorker(t, s, south.ID, "+14155550102", "")
	task := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, active.ID))
	waiting := createTask(t, s, fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, active.ID))
	for _, id := range []model.ID{idle.ID, active.ID} {
		require.NoError(t, s.World.GoOnDuty(t.Context(), id))
	}
	require.NoError(t, s.World.StartTask(t.Context(), active.ID, task.ID))
	for query, want := range map[string][]model.ID{
		"":                                    {off.ID, idle.ID, active.ID},
		"?teams=" + string(south.ID):          {idle.ID, active.ID},
		"?states=0":                           {off.ID},
		"?states=1,2":                         {idle.ID, active.ID},
		"?states=2&teams=" + string(north.ID): {},
		"?phones=415-555-0101,%2B14155550100,nonsense": {off.ID, idle.ID},
		"?phones=nonsense": {},
	} {
		t.Run(query, func(t *testing.T) {
			var list []model.Worker
			s.Do("GET", "/workers"+query, nil).OK(&list)
			got := []model.ID{}
			for _, worker := range list {
				got = append(got, worker.ID)
			}
			require.Equal(t, want, got)
		})
	}
	var busy model.Worker
	s.Do("GET", "/workers/"+string(active.ID), nil).OK(&busy)
	require.Equal(t, task.ID, busy.ActiveTask.Value())
	require.Equal(t, []model.ID{waiting.ID}, busy.Tasks)
	require.True(t, busy.OnDuty)

	answer := s.Do("GET", "/workers?filter=name,teams", nil)
	answer.OK(nil)
	require.JSONEq(t, fmt.Sprintf(`[{"name":"Ana Ruiz","teams":[%q]},{"name":"Ana Ruiz","teams":[%q]},{"name":"Ana Ruiz","teams":[%q]}]`,
		north.ID, south.ID, south.ID), string(answer.Body))
	answer = s.Do("GET", "/workers/"+string(off.ID)+"?filter=phone", nil)
	answer.OK(nil)
	require.JSONEq(t, `{"phone":"+14155550100"}`, string(answer.Body))
	var named []model.Worker
	s.Do("GET", "/workers?filter=name&includePasswordDetails=true", nil).OK(&named)
	require.Len(t, named[0].Password.Value().Value.Value(), 10)
	require.Empty(t, named[0].Phone)
	s.Do("GET", "/workers?states=7", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("GET", "/workers?teams=x", nil).Refused(http.StatusBadRequest, model.ErrorWrongType)
	s.Do("GET", "/workers?includePasswordDetails=perhaps", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestUpdateWorker(t *testing.T) {
	s := servicetest.Start(t)
	north, south := newTeam(t, s, "North"), newTeam(t, s, "South")
	worker := newWorker(t, s, north.ID, "+14155550100", `"vehicle":{"type":"CAR","color":"red"},"additionalCapacities":{"capacityA":1,"capacityB":2}`)
	path := "/workers/" + string(worker.ID)
	var changed model.Worker
	s.Do("PUT", path, fmt.Sprintf(`{"name":"Ana R","teams":[%q,%q],"displayName":"A","capacity":4,"additionalCapacities":{"capacityB":5},
		"vehicle":{"type":"TRUCK"},"metadata":[{"name":"a","type":"number","value":1}]}`, north.ID, south.ID)).OK(&changed)
	require.Equal(t, "Ana R", changed.Name)
	require.ElementsMatch(t, []model.ID{north.ID, south.ID}, changed.Teams)
	require.Equal(t, model.Capacities{A: 1, B: 5}, changed.AdditionalCapacities.Value())
	require.Equal(t, model.VehicleTruck, changed.Vehicle.Value().Type)
	require.True(t, changed.Vehicle.Value().Color.IsNull())
	require.Equal(t, worker.Vehicle.Value().ID, changed.Vehicle.Value().ID)
	var found []model.Worker
	s.Do("POST", "/workers/metadata", `[{"name":"a","type":"number","value":1}]`).OK(&found)
	require.Len(t, found, 1)
	s.Do("PUT", path, `{"vehicle":null,"displayName":null}`).OK(&changed)
	require.True(t, changed.Vehicle.IsNull())
	require.True(t, changed.DisplayName.IsNull())
	require.Len(t, changed.Teams, 2)
	s.Do("PUT", path, `{"phone":"+14155550101"}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", path, `{"teams":[]}`).Refused(http.StatusBadRequest, model.ErrorMissing)
}

func TestDeleteWorker(t *testing.T) {
	s := servicetest.Start(t)
	team := newTeam(t, s, "North")
	worker := newWorker(t, s, team.ID, "+14155550100", "")
	path := "/workers/" + string(worker.ID)
	container := fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker.ID)
	started, waiting := createTask(t, s, container), createTask(t, s, container)
	require.NoError(t, s.World.GoOnDuty(t.Context(), worker.ID))
	require.NoError(t, s.World.StartTask(t.Context(), worker.ID, started.ID))
	s.Do("DELETE", path, nil).Refused(http.StatusConflict, model.ErrorInvalid)
	s.Do("POST", "/tasks/"+string(started.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	answer := s.Do("DELETE", path, nil)
	answer.OK(nil)
	require.Empty(t, answer.Body)
	s.Do("GET", path, nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	moved := getTask(t, s, waiting.ID)
	require.Equal(t, model.TaskUnassigned, moved.State)
	require.Equal(t, s.Org, moved.Container.Value().Owner())
	require.Equal(t, worker.ID, getTask(t, s, started.ID).Worker.Value(), "a completed task still says who did it")
	var left model.Team
	s.Do("GET", "/teams/"+string(team.ID), nil).OK(&left)
	require.Empty(t, left.Workers)
	newWorker(t, s, team.ID, "+14155550100", "")
}

// recorded records the triggers of workers with the worker at that moment.
type recorded struct {
	triggers []model.Trigger
	names    []string
}

func (r *recorded) Record(ctx context.Context, tx *store.Tx, _ model.ID, events ...world.Event) error {
	for _, e := range events {
		if e.TaskID != "" {
			continue
		}
		worker, err := world.ReadWorker(ctx, tx, e.Worker, e.Time)
		if err != nil {
			return err
		}
		r.triggers = append(r.triggers, e.Trigger)
		r.names = append(r.names, worker.Name)
	}
	return nil
}

func (*recorded) CheckThresholds(context.Context, *store.Tx, model.ID, ...world.Measurement) error {
	return nil
}

func TestWorkerEvents(t *testing.T) {
	opened, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close() })
	events := &recorded{}
	w := world.New(world.Options{Store: opened, Events: events})
	_, key, err := w.CreateOrganization(t.Context(), world.NewOrganization{Name: "Bay", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	server := httptest.NewServer(service.New(service.Options{World: w}))
	t.Cleanup(server.Close)
	do := func(method, path, body string, v any) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/v2"+path, strings.NewReader(body))
		require.NoError(t, err)
		req.SetBasicAuth(key.Secret, "")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		var answer bytes.Buffer
		_, err = answer.ReadFrom(resp.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode, answer.String())
		if v != nil {
			require.NoError(t, model.Unmarshal(answer.Bytes(), v))
		}
	}
	var team model.Team
	var worker model.Worker
	do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`, &team)
	do("POST", "/workers", fmt.Sprintf(`{"name":"Ana","phone":"+14155550100","teams":[%q]}`, team.ID), &worker)
	do("DELETE", "/workers/"+string(worker.ID), "", nil)
	require.Equal(t, []model.Trigger{model.TriggerWorkerCreated, model.TriggerWorkerDeleted}, events.triggers)
	require.Equal(t, []string{"Ana", "Ana"}, events.names)
}

func TestWorkersByLocation(t *testing.T) {
	s := servicetest.Start(t)
	near := addWorker(t, s, s.Org, model.Location{Lon: -122.4, Lat: 37.78})
	nearer := addWorker(t, s, s.Org, model.Location{Lon: -122.401, Lat: 37.78})
	addWorker(t, s, s.Org, model.Location{Lon: -122.5, Lat: 37.78})
	off := addWorker(t, s, s.Org, model.Location{Lon: -122.401, Lat: 37.78})
	require.NoError(t, s.World.GoOffDuty(t.Context(), off))
	var found model.WorkersNear
	s.Do("GET", "/workers/location?longitude=-122.4015&latitude=37.78", nil).OK(&found)
	require.Len(t, found.Workers, 2)
	require.Equal(t, nearer, found.Workers[0].ID)
	require.Equal(t, near, found.Workers[1].ID)
	require.True(t, found.Workers[0].IsResponding.Present())
	s.Do("GET", "/workers/location?longitude=-122.4015&latitude=37.78&radius=60", nil).OK(&found)
	require.Len(t, found.Workers, 1)
	s.Do("GET", "/workers/location?longitude=-122.4015&latitude=37.78&radius=10000", nil).OK(&found)
	require.Len(t, found.Workers, 3)
	for query, subcode := range map[string]model.Int{
		"latitude=1": model.ErrorMissing, "longitude=1": model.ErrorMissing, "longitude=x&latitude=1": model.ErrorInvalid,
		"longitude=1&latitude=91": model.ErrorInvalid, "longitude=1&latitude=1&radius=10001": model.ErrorInvalid,
		"longitude=1&latitude=1&radius=0": model.ErrorInvalid,
	} {
		t.Run(query, func(*testing.T) { s.Do("GET", "/workers/location?"+query, nil).Refused(http.StatusBadRequest, subcode) })
	}
}

func TestSchedule(t *testing.T) {
	s := servicetest.Start(t)
	worker := newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
	path := "/workers/" + string(worker.ID) + "/schedule"
	var schedule model.Schedule
	s.Do("GET", path, nil).OK(&schedule)
	require.Empty(t, schedule.Entries)
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, zone).UnixMilli()
	entry := func(date string, start int64) string {
		return fmt.Sprintf(`{"entries":[{"date":%q,"shifts":[[%d,%d]],"timezone":"America/Los_Angeles"}]}`, date, start, start+3_600_000)
	}
	s.Do("POST", path, entry("2026-03-03", start+86_400_000)).OK(nil)
	s.Do("POST", path, entry("2026-03-02", start)).OK(&schedule)
	require.Len(t, schedule.Entries, 2)
	require.Equal(t, "2026-03-02", schedule.Entries[0].Date)
	s.Do("POST", path, entry("2026-03-02", start+3_600_000)).OK(&schedule)
	require.Len(t, schedule.Entries, 2, "a day is replaced")
	require.Equal(t, model.Millis(start+3_600_000), schedule.Entries[0].Shifts[0][0])
	s.Do("POST", path, entry("2026-03-05", start)).Refused(http.StatusBadRequest, model.ErrorTimeConstraint)
	s.Do("POST", path, `{"entries":[{"date":"soon","shifts":[],"timezone":"UTC"}]}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestWorkerAnalytics(t *testing.T) {
	s := servicetest.Start(t)
	worker := newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
	container := fmt.Sprintf(`"container":{"type":"WORKER","worker":%q}`, worker.ID)
	first, second := createTask(t, s, container), createTask(t, s, container)
	from := s.World.Now()
	require.NoError(t, s.World.GoOnDuty(t.Context(), worker.ID))
	s.Clock.Advance(10 * time.Minute)
	for i, task := range []model.ID{first.ID, second.ID} {
		require.NoError(t, s.World.StartTask(t.Context(), worker.ID, task))
		s.Clock.Advance(20 * time.Minute)
		s.Do("POST", "/tasks/"+string(task)+"/complete", fmt.Sprintf(`{"completionDetails":{"success":%t}}`, i == 0)).OK(nil)
	}
	s.Clock.Advance(5 * time.Minute)
	require.NoError(t, s.World.GoOffDuty(t.Context(), worker.ID))
	s.Clock.Advance(time.Hour)
	path := "/workers/" + string(worker.ID)
	var read model.Worker
	s.Do("GET", fmt.Sprintf("%s?analytics=true&from=%d&to=%d", path, from, from.Add(2*time.Hour)), nil).OK(&read)
	analytics := read.Analytics.Value()
	require.Equal(t, model.TaskCounts{Succeeded: 1, Failed: 1}, analytics.TaskCounts)
	require.Equal(t, []model.WorkerEvent{{Action: "onduty", Time: from}, {Action: "offduty", Time: from.Add(55 * time.Minute)}}, analytics.Events)
	require.InDelta(t, (40 * time.Minute).Seconds(), analytics.Times.Enroute, 0)
	require.InDelta(t, (15 * time.Minute).Seconds(), analytics.Times.Idle, 0)
	s.Do("GET", path+"?analytics=true", nil).OK(&read)
	require.Equal(t, analytics, read.Analytics.Value())
	s.Do("GET", fmt.Sprintf("%s?analytics=true&from=%d&to=%d", path, from, from.Add(5*time.Minute)), nil).OK(&read)
	require.InDelta(t, 300, read.Analytics.Value().Times.Idle, 0)
	s.Do("GET", fmt.Sprintf("%s?analytics=true&from=%d&to=%d", path, from, from.Add(25*time.Hour)), nil).
		Refused(http.StatusBadRequest, model.ErrorTimeConstraint)
	var plain model.Worker
	s.Do("GET", path, nil).OK(&plain)
	require.False(t, plain.Analytics.Present())
}

func TestTeamEstimate(t *testing.T) {
	s := servicetest.Start(t)
	hub := newHub(t, s, -122.4, 37.78)
	var team model.Team
	s.Do("POST", "/teams", fmt.Sprintf(`{"name":"North","workers":[],"managers":[],"hub":%q}`, hub.ID)).OK(&team)
	path := "/teams/" + string(team.ID) + "/estimate"
	s.Do("GET", path+"?dropoffLocation=-122.41,37.79", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	far := addWorker(t, s, s.Org, model.Location{Lon: -122.2, Lat: 37.78}, team.ID)
	near := addWorker(t, s, s.Org, model.Location{Lon: -122.401, Lat: 37.78}, team.ID)
	var estimate model.TeamEstimate
	s.Do("GET", path+"?dropoffLocation=-122.41,37.79", nil).OK(&estimate)
	require.Equal(t, near, estimate.WorkerID)
	require.Len(t, estimate.Steps, 2)
	require.Equal(t, hub.Location, estimate.Steps[0].Location)
	require.Equal(t, model.Location{Lon: -122.41, Lat: 37.79}, estimate.Steps[1].Location)
	require.Equal(t, model.Seconds(120), estimate.Steps[1].ServiceTime)
	for i, step := range estimate.Steps {
		require.Positive(t, step.TravelTime)
		require.Equal(t, step.ArrivalTime+120, step.CompletionTime)
		if i > 0 {
			require.Equal(t, estimate.Steps[i-1].CompletionTime+model.UnixSeconds(step.TravelTime), step.ArrivalTime)
		}
	}
	// What the near worker has to do first makes the far one faster.
	for range 10 {
		createTask(t, s, fmt.Sprintf(`"serviceTime":30,"container":{"type":"WORKER","worker":%q}`, near))
	}
	s.Do("GET", path+"?dropoffLocation=-122.41,37.79", nil).OK(&estimate)
	require.Equal(t, far, estimate.WorkerID)
	ready := s.World.Now().Add(12 * time.Hour).UnixSeconds()
	s.Do("GET", fmt.Sprintf("%s?pickupLocation=-122.41,37.79&pickupTime=%d&serviceTime=60", path, ready), nil).OK(&estimate)
	require.Equal(t, ready+60, estimate.Steps[0].CompletionTime, "nobody picks up before it is ready")
	require.Equal(t, hub.Location, estimate.Steps[1].Location)
	for query, subcode := range map[string]model.Int{
		"": model.ErrorMissing, "?pickupLocation=1,2": model.ErrorMissing, "?dropoffLocation=here": model.ErrorInvalid,
		"?dropoffLocation=1,91": model.ErrorInvalid, "?dropoffLocation=1,2&serviceTime=-1": model.ErrorInvalid,
	} {
		t.Run("refused"+query, func(*testing.T) { s.Do("GET", path+query, nil).Refused(http.StatusBadRequest, subcode) })
	}
	homeless := newTeam(t, s, "South")
	s.Do("GET", "/teams/"+string(homeless.ID)+"/estimate?dropoffLocation=1,2", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	bike := newWorker(t, s, team.ID, "+14155559999", `"vehicle":{"type":"BICYCLE"}`)
	require.NoError(t, s.World.GoOnDuty(t.Context(), bike.ID))
	s.Do("PUT", "/teams/"+string(team.ID), fmt.Sprintf(`{"workers":[%q]}`, bike.ID)).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("PUT", "/teams/"+string(homeless.ID), fmt.Sprintf(`{"workers":[%q,%q]}`, near, far)).OK(nil)
	s.Do("PUT", "/teams/"+string(team.ID), fmt.Sprintf(`{"workers":[%q]}`, bike.ID)).OK(nil)
	s.Do("GET", path+"?dropoffLocation=-122.41,37.79", nil).OK(&estimate)
	require.JSONEq(t, `"BICYCLE"`, string(estimate.Vehicle.Value()))
	s.Do("GET", path+"?dropoffLocation=-122.41,37.79&restrictedVehiclesTypes=TRUCK,BICYCLE", nil).
		Refused(http.StatusNotFound, model.ErrorNotFound)
}
