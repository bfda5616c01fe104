package service_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/events/receiver"
	"waybill/service/store"
)

// mailbox is a receiver that keeps what it got.
type mailbox struct {
	URL string
	mu  sync.Mutex
	got []receiver.Received
}

func newMailbox(t testing.TB, s *servicetest.Server) *mailbox {
	t.Helper()
	var secret model.WebhookSecret
	s.Do("GET", "/webhooks/secret", nil).OK(&secret)
	m := &mailbox{}
	m.URL = s.Listen(receiver.New(receiver.Options{
		Secret: secret.Secret, Handle: func(_ context.Context, e receiver.Received) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.got = append(m.got, e)
			return nil
		},
	}))
	return m
}

func (m *mailbox) take() []receiver.Received {
	m.mu.Lock()
	defer m.mu.Unlock()
	got := m.got
	m.got = nil
	return got
}

func createHook(s *servicetest.Server, url string, trigger model.Trigger) (hook model.Webhook) {
	s.Do("POST", "/webhooks", model.WebhookInput{URL: model.Some(url), Trigger: model.Some(trigger)}).OK(&hook)
	return hook
}

func TestWebhooksAreCreatedListedAndDeleted(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	answer := s.Do("POST", "/webhooks", `{"name":"n","url":"`+box.URL+`","trigger":2,"threshold":150}`)
	var created model.Webhook
	answer.OK(&created)
	require.JSONEq(t, `{"id":"`+string(created.ID)+`","count":0,"url":"`+box.URL+`","trigger":2}`, string(answer.Body))
	require.JSONEq(t, `[{"id":"`+string(created.ID)+`","name":"n","url":"`+box.URL+`","trigger":2,"count":0,"isEnabled":true,"threshold":150}]`,
		string(s.Do("GET", "/webhooks", nil).Body))
	_, other := s.AddOrganization("Other", "")
	require.JSONEq(t, `[]`, string(s.DoAs(other, "GET", "/webhooks", nil).Body))
	s.DoAs(other, "DELETE", "/webhooks/"+string(created.ID), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("DELETE", "/webhooks/"+string(model.NewID()), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	deleted := s.Do("DELETE", "/webhooks/"+string(created.ID), nil)
	deleted.OK(nil)
	require.Empty(t, deleted.Body)
	s.Do("DELETE", "/webhooks/"+string(created.ID), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
}

func TestWebhooksThatAreRefused(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	for _, c := range []struct {
		body    string
		subcode model.Int
	}{
		{`{"trigger":0}`, model.ErrorMissing},
		{`{"url":"` + box.URL + `"}`, model.ErrorMissing},
		{`{"url":"http://example.com","trigger":0}`, model.ErrorInvalid},
		{`{"url":"` + box.URL + `","trigger":11}`, model.ErrorInvalid},
		{`{"url":"` + box.URL + `","trigger":99}`, model.ErrorInvalid},
		{`{"url":"` + box.URL + `","trigger":1,"threshold":-1}`, model.ErrorInvalid},
		{`{"url":"` + box.URL + `","trigger":"x"}`, model.ErrorMissing},
		{`{"url":"https://127.0.0.2/","trigger":0}`, model.ErrorWebhookCheck},
		{`{"url":"https://169.254.169.254/latest","trigger":0}`, model.ErrorWebhookCheck},
		{`{"url":"` + s.Listen(http.NotFoundHandler()) + `","trigger":0}`, model.ErrorWebhookCheck},
	} {
		answer := s.Do("POST", "/webhooks", c.body)
		require.Equal(t, http.StatusBadRequest, answer.Status, c.body)
		answer.Refused(http.StatusBadRequest, c.subcode)
	}
	require.JSONEq(t, `[]`, string(s.Do("GET", "/webhooks", nil).Body))
}

// TestTheLifeOfATaskInEvents follows a task over the interface and looks at what webhooks get.
func TestTheLifeOfATaskInEvents(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	for _, trigger := range model.Triggers() {
		if !trigger.HasThreshold() {
			createHook(s, box.URL, trigger)
		}
	}
	driver := addWorker(t, s, s.Org, model.Location{Lon: -122.4, Lat: 37.78})
	expect := func(triggers ...model.Trigger) []receiver.Received {
		t.Helper()
		require.NoError(t, s.Broker.DeliverAll(t.Context()))
		got := box.take()
		names := []string{}
		for _, e := range got {
			require.True(t, e.Verified)
			require.Equal(t, e.Event.TriggerID.Name(), e.Event.TriggerName)
			names = append(names, e.Event.TriggerName)
		}
		want := []string{}
		for _, trigger := range triggers {
			want = append(want, trigger.Name())
		}
		require.ElementsMatch(t, want, names)
		return got
	}
	var task model.Task
	s.Do("POST", "/tasks", taskBody("")).OK(&task)
	created := expect(model.TriggerTaskCreated)[0]
	var same model.Task
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&same)
	require.Equal(t, same, created.Event.Data.Value().Task.Value(), "the event shows the task as the interface does")
	require.Equal(t, task.ID, created.Event.TaskID.Value())
	require.True(t, created.Event.WorkerID.IsNull())
	require.Equal(t, "API", created.Event.ActionContext.Value().Type)

	s.Do("PUT", "/tasks/"+string(task.ID), `{"container":{"type":"WORKER","worker":"`+string(driver)+`"}}`).OK(nil)
	for _, e := range expect(model.TriggerTaskAssigned, model.TriggerTaskUpdated) {
		require.Equal(t, driver, e.Event.WorkerID.Value())
		require.Equal(t, model.TaskAssigned, e.Event.Data.Value().Task.Value().State)
		if e.Event.TriggerID == model.TriggerTaskAssigned {
			require.Equal(t, driver, e.Event.Data.Value().Worker.Value().ID)
		}
	}
	require.NoError(t, s.World.StartTask(t.Context(), driver, task.ID))
	expect(model.TriggerTaskStarted)
	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":false}}`).OK(nil)
	expect(model.TriggerTaskFailed)

	s.Do("POST", "/tasks/"+string(task.ID)+"/clone", nil).OK(&task)
	expect(model.TriggerTaskCloned)
	s.Do("DELETE", "/tasks/"+string(task.ID), nil).OK(nil)
	deleted := expect(model.TriggerTaskDeleted)[0]
	require.Equal(t, task.ID, deleted.Event.TaskID.Value())
}

func TestTheEventLogCanBeReadReplayedAndTriggered(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	_, other := s.AddOrganization("Other", "")
	s.Do("POST", "/tasks", taskBody("")).OK(nil)
	var page model.EventLog
	s.Do("GET", "/webhooks/events?trigger=taskCreated&limit=5", nil).OK(&page)
	require.Len(t, page.Events, 1)
	path := "/webhooks/events/" + strconv.Itoa(int(page.Events[0].ID))
	s.DoAs(other, "GET", path, nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.DoAs(other, "POST", path+"/replay", nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("GET", "/webhooks/events/none", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("GET", "/webhooks/events?limit=x", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
	s.Do("POST", path+"/replay", nil).Refused(http.StatusConflict, model.ErrorInvalid)

	createHook(s, box.URL, model.TriggerTaskCreated)
	var logged model.LoggedEvent
	s.Do("POST", path+"/replay", nil).OK(&logged)
	require.Equal(t, model.DeliveryPending, logged.Deliveries[0].State)
	s.Do("POST", "/webhooks/trigger", `{"trigger":"taskCreated"}`).OK(&logged)
	s.Do("POST", "/webhooks/trigger", `{"trigger":6}`).OK(&logged)
	s.Do("POST", "/webhooks/trigger", `{"trigger":"nonsense"}`).Refused(http.StatusBadRequest, model.ErrorInvalid)
	require.NoError(t, s.Broker.DeliverAll(t.Context()))
	got := box.take()
	require.Len(t, got, 3)
	for _, e := range got {
		require.NotEmpty(t, e.Event.Data.Value().Task.Value().ShortID)
	}
	s.Do("GET", path, nil).OK(&logged)
	require.Equal(t, model.DeliveryDelivered, logged.Deliveries[0].State)
	require.JSONEq(t, string(got[0].Body), string(logged.Body.Value()))
}

// TestJobsDeliverEvents lets the job queue do the work: nobody calls Drain.
func TestJobsDeliverEvents(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	hook := createHook(s, box.URL, model.TriggerTaskCreated)
	s.RunJobs()
	const tasks = 50
	for range tasks {
		s.Do("POST", "/tasks", taskBody("")).OK(nil)
	}
	count := func() int {
		box.mu.Lock()
		defer box.mu.Unlock()
		return len(box.got)
	}
	servicetest.WaitFor(t, func() bool { return count() == tasks })
	servicetest.WaitFor(t, func() bool {
		var list []model.Webhook
		s.Do("GET", "/webhooks", nil).OK(&list)
		return list[0].ID == hook.ID && list[0].Count == tasks
	})
	s.Do("POST", "/tasks", taskBody("")).OK(nil)
	servicetest.WaitFor(t, func() bool { return count() == tasks+1 })
}

// TestJobsOfADeadProcessAreTakenOver: a process that was killed leaves its job running and its webhook marked busy.
func TestJobsOfADeadProcessAreTakenOver(t *testing.T) {
	s := servicetest.Start(t)
	box := newMailbox(t, s)
	createHook(s, box.URL, model.TriggerTaskCreated)
	s.Do("POST", "/tasks", taskBody("")).OK(nil)
	require.NoError(t, s.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = created_at")
		return err
	}))
	s.RunJobs()
	servicetest.WaitFor(t, func() bool { return len(box.take()) == 1 })
}

// TestRetriesFollowTheWorldsClock: the clock of the world makes a retry due, and the queue does it.
func TestRetriesFollowTheWorldsClock(t *testing.T) {
	s := servicetest.Start(t)
	attempts := make(chan time.Time, 100)
	broken := s.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if check := r.URL.Query().Get("check"); check != "" {
			w.Write([]byte(check)) //nolint:errcheck // a test's receiver
			return
		}
		attempts <- s.Clock.Now()
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	createHook(s, broken, model.TriggerTaskCreated)
	s.RunJobs()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Broker.Run(ctx) }()
	s.Do("POST", "/tasks", taskBody("")).OK(nil)
	first := <-attempts
	var second time.Time
	servicetest.WaitFor(t, func() bool {
		select {
		case second = <-attempts:
			return true
		default:
			// On and on: who looks for retries may fall asleep after any of these steps.
			s.Clock.Advance(time.Minute)
			return false
		}
	})
	require.GreaterOrEqual(t, second.Sub(first), model.WebhookRetryInterval)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
}
