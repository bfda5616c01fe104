package servicetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"waybill/service"
	"waybill/service/openapi"
)

// Transport sends requests over the network and fails the test when an exchange is not as the OpenAPI document says:
// every answer must be, and every request that was answered with success. Benchmarks are let through unchecked.
func Transport(t testing.TB) http.RoundTripper { return transport(t, Check) }

// AnswersTransport checks answers only: the service may take more than the document promises.
func AnswersTransport(t testing.TB) http.RoundTripper { return transport(t, CheckAnswer) }

type checkFunc func(r *http.Request, sent []byte, response *http.Response, answer []byte) error

func transport(t testing.TB, check checkFunc) http.RoundTripper {
	if _, timed := t.(*testing.B); timed {
		return http.DefaultTransport
	}
	return checkedTransport{t, check}
}

type checkedTransport struct {
	t     testing.TB
	check checkFunc
}

// RoundTrip implements http.RoundTripper.
func (c checkedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	if err := c.check(r, sent, response, answer); err != nil {
		// Errorf, not FailNow: clients run in goroutines of their own.
		c.t.Errorf("%s %s was answered %d against the OpenAPI document: %v\nsent: %.2000s\nanswer: %.2000s",
			r.Method, r.URL.RequestURI(), response.StatusCode, err, sent, answer)
	}
	return response, nil
}

// Check tells how an exchange differs from the OpenAPI document.
func Check(r *http.Request, sent []byte, response *http.Response, answer []byte) error {
	if response.StatusCode == http.StatusOK {
		if err := checkRequest(r, sent); err != nil {
			return err
		}
	}
	return CheckAnswer(r, sent, response, answer)
}

// checkRequest tells how a request differs from the document. What no operation takes is left to [CheckAnswer].
func checkRequest(r *http.Request, sent []byte) error {
	contract := loadContract()
	name, parameters, found := contract.findOperation(r.Method, r.URL)
	if !found {
		return nil
	}
	if err := openapi3filter.ValidateRequest(context.Background(), validationInput(r, sent, parameters, contract.requests[name])); err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	return nil
}

// CheckAnswer tells how an answer differs from the OpenAPI document.
func CheckAnswer(r *http.Request, sent []byte, response *http.Response, answer []byte) error {
	if !strings.HasPrefix(r.URL.Path, service.BasePath+"/") {
		return nil // the document knows nothing of the driver's side and of pages for people
	}
	contract := loadContract()
	name, parameters, found := contract.findOperation(r.Method, r.URL)
	if !found {
		return contract.checkRefusal(r.URL.Path, response, answer)
	}
	route := contract.complete[name]
	if filledQuery(r.URL).Has("filter") {
		route = contract.answers[name]
	}
	return checkAnswer(validationInput(r, sent, parameters, route), response, answer)
}

func validationInput(r *http.Request, sent []byte, parameters map[string]string, route *routers.Route) *openapi3filter.RequestValidationInput {
	request := r.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(sent))
	return &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, QueryParams: filledQuery(r.URL), Route: route, Options: checkOptions(),
	}
}

// filledQuery leaves out parameters that are empty, which the document takes as absent.
func filledQuery(address *url.URL) url.Values {
	query := address.Query()
	for name, values := range query {
		if strings.Join(values, "") == "" {
			delete(query, name)
		}
	}
	return query
}

func checkOptions() *openapi3filter.Options {
	return &openapi3filter.Options{
		IncludeResponseStatus: true, MultiError: true, SkipSettingDefaults: true, RejectWhenRequestBodyNotSpecified: true,
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
	}
}

// contract is the document, ready to check exchanges with. Routes are named "METHOD /path".
type contract struct {
	// requests may carry members that the document does not name.
	requests map[string]*routers.Route
	// answers may not: what the service answers must be documented.
	answers map[string]*routers.Route
	// complete are answers to requests that did not choose members.
	complete map[string]*routers.Route
	// refusal is the envelope of what no route takes.
	refusal *openapi3.Response
}

//nolint:gochecknoglobals // the document is read once a process; nothing writes to it afterwards
var loadContract = sync.OnceValue(func() *contract {
	requests, answers, whole := loadDocument(), loadDocument(), loadDocument()
	seen := map[*openapi3.Schema]bool{}
	for _, route := range routesOf(answers) {
		shapeAnswers(route, seen, closeSchema)
	}
	seen = map[*openapi3.Schema]bool{}
	for _, route := range routesOf(whole) {
		shapeAnswers(route, seen, func(s *openapi3.Schema) { closeSchema(s); removePartial(s) })
	}
	return &contract{
		requests: routesOf(requests), answers: routesOf(answers), complete: routesOf(whole),
		refusal: answers.Components.Responses["NotFound"].Value,
	}
})

func loadDocument() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	if err != nil {
		panic("openapi.json cannot be read: " + err.Error())
	}
	return doc
}

