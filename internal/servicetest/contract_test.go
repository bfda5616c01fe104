package servicetest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
)

const (
	team = `{"id":"11z1BbsQUZFHD1XAd~emDDeK","name":"North","timeCreated":1772470800000,"timeLastModified":1772470800123,` +
		`"workers":[],"managers":[],"hub":null,"tasks":[],"enableSelfAssignment":false,"metadata":[]}`
	newTeam   = `{"name":"North","workers":[],"managers":[]}`
	requestID = "0b4f2c0e-6a39-4d0f-9c67-0d7d3a1f5b10"
	refusal   = `{"code":"ResourceNotFound","message":{"error":1402,"message":"No.","request":"` + requestID + `"}}`
)

// exchange is a request and its answer. The zero value is the creation of a team.
type exchange struct {
	method, path, sent string
	status             int
	answer             string
	without            string // the header that is missing
	contentType        string
}

func check(e exchange) error {
	method, path, sent, status, answer := "POST", "/teams", newTeam, http.StatusOK, team
	if e.path != "" {
		method, path, sent, answer = e.method, e.path, e.sent, e.answer
	}
	if e.sent != "" {
		sent = e.sent
	}
	if e.answer != "" {
		answer = e.answer
	}
	if e.status != 0 {
		status = e.status
	}
	r := httptest.NewRequest(method, "http://localhost/v2"+path, strings.NewReader(sent))
	if sent != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response := &http.Response{StatusCode: status, Request: r, Header: http.Header{}}
	for name, value := range map[string]string{
		"X-Request-Id": requestID, "X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "19", "Content-Type": "application/json; charset=utf-8",
	} {
		if name != e.without {
			response.Header.Set(name, value)
		}
	}
	if e.contentType != "" {
		response.Header.Set("Content-Type", e.contentType)
	}
	return servicetest.Check(r, []byte(sent), response, []byte(answer))
}

func TestCheckAcceptsDocumentedExchanges(t *testing.T) {
	for name, e := range map[string]exchange{
		"a creation":                    {},
		"a refused request of any kind": {sent: `{"name":7}`, status: 400, answer: strings.Replace(refusal, "ResourceNotFound", "InvalidContent", 1)},
		"an empty answer":               {method: "DELETE", path: "/teams/11z1BbsQUZFHD1XAd~emDDeK"},
		"no route":                      {method: "GET", path: "/nothing", status: 404, answer: refusal},
		"another method":                {method: "DELETE", path: "/teams", status: 405, answer: refusal},
		"an empty parameter":            {method: "GET", path: "/tasks/all?from=0&lastId=", answer: `{"tasks":[]}`},
		"chosen members":                {method: "GET", path: "/workers?filter=name", answer: `[{"name":"Ana"}]`},
		"a fixed path before a pattern": {method: "GET", path: "/workers/location?longitude=1&latitude=2", answer: `{"workers":[]}`},
	} {
		require.NoError(t, check(e), name)
	}
}

func TestCheckRejectsUndocumentedExchanges(t *testing.T) {
	for name, e := range map[string]exchange{
		"a missing member":           {answer: strings.Replace(team, `"tasks":[],`, "", 1)},
		"an undocumented member":     {answer: strings.Replace(team, `"tasks":[],`, `"tasks":[],"colour":1,`, 1)},
		"a fraction in an integer":   {answer: strings.Replace(team, "1772470800123", "1772470800123.5", 1)},
		"an id that is none":         {answer: strings.Replace(team, "11z1", "11-1", 1)},
		"null where it may not be":   {answer: strings.Replace(team, `"workers":[]`, `"workers":null`, 1)},
		"a success that is not 200":  {status: 201},
		"no request id":              {without: "X-Request-Id"},
		"no rate header":             {without: "X-RateLimit-Remaining"},
		"an answer that is not JSON": {contentType: "text/html"},
		"success for a bad request":  {sent: `{"name":"North","workers":[]}`},
		"success for a bad id":       {method: "DELETE", path: "/teams/1"},
		"a body where none belongs":  {method: "DELETE", path: "/teams/11z1BbsQUZFHD1XAd~emDDeK", answer: `{}`},
		"no route, but success":      {method: "GET", path: "/nothing", answer: `{}`},
		"no route, another envelope": {method: "GET", path: "/nothing", status: 404, answer: `{"error":"no"}`},
		"members left out unasked":   {method: "GET", path: "/workers", answer: `[{"name":"Ana"}]`},
		"a batch refused like the rest": {
			method: "POST", path: "/tasks/batch-async", sent: `{"tasks":[]}`, status: 400, answer: refusal,
		},
	} {
		require.Error(t, check(e), name)
	}
}
