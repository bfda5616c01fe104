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

// Transport sends requests and fails the test if an answer, or a request that succeeded, does not match the OpenAPI
// document. It does not check benchmarks.
func Transport(t testing.TB) http.RoundTripper { return transport(t, Check) }

// AnswersTransport checks answers only, because the service may accept more than the document allows.
func AnswersTransport(t testing.TB) http.RoundTripper { return transport(t, CheckAnswer) }

type checkFunc func(r *http.Request, sent []byte, response *http.Response, answer []byte) error

func transport(t testing.TB, check checkFunc) http.RoundTripper {
	if _, isBenchmark := t.(*testing.B); isBenchmark {
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
		// Errorf, not FailNow, because clients run in other goroutines.
		c.t.Errorf("%s %s: status %d does not match the OpenAPI document: %v\nsent: %.2000s\nanswer: %.2000s",
			r.Method, r.URL.RequestURI(), response.StatusCode, err, sent, answer)
	}
	return response, nil
}

// Check returns an error if a request or its answer does not match the OpenAPI document.
func Check(r *http.Request, sent []byte, response *http.Response, answer []byte) error {
	if response.StatusCode == http.StatusOK {
		if err := checkRequest(r, sent); err != nil {
			return err
		}
	}
	return CheckAnswer(r, sent, response, answer)
}

// checkRequest returns an error if a request does not match its operation. Unknown routes are left to
// [CheckAnswer].
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

// CheckAnswer returns an error if an answer does not match the OpenAPI document.
func CheckAnswer(r *http.Request, sent []byte, response *http.Response, answer []byte) error {
	if !strings.HasPrefix(r.URL.Path, service.BasePath+"/") {
		return nil // the document has neither driver routes nor tracking pages
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
	return validateResponse(validationInput(r, sent, parameters, route), response, answer)
}

func validationInput(
	r *http.Request, sent []byte, parameters map[string]string, route *routers.Route,
) *openapi3filter.RequestValidationInput {
	request := r.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(sent))
	return &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, QueryParams: filledQuery(r.URL), Route: route, Options: checkOptions(),
	}
}

// filledQuery removes empty parameters, which count as absent.
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

// contract is the document, prepared for checking. The keys of routes are "METHOD /path".
type contract struct {
	// requests allow members that are not in the document.
	requests map[string]*routers.Route
	// answers do not allow undocumented members.
	answers map[string]*routers.Route
	// complete is for answers to requests without `filter`, which must have every member.
	complete map[string]*routers.Route
	// refusal is the error body for unknown routes.
	refusal *openapi3.Response
}

//nolint:gochecknoglobals // parsed once; read-only afterwards
var loadContract = sync.OnceValue(func() *contract {
	requests, answers, complete := loadDocument(), loadDocument(), loadDocument()
	seen := map[*openapi3.Schema]bool{}
	for _, route := range routesOf(answers) {
		changeAnswers(route, seen, closeSchema)
	}
	seen = map[*openapi3.Schema]bool{}
	for _, route := range routesOf(complete) {
		changeAnswers(route, seen, func(s *openapi3.Schema) { closeSchema(s); removePartial(s) })
	}
	return &contract{
		requests: routesOf(requests), answers: routesOf(answers), complete: routesOf(complete),
		refusal: answers.Components.Responses["NotFound"].Value,
	}
})

func loadDocument() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	if err != nil {
		panic("cannot read openapi.json: " + err.Error())
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

// changeAnswers changes every schema of a route's answers once.
func changeAnswers(route *routers.Route, seen map[*openapi3.Schema]bool, change func(*openapi3.Schema)) {
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
		for _, part := range list {
			walkSchema(part, seen, change)
		}
	}
	change(schema)
}

// closeSchema forbids undocumented members, unless the document allows any.
func closeSchema(schema *openapi3.Schema) {
	if len(schema.Properties) > 0 && schema.AdditionalProperties.Has == nil && schema.AdditionalProperties.Schema == nil {
		closed := false
		schema.AdditionalProperties.Has = &closed
	}
}

// partialMarker marks a schema that answers use only if the request has a parameter.
const partialMarker = "x-waybill-with-query"

func removePartial(schema *openapi3.Schema) {
	schema.AnyOf = slices.DeleteFunc(schema.AnyOf, func(ref *openapi3.SchemaRef) bool { return ref.Value.Extensions[partialMarker] != nil })
}

// findOperation finds the operation of a request. Of two matching paths the one with fewer parameters wins, as in net/http.
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

// operationWithoutParameters returns an operation whose path is exactly path, or nil. Such a path matches no other.
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

// validateResponse returns an error if an answer does not match the operation of its request.
func validateResponse(input *openapi3filter.RequestValidationInput, response *http.Response, answer []byte) error {
	if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body: io.NopCloser(bytes.NewReader(answer)), Options: input.Options,
	}); err != nil {
		return fmt.Errorf("the answer: %w", err)
	}
	documented := input.Route.Operation.Responses.Status(response.StatusCode)
	if len(documented.Value.Content) == 0 && len(answer) > 0 {
		return errors.New("the answer: the document defines no body")
	}
	return nil
}

// checkRefusal checks the answer to a request without an operation.
func (c *contract) checkRefusal(path string, response *http.Response, answer []byte) error {
	if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed {
		return errors.New("the route is not in the document, but the service accepted it")
	}
	if response.Request != nil && response.Request.Method == http.MethodHead {
		return nil
	}
	refusal := c.refusal
	if operation := c.operationWithoutParameters(strings.TrimRight(strings.TrimPrefix(path, service.BasePath), "/")); operation != nil {
		refusal = operation.Responses.Status(http.StatusInternalServerError).Value // in the shape of this path
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
