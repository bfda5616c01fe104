package events

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/world"
)

func TestAWebhookIsCreatedOnlyIfItsServerPassesValidation(t *testing.T) {
	w := newTestBroker(t)
	repeat := func(status int, before, after string) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			rw.WriteHeader(status)
			io.WriteString(rw, before+r.URL.Query().Get("check")+after) //nolint:errcheck // a test receiver
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		valid  bool
	}{
		"exactly":        {repeat(200, "", ""), true},
		"with a newline": {repeat(200, "", "\n"), false},
		"quoted":         {repeat(200, `"`, `"`), false},
		"another status": {repeat(201, "", ""), false},
		"much more":      {repeat(200, "", strings.Repeat(" ", 1<<20)), false},
		"nothing":        {func(http.ResponseWriter, *http.Request) {}, false},
		"redirect": {func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, r.URL.String()+"&again=1", http.StatusFound)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var method, query string
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				method, query = r.Method, r.URL.Query().Get("keep")
				c.answer(rw, r)
			}))
			server.TLS = &tls.Config{Certificates: []tls.Certificate{w.authority.issue(nil)}}
			server.StartTLS()
			defer server.Close()
			created, err := w.world.CreateWebhook(t.Context(), w.actor, model.WebhookInput{
				URL: model.Some(server.URL + "/x?keep=1"), Trigger: model.Some(model.TriggerTaskCreated),
			})
			require.Equal(t, http.MethodGet, method)
			require.Equal(t, "1", query, "the URL keeps its own query")
			if c.valid {
				require.NoError(t, err)
				require.NoError(t, w.world.DeleteWebhook(t.Context(), w.actor, created.ID))
				return
			}
			require.ErrorIs(t, err, &world.Error{Subcode: model.ErrorWebhookCheck})
			list, err := w.world.Webhooks(t.Context(), w.org)
			require.NoError(t, err)
			require.Empty(t, list)
		})
	}
}

