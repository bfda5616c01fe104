package apiclient_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
)

const base = "https://service.example/api/v2"

// roundTrip is a network made of one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// newClient is a client over a network made of one function.
func newClient(t testing.TB, network roundTrip, change ...func(*apiclient.Options)) *apiclient.Client {
	t.Helper()
	options := apiclient.Options{BaseURL: base, Key: apiclient.StaticKey(apitest.Key), RoundTripper: network}
	for _, f := range change {
		f(&options)
	}
	client, err := apiclient.New(options)
	require.NoError(t, err)
	return client
}

// pipedClient answers every request with one exchange, without sockets, and counts.
func pipedClient(t testing.TB, exchange apitest.Exchange) (*apiclient.Client, *int) {
	served := new(int)
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		*served++
		return answer(exchange.Answer.Status, string(exchange.Answer.Body)), nil
	})
	return client, served
}

// at is a client of a test server.
func at(t testing.TB, url string, change ...func(*apiclient.Options)) *apiclient.Client {
	t.Helper()
	options := apiclient.Options{BaseURL: url + "/v2", Key: apiclient.StaticKey(apitest.Key)}
	for _, f := range change {
		f(&options)
	}
	client, err := apiclient.New(options)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}
