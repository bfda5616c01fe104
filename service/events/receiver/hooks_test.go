package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/events"
	"waybill/service/events/receiver"
)

var (
	errOnlyThis = errors.New("no such kind here")
	errGone     = errors.New("gone")
	errDown     = errors.New("down")
)

// registry is a service's list of webhooks.
type registry struct {
	hooks   []model.Webhook
	refuses map[model.Trigger]error
	made    int
}

func (r *registry) Webhooks(context.Context) ([]model.Webhook, error) { return r.hooks, nil }

func (r *registry) CreateWebhook(ctx context.Context, in model.WebhookInput) (model.Webhook, error) {
	if ctx.Err() != nil {
		return model.Webhook{}, ctx.Err()
	}
	if err := r.refuses[in.Trigger.Value()]; err != nil {
		return model.Webhook{}, err
	}
	r.made++
	hook := model.Webhook{
		ID: model.ID(fmt.Sprint("made", r.made)), URL: in.URL.Value(), Name: in.Name, Trigger: in.Trigger.Value(), Threshold: in.Threshold,
	}
	r.hooks = append(r.hooks, hook)
	return hook, nil
}

func (r *registry) DeleteWebhook(_ context.Context, id model.ID) error {
	for i := range r.hooks {
		if r.hooks[i].ID == id {
			r.hooks = append(r.hooks[:i:i], r.hooks[i+1:]...)
			return nil
		}
	}
	return errGone
}

func TestWebhooksOfAReceiverAreMadeOnceAndRemoved(t *testing.T) {
	const here = "https://here/"
	ours := func(id string, trigger model.Trigger, enabled bool) model.Webhook {
		return model.Webhook{ID: model.ID(id), URL: here, Name: model.Some("us"), Trigger: trigger, IsEnabled: model.Some(enabled)}
	}
	foreign := model.Webhook{ID: "foreign", URL: "https://there/", Name: model.Some("us"), Trigger: model.TriggerTaskFailed}
	byHand := model.Webhook{ID: "hand", URL: here, Name: model.Some("by hand"), Trigger: model.TriggerTaskCreated}
	r := &registry{
		hooks:   []model.Webhook{foreign, byHand, ours("left", model.TriggerTaskStarted, true), ours("disabled", model.TriggerTaskUpdated, false)},
		refuses: map[model.Trigger]error{model.TriggerSMSOptOut: errOnlyThis},
	}
	hooks := receiver.Webhooks{
		Registry: r, URL: here, Name: "us", Threshold: 60,
		IsTriggerError: func(err error) bool { return errors.Is(err, errOnlyThis) }, IsNotFound: func(err error) bool { return errors.Is(err, errGone) },
	}
	wanted := []model.Trigger{
		model.TriggerTaskStarted, model.TriggerTaskETA, model.TriggerTaskCreated, model.TriggerTaskUpdated, model.TriggerSMSOptOut,
	}
	for range 2 { // what stands is left alone
		standing, err := hooks.Register(t.Context(), wanted)
		require.NoError(t, err)
		require.Equal(t, wanted[:4], standing.Triggers)
		require.ErrorIs(t, standing.Refused[model.TriggerSMSOptOut], errOnlyThis)
		require.Equal(t, 2, r.made, "only what was missing and what was disabled")
	}
	require.InDelta(t, 60, r.hooks[3].Threshold.Value(), 0)

	require.NoError(t, hooks.Remove(t.Context()))
	require.Equal(t, []model.Webhook{foreign, byHand}, r.hooks)

	r.refuses[model.TriggerTaskStarted] = errDown
	_, err := hooks.Register(t.Context(), wanted)
	require.ErrorIs(t, err, errDown, "what is about everything ends it")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = hooks.Register(ended, wanted)
	require.ErrorIs(t, err, context.Canceled)
}

func TestEventsAreSafeToShowAndForgeriesAreTold(t *testing.T) {
	var got []receiver.Received
	var dropped []error
	handler := receiver.New(receiver.Options{
		Secret:  secret,
		Handle:  func(_ context.Context, e receiver.Received) error { got = append(got, e); return nil },
		OnRejected: func(reason error) { dropped = append(dropped, reason) },
	})
	body := "{\"time\":1,\"triggerId\":6,\"triggerName\":\"task\\u001b[2JCreated\\u202e\",\"taskId\":\"x\"}"
	signature, err := events.Sign(secret, []byte(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, send(handler, "POST", "/", body, signature).Code)
	require.Equal(t, "taskCreated", got[0].Event.TriggerName)
	require.Equal(t, body, string(got[0].Body), "what was signed stays as it came")
	require.Equal(t, http.StatusUnauthorized, send(handler, "POST", "/", body+" ", signature).Code)
	endless := strings.Repeat("a", 33<<20)
	require.Equal(t, http.StatusBadRequest, send(handler, "POST", "/", endless, signature).Code)
	require.Equal(t, []error{receiver.ErrSignature, receiver.ErrUnreadable}, dropped)

	// A batch with many tasks is large, and whole.
	large := `{"triggerId":19,"triggerName":"taskBatchCreateJobCompleted"` + strings.Repeat(" ", 1<<20) + `,"jobId":"last"}`
	signature, err = events.Sign(secret, []byte(large))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, send(handler, "POST", "/", large, signature).Code)
	require.Equal(t, model.ID("last"), got[1].Event.JobID.Value())
}
