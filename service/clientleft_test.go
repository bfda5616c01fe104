package service_test

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service"
	"waybill/service/web"
)

// TestAbortedRequestsAreNotAnswered checks a client that closes only its sending half. It still reads, and 200 would mean
// that its change was made.
func TestAbortedRequestsAreNotAnswered(t *testing.T) {
	s := servicetest.Start(t)
	task := createTask(t, s, "")
	api, pages := service.New(service.Options{World: s.World, Now: s.Clock.Now}), web.New(web.Options{World: s.World})
	t.Cleanup(pages.Close)
	var complaints bytes.Buffer
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		<-r.Context().Done() // net/http has seen that the sender closed its half
		if strings.HasPrefix(r.URL.Path, "/t/") {
			pages.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(&complaints, "", 0)
	server.Start()
	send := func(method, path, body string) string {
		t.Helper()
		return sendAndClose(t, server.Listener.Addr(), method, path, s.Key, body)
	}
	require.Empty(t, send("POST", service.BasePath+"/teams", `{"name":"Night","workers":[],"managers":[]}`))
	require.Empty(t, send("GET", service.BasePath+"/teams", ""))
	require.Empty(t, send("GET", "/t/"+string(task.ShortID), ""))
	server.Close()
	require.Empty(t, complaints.String(), "that somebody left is no failure")
	var teams []model.Team
	s.Do("GET", "/teams", nil).OK(&teams)
	require.Empty(t, teams)
}

// sendAndClose sends one request, closes the sending half, and returns everything that comes back.
func sendAndClose(t *testing.T, to net.Addr, method, path, key, body string) string {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), to.Network(), to.String())
	require.NoError(t, err)
	defer conn.Close()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+to.String()+path, strings.NewReader(body))
	require.NoError(t, err)
	req.SetBasicAuth(key, "")
	require.NoError(t, req.Write(conn))
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	return string(answer)
}
