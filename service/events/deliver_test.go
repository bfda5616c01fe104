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

func TestEventsAreSignedAndCarryTheirEnvelope(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	hook := w.hook(station.URL, model.TriggerTaskAssigned)
	task, driver := model.NewID(), model.NewID()
	w.write(func(tx *store.Tx) error {
		return w.broker.Record(t.Context(), tx, w.org, world.Event{
			Trigger: model.TriggerTaskAssigned, Actor: w.actor, Time: w.world.Now(), TaskID: task, Worker: driver,
		})
	})
	w.drain()
	require.Equal(t, 1, station.count())
	require.JSONEq(t, `{
		"actionContext":{"type":"API","id":"`+string(w.actor.ID)+`"},"adminId":null,
		"taskId":"`+string(task)+`","workerId":"`+string(driver)+`",
		"data":{"task":{"id":"`+string(task)+`"},"worker":{"id":"`+string(driver)+`"}},
		"time":`+strconv.FormatInt(int64(w.world.Now()), 10)+`,"triggerId":9,"triggerName":"taskAssigned"
	}`, string(station.bodies[0]))
	head := station.heads[0]
	require.True(t, Verify(w.secret, station.bodies[0], head.Get(SignatureHeader)))
	require.False(t, Verify(w.secret, append(station.bodies[0], ' '), head.Get(SignatureHeader)))
	require.Len(t, head.Get(SignatureHeader), 128)
	require.Equal(t, "application/json", head.Get("Content-Type"))
	logged := w.log()
	require.Len(t, logged, 1)
	require.Equal(t, head.Get(DeliveryHeader), string(logged[0].Deliveries[0].ID))
	require.Equal(t, model.DeliveryDelivered, logged[0].Deliveries[0].State)
	require.EqualValues(t, 1, w.webhook(hook).Count)
}

func TestAChangeThatIsNotKeptSendsNothing(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	w.hook(station.URL, model.TriggerTaskCreated)
	err := w.store.Write(t.Context(), func(tx *store.Tx) error {
		event := world.Event{Trigger: model.TriggerTaskCreated, Time: w.world.Now(), TaskID: model.NewID()}
		require.NoError(t, w.broker.Record(t.Context(), tx, w.org, event))
		return io.ErrUnexpectedEOF
	})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	w.drain()
	require.Zero(t, station.count())
	require.Empty(t, w.log())
}

func TestOnlyListenersOfTheTriggerAndOrganizationGetIt(t *testing.T) {
	w := newTown(t)
	wanted, other := w.listen(nil), w.listen(nil)
	w.hook(wanted.URL, model.TriggerTaskCreated)
	w.hook(other.URL, model.TriggerTaskDeleted)
	w.happen(model.TriggerTaskCreated, model.NewID())
	w.write(func(tx *store.Tx) error {
		return w.broker.Record(t.Context(), tx, model.NewID(), world.Event{Trigger: model.TriggerTaskCreated, TaskID: model.NewID()})
	})
	w.drain()
	require.Equal(t, 1, wanted.count())
	require.Zero(t, other.count())
}

// TestRetriesComeEvery30MinutesForADay walks two days five minutes at a time, and minute by minute at both ends.
func TestRetriesComeEvery30MinutesForADay(t *testing.T) {
	w := newTown(t)
	var mu sync.Mutex
	var minutes []int
	start := w.clock.Now()
	station := w.listen(func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		minutes = append(minutes, int(w.clock.Now().Sub(start).Minutes()))
		rw.WriteHeader(http.StatusInternalServerError)
	})
	w.hook(station.URL, model.TriggerTaskCreated)
	w.happen(model.TriggerTaskCreated, model.NewID())
	for passed := time.Duration(0); passed < 48*time.Hour; passed = w.clock.Now().Sub(start) {
		w.drain()
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
	for i := range station.heads {
		require.Equal(t, station.heads[0].Get(DeliveryHeader), station.heads[i].Get(DeliveryHeader))
		require.Equal(t, station.bodies[0], station.bodies[i])
	}

	station.set(nil)
	_, err := w.broker.Replay(t.Context(), w.org, int64(w.log()[0].ID))
	require.NoError(t, err)
	w.drain()
	require.Equal(t, 50, station.count())
	require.Equal(t, station.bodies[0], station.bodies[49])
	require.NotEqual(t, station.heads[0].Get(DeliveryHeader), station.heads[49].Get(DeliveryHeader))
}

