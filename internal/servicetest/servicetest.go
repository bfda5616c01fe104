// Package servicetest runs the real service for tests, with a store in a temporary folder, a manual clock and HTTP on a
// loopback port.
package servicetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/internal/storetest"
	"waybill/model"
	"waybill/service"
	"waybill/service/events"
	"waybill/service/events/receiver"
	"waybill/service/jobs"
	"waybill/service/store"
	"waybill/service/world"
)

// Server is a running service with one organization.
type Server struct {
	// URL is the base URL with the version.
	URL   string
	Key   string
	Org   model.ID
	World *world.World
	Store *store.Store
	Clock *clocktest.Clock
	// Client sends requests and checks them against the OpenAPI document.
	Client *http.Client
	// Broker delivers events; see events.Broker.DeliverAll.
	Broker *events.Broker
	// Certificates is the folder of the certificate for local receivers; see receiver.LocalCertificate.
	Certificates string

	t           testing.TB
	certificate tls.Certificate
}

// Epoch is the start of the clock: a Monday morning in San Francisco.
func Epoch() time.Time { return time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC) }

// Start runs a service until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	opened := storetest.Open(t)
	clock := clocktest.New(Epoch())
	queue, err := jobs.NewQueue(opened)
	require.NoError(t, err)
	certificates := t.TempDir()
	broker, certificate := newBroker(t, certificates, opened, clock, queue)
	w := world.New(world.Options{Store: opened, Clock: clock, Jobs: queue, Events: broker, Webhooks: broker})
	server := httptest.NewServer(service.New(service.Options{World: w, Events: broker, Now: clock.Now}))
	t.Cleanup(server.Close)
	s := &Server{
		URL: server.URL + service.BasePath, World: w, Store: opened, Clock: clock, Broker: broker,
		Certificates: certificates, t: t, certificate: certificate,
		Client: &http.Client{Transport: Transport(t), CheckRedirect: refuseRedirects},
	}
	s.Org, s.Key = s.AddOrganization("Bay Couriers", "")
	return s
}

// newBroker makes a broker that delivers to local receivers.
func newBroker(t testing.TB, certificates string, s *store.Store, clock world.Clock, queue world.Jobs) (*events.Broker, tls.Certificate) {
	t.Helper()
	certificate, authority, err := receiver.LocalCertificate(certificates)
	require.NoError(t, err)
	client, err := events.NewClient(events.ClientOptions{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, CAFile: authority,
	})
	require.NoError(t, err)
	broker, err := events.New(events.Options{
		Store: s, Clock: clock, Objects: world.EventObjects{Clock: clock}, Jobs: queue, Client: client,
	})
	require.NoError(t, err)
	return broker, certificate
}

// Listen runs a webhook receiver over TLS until the test ends and returns its URL.
func (s *Server) Listen(handler http.Handler) string {
	s.t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{s.certificate}}
	server.StartTLS()
	s.t.Cleanup(server.Close)
	return server.URL
}

// RunJobs runs jobs until the test ends.
func (s *Server) RunJobs(workers ...jobs.Registration) *jobs.Runner {
	s.t.Helper()
	runner, err := jobs.New(jobs.Options{
		Store: s.Store, World: s.World, Workers: append(workers, jobs.Register(&events.Worker{Broker: s.Broker})),
		Queues: map[string]int{events.QueueName: events.QueueWorkers}, Poll: 10 * time.Millisecond,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, runner.Start(context.Background()))
	s.t.Cleanup(func() { require.NoError(s.t, runner.Stop(context.Background())) })
	return runner
}

// WaitFor waits until a condition is true. It has no timeout of its own, because a slow machine is not a failure.
func WaitFor(t testing.TB, condition func() bool) {
	t.Helper()
	for !condition() {
		select {
		case <-t.Context().Done():
			t.Fatal("the test ended before the condition was true")
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// AddOrganization creates another organization, as a client of courier unless that is empty.
func (s *Server) AddOrganization(name string, courier model.ID) (model.ID, string) {
	s.t.Helper()
	org, key, err := s.World.CreateOrganization(context.Background(), world.NewOrganization{
		Name: name, Country: "US", Timezone: "America/Los_Angeles", Courier: courier,
	})
	require.NoError(s.t, err)
	return org.ID, key.Secret
}

// Host returns the server's URL without the version.
func (s *Server) Host() string { return strings.TrimSuffix(s.URL, service.BasePath) }

// Answer is an answer of the service.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	t      testing.TB
}

// Do sends a request with the organization's key. body is JSON text, a value to encode, or nil.
func (s *Server) Do(method, path string, body any) Answer {
	s.t.Helper()
	return s.DoAs(s.Key, method, path, body)
}

// DoAs sends a request with another key.
func (s *Server) DoAs(key, method, path string, body any) Answer {
	s.t.Helper()
	var encoded []byte
	switch b := body.(type) {
	case nil:
	case string:
		encoded = []byte(b)
	default:
		var err error
		encoded, err = model.Marshal(b)
		require.NoError(s.t, err)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, bytes.NewReader(encoded))
	require.NoError(s.t, err)
	req.SetBasicAuth(key, "")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.Client.Do(req)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: answer, t: s.t}
}

// refuseRedirects does not follow redirects, so that tests see them; the service must not send any.
func refuseRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// OK requires success and decodes the answer into v unless that is nil.
func (a Answer) OK(v any) {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.Status, "%s", a.Body)
	if v != nil {
		require.NoError(a.t, model.Unmarshal(a.Body, v), "%s", a.Body)
	}
}

// Refused requires an error with a status and subcode and returns it.
func (a Answer) Refused(status int, subcode model.Int) model.ErrorBody {
	a.t.Helper()
	var body model.ErrorBody
	require.Equal(a.t, status, a.Status, "%s", a.Body)
	require.NoError(a.t, model.Unmarshal(a.Body, &body), "%s", a.Body)
	require.Equal(a.t, subcode, body.Message.Error, "%s", a.Body)
	require.Len(a.t, body.Message.Request, 36)
	return body
}
