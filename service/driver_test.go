package service_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
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

func millis(m model.Millis) string { return strconv.FormatInt(int64(m), 10) }

// app is a driver's app.
type app struct {
	t      *testing.T
	s      *servicetest.Server
	token  string
	worker model.Worker
}

// newApp creates a driver and logs in with the driver's own password.
func newApp(t *testing.T, s *servicetest.Server, phone string) *app {
	t.Helper()
	a := invite(t, s, phone)
	a.logIn(phone, a.temporaryPassword())
	a.do("POST", "/password", `{"password":"correct horse"}`, http.StatusOK)
	return a
}

func invite(t *testing.T, s *servicetest.Server, phone string) *app {
	t.Helper()
	a := &app{t: t, s: s}
	var team model.Team
	s.Do("POST", "/teams", `{"name":"Team `+phone+`","workers":[],"managers":[]}`).OK(&team)
	s.Do("POST", "/workers", `{"name":"Ada Reyes","phone":"`+phone+`","teams":["`+string(team.ID)+`"],
		"vehicle":{"type":"CAR"}}`).OK(&a.worker)
	return a
}

// temporaryPassword returns the password of the invitation.
func (a *app) temporaryPassword() string {
	workers, err := a.s.World.Workers(a.t.Context(), a.s.Org, world.WorkersQuery{Passwords: true})
	require.NoError(a.t, err)
	i := slices.IndexFunc(workers, func(w model.Worker) bool { return w.ID == a.worker.ID })
	return workers[i].Password.Value().Value.Value()
}

func (a *app) logIn(phone, password string) (mustSetPassword bool) {
	a.t.Helper()
	var answer struct {
		Token           string `json:"token"`
		MustSetPassword bool   `json:"mustSetPassword"`
	}
	body := a.do("POST", "/login", `{"phone":"`+phone+`","password":"`+password+`"}`, http.StatusOK)
	require.NoError(a.t, model.Unmarshal(body, &answer))
	a.token = answer.Token
	return answer.MustSetPassword
}

func (a *app) do(method, path, body string, status int) []byte {
	a.t.Helper()
	url := strings.TrimSuffix(a.s.URL, service.BasePath) + service.DriverBasePath + path
	req, err := http.NewRequestWithContext(a.t.Context(), method, url, bytes.NewBufferString(body))
	require.NoError(a.t, err)
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(a.t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	require.Equal(a.t, status, resp.StatusCode, "%s %s: %s", method, path, answer)
	return answer
}

// assignTask creates a task on the driver's route; more are further members of its body.
func (a *app) assignTask(more string) model.ID {
	a.t.Helper()
	var task model.Task
	a.s.Do("POST", "/tasks", `{"destination":{"address":{"number":"1","street":"Howard St","city":"San Francisco","country":"USA"},
		"location":[-122.395,37.79]},"recipients":[],"container":{"type":"WORKER","worker":"`+string(a.worker.ID)+`"}`+more+`}`).OK(&task)
	return task.ID
}

func (a *app) task(id model.ID) model.Task {
	a.t.Helper()
	var task model.Task
	a.s.Do("GET", "/tasks/"+string(id), nil).OK(&task)
	return task
}

func TestTheTemporaryPasswordWorksUntilTheDriverSetsOne(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	const phone = "+14155550142"
	a := invite(t, s, phone)
	invitation := a.temporaryPassword()
	a.do("POST", "/login", `{"phone":"`+phone+`","password":"not this"}`, http.StatusUnauthorized)
	require.True(t, a.logIn("+1 415 555 0142", invitation), "the password of the invitation must be replaced")
	for _, route := range service.DriverRoutes() {
		if !route.Public && !route.TemporaryPassword {
			a.do(route.Method, strings.Replace(route.Path, "{id}", string(model.NewID()), 1), "{}", http.StatusForbidden)
		}
	}
	a.do("POST", "/password", `{"password":"short"}`, http.StatusBadRequest)
	a.do("POST", "/password", `{"password":"correct horse"}`, http.StatusOK)
	a.do("POST", "/duty", `{"onDuty":true}`, http.StatusOK)
	a.do("POST", "/login", `{"phone":"`+phone+`","password":"`+invitation+`"}`, http.StatusUnauthorized)
	require.False(t, a.logIn(phone, "correct horse"))

	var me model.Worker
	require.NoError(t, model.Unmarshal(a.do("GET", "/me", "", http.StatusOK), &me))
	require.Equal(t, a.worker.ID, me.ID)
	require.Equal(t, model.AccountAccepted, me.AccountStatus)
	require.True(t, me.OnDuty)
}

func TestSessions(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	const phone = "+14155550143"
	a := newApp(t, s, phone)
	stolen := *a
	a.logIn(phone, "correct horse")
	stolen.do("GET", "/me", "", http.StatusOK)
	a.do("POST", "/password", `{"password":"another horse"}`, http.StatusOK)
	stolen.do("GET", "/me", "", http.StatusUnauthorized)

	a.do("POST", "/logout", "", http.StatusOK)
	a.do("GET", "/me", "", http.StatusUnauthorized)
	a.logIn(phone, "another horse")
	s.Clock.Advance(31 * 24 * time.Hour)
	a.do("GET", "/me", "", http.StatusUnauthorized)
	a.logIn(phone, "another horse")
	s.Clock.Advance(20 * 24 * time.Hour)
	a.do("GET", "/me", "", http.StatusOK)
	s.Clock.Advance(20 * 24 * time.Hour)
	a.do("GET", "/me", "", http.StatusOK)

	var hashes int
	require.NoError(t, s.Store.QueryRow(t.Context(), "SELECT count(*) FROM driver_sessions WHERE hash = $1", a.token).Scan(&hashes))
	require.Zero(t, hashes, "the token itself is not kept")
	s.Do("DELETE", "/workers/"+string(a.worker.ID), nil).OK(nil)
	a.do("GET", "/me", "", http.StatusUnauthorized)
	a.token = s.Key
	a.do("GET", "/me", "", http.StatusUnauthorized)
	a.token = ""
	a.do("GET", "/me", "", http.StatusUnauthorized)
}

// TestLoginAndNewPasswordAreOneTransaction checks that a new password and the end of other sessions are one change.
func TestLoginAndNewPasswordAreOneTransaction(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	const phone = "+14155550149"
	a := newApp(t, s, phone)
	refuse := func(what string) {
		require.NoError(t, s.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Exec(t.Context(), "CREATE TRIGGER refuse_"+what+" BEFORE "+what+" ON driver_sessions BEGIN SELECT RAISE(ABORT, 'full'); END")
			return err
		}))
	}
	other := *a
	other.logIn(phone, "correct horse")
	refuse("DELETE")
	a.do("POST", "/password", `{"password":"another horse"}`, http.StatusInternalServerError)
	a.do("POST", "/login", `{"phone":"`+phone+`","password":"another horse"}`, http.StatusUnauthorized)
	other.do("GET", "/me", "", http.StatusOK)

	refuse("INSERT")
	a.do("POST", "/login", `{"phone":"`+phone+`","password":"correct horse","device":{"platform":"IOS"}}`, http.StatusInternalServerError)
	var me model.Worker
	require.NoError(t, model.Unmarshal(a.do("GET", "/me", "", http.StatusOK), &me))
	require.True(t, me.UserData.Value().Platform.IsNull())
}

