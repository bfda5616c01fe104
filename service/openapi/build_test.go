package openapi_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"waybill/model"
	"waybill/service/openapi"
)

var update = flag.Bool("update", false, "write openapi.json from the YAML files")

func TestDocumentIsUpToDate(t *testing.T) {
	built := build(t)
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", built, 0o644)) //nolint:gosec // a source file
		return
	}
	require.True(t, bytes.Equal(built, openapi.Document()), "openapi.json is not what the YAML files say: go test ./service/openapi -update")
}

// kin-openapi checks the document against the standard, and every example against its schema.
func TestDocumentIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaPatternValidation()))
}

func TestEveryOperationIsDescribed(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(t, err)
	seen := map[string]bool{}
	var tags []string
	for _, tag := range doc.Tags {
		tags = append(tags, tag.Name)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			require.NotEmpty(t, operation.Summary, name)
			require.NotEmpty(t, operation.OperationID, name)
			require.False(t, seen[operation.OperationID], "%s: operationId %s is taken", name, operation.OperationID)
			seen[operation.OperationID] = true
			require.Len(t, operation.Tags, 1, name)
			require.Contains(t, tags, operation.Tags[0], name)
			checkResponses(t, name, operation)
		}
	}
}

// checkResponses proves that the shared answers reached every operation.
func checkResponses(t *testing.T, name string, operation *openapi3.Operation) {
	t.Helper()
	wanted := []int{200, 401, 429, 500, 503}
	if operation.RequestBody != nil {
		wanted = append(wanted, 400, 413, 415)
	}
	for _, status := range wanted {
		response := operation.Responses.Status(status)
		require.NotNil(t, response, "%s lacks the answer %d", name, status)
		require.Contains(t, response.Value.Headers, "X-Request-Id", "%s %d", name, status)
		require.Contains(t, response.Value.Headers, "X-RateLimit-Remaining", "%s %d", name, status)
	}
}

// A component that nothing refers to is a leftover.
func TestEveryComponentIsUsed(t *testing.T) {
	var doc struct {
		Components map[string]map[string]model.Raw `json:"components"`
		Rest       model.Extra                     `json:",embed"`
	}
	require.NoError(t, model.Unmarshal(openapi.Document(), &doc))
	text := string(openapi.Document())
	for kind, components := range doc.Components {
		for name := range components {
			if kind == "securitySchemes" {
				continue
			}
			require.True(t, strings.Contains(text, fmt.Sprintf(`"#/components/%s/%s"`, kind, name)), "%s %s is not used", kind, name)
		}
	}
}

// build puts the YAML files together and adds what all operations share.
func build(t *testing.T) []byte {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	require.NoError(t, err)
	// The common part first: it opens the document.
	slices.SortStableFunc(files, func(a, b string) int { return rank(a) - rank(b) })
	whole := &object{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var node yaml.Node
		require.NoError(t, yaml.Unmarshal(text, &node), file)
		part, err := convert(node.Content[0])
		require.NoError(t, err, file)
		require.NoError(t, whole.merge(part.(*object)), file)
	}
	share(whole)
	encoded, err := json.Marshal(whole, jsontext.WithIndent(" "))
	require.NoError(t, err)
	return append(encoded, '\n')
}

func rank(file string) int {
	if file == "common.yaml" {
		return 0
	}
	return 1
}
