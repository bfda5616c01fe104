package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/events"
	"waybill/service/events/receiver"
)

// An event is printed on one line without control characters. The saved body is unchanged, so that its signature is valid.
func TestReceivedEventIsPrintedOnOneSafeLine(t *testing.T) {
	const body = "{\n  \"taskId\": \"a\",\n  \"data\": {\"task\": {\"notes\": \"x\u009b31m\u202e\"}},\n  \"b\u202e\": 1, \"b\": 2\n}\n"
	a, output := newTestProgram(t, "", "")
	a.flags.json = true
	folder := t.TempDir()
	id := model.NewID()
	handle := a.handleEvents(listenFlags{save: folder}, time.UTC)
	require.NoError(t, handle(t.Context(), receiver.Received{Body: []byte(body), Delivery: string(id)}))
	require.NotContains(t, output.String(), "\u009b")
	require.NotContains(t, output.String(), "\u202e")
	require.Equal(t, 1, strings.Count(output.String(), "\n"))
	require.True(t, strings.HasPrefix(output.String(), `{"taskId":"a","data":{"task":{"notes":"x`), output)
	saved, err := os.ReadFile(filepath.Join(folder, string(id)+".json"))
	require.NoError(t, err)
	require.Equal(t, body, string(saved))
}

func TestReceivedEventUsesTheTimeZoneFlag(t *testing.T) {
	a, output := newTestProgram(t, "", "")
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	event := model.Event{Time: model.MillisOf(time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)), TriggerName: "taskStarted"}
	require.NoError(t, a.handleEvents(listenFlags{}, berlin)(t.Context(), receiver.Received{Event: event}))
	require.Contains(t, output.String(), "18:00:00  taskStarted")
}

// A slow target of --forward does not delay the next event.
func TestSlowForwardingDoesNotDelayOtherEvents(t *testing.T) {
	arrived, answer := make(chan struct{}), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get(events.DeliveryHeader) == "first" {
			close(arrived)
			<-answer
		}
	}))
	defer slow.Close()
	a, output := newTestProgram(t, "", "")
	a.flags.json = true
	handle := a.handleEvents(listenFlags{forward: slow.URL}, time.UTC)
	done := make(chan error)
	go func() {
		done <- handle(t.Context(), receiver.Received{Body: []byte(`{"taskId":"first"}`), Delivery: "first"})
	}()
	<-arrived
	require.NoError(t, handle(t.Context(), receiver.Received{Body: []byte(`{"taskId":"second"}`), Delivery: "second"}))
	require.Contains(t, output.String(), "second")
	close(answer)
	require.NoError(t, <-done)
}
