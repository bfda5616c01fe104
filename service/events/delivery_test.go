package events

import (
	"context"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }

func TestEventsAreSignedAndHaveTheirHeaders(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	hook := w.createWebhook(receiver.URL, model.TriggerTaskAssigned)
	task, driver := model.NewID(), model.NewID()
	w.write(func(tx *store.Tx) error {
		return w.broker.Record(t.Context(), tx, w.org, world.Event{
			Trigger: model.TriggerTaskAssigned, Actor: w.actor, Time: w.world.Now(), TaskID: task, Worker: driver,
		})
	})
	w.deliverAll()
	require.Equal(t, 1, receiver.count())
	require.JSONEq(t, `{
		"actionContext":{"type":"API","id":"`+string(w.actor.ID)+`"},"adminId":null,
		"taskId":"`+string(task)+`","workerId":"`+string(driver)+`",
		"data":{"task":{"id":"`+string(task)+`"},"worker":{"id":"`+string(driver)+`"}},
		"time":`+strconv.FormatInt(int64(w.world.Now()), 10)+`,"triggerId":9,"triggerName":"taskAssigned"
	}`, string(receiver.bodies[0]))
	head := receiver.headers[0]
	require.True(t, Verify(w.secret, receiver.bodies[0], head.Get(SignatureHeader)))
	require.False(t, Verify(w.secret, append(receiver.bodies[0], ' '), head.Get(SignatureHeader)))
	require.Len(t, head.Get(SignatureHeader), 128)
	require.Equal(t, "application/json", head.Get("Content-Type"))
	logged := w.log()
	require.Len(t, logged, 1)
	require.Equal(t, head.Get(DeliveryHeader), string(logged[0].Deliveries[0].ID))
	require.Equal(t, model.DeliveryDelivered, logged[0].Deliveries[0].State)
	require.EqualValues(t, 1, w.webhook(hook).Count)
}

func TestARolledBackChangeSendsNothing(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	w.createWebhook(receiver.URL, model.TriggerTaskCreated)
	err := w.store.Write(t.Context(), func(tx *store.Tx) error {
		event := world.Event{Trigger: model.TriggerTaskCreated, Time: w.world.Now(), TaskID: model.NewID()}
		require.NoError(t, w.broker.Record(t.Context(), tx, w.org, event))
		return io.ErrUnexpectedEOF
	})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	w.deliverAll()
	require.Zero(t, receiver.count())
	require.Empty(t, w.log())
}

func TestOnlyWebhooksOfTheTriggerAndOrganizationGetAnEvent(t *testing.T) {
	w := newTestBroker(t)
	wanted, other := w.listen(nil), w.listen(nil)
	w.createWebhook(wanted.URL, model.TriggerTaskCreated)
	w.createWebhook(other.URL, model.TriggerTaskDeleted)
	w.recordEvents(model.TriggerTaskCreated, model.NewID())
	w.write(func(tx *store.Tx) error {
		return w.broker.Record(t.Context(), tx, model.NewID(), world.Event{Trigger: model.TriggerTaskCreated, TaskID: model.NewID()})
	})
	w.deliverAll()
	require.Equal(t, 1, wanted.count())
	require.Zero(t, other.count())
}

