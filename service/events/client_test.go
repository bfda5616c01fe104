package events

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// forbiddenHosts returns addresses that no webhook may use, in every spelling that some program understands.
func forbiddenHosts() []string {
	return []string{
		"127.0.0.1", "127.8.8.8", "localhost", "0.0.0.0", "0.1.2.3", // this machine
		"2130706433", "0x7f000001", "0x7f.0.0.1", "017700000001", "0177.0.0.1", "127.1", "127.0.1", "0x7F.1", "0x", "127.0.0.1.",
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", // through gateways
		"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "[fc00::1]", "[fd12:3456:789a::1]", // private
		"169.254.169.254", "[fe80::1]", "[fe80::1%25lo]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "2852039166", // link-local and metadata
		"100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "[::ffff:168.63.129.16]", // carriers and clouds
		"192.0.2.1", "198.51.100.7", "203.0.113.9", "198.18.0.1", "192.88.99.1", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", // reserved
		"224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "[ff02::1]", "[100::1]", // not one host
	}
}

func TestForbiddenAddressesAreNeverConnectedTo(t *testing.T) {
	require.GreaterOrEqual(t, len(forbiddenHosts()), 25)
	var accepted atomic.Int32
	listener, err := net.Listen("tcp", ":0") // every address of this machine, both families
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			conn.Close()
		}
	}()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	var mu sync.Mutex
	var passed []string
	client, err := NewClient(ClientOptions{onConnect: func(address string) {
		mu.Lock()
		defer mu.Unlock()
		passed = append(passed, address)
	}})
	require.NoError(t, err)
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:"+port)
	broker, err := New(Options{Client: client})
	require.NoError(t, err)
	for _, host := range forbiddenHosts() {
		target := "https://" + host + ":" + port + "/hook"
		require.ErrorIs(t, broker.Check(t.Context(), target), ErrForbiddenAddress, host)
		_, err := broker.postEvent(t.Context(), target, "00", "delivery", []byte("{}"))
		require.ErrorIs(t, err, ErrForbiddenAddress, host)
	}
	require.Empty(t, passed)
	require.Zero(t, accepted.Load())
}

func TestOnlyHTTPSIsAllowed(t *testing.T) {
	w := newTestBroker(t)
	for _, target := range []string{"http://127.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "//127.0.0.1/"} {
		require.ErrorContains(t, w.broker.Check(t.Context(), target), "https://")
		_, err := w.broker.postEvent(t.Context(), target, "00", "delivery", nil)
		require.Error(t, err)
	}
}

func TestIsNumericHost(t *testing.T) {
	for host, numeric := range map[string]bool{
		"example.com": false, "1.example.com": false, "127.0.0.1": false, "::1": false, "3com": false, "0xbeef.de": false,
		"127.1": true, "0x7f000001": true, "017700000001": true, "1.2.3.4.5": true, "a.0x1": true, "0x": true, "1.2.3.4.": true,
	} {
		require.Equal(t, numeric, isNumericHost(host), host)
	}
}

func TestAllowedNetworksCanBeReached(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	require.NoError(t, w.broker.Check(t.Context(), receiver.URL))
	closed, err := NewClient(ClientOptions{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, CAFile: w.authority.file})
	require.NoError(t, err)
	w.broker.client = closed
	require.ErrorIs(t, w.broker.Check(t.Context(), receiver.URL), ErrForbiddenAddress)
	_, err = NewClient(ClientOptions{CAFile: "/does/not/exist"})
	require.Error(t, err)
}

// TestDNSRebinding checks that the address is verified on each connection, so that a name cannot point to a forbidden
// address after the webhook was created.
func TestDNSRebinding(t *testing.T) {
	w := newTestBroker(t)
	var reached atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		rw.Header().Set("Connection", "close")
		io.WriteString(rw, r.URL.Query().Get("check")) //nolint:errcheck // a test receiver
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{w.authority.issue(nil)}}
	server.StartTLS()
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	answer := atomic.Pointer[netip.Addr]{}
	resolver := fakeDNS(t, &answer)
	client, err := NewClient(ClientOptions{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, CAFile: w.authority.file, Resolver: resolver,
	})
	require.NoError(t, err)
	w.broker.client = client
	target := "https://rebind.test:" + port + "/"
	good := netip.MustParseAddr("127.0.0.1")
	answer.Store(&good)
	require.NoError(t, w.broker.Check(t.Context(), target))
	bad := netip.MustParseAddr("127.0.0.2")
	answer.Store(&bad)
	require.ErrorIs(t, w.broker.Check(t.Context(), target), ErrForbiddenAddress)
	require.EqualValues(t, 1, reached.Load())
}

// fakeDNS answers every question for an A record with one address.
func fakeDNS(t *testing.T, answer *atomic.Pointer[netip.Addr]) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			server.WriteTo(dnsAnswer(buffer[:n], *answer.Load()), from) //nolint:errcheck // the resolver asks again
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func dnsAnswer(query []byte, address netip.Addr) []byte {
	end := 12 + slices.Index(query[12:], 0) + 5 // the name, its type and its class
	answer := slices.Clone(query[:end])
	answer[2], answer[3] = 0x81, 0x80
	binary.BigEndian.PutUint16(answer[10:], 0) // no additional records
	if binary.BigEndian.Uint16(query[end-4:]) != 1 {
		return answer
	}
	binary.BigEndian.PutUint16(answer[6:], 1)
	answer = append(answer, 0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
	return append(answer, address.AsSlice()...)
}

func TestRefusalsNameTheReason(t *testing.T) {
	w := newTestBroker(t)
	err := w.broker.Check(t.Context(), "https://10.0.0.1/")
	require.ErrorContains(t, err, "not public")
	require.False(t, strings.Contains(err.Error(), "check="), "the error must not reveal the random text")
}

// TestErrorsDoNotRevealAddresses checks that errors do not tell what internal names resolve to, nor which resolver the
// service uses.
func TestErrorsDoNotRevealAddresses(t *testing.T) {
	w := newTestBroker(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(closed.Addr().String())
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	answer := atomic.Pointer[netip.Addr]{}
	w.broker.client, err = NewClient(ClientOptions{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: fakeDNS(t, &answer),
	})
	require.NoError(t, err)
	unknown := &net.DNSError{Err: "no such host", Name: "internal.test", Server: "127.0.0.53:53", IsNotFound: true}
	forbidden, refused := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")
	check := func(address netip.Addr) error {
		answer.Store(&address)
		return w.broker.Check(t.Context(), "https://internal.test:"+port+"/")
	}
	for text, err := range map[string]error{
		"not public": check(forbidden), "connection refused": check(refused),
		"host name was not found": describeClientError(&url.Error{Op: "Get", URL: "https://internal.test/", Err: &net.OpError{Op: "dial", Err: unknown}}),
	} {
		require.ErrorContains(t, err, text)
		require.NotContains(t, err.Error(), "127.0.0.")
		require.NotContains(t, describeFailure(0, err), "127.0.0.")
	}
}
