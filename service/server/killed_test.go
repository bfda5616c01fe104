package server_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/events"
	"waybill/service/events/receiver"
	"waybill/service/sandbox"
	"waybill/service/server"
	"waybill/service/world"
)

// These variables make the test program the process that is killed: a sandbox in this folder that sends its events to
// this address.
const (
	killedVariable = "WAYBILL_TEST_KILLED_DIR"
	hookVariable   = "WAYBILL_TEST_HOOK"
)

// busyServer runs a sandbox in which an hour takes six seconds, so that retries come due while a test waits.
func busyServer(ctx context.Context, dir, authority string) (*server.Server, error) {
	return server.Start(ctx, server.Config{
		Dir: dir, Listen: "127.0.0.1:0",
		WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, WebhookCA: authority,
		Sandbox: &server.Sandbox{Options: sandbox.Options{Tasks: 60, Workers: 6}, Speed: 600},
	})
}

// beBusy runs a busy sandbox and tells of every change that was acknowledged, until it is killed.
func beBusy(dir, authority, hook string) error {
	ctx := context.Background()
	s, err := busyServer(ctx, dir, authority)
	if err != nil {
		return err
	}
	key, err := s.World().FindKey(ctx, s.SandboxKey())
	if err != nil {
		return err
	}
	actor := world.Actor{Type: world.ActorAPI, ID: key.ID, Org: key.Org}
	if err := listenToAll(ctx, s.World(), actor, hook); err != nil {
		return err
	}
	for {
		raw, err := s.World().CreateTask(ctx, actor, model.TaskInput{
			Destination: model.Some(model.Embedded(model.DestinationInput{
				Address:  model.Some(model.AddressInput{Number: "1", Street: "A St", City: "San Francisco", Country: "USA"}),
				Location: model.Some(model.Location{Lon: -122.4, Lat: 37.78}),
			})), Recipients: model.Some([]model.IDOr[model.RecipientInput]{}),
		})
		if err != nil {
			return err
		}
		var task model.Task
		if err := model.Unmarshal(raw, &task); err != nil {
			return err
		}
		os.Stdout.WriteString(string(task.ID) + "\n")
	}
}

// listenToAll makes a webhook for each trigger, unless an earlier life has.
func listenToAll(ctx context.Context, w *world.World, actor world.Actor, hook string) error {
	known, err := w.Webhooks(ctx, actor.Org)
	if err != nil {
		return err
	}
	for _, trigger := range model.Triggers() {
		if slices.ContainsFunc(known, func(h model.Webhook) bool { return h.Trigger == trigger }) {
			continue
		}
		in := model.WebhookInput{URL: model.Some(hook), Trigger: model.Some(trigger)}
		if trigger.HasThreshold() {
			in.Threshold = model.Some(300.0)
		}
		if _, err := w.CreateWebhook(ctx, actor, in); err != nil {
			return err
		}
	}
	return nil
}

// postbox keeps what arrives. Now and then it refuses, so that retries are under way when the sender dies.
type postbox struct {
	mu      sync.Mutex
	random  *rand.Rand
	arrived map[model.ID]receiver.Received
}

func (p *postbox) handle(_ context.Context, e receiver.Received) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.random.IntN(20) == 0 {
		return errors.New("not now")
	}
	p.arrived[model.ID(e.Delivery)] = e
	return nil
}

func (p *postbox) get(delivery model.ID) (receiver.Received, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.arrived[delivery]
	return e, ok
}

// listen answers over TLS until the test ends.
func (p *postbox) listen(t *testing.T, certificate tls.Certificate) string {
	t.Helper()
	station := httptest.NewUnstartedServer(receiver.New(receiver.Options{Handle: p.handle}))
	station.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	station.Config.ErrorLog = log.New(io.Discard, "", 0) // connections of a killed process break
	station.StartTLS()
	t.Cleanup(station.Close)
	return station.URL
}