// TestRetriesEvery30MinutesForADay advances the clock by two days in steps of five minutes, or one minute at both ends.
func TestRetriesEvery30MinutesForADay(t *testing.T) {
	w := newTestBroker(t)
	var mu sync.Mutex
	var minutes []int
	start := w.clock.Now()
	receiver := w.listen(func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		minutes = append(minutes, int(w.clock.Now().Sub(start).Minutes()))
		rw.WriteHeader(http.StatusInternalServerError)
	})
	w.createWebhook(receiver.URL, model.TriggerTaskCreated)
	w.recordEvents(model.TriggerTaskCreated, model.NewID())
	for passed := time.Duration(0); passed < 48*time.Hour; passed = w.clock.Now().Sub(start) {
		w.deliverAll()
		step := 5 * time.Minute
		if passed < 2*time.Hour || (passed > 23*time.Hour && passed < 25*time.Hour) {
			step = time.Minute
		}
		w.clock.Advance(step)
	}
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, minutes, 49)
	for i, minute := range minutes {
		require.Equal(t, 30*i, minute)
	}
	delivery := w.log()[0].Deliveries[0]
	require.Equal(t, model.DeliveryGivenUp, delivery.State)
	require.EqualValues(t, 49, delivery.Attempts)
	require.Equal(t, "status 500 Internal Server Error", delivery.Outcome)
	for i := range receiver.headers {
		require.Equal(t, receiver.headers[0].Get(DeliveryHeader), receiver.headers[i].Get(DeliveryHeader))
		require.Equal(t, receiver.bodies[0], receiver.bodies[i])
	}

	receiver.setAnswer(nil)
	_, err := w.broker.Replay(t.Context(), w.org, int64(w.log()[0].ID))
	require.NoError(t, err)
	w.deliverAll()
	require.Equal(t, 50, receiver.count())
	require.Equal(t, receiver.bodies[0], receiver.bodies[49])
	require.NotEqual(t, receiver.headers[0].Get(DeliveryHeader), receiver.headers[49].Get(DeliveryHeader))
}

func TestAWebhookIsDisabledAtThe301stFailureInARow(t *testing.T) {
	for name, recovers := range map[string]bool{"never succeeds": false, "succeeds after 300": true} {
		t.Run(name, func(t *testing.T) {
			w := newTestBroker(t)
			receiver := w.listen(answerStatus(http.StatusTeapot))
			hook := w.createWebhook(receiver.URL, model.TriggerTaskCreated)
			w.recordEvents(model.TriggerTaskCreated, newIDs(300)...)
			w.deliverAll()
			require.Equal(t, 300, receiver.count())
			require.True(t, w.webhook(hook).IsEnabled.Value())
			if recovers {
				receiver.setAnswer(nil)
				w.recordEvents(model.TriggerTaskCreated, model.NewID())
				w.deliverAll()
				require.EqualValues(t, 1, w.webhook(hook).Count)
				receiver.setAnswer(answerStatus(http.StatusTeapot))
			}
			w.recordEvents(model.TriggerTaskCreated, model.NewID())
			w.deliverAll()
			require.Equal(t, recovers, w.webhook(hook).IsEnabled.Value())
			if recovers {
				return
			}
			w.clock.Advance(model.WebhookRetryInterval)
			w.recordEvents(model.TriggerTaskCreated, model.NewID())
			w.deliverAll()
			require.Equal(t, 301, receiver.count(), "a disabled webhook gets nothing")
			require.Empty(t, w.log()[0].Deliveries)
			require.Equal(t, model.DeliveryStopped, w.log()[1].Deliveries[0].State)
		})
	}
}

func TestOnly200IsSuccess(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	hook := w.createWebhook(receiver.URL, model.TriggerTaskCreated)
	elsewhere := w.listen(nil)
	var code atomic.Int32
	code.Store(199)
	receiver.setAnswer(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Location", elsewhere.URL)
		rw.WriteHeader(int(code.Add(1)))
	})
	for range 2 { // a webhook survives 300 failures
		w.recordEvents(model.TriggerTaskCreated, newIDs(200)...)
		w.deliverAll()
		w.write(func(tx *store.Tx) error {
			_, err := tx.Exec(context.Background(), "UPDATE webhooks SET failures = 0")
			return err
		})
	}
	require.EqualValues(t, 599, code.Load())
	require.EqualValues(t, 1, w.webhook(hook).Count)
	require.Equal(t, 400, receiver.count())
	require.Zero(t, elsewhere.count(), "redirects are not followed")
}

