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

// station is a receiver of webhooks that keeps what arrives.
type station struct {
	t      *testing.T
	url    string
	client *http.Client
	mu     sync.Mutex
	got    map[model.Trigger][]receiver.Received
}

func newStation(t *testing.T) *station {
	t.Helper()
	s := &station{t: t, got: map[model.Trigger][]receiver.Received{}}
	certificate, authority, err := receiver.LocalCertificate(t.TempDir())
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(receiver.New(receiver.Options{Handle: s.keep}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.EnableHTTP2 = true // one connection for twenty webhooks
	server.StartTLS()
	t.Cleanup(server.Close)
	s.url = server.URL
	s.client, err = events.NewClient(events.ClientOptions{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, CAFile: authority})
	require.NoError(t, err)
	return s
}

func (s *station) keep(_ context.Context, e receiver.Received) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got[e.Event.TriggerID] = append(s.got[e.Event.TriggerID], e)
	return nil
}

// reach lets a town send to the station.
func (s *station) reach(w *town) { w.client = s.client }

// stationThreshold is that of the triggers which have one.
const stationThreshold = 300

// listen makes a webhook for every trigger.
func (s *station) listen(w *town) {
	s.t.Helper()
	actor := world.Actor{Type: world.ActorAPI, ID: w.sandbox.Org(), Org: w.sandbox.Org()}
	for _, trigger := range model.Triggers() {
		in := model.WebhookInput{URL: model.Some(s.url), Trigger: model.Some(trigger)}
		if trigger.HasThreshold() {
			in.Threshold = model.Some(float64(stationThreshold))
		}
		_, err := w.world.CreateWebhook(s.t.Context(), actor, in)
		require.NoError(s.t, err)
	}
}

// check says whether every trigger that can occur has, each time with a valid signature and body.
func (s *station) check(w *town) {
	s.t.Helper()
	secret, err := w.world.WebhookSecret(s.t.Context(), w.sandbox.Org())
	require.NoError(s.t, err)
	for _, trigger := range model.Triggers() {
		if trigger == model.TriggerRouteOptimizationDone {
			require.Empty(s.t, s.got[trigger], "nothing optimizes routes but a dispatch, which has its own trigger")
			continue
		}
		require.NotEmpty(s.t, s.got[trigger], "%s never occurs", trigger.Name())
		for _, e := range s.got[trigger] {
			require.True(s.t, events.Verify(secret, e.Body, e.Signature))
			require.Equal(s.t, trigger.Name(), e.Event.TriggerName)
			require.Positive(s.t, e.Event.Time)
			require.True(s.t, hasItsProperties(e.Event), "%s", e.Body)
		}
	}
}

// hasItsProperties reports whether an event carries what the document says for its trigger.
func hasItsProperties(e model.Event) bool {
	task, worker := e.Data.Value().Task.Value(), e.Data.Value().Worker.Value()
	aboutTask := e.TaskID.Value().Valid() && task.ID == e.TaskID.Value() && task.Destination.Object != nil
	switch e.TriggerID {
	case model.TriggerTaskETA:
		eta, ok := e.ETASeconds.Get()
		return aboutTask && ok && eta <= stationThreshold
	case model.TriggerTaskArrival:
		distance, ok := e.Distance.Get()
		return aboutTask && ok && distance <= stationThreshold
	case model.TriggerTaskDelayed:
		delay, ok := e.Delay.Get()
		return aboutTask && ok && delay >= stationThreshold && task.State == model.TaskActive
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