func routesOf(doc *openapi3.T) map[string]*routers.Route {
	routes := map[string]*routers.Route{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			routes[method+" "+path] = &routers.Route{
				Spec: doc, Server: doc.Servers[0], Path: path, PathItem: item, Method: method, Operation: operation,
			}
		}
	}
	return routes
}

// shapeAnswers changes every schema of a route's answers, once.
func shapeAnswers(route *routers.Route, seen map[*openapi3.Schema]bool, change func(*openapi3.Schema)) {
	for _, response := range route.Operation.Responses.Map() {
		for _, media := range response.Value.Content {
			walkSchema(media.Schema, seen, change)
		}
	}
}

func walkSchema(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool, change func(*openapi3.Schema)) {
	if ref == nil || seen[ref.Value] {
		return
	}
	schema := ref.Value
	seen[schema] = true
	for _, property := range schema.Properties {
		walkSchema(property, seen, change)
	}
	walkSchema(schema.Items, seen, change)
	walkSchema(schema.AdditionalProperties.Schema, seen, change)
	for _, list := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		for _, one := range list {
			walkSchema(one, seen, change)
		}
	}
	change(schema)
}

// closeSchema refuses members that are not documented, unless the document says that there may be any.
func closeSchema(schema *openapi3.Schema) {
	if len(schema.Properties) > 0 && schema.AdditionalProperties.Has == nil && schema.AdditionalProperties.Schema == nil {
		closed := false
		schema.AdditionalProperties.Has = &closed
	}
}

// partialMarker marks a schema that answers have only when the request has that parameter.
const partialMarker = "x-waybill-with-query"

func removePartial(schema *openapi3.Schema) {
	schema.AnyOf = slices.DeleteFunc(schema.AnyOf, func(ref *openapi3.SchemaRef) bool { return ref.Value.Extensions[partialMarker] != nil })
}

// findOperation matches a request with an operation. Of two paths that match, that with fewer parameters wins, as in net/http.
func (c *contract) findOperation(method string, address *url.URL) (name string, parameters map[string]string, found bool) {
	path, ok := strings.CutPrefix(address.EscapedPath(), service.BasePath)
	if !ok {
		return "", nil, false
	}
	path = strings.TrimRight(path, "/")
	segments := strings.Split(path, "/")
	named := c.operationWithoutParameters(path) != nil
	for candidate, route := range c.requests {
		if route.Method != method || (named && route.Path != path) {
			continue
		}
		values, ok := matchPath(strings.Split(route.Path, "/"), segments)
		if ok && (!found || len(values) < len(parameters)) {
			name, parameters, found = candidate, values, true
		}
	}
	return name, parameters, found
}

// operationWithoutParameters is an operation of a path that has no parameters, or nil when there is none. Such a path is no other's parameter.
func (c *contract) operationWithoutParameters(path string) *openapi3.Operation {
	for _, route := range c.answers {
		if route.Path == path {
			return route.Operation
		}
	}
	return nil
}

func matchPath(template, segments []string) (map[string]string, bool) {
	if len(template) != len(segments) {
		return nil, false
	}
	values := map[string]string{}
	for i, part := range template {
		name, isParameter := strings.CutPrefix(part, "{")
		value, err := url.PathUnescape(segments[i])
		switch {
		case err != nil || (isParameter && value == ""):
			return nil, false
		case isParameter:
			values[strings.TrimSuffix(name, "}")] = value
		case value != part:
			return nil, false
		}
	}
	return values, true
}

func checkAnswer(input *openapi3filter.RequestValidationInput, response *http.Response, answer []byte) error {
	if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body: io.NopCloser(bytes.NewReader(answer)), Options: input.Options,
	}); err != nil {
		return fmt.Errorf("the answer: %w", err)
	}
	documented := input.Route.Operation.Responses.Status(response.StatusCode)
	if len(documented.Value.Content) == 0 && len(answer) > 0 {
		return errors.New("the answer: the document says that it has no body")
	}
	return nil
}

// checkRefusal checks the answer to a request that no route takes.
func (c *contract) checkRefusal(path string, response *http.Response, answer []byte) error {
	if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed {
		return fmt.Errorf("it is not in the document, so it should be refused")
	}
	if response.Request != nil && response.Request.Method == http.MethodHead {
		return nil
	}
	refusal := c.refusal
	if operation := c.operationWithoutParameters(strings.TrimRight(strings.TrimPrefix(path, service.BasePath), "/")); operation != nil {
		refusal = operation.Responses.Status(http.StatusInternalServerError).Value // in the shape that this path has
	}
	operation := &openapi3.Operation{Responses: openapi3.NewResponses(
		openapi3.WithStatus(response.StatusCode, &openapi3.ResponseRef{Value: refusal}),
	)}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: response.Request, Route: &routers.Route{Spec: &openapi3.T{OpenAPI: "3.0.3"}, Operation: operation},
		},
		Status: response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(answer)), Options: checkOptions(),
	})
}