func TestBrokenReceivers(t *testing.T) {
	hijack := func(then func(net.Conn)) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(rw).Hijack()
			if err == nil {
				then(conn)
				conn.Close()
			}
		}
	}
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	write := func(text string) http.HandlerFunc {
		return hijack(func(c net.Conn) { io.WriteString(c, text) }) //nolint:errcheck // a test receiver
	}
	cases := map[string]struct {
		answer  http.HandlerFunc
		timeout time.Duration
		success bool
	}{
		"never answers": {answer: func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-gone:
			}
		}, timeout: 50 * time.Millisecond},
		"resets":                          {answer: hijack(func(net.Conn) {})},
		"sends garbage":                   {answer: write("boo\r\n\r\n")},
		"closes within the headers":       {answer: write("HTTP/1.1 200 OK\r\nX-A: ")},
		"closes within the body of a 200": {answer: write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), success: true},
		"sends without end": {answer: func(rw http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := rw.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}, success: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newTestBroker(t, func(o *Options) { o.Timeout = c.timeout })
			receiver := w.listen(c.answer)
			hook := w.insertWebhook(receiver.URL, model.TriggerTaskCreated)
			w.recordEvents(model.TriggerTaskCreated, model.NewID())
			w.deliverAll()
			require.EqualValues(t, map[bool]int{true: 1}[c.success], w.webhook(hook).Count)
		})
	}
}

func TestCertificatesMustBeValid(t *testing.T) {
	w := newTestBroker(t)
	for name, change := range map[string]func(*x509.Certificate){
		"expired":       func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) },
		"not yet valid": func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) },
		"self-signed":   func(c *x509.Certificate) { c.Subject = pkix.Name{CommonName: "self-signed"} },
		"wrong host":    func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"elsewhere.example"} },
		"not a server":  func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} },
	} {
		t.Run(name, func(t *testing.T) {
			receiver := w.listenAs(w.authority.issue(change), nil)
			_, err := w.world.CreateWebhook(t.Context(), w.actor, model.WebhookInput{
				URL: model.Some(receiver.URL), Trigger: model.Some(model.TriggerTaskCreated),
			})
			require.ErrorIs(t, err, &world.Error{Subcode: model.ErrorWebhookCheck})
			hook := w.insertWebhook(receiver.URL, model.TriggerTaskCreated)
			w.recordEvents(model.TriggerTaskCreated, model.NewID())
			w.deliverAll()
			require.Zero(t, w.webhook(hook).Count)
			require.Zero(t, receiver.count())
			require.Contains(t, w.log()[0].Deliveries[0].Outcome, "x509")
			require.NoError(t, w.world.DeleteWebhook(t.Context(), w.actor, hook))
		})
	}
}

func TestEventsOfATaskArriveInOrder(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	w.createWebhook(receiver.URL, model.TriggerTaskUpdated)
	tasks := newIDs(20)
	const each = 30
	for range each {
		w.recordEvents(model.TriggerTaskUpdated, tasks...)
		w.clock.Advance(time.Second)
	}
	w.deliverAll()
	last := map[model.ID]model.Millis{}
	for _, event := range receiver.events(t) {
		task := event.TaskID.Value()
		require.Greater(t, event.Time, last[task])
		last[task] = event.Time
	}
	require.Equal(t, each*len(tasks), receiver.count())
}

// timeoutTransport times out requests to one host when the test says so.
type timeoutTransport struct {
	next    http.RoundTripper
	host    string
	timeout chan struct{}
}

func (p *timeoutTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != p.host || r.Method != http.MethodPost {
		return p.next.RoundTrip(r)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		resp, err := p.next.RoundTrip(r.WithContext(ctx))
		if err == nil {
			resp.Body.Close()
		}
		failed <- err
	}()
	select {
	case <-p.timeout:
		return nil, os.ErrDeadlineExceeded
	case err := <-failed:
		return nil, err
	}
}

