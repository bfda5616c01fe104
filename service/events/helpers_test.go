package events

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/internal/storetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// authority signs the certificates of test receivers.
type authority struct {
	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return &authority{t: t, cert: cert, key: key, file: file}
}

// issue creates a certificate for 127.0.0.1, modified by change.
func (a *authority) issue(change func(*x509.Certificate)) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "receiver"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost", "rebind.test"},
	}
	parent, signer := a.cert, a.key
	if change != nil {
		change(leaf)
		if leaf.Subject.CommonName == "self-signed" {
			parent, signer = leaf, key
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, parent, key.Public(), signer)
	require.NoError(a.t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// testBroker is a broker with a store, a world and an organization.
type testBroker struct {
	t         testing.TB
	dir       string
	store     *store.Store
	clock     *clocktest.Clock
	world     *world.World
	broker    *Broker
	org       model.ID
	actor     world.Actor
	secret    string
	authority *authority
}

func newTestBroker(t testing.TB, change ...func(*Options)) *testBroker {
	t.Helper()
	w := &testBroker{
		t: t, dir: t.TempDir(), authority: newAuthority(t),
		clock: clocktest.New(time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)),
	}
	w.open(change...)
	org, key, err := w.world.CreateOrganization(context.Background(), world.NewOrganization{Name: "Bay Couriers", Country: "US"})
	require.NoError(t, err)
	w.org = org.ID
	w.actor = world.Actor{Type: world.ActorAPI, ID: key.ID, Org: org.ID}
	w.secret, err = w.world.WebhookSecret(context.Background(), org.ID)
	require.NoError(t, err)
	return w
}

func (w *testBroker) open(change ...func(*Options)) {
	w.t.Helper()
	w.store = storetest.OpenIn(w.t, w.dir)
	client, err := NewClient(ClientOptions{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, CAFile: w.authority.file})
	require.NoError(w.t, err)
	options := Options{Store: w.store, Clock: w.clock, Client: client, Objects: fakeObjects{}}
	for _, f := range change {
		f(&options)
	}
	w.broker, err = New(options)
	require.NoError(w.t, err)
	w.world = world.New(world.Options{Store: w.store, Clock: w.clock, Events: w.broker, Webhooks: w.broker})
}

// fakeObjects returns objects that are not in the database.
type fakeObjects struct{}

func (fakeObjects) Task(_ context.Context, _ store.Querier, id model.ID) (model.Raw, error) {
	return model.Raw(`{"id":"` + string(id) + `"}`), nil
}

func (fakeObjects) Worker(_ context.Context, _ store.Querier, id model.ID) (model.Raw, error) {
	return model.Raw(`{"id":"` + string(id) + `"}`), nil
}

// createWebhook creates a webhook for a receiver that answers the validation request.
func (w *testBroker) createWebhook(url string, trigger model.Trigger, threshold ...float64) model.ID {
	w.t.Helper()
	in := model.WebhookInput{URL: model.Some(url), Trigger: model.Some(trigger)}
	if len(threshold) > 0 {
		in.Threshold = model.Some(threshold[0])
	}
	created, err := w.world.CreateWebhook(context.Background(), w.actor, in)
	require.NoError(w.t, err)
	return created.ID
}

// insertWebhook creates a webhook without validating it.
func (w *testBroker) insertWebhook(url string, trigger model.Trigger) model.ID {
	w.t.Helper()
	id := model.NewID()
	w.write(func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), "INSERT INTO webhooks (id, org, trigger, name, url, created) VALUES ($1, $2, $3, '', $4, 0)",
			id, w.org, int(trigger), url)
		return err
	})
	return id
}

func (w *testBroker) write(fn func(*store.Tx) error) {
	w.t.Helper()
	require.NoError(w.t, w.store.Write(context.Background(), fn))
}

// recordEvents records an event for each task in one transaction.
func (w *testBroker) recordEvents(trigger model.Trigger, tasks ...model.ID) {
	w.t.Helper()
	events := make([]world.Event, len(tasks))
	for i, task := range tasks {
		events[i] = world.Event{Trigger: trigger, Actor: w.actor, Time: w.world.Now(), TaskID: task}
	}
	w.write(func(tx *store.Tx) error { return w.broker.Record(context.Background(), tx, w.org, events...) })
}

func newIDs(n int) []model.ID {
	ids := make([]model.ID, n)
	for i := range ids {
		ids[i] = model.NewID()
	}
	return ids
}

func (w *testBroker) deliverAll() {
	w.t.Helper()
	require.NoError(w.t, w.broker.DeliverAll(context.Background()))
}

func (w *testBroker) webhook(id model.ID) model.Webhook {
	w.t.Helper()
	list, err := w.world.Webhooks(context.Background(), w.org)
	require.NoError(w.t, err)
	for _, hook := range list {
		if hook.ID == id {
			return hook
		}
	}
	w.t.Fatalf("no webhook %s", id)
	return model.Webhook{}
}

func (w *testBroker) log() []model.LoggedEvent {
	w.t.Helper()
	page, err := w.broker.ListEvents(context.Background(), w.org, Filter{Body: true})
	require.NoError(w.t, err)
	return page.Events
}

// testReceiver is a webhook receiver that records requests.
type testReceiver struct {
	URL     string
	mu      sync.Mutex
	bodies  [][]byte
	headers []http.Header
	answer  http.HandlerFunc
}

// listen starts a receiver over TLS. answer answers POST requests, with 200 if it is nil.
func (w *testBroker) listen(answer http.HandlerFunc) *testReceiver {
	w.t.Helper()
	return w.listenAs(w.authority.issue(nil), answer)
}

func (w *testBroker) listenAs(certificate tls.Certificate, answer http.HandlerFunc) *testReceiver {
	w.t.Helper()
	s := &testReceiver{answer: answer}
	server := httptest.NewUnstartedServer(s)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = quietLog()
	server.StartTLS()
	w.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.URL = server.URL + "/events"
	return s
}

func (s *testReceiver) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		io.WriteString(rw, r.URL.Query().Get("check")) //nolint:errcheck // a test receiver
		return
	}
	body, _ := io.ReadAll(r.Body) //nolint:errcheck // the test compares what was sent
	s.mu.Lock()
	s.bodies = append(s.bodies, body)
	s.headers = append(s.headers, r.Header.Clone())
	answer := s.answer
	s.mu.Unlock()
	if answer != nil {
		answer(rw, r)
	}
}

func (s *testReceiver) setAnswer(answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *testReceiver) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func (s *testReceiver) events(t testing.TB) []model.Event {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]model.Event, len(s.bodies))
	for i, body := range s.bodies {
		require.NoError(t, model.Unmarshal(body, &list[i]))
	}
	return list
}

func answerStatus(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
