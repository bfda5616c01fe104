package apiclient_test

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

// counted is a test server that counts what reaches it.
func counted(t *testing.T, handler http.HandlerFunc) (string, *atomic.Int64) {
	t.Helper()
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, &served
}

// pipes is a network within a test's own time.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.dialled <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.dialled:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	close(p.closed)
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

// piped is a client and a server that counts, in a bubble of [synctest]: how long anything takes does not depend on the
// machine.
func piped(t *testing.T, handler http.HandlerFunc) (*apiclient.Client, *atomic.Int64) {
	t.Helper()
	var served atomic.Int64
	network := pipes{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		handler(w, r)
	})}
	go func() { _ = server.Serve(network) }()
	transport, err := apiclient.NewTransport(apiclient.TransportOptions{})
	require.NoError(t, err)
	transport.Proxy, transport.DialContext = nil, network.dial
	client := at(t, "http://service.example", func(o *apiclient.Options) { o.RoundTripper = transport })
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		require.NoError(t, server.Close())
	})
	return client, &served
}

// stall answers nothing until the client has gone, which the server sees only once the body is read.
func stall(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// hijack takes the connection of a request away from the server.
func hijack(t *testing.T, w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
	}
	return conn
}

// reset closes a connection with a TCP reset.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func TestConnectionLostAfterTheRequest(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]func(conn net.Conn){
		"before the answer": func(conn net.Conn) { reset(conn) },
		"in the header": func(conn net.Conn) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Le")
			_ = conn.Close()
		},
		"in the body": func(conn net.Conn) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
			_ = conn.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where, served := counted(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				handler(hijack(t, w))
			})
			client := at(t, where)
			err := write(t.Context(), client)
			require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
			require.ErrorIs(t, err, apiclient.ErrConnectionLost)
			require.Equal(t, int64(1), served.Load(), "a write of unknown outcome was sent twice")
			require.ErrorIs(t, client.DeleteTask(t.Context(), taskID), apiclient.ErrUnknownOutcome)
			require.Equal(t, int64(2), served.Load())
		})
	}
}

// TestWriteOnAReusedConnection guards against the transport's own retries, which it makes on connections that have
// served before: a write that was read must not be among them.
func TestWriteOnAReusedConnection(t *testing.T) {
	t.Parallel()
	where, served := counted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"message":"hello"}`)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		reset(hijack(t, w))
	})
	client := at(t, where)
	_, err := client.TestAuth(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, write(t.Context(), client), apiclient.ErrUnknownOutcome)
	require.Equal(t, int64(2), served.Load())
}

func TestOffline(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	where := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	client := at(t, where)
	_, err = client.TestAuth(t.Context())
	require.ErrorIs(t, err, apiclient.ErrOffline)
	require.ErrorContains(t, err, "check the network, the base URL and the proxy settings")
	err = write(t.Context(), client)
	require.ErrorIs(t, err, apiclient.ErrOffline)
	require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome)
	require.Zero(t, client.Log().Entries()[1].Status)
	require.NotEmpty(t, client.Log().Entries()[1].Error)
}

func TestProxyPages(t *testing.T) {
	t.Parallel()
	const page = "<!DOCTYPE html><html><head><TITLE >Sign\x1b]0;owned\x07 in &amp;\n\u202econtinue</Title></head></html>"
	for code, kinds := range map[int][]error{
		200: {apiclient.ErrNotJSON},
		401: {apiclient.ErrNotJSON},
		403: {apiclient.ErrNotJSON},
		404: {apiclient.ErrUnsupportedRoute},
		407: {apiclient.ErrNotJSON},
		500: {apiclient.ErrNotJSON, apiclient.ErrServer},
	} {
		where, _ := counted(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, page)
		})
		client := at(t, where)
		_, err := client.TestAuth(t.Context())
		for _, kind := range kinds {
			require.ErrorIs(t, err, kind, "%d", code)
		}
		require.NotErrorIs(t, err, apiclient.ErrInvalidKey, "a page says nothing about the key")
		failure, _ := errors.AsType[*apiclient.Error](err)
		require.Equal(t, code, failure.HTTPStatus)
		if code != 407 {
			require.Contains(t, err.Error(), `a page titled "Sign in & continue"`)
		}
		require.NotContains(t, client.Log().Entries()[0].ResponseBody, "\x1b")
	}
}

func TestPlainTextAnswers(t *testing.T) {
	t.Parallel()
	where, _ := counted(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, strings.Repeat("no healthy upstream ", 50), http.StatusForbidden)
	})
	_, err := at(t, where).TestAuth(t.Context())
	require.ErrorIs(t, err, apiclient.ErrNotJSON)
	require.ErrorContains(t, err, `text/plain "no healthy upstream no healthy`)
	require.Less(t, len(err.Error()), 400)
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere, reached := counted(t, func(http.ResponseWriter, *http.Request) {})
	for _, code := range []int{301, 302, 303, 307, 308} {
		where, served := counted(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+"/v2/auth/test?token=abc", code)
		})
		client := at(t, where)
		_, err := client.TestAuth(t.Context())
		require.ErrorIs(t, err, apiclient.ErrRedirect)
		require.ErrorContains(t, err, "to "+elsewhere+"/v2/auth/test")
		require.NotContains(t, err.Error(), "token")
		err = write(t.Context(), client)
		require.ErrorIs(t, err, apiclient.ErrRedirect)
		require.Equal(t, int64(2), served.Load())
	}
	require.Zero(t, reached.Load(), "the key travelled to another host")
}

