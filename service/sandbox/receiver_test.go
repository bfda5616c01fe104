package sandbox_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/events"
	"waybill/service/events/receiver"
	"waybill/service/world"
)

// testReceiver is a webhook receiver that records events.
type testReceiver struct {
	t        *testing.T
	url      string
	client   *http.Client
	mu       sync.Mutex
	received map[model.Trigger][]receiver.Received
}

func newTestReceiver(t *testing.T) *testReceiver {
	t.Helper()
	s := &testReceiver{t: t, received: map[model.Trigger][]receiver.Received{}}
	certificate, authority, err := receiver.LocalCertificate(t.TempDir())
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(receiver.New(receiver.Options{Handle: s.record}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.EnableHTTP2 = true // one connection for twenty webhooks
	server.StartTLS()
	t.Cleanup(server.Close)
	s.url = server.URL
	s.client, err = events.NewClient(events.ClientOptions{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, CAFile: authority})
	require.NoError(t, err)
	return s
}

func (s *testReceiver) record(_ context.Context, e receiver.Received) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received[e.Event.TriggerID] = append(s.received[e.Event.TriggerID], e)
	return nil
}

// connect lets a sandbox send to the receiver.
func (s *testReceiver) connect(w *testSandbox) { w.client = s.client }

// testThreshold is the threshold of the triggers that need one.
const testThreshold = 300

// createWebhooks creates a webhook for every trigger.
func (s *testReceiver) createWebhooks(w *testSandbox) {
	s.t.Helper()
	actor := world.Actor{Type: world.ActorAPI, ID: w.sandbox.Org(), Org: w.sandbox.Org()}
	for _, trigger := range model.Triggers() {
		in := model.WebhookInput{URL: model.Some(s.url), Trigger: model.Some(trigger)}
		if trigger.HasThreshold() {
			in.Threshold = model.Some(float64(testThreshold))
		}
		_, err := w.world.CreateWebhook(s.t.Context(), actor, in)
		require.NoError(s.t, err)
	}
}

// requireAllTriggers checks that every possible trigger has fired, with valid signatures and bodies.
func (s *testReceiver) requireAllTriggers(w *testSandbox) {
	s.t.Helper()
	secret, err := w.world.WebhookSecret(s.t.Context(), w.sandbox.Org())
	require.NoError(s.t, err)
	for _, trigger := range model.Triggers() {
		if trigger == model.TriggerRouteOptimizationDone {
			require.Empty(s.t, s.received[trigger], "only a dispatch optimizes routes, and it has its own trigger")
			continue
		}
		require.NotEmpty(s.t, s.received[trigger], "%s never fires", trigger.Name())
		for _, e := range s.received[trigger] {
			require.True(s.t, events.Verify(secret, e.Body, e.Signature))
			require.Equal(s.t, trigger.Name(), e.Event.TriggerName)
			require.Positive(s.t, e.Event.Time)
			require.True(s.t, hasRequiredProperties(e.Event), "%s", e.Body)
		}
	}
}

// hasRequiredProperties reports whether an event has the properties that the document defines for its trigger.
func hasRequiredProperties(e model.Event) bool {
	task, worker := e.Data.Value().Task.Value(), e.Data.Value().Worker.Value()
	aboutTask := e.TaskID.Value().Valid() && task.ID == e.TaskID.Value() && task.Destination.Object != nil
	switch e.TriggerID {
	case model.TriggerTaskETA:
		eta, ok := e.ETASeconds.Get()
		return aboutTask && ok && eta <= testThreshold
	case model.TriggerTaskArrival:
		distance, ok := e.Distance.Get()
		return aboutTask && ok && distance <= testThreshold
	case model.TriggerTaskDelayed:
		delay, ok := e.Delay.Get()
		return aboutTask && ok && delay >= testThreshold && task.State == model.TaskActive
	case model.TriggerTaskFailed:
		return aboutTask && task.State == model.TaskCompleted && !task.CompletionDetails.Success.Value()
	case model.TriggerTaskCloned:
		return aboutTask && task.SourceTaskID.Has()
	case model.TriggerTaskDeleted:
		return e.TaskID.Value().Valid()
	case model.TriggerWorkerDuty:
		status := string(e.Status.Value())
		return (status == "0" || status == "1") && worker.ID == e.WorkerID.Value() && worker.ID.Valid()
	case model.TriggerWorkerCreated, model.TriggerWorkerDeleted:
		return worker.ID == e.WorkerID.Value() && worker.Name != ""
	case model.TriggerSMSMissed:
		return e.From.Value() != "" && e.To.Value() != "" && e.Body.Value() != ""
	case model.TriggerSMSOptOut:
		return e.Recipient.Value().ID.Valid() && e.Recipient.Value().Phone != "" && e.Timestamp.Value() > 0
	case model.TriggerAutoDispatchDone:
		return e.DispatchID.Value().Valid() && e.Data.Value().Dispatch.Value().ID == e.DispatchID.Value()
	case model.TriggerBatchDone:
		return e.JobID.Value().Valid() && e.TasksCreated.Value() > 0 && len(e.NewTasks.Value()) == int(e.TasksCreated.Value())
	}
	return aboutTask
}