// TestASilentReceiverDelaysNobody has one receiver that never answers. Another webhook still gets the same events, and
// the silent one gets all later events of the task as soon as one attempt has timed out.
func TestASilentReceiverDelaysNobody(t *testing.T) {
	w := newTestBroker(t)
	hanging := make(chan struct{}, 10)
	silent := w.listen(func(_ http.ResponseWriter, r *http.Request) {
		hanging <- struct{}{}
		<-r.Context().Done()
	})
	delivered := make(chan struct{}, 10)
	prompt := w.listen(func(http.ResponseWriter, *http.Request) { delivered <- struct{}{} })
	w.createWebhook(silent.URL, model.TriggerTaskUpdated)
	hook := w.createWebhook(prompt.URL, model.TriggerTaskUpdated)
	address, err := url.Parse(silent.URL)
	require.NoError(t, err)
	timeout := make(chan struct{})
	w.broker.client.Transport = &timeoutTransport{w.broker.client.Transport, address.Host, timeout}
	task := model.NewID()
	for range 4 {
		w.recordEvents(model.TriggerTaskUpdated, task)
	}
	var wg sync.WaitGroup
	wg.Go(func() { w.deliverAll() })
	<-hanging
	for range 4 {
		<-delivered
	}
	require.Equal(t, 1, silent.count(), "the events of one task wait for each other")
	timeout <- struct{}{}
	for range 3 {
		<-hanging // all at once, before any of them has timed out
	}
	close(timeout)
	wg.Wait()
	require.EqualValues(t, 4, w.webhook(hook).Count)
	for _, logged := range w.log() {
		for _, d := range logged.Deliveries {
			require.EqualValues(t, 1, d.Attempts)
		}
	}
}

func TestAFailedEventDoesNotBlockLaterOnes(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(answerStatus(http.StatusBadGateway))
	w.createWebhook(receiver.URL, model.TriggerTaskUpdated)
	task := model.NewID()
	w.recordEvents(model.TriggerTaskUpdated, task)
	w.deliverAll()
	receiver.setAnswer(nil)
	w.clock.Advance(time.Minute)
	w.recordEvents(model.TriggerTaskUpdated, task)
	w.deliverAll()
	require.Equal(t, 2, receiver.count())
	w.clock.Advance(model.WebhookRetryInterval)
	w.deliverAll()
	require.Equal(t, 3, receiver.count())
	events := receiver.events(t)
	require.Equal(t, events[0].Time, events[2].Time)
}

// TestAKilledProcessSendsAgain stops during an attempt, reopens the store and delivers the event.
func TestAKilledProcessSendsAgain(t *testing.T) {
	w := newTestBroker(t)
	arrived := make(chan struct{}, 10)
	receiver := w.listen(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	hook := w.createWebhook(receiver.URL, model.TriggerTaskCreated)
	w.recordEvents(model.TriggerTaskCreated, newIDs(5)...)
	ctx, die := context.WithCancel(t.Context())
	died := make(chan error)
	go func() { died <- w.broker.DeliverAll(ctx) }()
	for range 5 {
		<-arrived
	}
	die()
	require.ErrorIs(t, <-died, context.Canceled)
	require.NoError(t, w.store.Close())

	w.open()
	receiver.setAnswer(nil)
	w.deliverAll()
	require.EqualValues(t, 5, w.webhook(hook).Count)
	seen := map[string]int{}
	for _, head := range receiver.headers {
		seen[head.Get(DeliveryHeader)]++
	}
	require.Len(t, seen, 5)
	for id, n := range seen {
		require.Equal(t, 2, n, id)
	}
	for _, logged := range w.log() {
		require.EqualValues(t, 1, logged.Deliveries[0].Attempts, "a cancelled attempt does not count")
	}
}

func TestADeletedWebhookGetsNoEvents(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	hook := w.createWebhook(receiver.URL, model.TriggerTaskCreated)
	w.recordEvents(model.TriggerTaskCreated, model.NewID())
	require.NoError(t, w.world.DeleteWebhook(t.Context(), w.actor, hook))
	w.deliverAll()
	require.Zero(t, receiver.count())
	require.Empty(t, w.log()[0].Deliveries)
}

// In a sandbox at 3600 times the speed of the real world, 15 seconds are 4 milliseconds.
func TestAFastClockDoesNotKeepTheBrokerBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Broker{clock: world.NewScaledClock(time.Now(), 3600)}
		start := time.Now()
		require.NoError(t, b.waitForRetryInterval(t.Context()))
		require.GreaterOrEqual(t, time.Since(start), minPause)
	})
}