func TestGzip(t *testing.T) {
	t.Parallel()
	where, _ := counted(t, func(w http.ResponseWriter, r *http.Request) {
		require.Contains(t, r.Header.Get("Accept-Encoding"), "gzip")
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		fmt.Fprint(zip, `{"message":"hello"}`)
		_ = zip.Close()
	})
	greeting, err := at(t, where).TestAuth(t.Context())
	require.NoError(t, err)
	require.Equal(t, "hello", greeting.Message)
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	// The answer is small on the wire and huge when unpacked.
	where, _ := counted(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		fmt.Fprint(zip, `{"message":"`)
		block := strings.Repeat("a", 1<<16)
		for range 64 {
			_, _ = io.WriteString(zip, block)
		}
		fmt.Fprint(zip, `"}`)
		_ = zip.Close()
	})
	small := at(t, where, func(o *apiclient.Options) { o.MaxBody = 1 << 20 })
	_, err := small.TestAuth(t.Context())
	require.ErrorIs(t, err, apiclient.ErrTooLarge)
	require.ErrorContains(t, err, "more than 1 MiB")
	require.ErrorIs(t, write(t.Context(), small), apiclient.ErrUnknownOutcome)
	_, err = at(t, where).TestAuth(t.Context())
	require.NoError(t, err)
}

func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headerFirst bool
		patience    time.Duration
	}{"header": {false, 75 * time.Second}, "body": {true, time.Minute}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, served := piped(t, func(w http.ResponseWriter, r *http.Request) {
					if c.headerFirst {
						fmt.Fprint(w, `{"mess`)
						_ = http.NewResponseController(w).Flush()
					}
					stall(r)
				})
				started := time.Now()
				_, err := client.TestAuth(t.Context())
				require.ErrorIs(t, err, apiclient.ErrTimeout)
				require.ErrorContains(t, err, "try again, or request less at once")
				require.Equal(t, c.patience, time.Since(started))
				err = write(t.Context(), client)
				require.ErrorIs(t, err, apiclient.ErrTimeout)
				require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
				require.Equal(t, int64(2), served.Load())
			})
		})
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, served := piped(t, func(_ http.ResponseWriter, r *http.Request) { stall(r) })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := write(ctx, client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, apiclient.ErrTimeout)
		require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
		require.Equal(t, int64(1), served.Load())
	})
}

func TestExtraCAFileAndHTTP2(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"message":%q}`, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()

	_, err := at(t, server.URL).TestAuth(t.Context())
	require.ErrorIs(t, err, apiclient.ErrUntrusted)
	require.ErrorContains(t, err, "set ca_file in the profile")
	err = write(t.Context(), at(t, server.URL))
	require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome, "nothing is sent before the certificate is checked")

	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(file, block, 0o600))
	client := at(t, server.URL, func(o *apiclient.Options) { o.Transport.CAFile = file })
	greeting, err := client.TestAuth(t.Context())
	require.NoError(t, err)
	require.Equal(t, "HTTP/2.0", greeting.Message)
}

func TestProxyIsUsed(t *testing.T) {
	t.Parallel()
	var asked string
	proxy, _ := counted(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		fmt.Fprint(w, `{"message":"through the proxy"}`)
	})
	client := at(t, "http://service.example", func(o *apiclient.Options) {
		o.Transport.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
	})
	greeting, err := client.TestAuth(t.Context())
	require.NoError(t, err)
	require.Equal(t, "through the proxy", greeting.Message)
	require.Equal(t, "http://service.example/v2/auth/test", asked)
}

func TestConnectionsAreReused(t *testing.T) {
	t.Parallel()
	var opened atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, `{"id":"a"}`)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := at(t, server.URL, fast)
	for range 5 {
		require.NoError(t, write(t.Context(), client))
		_, err := client.Team(t.Context(), teamID)
		require.Error(t, err)
		require.NoError(t, client.DeleteTask(t.Context(), taskID))
	}
	require.Equal(t, int64(1), opened.Load())
}

func TestRateHeadersReachTheLimiter(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		return answer(401, `{}`, "X-RateLimit-Limit", "30", "X-RateLimit-Remaining", "29"), nil
	})
	_, err := client.TestAuth(t.Context())
	require.ErrorIs(t, err, apiclient.ErrInvalidKey)
	s := client.Limiter().Snapshot()
	require.Equal(t, 30, s.Limit)
	require.Equal(t, 29, s.Remaining)
}

func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	var seen http.Header
	client := newClient(t, func(r *http.Request) (*http.Response, error) {
		seen = r.Header
		return answer(200, `{"id":"a"}`), nil
	}, func(o *apiclient.Options) { o.UserAgent = "waybill/1.0" })
	require.NoError(t, write(t.Context(), client))
	require.Equal(t, "waybill/1.0", seen.Get("User-Agent"))
	require.Equal(t, "application/json", seen.Get("Accept"))
	require.Equal(t, "application/json", seen.Get("Content-Type"))
	request := http.Request{Header: seen}
	user, password, ok := request.BasicAuth()
	require.True(t, ok)
	require.Equal(t, apitest.Key, user)
	require.Empty(t, password)
}

func TestLenientAnswers(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		return answer(200, " {\"id\":\"a\",\"id\":\"b\",\"notes\":\"bad \xff byte\",\"new\":{\"kept\":1}}\n"), nil
	})
	recipient, err := client.Recipient(t.Context(), recID)
	require.NoError(t, err)
	require.Equal(t, model.ID("b"), recipient.ID)
	require.Equal(t, "bad \uFFFD byte", recipient.Notes)
	require.JSONEq(t, `{"new":{"kept":1}}`, string(recipient.Extra))
}