// liveAndDie runs a busy process until it has acknowledged so many changes, kills it, and returns those.
func liveAndDie(t *testing.T, dir, authority, hook string, changes int, spell time.Duration) (acknowledged []model.ID) {
	t.Helper()
	busy := exec.CommandContext(t.Context(), os.Args[0])
	busy.Env = append(os.Environ(), killedVariable+"="+dir, authorityVariable+"="+authority, hookVariable+"="+hook)
	var failure bytes.Buffer
	busy.Stderr = &failure
	output, err := busy.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, busy.Start())
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if id := model.ID(lines.Text()); id.Valid() { // the last line may be half a one
			acknowledged = append(acknowledged, id)
		}
		if len(acknowledged) == changes {
			// From here on it is killed whatever it does.
			time.AfterFunc(spell, func() { busy.Process.Kill() }) //nolint:errcheck // it is there: it wrote the line
		}
	}
	busy.Wait() //nolint:errcheck // it was killed
	require.GreaterOrEqual(t, len(acknowledged), changes, failure.String())
	return acknowledged
}

// sent is one event of the log on its way to one webhook.
type sent struct {
	delivery model.ID
	trigger  model.Trigger
	task     model.ID
	body     string
}

// sentUpTo lists what was committed for webhooks up to an event.
func sentUpTo(t *testing.T, s *server.Server, last int64) (list []sent) {
	t.Helper()
	rows, err := s.World().Store().Query(t.Context(), `SELECT d.id, e.trigger, e.task, e.body FROM deliveries d
		JOIN events e ON e.seq = d.event WHERE e.seq <= $1 ORDER BY d.seq`, last)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var one sent
		require.NoError(t, rows.Scan(&one.delivery, &one.trigger, &one.task, &one.body))
		list = append(list, one)
	}
	require.NoError(t, rows.Err())
	return list
}

func count(t *testing.T, s *server.Server, query string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, s.World().Store().QueryRow(t.Context(), query, args...).Scan(&n))
	return n
}

// TestAKilledProcessLosesNothing kills a busy sandbox again and again. What it had acknowledged is there, and every event
// that it had committed reaches the webhooks: those on their way, those refused for now, and those not begun.
func TestAKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("killed at the moments of seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	certificate, authority, err := receiver.LocalCertificate(t.TempDir())
	require.NoError(t, err)
	box := &postbox{random: rand.New(rand.NewPCG(seed, 2)), arrived: map[model.ID]receiver.Received{}}
	hook, dir := box.listen(t, certificate), t.TempDir()

	var acknowledged []model.ID
	lives := 4
	if underRace {
		lives = 1
	}
	for range lives {
		spell := time.Duration(random.IntN(400)) * time.Millisecond
		acknowledged = append(acknowledged, liveAndDie(t, dir, authority, hook, 20+random.IntN(80), spell)...)
	}
	s, err := busyServer(t.Context(), dir, authority)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop(context.Background())) })
	last := count(t, s, "SELECT max(seq) FROM events")

	c := client{t, s.BaseURL(), s.SandboxKey()}
	for _, id := range acknowledged {
		c.ok(http.MethodGet, "/tasks/"+string(id), "", nil)
	}
	require.Zero(t, count(t, s, `SELECT count(*) FROM webhooks w JOIN events e ON e.org = w.org AND e.trigger = w.trigger
		WHERE e.seq <= $1 AND e.seq > (SELECT min(event) FROM deliveries WHERE webhook = w.id)
		AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event = e.seq AND d.webhook = w.id)`, last),
		"every event is on its way to the webhook of its trigger")
	servicetest.WaitFor(t, func() bool {
		return count(t, s, "SELECT count(*) FROM deliveries WHERE event <= $1 AND state <> 1", last) == 0
	})

	secret, err := s.World().WebhookSecret(t.Context(), c.organization())
	require.NoError(t, err)
	created := map[model.ID]bool{}
	for _, one := range sentUpTo(t, s, last) {
		got, ok := box.get(one.delivery)
		require.True(t, ok, "a %s of task %s never arrived", one.trigger.Name(), one.task)
		require.Equal(t, one.body, string(got.Body))
		require.True(t, events.Verify(secret, got.Body, got.Signature))
		if one.trigger == model.TriggerTaskCreated {
			created[one.task] = true
		}
	}
	for _, id := range acknowledged {
		require.True(t, created[id], "nobody was told of task %s", id)
	}
}

func (c client) organization() model.ID {
	c.t.Helper()
	var org model.Organization
	c.ok(http.MethodGet, "/organization", "", &org)
	return org.ID
}
