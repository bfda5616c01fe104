package receiver_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/events"
	"waybill/service/events/receiver"
)

const secret = "00ff"

func send(handler http.Handler, method, target, body, signature string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set(events.SignatureHeader, signature)
	r.Header.Set(events.DeliveryHeader, "d1")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestAReceiverAnswersChecksAndVerifiesEvents(t *testing.T) {
	var got []receiver.Received
	var failure error
	var checked string
	handler := receiver.New(receiver.Options{
		Secret:  secret,
		Handle:  func(_ context.Context, e receiver.Received) error { got = append(got, e); return failure },
		OnValidation: func(path string) { checked = path },
	})
	answer := send(handler, "GET", "/hook?check=%3Cb%3E", "", "")
	require.Equal(t, "<b>", answer.Body.String())
	require.Equal(t, "text/plain; charset=utf-8", answer.Header().Get("Content-Type"))
	require.Equal(t, "/hook", checked)
	require.Equal(t, http.StatusBadRequest, send(handler, "GET", "/hook", "", "").Code)
	require.Equal(t, http.StatusMethodNotAllowed, send(handler, "PUT", "/hook", "", "").Code)

	body := `{"time":1,"triggerId":6,"triggerName":"taskCreated","taskId":"x"}`
	signature, err := events.Sign(secret, []byte(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, send(handler, "POST", "/hook", body, "00").Code)
	require.Empty(t, got)
	require.Equal(t, http.StatusOK, send(handler, "POST", "/hook", body, signature).Code)
	require.Equal(t, "taskCreated", got[0].Event.TriggerName)
	require.Equal(t, body, string(got[0].Body))
	require.Equal(t, "d1", got[0].Delivery)
	require.True(t, got[0].Verified)
	failure = errors.New("not now")
	require.Equal(t, http.StatusBadGateway, send(handler, "POST", "/hook", body, signature).Code)
	nonsense, err := events.Sign(secret, []byte("?"))
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, send(handler, "POST", "/hook", "?", nonsense).Code)
}

func TestEventsAreForwardedAsTheyCame(t *testing.T) {
	status := http.StatusOK
	var body, signature string
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		body, signature = string(read), r.Header.Get(events.SignatureHeader)
		w.WriteHeader(status)
	}))
	defer local.Close()
	forward := receiver.Forward(local.Client(), local.URL)
	event := receiver.Received{Body: []byte(`{"a": 1}`), Signature: "abc"}
	require.NoError(t, forward(t.Context(), event))
	require.Equal(t, `{"a": 1}`, body)
	require.Equal(t, "abc", signature)
	status = http.StatusAccepted
	require.ErrorContains(t, forward(t.Context(), event), "202")
}

func TestTheLocalCertificateIsKeptAndHoldsForLoopbackOnly(t *testing.T) {
	dir := t.TempDir()
	first, authority, err := receiver.LocalCertificate(dir)
	require.NoError(t, err)
	again, _, err := receiver.LocalCertificate(dir)
	require.NoError(t, err)
	require.Equal(t, first.Certificate, again.Certificate)

	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{first}}
	server.StartTLS()
	defer server.Close()
	pem, err := os.ReadFile(authority)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(pem))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	resp, err := client.Get(server.URL)
	require.NoError(t, err)
	resp.Body.Close()
	_, err = first.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "example.com"})
	require.Error(t, err)

	require.NoError(t, os.Remove(authority))
	renewed, _, err := receiver.LocalCertificate(dir)
	require.NoError(t, err)
	require.NotEqual(t, first.Certificate, renewed.Certificate)
}
