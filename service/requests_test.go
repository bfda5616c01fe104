package service_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service"
	"waybill/service/openapi"
)

// raw is a request that is sent exactly as given.
type raw struct {
	method, url   string
	body          io.Reader
	authorization string
	contentType   string
}

func send(t testing.TB, s *servicetest.Server, r raw) servicetest.Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), r.method, s.Host()+r.url, r.body)
	require.NoError(t, err)
	if r.authorization == "" {
		r.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(s.Key+":"))
	}
	request.Header.Set("Authorization", r.authorization)
	if r.contentType != "" {
		request.Header.Set("Content-Type", r.contentType)
	}
	response, err := s.Client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return servicetest.Answer{Status: response.StatusCode, Header: response.Header, Body: answer}
}

// requireErrorBody requires an error in the shape of the interface.
func requireErrorBody(t testing.TB, what string, answer servicetest.Answer, status int, subcode model.Int) {
	t.Helper()
	require.Equal(t, status, answer.Status, "%s: %s", what, answer.Body)
	require.Equal(t, "application/json; charset=utf-8", answer.Header.Get("Content-Type"), what)
	if bytes.HasPrefix(answer.Body, []byte(`{"statusCode"`)) { // a batch
		var batch model.BatchErrorBody
		require.NoError(t, model.Unmarshal(answer.Body, &batch), "%s: %s", what, answer.Body)
		require.Equal(t, subcode, batch.Error, "%s: %s", what, answer.Body)
		return
	}
	var body model.ErrorBody
	require.NoError(t, model.Unmarshal(answer.Body, &body), "%s: %s", what, answer.Body)
	require.Equal(t, subcode, body.Message.Error, "%s: %s", what, answer.Body)
	require.Equal(t, answer.Header.Get("X-Request-Id"), body.Message.Request, what)
}

// examplePath fills a route's path with valid ids of nothing.
func examplePath(route service.Route) string {
	filled := strings.NewReplacer(
		"{id}", string(model.NewID()), "{shortId}", "0123abcd", "{name}", "nobody", "{phone}", "+14155550199", "{event}", "999999",
	).Replace(route.Path)
	return service.BasePath + filled
}

// routesWithBody returns the routes that have a request body.
func routesWithBody(t testing.TB) []service.Route {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(t, err)
	var routes []service.Route
	for _, route := range service.Routes() {
		if doc.Paths.Find(route.Path).GetOperation(route.Method).RequestBody != nil {
			routes = append(routes, route)
		}
	}
	require.NotEmpty(t, routes)
	return routes
}

func TestUnknownRoutesAreNotFound(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, path := range []string{
		"/", "//", "/v2", "/v2/", "/v3/tasks", "/tasks", "/v2/task", "/v2//tasks", "/v2/tasks//all", "/v2/./teams", "/v2/teams/../hubs",
		"/v2/teams/%2e%2e/hubs", "/v2/teams/.", "/v2/openapi.yaml", "/v2/%00", "/v2/teams/%2F", "/index.html", "/v2/tasks/a/b/c/d",
		"/v2/workers/../../etc/passwd", "/v2/recipients/name", "/V2/teams",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
			answer := send(t, s, raw{method: method, url: path})
			if answer.Status == http.StatusMethodNotAllowed {
				requireErrorBody(t, method+" "+path, answer, http.StatusMethodNotAllowed, model.ErrorMethodNotAllowed)
				require.NotEmpty(t, answer.Header.Get("Allow"), method+" "+path)
				continue
			}
			requireErrorBody(t, method+" "+path, answer, http.StatusNotFound, model.ErrorNotFound)
		}
	}
}

func TestATrailingSlashIsIgnored(t *testing.T) {
	s := servicetest.Start(t)
	answer := send(t, s, raw{method: "GET", url: "/v2/teams/"})
	require.Equal(t, http.StatusOK, answer.Status)
	require.JSONEq(t, "[]", string(answer.Body))
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, route := range service.Routes() {
		for _, method := range []string{"PATCH", "OPTIONS", "TRACE", "BREW"} {
			what := method + " " + route.Path
			answer := send(t, s, raw{method: method, url: examplePath(route)})
			requireErrorBody(t, what, answer, http.StatusMethodNotAllowed, model.ErrorMethodNotAllowed)
			require.Contains(t, strings.Split(answer.Header.Get("Allow"), ", "), route.Method, what)
		}
	}
}

func TestEveryRouteNeedsAKey(t *testing.T) {
	s := servicetest.Start(t)
	for _, route := range service.Routes() {
		answer := send(t, s, raw{method: route.Method, url: examplePath(route), authorization: "Basic d3Jvbmc6"})
		requireErrorBody(t, route.Path, answer, http.StatusUnauthorized, model.ErrorKey)
		require.NotEmpty(t, answer.Header.Get("WWW-Authenticate"))
	}
}