func TestPasswordGuessingIsLimited(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	a := invite(t, s, "+14155550144")
	for range 5 {
		a.do("POST", "/login", `{"phone":"+14155550144","password":"guess"}`, http.StatusUnauthorized)
	}
	// Another spelling is the same phone, and the right password comes too late.
	a.do("POST", "/login", `{"phone":"+1 (415) 555-0144","password":"`+a.temporaryPassword()+`"}`, http.StatusTooManyRequests)
	s.Clock.Advance(20 * time.Second)
	a.do("POST", "/login", `{"phone":"+14155550144","password":"guess"}`, http.StatusUnauthorized)
	a.do("POST", "/login", `{"phone":"+14155550144","password":"guess"}`, http.StatusTooManyRequests)
	invite(t, s, "+14155550145").do("POST", "/login", `{"phone":"+14155550145","password":"guess"}`, http.StatusUnauthorized)
}

// TestALoginIsCountedBeforeItIsRead checks the limits of requests that anyone can send.
func TestALoginIsCountedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	a := &app{t: t, s: s}
	a.do("POST", "/login", `{"phone":"`+strings.Repeat("1", 21)+`","password":"x"}`, http.StatusBadRequest)
	a.do("POST", "/login", `{"phone":"`+strings.Repeat(" ", 5<<10)+`","password":"x"}`, http.StatusRequestEntityTooLarge)
	for range 28 {
		a.do("POST", "/login", "not JSON", http.StatusBadRequest)
	}
	a.do("POST", "/login", "not JSON", http.StatusTooManyRequests)
	s.Clock.Advance(time.Second)
	a.do("POST", "/login", `{"phone":"`+strings.Repeat("1", 20)+`","password":"x"}`, http.StatusUnauthorized)
}