func TestAWebhookIsDisabledAtThe301stFailureInARow(t *testing.T) {
	for name, recovers := range map[string]bool{"never succeeds": false, "succeeds after 300": true} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			station := w.listen(status(http.StatusTeapot))
			hook := w.hook(station.URL, model.TriggerTaskCreated)
			w.happen(model.TriggerTaskCreated, newIDs(300)...)
			w.drain()
			require.Equal(t, 300, station.count())
			require.True(t, w.webhook(hook).IsEnabled.Value())
			if recovers {
				station.set(nil)
				w.happen(model.TriggerTaskCreated, model.NewID())
				w.drain()
				require.EqualValues(t, 1, w.webhook(hook).Count)
				station.set(status(http.StatusTeapot))
			}
			w.happen(model.TriggerTaskCreated, model.NewID())
			w.drain()
			require.Equal(t, recovers, w.webhook(hook).IsEnabled.Value())
			if recovers {
				return
			}
			w.clock.Advance(model.WebhookRetryInterval)
			w.happen(model.TriggerTaskCreated, model.NewID())
			w.drain()
			require.Equal(t, 301, station.count(), "a disabled webhook gets nothing")
			require.Empty(t, w.log()[0].Deliveries)
			require.Equal(t, model.DeliveryStopped, w.log()[1].Deliveries[0].State)
		})
	}
}

func TestOnly200IsSuccess(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	hook := w.hook(station.URL, model.TriggerTaskCreated)
	elsewhere := w.listen(nil)
	var code atomic.Int32
	code.Store(199)
	station.set(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Location", elsewhere.URL)
		rw.WriteHeader(int(code.Add(1)))
	})
	for range 2 { // a webhook survives 300 failures
		w.happen(model.TriggerTaskCreated, newIDs(200)...)
		w.drain()
		w.write(func(tx *store.Tx) error {
			_, err := tx.Exec(context.Background(), "UPDATE webhooks SET failures = 0")
			return err
		})
	}
	require.EqualValues(t, 599, code.Load())
	require.EqualValues(t, 1, w.webhook(hook).Count)
	require.Equal(t, 400, station.count())
	require.Zero(t, elsewhere.count(), "redirects are not followed")
}

func TestReceiversThatMisbehave(t *testing.T) {
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
		return hijack(func(c net.Conn) { io.WriteString(c, text) }) //nolint:errcheck // a test's receiver
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
		"sends nonsense":                  {answer: write("boo\r\n\r\n")},
		"breaks off in the headers":       {answer: write("HTTP/1.1 200 OK\r\nX-A: ")},
		"breaks off in the body of a 200": {answer: write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), success: true},
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
			w := newTown(t, func(o *Options) { o.Timeout = c.timeout })
			station := w.listen(c.answer)
			hook := w.plant(station.URL, model.TriggerTaskCreated)
			w.happen(model.TriggerTaskCreated, model.NewID())
			w.drain()
			require.EqualValues(t, map[bool]int{true: 1}[c.success], w.webhook(hook).Count)
		})
	}
}

func TestCertificatesMustBeValid(t *testing.T) {
	w := newTown(t)
	for name, change := range map[string]func(*x509.Certificate){
		"expired":       func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) },
		"not yet valid": func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) },
		"self-signed":   func(c *x509.Certificate) { c.Subject = pkix.Name{CommonName: "self-signed"} },
		"wrong host":    func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"elsewhere.example"} },
		"not a server":  func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} },
	} {
		t.Run(name, func(t *testing.T) {
			station := w.listenAs(w.authority.issue(change), nil)
			_, err := w.world.CreateWebhook(t.Context(), w.actor, model.WebhookInput{
				URL: model.Some(station.URL), Trigger: model.Some(model.TriggerTaskCreated),
			})
			require.ErrorIs(t, err, &world.Error{Subcode: model.ErrorWebhookCheck})
			hook := w.plant(station.URL, model.TriggerTaskCreated)
			w.happen(model.TriggerTaskCreated, model.NewID())
			w.drain()
			require.Zero(t, w.webhook(hook).Count)
			require.Zero(t, station.count())
			require.Contains(t, w.log()[0].Deliveries[0].Outcome, "x509")
			require.NoError(t, w.world.DeleteWebhook(t.Context(), w.actor, hook))
		})
	}
}

func TestEventsOfATaskArriveInOrder(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	w.hook(station.URL, model.TriggerTaskUpdated)
	tasks := newIDs(20)
	const each = 30
	for range each {
		w.happen(model.TriggerTaskUpdated, tasks...)
		w.clock.Advance(time.Second)
	}
	w.drain()
	last := map[model.ID]model.Millis{}
	for _, event := range station.events(t) {
		task := event.TaskID.Value()
		require.Greater(t, event.Time, last[task])
		last[task] = event.Time
	}
	require.Equal(t, each*len(tasks), station.count())
}

