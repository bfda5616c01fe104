package service_test

import (
	"fmt"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/service"
	"waybill/service/openapi"
)

// documented returns the operations of the document for a comparison with the route table.
func documented(t *testing.T) (map[string]string, *openapi3.T) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(t, err)
	operations := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			operations[method+" "+path] = describe(operation.Tags[0], operation.Extensions["x-waybill-beyond"] == true)
		}
	}
	return operations, doc
}

func describe(section string, extension bool) string {
	return fmt.Sprintf("section %s, extension: %t", section, extension)
}

func TestRoutesMatchTheDocument(t *testing.T) {
	routes := map[string]string{}
	for _, route := range service.Routes() {
		name := route.Method + " " + route.Path
		require.NotContains(t, routes, name, "duplicate route")
		routes[name] = describe(route.Section, route.Extension)
	}
	operations, doc := documented(t)
	require.Equal(t, routes, operations)
	require.Equal(t, service.BasePath, doc.Servers[0].URL)
}

// TestBatchRoutesHaveTheBatchShape checks that the document has the batch shape where routes have it.
func TestBatchRoutesHaveTheBatchShape(t *testing.T) {
	_, doc := documented(t)
	for _, route := range service.Routes() {
		operation := doc.Paths.Find(route.Path).GetOperation(route.Method)
		schema := "#/components/schemas/Error"
		if route.Batch {
			schema = "#/components/schemas/BatchRefusal"
		}
		require.Equal(t, schema, operation.Responses.Status(500).Value.Content["application/json"].Schema.Ref, route.Path)
	}
}

func TestDocumentIsServed(t *testing.T) {
	s := servicetest.Start(t)
	answer := s.Do("GET", "/openapi.json", nil)
	answer.OK(nil)
	require.Equal(t, string(openapi.Document()), string(answer.Body))
	s.DoAs("wrong", "GET", "/openapi.json", nil).Refused(401, 1102)
}