func TestADeliveryFromTheApp(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	a := newApp(t, s, "+14155550146")
	first := a.assignTask(`,"requirements":{"signature":true,"photo":true}`)
	second := a.assignTask(`,"dependencies":["` + string(first) + `"]`)

	a.do("POST", "/tasks/"+string(first)+"/start", "", http.StatusConflict) // off duty
	a.do("POST", "/duty", `{}`, http.StatusBadRequest)
	a.do("POST", "/duty", `{"onDuty":true}`, http.StatusOK)
	a.do("POST", "/positions", `{"positions":[]}`, http.StatusBadRequest)
	a.do("POST", "/positions", `{"positions":[{"location":[-122.4,37.78],"battery":2}]}`, http.StatusBadRequest)
	a.do("POST", "/positions", `{"positions":[{"location":[null,null]}]}`, http.StatusBadRequest)
	a.do("POST", "/positions", `{"positions":[{"battery":0.5}]}`, http.StatusBadRequest)
	a.do("POST", "/positions", `{"positions":[{"location":[-122.41,37.78],"battery":0.8}]}`, http.StatusOK)
	a.do("POST", "/tasks/"+string(second)+"/start", "", http.StatusConflict) // waits for the first
	a.do("POST", "/tasks/"+string(first)+"/arrive", "", http.StatusConflict) // not started
	a.do("POST", "/tasks/"+string(first)+"/start", "", http.StatusOK)
	a.do("POST", "/duty", `{"onDuty":false}`, http.StatusConflict)

	var route struct {
		ActiveTask model.Opt[model.Task] `json:"activeTask"`
		Tasks      []model.Task          `json:"tasks"`
	}
	require.NoError(t, model.Unmarshal(a.do("GET", "/route", "", http.StatusOK), &route))
	require.Equal(t, first, route.ActiveTask.Value().ID)
	require.Len(t, route.Tasks, 1)
	require.Equal(t, second, route.Tasks[0].ID)

	now := s.World.Now()
	s.Clock.Advance(10 * time.Minute)
	a.do("POST", "/positions", `{"positions":[{"location":[-122.40,37.785],"time":`+millis(now.Add(5*time.Minute))+`},
		{"location":[-122.395,37.79],"time":`+millis(now.Add(time.Hour))+`,"battery":0.77}]}`, http.StatusOK)
	a.do("POST", "/tasks/"+string(first)+"/arrive", "", http.StatusOK)
	a.do("POST", "/tasks/"+string(first)+"/geofence", `{"type":3}`, http.StatusBadRequest)
	a.do("POST", "/tasks/"+string(first)+"/geofence", `{"type":1}`, http.StatusOK)
	s.Clock.Advance(3 * time.Minute)
	a.do("POST", "/tasks/"+string(first)+"/depart", "", http.StatusOK)
	a.do("POST", "/tasks/"+string(first)+"/complete", `{"notes":"Left with Sam"}`, http.StatusBadRequest)
	a.do("POST", "/tasks/"+string(first)+"/complete",
		`{"notes":"Left with Sam","signatureText":"Sam","photoUploadIds":["p1"]}`, http.StatusOK)

	done := a.task(first)
	require.Equal(t, model.TaskCompleted, done.State)
	details := done.CompletionDetails
	require.True(t, details.Success.Value())
	require.Equal(t, "Left with Sam", details.Notes)
	require.InDelta(t, 1730, details.Distance.Value(), 60, "along the positions that were reported")
	require.Len(t, details.Events, 3)
	require.True(t, done.CompletedWithGeofenceWarning.Value())

	a.do("POST", "/tasks/"+string(second)+"/start", "", http.StatusOK)
	a.do("POST", "/tasks/"+string(second)+"/fail", `{}`, http.StatusBadRequest)
	a.do("POST", "/tasks/"+string(second)+"/fail", `{"failureReason":"NOBODY_HOME","notes":"No answer"}`, http.StatusOK)
	require.Equal(t, "NOBODY_HOME", a.task(second).CompletionDetails.FailureReason)
	a.do("POST", "/duty", `{"onDuty":false}`, http.StatusOK)
}

func TestDriversCanChangeOnlyTheirOwnTasks(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	a, b := newApp(t, s, "+14155550147"), newApp(t, s, "+14155550148")
	a.do("POST", "/duty", `{"onDuty":true}`, http.StatusOK)
	b.do("POST", "/duty", `{"onDuty":true}`, http.StatusOK)
	task := a.assignTask("")
	b.do("POST", "/tasks/"+string(task)+"/start", "", http.StatusUnauthorized)
	a.do("POST", "/tasks/"+string(task)+"/start", "", http.StatusOK)
	for _, step := range []string{"arrive", "depart", "complete"} {
		b.do("POST", "/tasks/"+string(task)+"/"+step, "", http.StatusUnauthorized)
	}
	b.do("POST", "/tasks/"+string(task)+"/fail", `{"notes":"x"}`, http.StatusUnauthorized)
	a.do("POST", "/tasks/"+string(model.NewID())+"/start", "", http.StatusNotFound)
	a.do("POST", "/tasks/nonsense/start", "", http.StatusNotFound)
	require.Equal(t, model.TaskActive, a.task(task).State)
}