func TestAtMostTenWebhooksPerTriggerWithThreshold(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	for _, trigger := range []model.Trigger{model.TriggerTaskETA, model.TriggerTaskArrival, model.TriggerTaskDelayed, model.TriggerTaskCreated} {
		var created, refused atomic.Int32
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() {
				_, err := w.world.CreateWebhook(context.Background(), w.actor, model.WebhookInput{
					URL: model.Some(receiver.URL), Trigger: model.Some(trigger),
				})
				if err == nil {
					created.Add(1)
				} else {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		want := int32(30)
		if trigger.HasThreshold() {
			want = 10
		}
		require.Equal(t, want, created.Load(), trigger.Name())
		require.Equal(t, 30-want, refused.Load(), trigger.Name())
	}
}

func TestLogPagingFilterAndRetention(t *testing.T) {
	w := newTestBroker(t)
	task := model.NewID()
	for range 125 {
		w.recordEvents(model.TriggerTaskUpdated, task)
		w.recordEvents(model.TriggerTaskCreated, task)
	}
	var ids []model.Int
	filter := Filter{Trigger: model.Some(model.TriggerTaskCreated), Task: task, Limit: 50}
	for {
		page, err := w.broker.ListEvents(t.Context(), w.org, filter)
		require.NoError(t, err)
		for _, event := range page.Events {
			ids = append(ids, event.ID)
		}
		last, more := page.LastID.Get()
		if !more {
			break
		}
		filter.Before = int64(last)
	}
	require.Len(t, ids, 125)
	require.IsDecreasing(t, ids)
	_, err := w.broker.GetEvent(t.Context(), model.NewID(), int64(ids[0]))
	require.ErrorIs(t, err, world.OtherOrganization())
	_, err = w.broker.GetEvent(t.Context(), w.org, 1<<40)
	require.ErrorIs(t, err, world.NotFound())

	w.recordEvents(model.TriggerTaskUpdated, newIDs(2*deleteChunkSize)...)
	w.clock.Advance(logRetention)
	w.recordEvents(model.TriggerTaskDeleted, task)
	w.clock.Advance(1e9)
	require.NoError(t, w.broker.QueueRetries(t.Context()))
	require.Len(t, w.log(), 1)
}

// TestFollowTheLog reads new events repeatedly, as a console does.
func TestFollowTheLog(t *testing.T) {
	w := newTestBroker(t)
	w.recordEvents(model.TriggerTaskCreated, newIDs(10)...)
	since := func(after model.Int, limit int64) (ids []model.Int, more bool) {
		filter := Filter{After: int64(after), Limit: limit}
		for {
			page, err := w.broker.ListEvents(t.Context(), w.org, filter)
			require.NoError(t, err)
			for _, event := range page.Events {
				ids = append(ids, event.ID)
			}
			last, ok := page.LastID.Get()
			if !ok {
				return ids, more
			}
			require.NotEmpty(t, page.Events, "a page with lastId has events")
			filter.Before, more = int64(last), true
		}
	}
	newest := w.log()[0].ID
	ids, _ := since(newest, 5)
	require.Empty(t, ids)
	w.recordEvents(model.TriggerTaskUpdated, newIDs(5)...)
	ids, more := since(newest, 5)
	require.Equal(t, []model.Int{newest + 5, newest + 4, newest + 3, newest + 2, newest + 1}, ids)
	require.False(t, more, "an exactly full page is the last")
	ids, more = since(newest, 2)
	require.Len(t, ids, 5)
	require.IsDecreasing(t, ids)
	require.True(t, more)

	// After a week without events all old ones are deleted, but ids still grow.
	w.clock.Advance(2 * logRetention)
	require.NoError(t, w.broker.QueueRetries(t.Context()))
	w.recordEvents(model.TriggerTaskDeleted, model.NewID())
	ids, _ = since(newest+5, 5)
	require.Equal(t, []model.Int{newest + 6}, ids)
}

func TestAnEventWithoutWebhooksCanBeReplayed(t *testing.T) {
	w := newTestBroker(t)
	task := model.NewID()
	w.reportMeasures() // no webhook has a threshold
	w.recordEvents(model.TriggerTaskStarted, task)
	logged := w.log()[0]
	require.True(t, logged.Body.IsNull(), "no webhook wanted it")
	_, err := w.broker.Replay(t.Context(), w.org, int64(logged.ID))
	require.ErrorContains(t, err, "No webhook for trigger")
	receiver := w.listen(nil)
	w.createWebhook(receiver.URL, model.TriggerTaskStarted)
	_, err = w.broker.Replay(t.Context(), w.org, int64(logged.ID))
	require.NoError(t, err)
	w.deliverAll()
	require.Equal(t, logged.Time, receiver.events(t)[0].Time)
	require.Equal(t, task, receiver.events(t)[0].TaskID.Value())
	require.Contains(t, string(receiver.bodies[0]), `"data":{"task":{`)
}

func TestSamplesOfTriggersThatNeedNoTask(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	for _, trigger := range []model.Trigger{
		model.TriggerSMSMissed, model.TriggerSMSOptOut, model.TriggerAutoDispatchDone, model.TriggerBatchDone,
		model.TriggerRouteOptimizationDone,
	} {
		w.createWebhook(receiver.URL, trigger)
		_, err := w.broker.SendSample(t.Context(), w.actor, trigger, "")
		require.NoError(t, err)
		w.deliverAll()
		events := receiver.events(t)
		require.Equal(t, trigger.Name(), events[len(events)-1].TriggerName)
	}
	_, err := w.broker.SendSample(t.Context(), w.actor, model.TriggerTaskCreated, "")
	require.ErrorContains(t, err, "needs a task")
	_, err = w.broker.SendSample(t.Context(), w.actor, model.TriggerTaskCreated, "abcdefabcdefabcdefabcdef")
	require.ErrorContains(t, err, "There is no task abcdefabcdefabcdefabcdef.")
}

func TestSubscribersGetOnlyTheirSubject(t *testing.T) {
	w := newTestBroker(t)
	mine, other := model.NewID(), model.NewID()
	signal, cancel := w.broker.Subscribe(mine)
	w.recordEvents(model.TriggerTaskUpdated, other)
	require.Empty(t, signal)
	w.recordEvents(model.TriggerTaskUpdated, mine)
	w.recordEvents(model.TriggerTaskUpdated, mine)
	require.Len(t, signal, 1)
	cancel()
	require.Empty(t, w.broker.subscribers)
}