func TestCredentialFormats(t *testing.T) {
	s := servicetest.Start(t)
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for name, row := range map[string]struct {
		authorization string
		ok            bool
	}{
		"with the colon":            {"Basic " + encode(s.Key+":"), true},
		"without the colon":         {"Basic " + encode(s.Key), true},
		"scheme in another case":    {"bASIC " + encode(s.Key+":"), true},
		"key as password":           {"Basic " + encode(":"+s.Key), false},
		"another scheme":            {"Bearer " + s.Key, false},
		"no scheme":                 {encode(s.Key + ":"), false},
		"not base64":                {"Basic " + s.Key + "!", false},
		"nothing":                   {"Basic ", false},
		"key of another length":     {"Basic " + encode(s.Key[:31]+":"), false},
		"key with a byte more":      {"Basic " + encode(s.Key+"0:"), false},
		"key in upper case":         {"Basic " + encode(strings.ToUpper(s.Key)+":"), false},
		"a text that is not UTF-8":  {"Basic " + encode("\xff\xfe:"), false},
		"a very long key":           {"Basic " + encode(strings.Repeat("a", 4096)), false},
		"a key with a wildcard":     {"Basic " + encode("%:"), false},
		"a key that quotes its way": {"Basic " + encode("' OR 1=1 --:"), false},
	} {
		answer := send(t, s, raw{method: "GET", url: "/v2/auth/test", authorization: row.authorization})
		if row.ok {
			require.Equal(t, http.StatusOK, answer.Status, name)
			continue
		}
		requireErrorBody(t, name, answer, http.StatusUnauthorized, model.ErrorKey)
	}
}

func TestBodiesMustHaveJSONContentType(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, route := range routesWithBody(t) {
		for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", "application/jsonp"} {
			answer := send(t, s, raw{method: route.Method, url: examplePath(route), contentType: contentType, body: strings.NewReader(`{}`)})
			requireErrorBody(t, route.Method+" "+route.Path+" "+contentType, answer, http.StatusUnsupportedMediaType, model.ErrorWrongType)
		}
		for _, contentType := range []string{"", "application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"} {
			answer := send(t, s, raw{method: route.Method, url: examplePath(route), contentType: contentType, body: strings.NewReader(`{}`)})
			require.NotEqual(t, http.StatusUnsupportedMediaType, answer.Status, route.Path+" "+contentType)
		}
		answer := send(t, s, raw{method: route.Method, url: examplePath(route), contentType: "text/plain", body: strings.NewReader(" \n")})
		require.NotEqual(t, http.StatusUnsupportedMediaType, answer.Status, "an empty body needs no type")
	}
}

func TestBodiesThatAreNotJSON(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, route := range routesWithBody(t) {
		for name, body := range map[string]string{
			"cut off": `{`, "two values": `{} {}`, "a word": `nul`, "single quotes": `{'a':1}`, "a trailing comma": `{"a":1,}`,
			"a comment": `{/*a*/}`, "a member twice": `{"x":1,"x":2}`, "not UTF-8": "{\"x\":\"\xff\"}", "a number": `7`, "a text": `"x"`,
			"deep": strings.Repeat("[", 100_000), "deep but closed": `{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
			"a control character": "{\"x\":\"\x01\"}", "an HTML page": `<html>`, "NaN": `{"x":NaN}`,
		} {
			answer := send(t, s, raw{
				method: route.Method, url: examplePath(route), contentType: "application/json", body: strings.NewReader(body),
			})
			requireErrorBody(t, route.Method+" "+route.Path+": "+name, answer, http.StatusBadRequest, model.ErrorWrongType)
		}
	}
}

// tooLarge returns a body of one byte more than the limit.
func tooLarge() io.Reader {
	const limit = 32 << 20 // that of a batch; others have less
	return io.MultiReader(strings.NewReader(`{"x":"`), io.LimitReader(letters{}, limit-5))
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("a"), min(len(p), 4096))), nil
}

func TestBodiesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for _, route := range service.Routes() {
		switch route.Method + " " + route.Path {
		case "POST /tasks", "PUT /workers/{id}", "POST /tasks/batch-async":
			answer := send(t, s, raw{method: route.Method, url: examplePath(route), contentType: "application/json", body: tooLarge()})
			requireErrorBody(t, route.Path, answer, http.StatusRequestEntityTooLarge, model.ErrorInvalid)
		}
	}
}

func TestNotFoundShowsTheSentPath(t *testing.T) {
	s := servicetest.Start(t)
	answer := send(t, s, raw{method: "GET", url: "/v2/teams/../hubs?key=secret"})
	require.Contains(t, string(answer.Body), `Unknown route: GET /v2/teams/../hubs"`)
}

func TestAnEncodedBodyIsRefused(t *testing.T) {
	s := servicetest.Start(t)
	request, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/tasks", strings.NewReader("{}"))
	require.NoError(t, err)
	request.SetBasicAuth(s.Key, "")
	request.Header.Set("Content-Encoding", "gzip")
	response, err := s.Client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnsupportedMediaType, response.StatusCode)
	require.Contains(t, string(body), "gzip")
}

func TestUnknownMembersInFilterAreRefused(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("GET", "/workers?filter=name,nope", nil).Refused(400, 1000)
	s.Do("GET", "/workers?filter=name,location", nil).OK(nil)
	s.Do("GET", "/workers/"+string(model.NewID())+"?filter=nope", nil).Refused(400, 1000)
}

func TestNullBarcodeIsRefused(t *testing.T) {
	s := servicetest.Start(t)
	refused := s.Do("POST", "/tasks", `{"destination":`+place(1, 2)+`,"recipients":[],"barcode":[null]}`).Refused(400, 1005)
	require.Equal(t, "barcode[0]: Must be an object, not null.", refused.Message.Cause.Value().Text)
}

func TestLanguageMustBeACountryCode(t *testing.T) {
	s := servicetest.Start(t)
	const address = `{"address":{"unparsed":"1 Market St, San Francisco, CA, USA"},"options":{"language":"%s"}}`
	s.Do("POST", "/destinations", strings.Replace(address, "%s", "DE", 1)).OK(nil)
	s.Do("POST", "/destinations", strings.Replace(address, "%s", "us", 1)).OK(nil)
	for _, code := range []string{"XQ", "deu", "D", "12", "419"} {
		s.Do("POST", "/destinations", strings.Replace(address, "%s", code, 1)).Refused(400, 1000)
	}
}
