package apiclient_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

// TestAnswersOutliveTheirBuffer makes requests until buffers are surely used again: what an earlier answer gave must
// not change.
func TestAnswersOutliveTheirBuffer(t *testing.T) {
	t.Parallel()
	n := 0
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		n++
		return answer(200, fmt.Sprintf(`{"id":"%024d","metadata":[{"name":"n","type":"object","value":{"n":%d}}],`+
			`"unknown":{"n":%d}}`, n, n, n)), nil
	}, fast)
	var first []model.Recipient
	for range 50 {
		recipient, err := client.Recipient(t.Context(), recID)
		require.NoError(t, err)
		first = append(first, recipient)
	}
	for i, recipient := range first {
		require.Equal(t, model.ID(fmt.Sprintf("%024d", i+1)), recipient.ID)
		require.Equal(t, fmt.Sprintf(`{"n":%d}`, i+1), string(recipient.Metadata[0].Value))
		require.JSONEq(t, fmt.Sprintf(`{"unknown":{"n":%d}}`, i+1), string(recipient.Extra))
	}
}

func TestPriorityTravelsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, _ := scripted(t, ok)
		client.Limiter().RecordRefusal(60e9)
		for _, p := range []apiclient.Priority{apiclient.PriorityBackground, apiclient.PriorityVisible, 99} {
			go func() { _, _ = client.TestAuth(apiclient.WithPriority(t.Context(), p)) }()
		}
		go func() { _, _ = client.TestAuth(t.Context()) }()
		synctest.Wait()
		require.Equal(t, [3]int{1, 1, 2}, client.Limiter().Snapshot().Waiting)
	})
}

// FuzzAnswers gives the client whatever a network can answer with. It must not panic, must not show control
// characters or the key in an error, and must never call an answer to a write known when it is a foreign 5xx.
func FuzzAnswers(f *testing.F) {
	for _, name := range apitest.Names(f, "refusals") {
		exchange := apitest.Load(f, name)
		f.Add(exchange.Answer.Status, string(exchange.Answer.Body), "application/json")
	}
	f.Add(502, "<html><title>Bad \x1b[31mGateway</title>", "text/html")
	f.Add(200, `{"id":`, "")
	f.Add(200, `{"id":7,"metadata":{}}`, "application/json")
	f.Add(400, `{"code":[],"message":{"error":"x"}}`, "application/json")
	f.Add(400, `{"code":"a","message":{"error":1004,"message":"`+apitest.Key+`","cause":{"type":"duplicateKey"}}}`, "")
	f.Add(400, `{"message":"\u001b[2J\u202e","error":1000,"cause":null}`, "application/json")
	f.Fuzz(func(t *testing.T, status int, body, kind string) {
		if status < 200 || status > 599 || status == 429 || status == 412 {
			t.Skip()
		}
		client := newClient(t, func(*http.Request) (*http.Response, error) {
			return answer(status, body, "Content-Type", strings.ToValidUTF8(kind, "")), nil
		}, fast)
		err := write(t.Context(), client)
		if status >= 300 {
			require.Error(t, err)
		}
		if err == nil {
			return
		}
		text := err.Error()
		require.NotContains(t, text, apitest.Key)
		require.False(t, strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", text)
		if status == 502 || status == 504 {
			require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
		}
		entry := client.Log().Entries()[0]
		require.NotContains(t, entry.ResponseBody+entry.Error, apitest.Key)
		require.False(t, strings.ContainsFunc(entry.ResponseBody, func(r rune) bool { return !unicode.IsPrint(r) }))
	})
}