// patience lets a test say when requests to one host run out of time.
type patience struct {
	next http.RoundTripper
	host string
	over chan struct{}
}

func (p *patience) RoundTrip(r *http.Request) (*http.Response, error) {
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
	case <-p.over:
		return nil, os.ErrDeadlineExceeded
	case err := <-failed:
		return nil, err
	}
}

// TestASilentReceiverHoldsUpNobody: while one webhook's server never answers, another webhook gets the same events; and
// the silent one is offered all later events of the task as soon as one attempt has run out of time.
func TestASilentReceiverHoldsUpNobody(t *testing.T) {
	w := newTown(t)
	hanging := make(chan struct{}, 10)
	silent := w.listen(func(_ http.ResponseWriter, r *http.Request) {
		hanging <- struct{}{}
		<-r.Context().Done()
	})
	delivered := make(chan struct{}, 10)
	prompt := w.listen(func(http.ResponseWriter, *http.Request) { delivered <- struct{}{} })
	w.hook(silent.URL, model.TriggerTaskUpdated)
	hook := w.hook(prompt.URL, model.TriggerTaskUpdated)
	address, err := url.Parse(silent.URL)
	require.NoError(t, err)
	over := make(chan struct{})
	w.broker.client.Transport = &patience{w.broker.client.Transport, address.Host, over}
	task := model.NewID()
	for range 4 {
		w.happen(model.TriggerTaskUpdated, task)
	}
	var wg sync.WaitGroup
	wg.Go(func() { w.drain() })
	<-hanging
	for range 4 {
		<-delivered
	}
	require.Equal(t, 1, silent.count(), "the events of one task wait for each other")
	over <- struct{}{}
	for range 3 {
		<-hanging // together, though none of them has run out of time yet
	}
	close(over)
	wg.Wait()
	require.EqualValues(t, 4, w.webhook(hook).Count)
	for _, logged := range w.log() {
		for _, d := range logged.Deliveries {
			require.EqualValues(t, 1, d.Attempts)
		}
	}
}

func TestAFailedEventLetsLaterOnesPass(t *testing.T) {
	w := newTown(t)
	station := w.listen(status(http.StatusBadGateway))
	w.hook(station.URL, model.TriggerTaskUpdated)
	task := model.NewID()
	w.happen(model.TriggerTaskUpdated, task)
	w.drain()
	station.set(nil)
	w.clock.Advance(time.Minute)
	w.happen(model.TriggerTaskUpdated, task)
	w.drain()
	require.Equal(t, 2, station.count())
	w.clock.Advance(model.WebhookRetryInterval)
	w.drain()
	require.Equal(t, 3, station.count())
	events := station.events(t)
	require.Equal(t, events[0].Time, events[2].Time)
}

// TestAProcessThatDiesSendsAgain stops in the middle of an attempt, opens the store anew and finds the event.
func TestAProcessThatDiesSendsAgain(t *testing.T) {
	w := newTown(t)
	arrived := make(chan struct{}, 10)
	station := w.listen(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	hook := w.hook(station.URL, model.TriggerTaskCreated)
	w.happen(model.TriggerTaskCreated, newIDs(5)...)
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
	station.set(nil)
	w.drain()
	require.EqualValues(t, 5, w.webhook(hook).Count)
	seen := map[string]int{}
	for _, head := range station.heads {
		seen[head.Get(DeliveryHeader)]++
	}
	require.Len(t, seen, 5)
	for id, n := range seen {
		require.Equal(t, 2, n, id)
	}
	for _, logged := range w.log() {
		require.EqualValues(t, 1, logged.Deliveries[0].Attempts, "an attempt that was broken off does not count")
	}
}

func TestADeletedWebhookGetsNothingMore(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	hook := w.hook(station.URL, model.TriggerTaskCreated)
	w.happen(model.TriggerTaskCreated, model.NewID())
	require.NoError(t, w.world.DeleteWebhook(t.Context(), w.actor, hook))
	w.drain()
	require.Zero(t, station.count())
	require.Empty(t, w.log()[0].Deliveries)
}

// In a sandbox at 3600 times the speed of the real world, 15 seconds are 4 milliseconds.
func TestAFastClockDoesNotMakeTheBrokerBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Broker{clock: world.NewScaledClock(time.Now(), 3600)}
		start := time.Now()
		require.NoError(t, b.waitForRetryInterval(t.Context()))
		require.GreaterOrEqual(t, time.Since(start), minPause)
	})
}
