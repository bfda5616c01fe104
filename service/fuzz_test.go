package service_test

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/openapi"
)

// TestGeneratedRequestsNeverFail sends requests generated from the document, most of them nearly right. They must never
// cause an internal error, and every answer is checked against the document.
func TestGeneratedRequestsNeverFail(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	s.Client.Transport = servicetest.AnswersTransport(t)
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(t, err)
	f := &fuzzer{Server: s, known: []string{string(s.Org), string(model.NewID())}, short: []string{"0123abcd"}}
	f.seed()
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		for method, operation := range doc.Paths.Find(path).Operations() {
			f.operations = append(f.operations, fuzzOperation{method, path, operation})
		}
	}
	slices.SortFunc(f.operations, func(a, b fuzzOperation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	answered := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		for range 12 {
			o := rapid.SampledFrom(f.operations).Draw(rt, "operation")
			status := f.try(rt, o)
			answered[fmt.Sprint(status/100)]++
		}
	})
	require.NotZero(t, answered["2"], "no request was right")
	require.NotZero(t, answered["4"], "no request was wrong")
}

type fuzzOperation struct {
	method, path string
	*openapi3.Operation
}

type fuzzer struct {
	*servicetest.Server
	operations   []fuzzOperation
	known, short []string
}

// seed creates one object of each kind, so that there are valid ids.
func (f *fuzzer) seed() {
	var team model.Team
	f.Do("POST", "/teams", `{"name":"Seed","workers":[],"managers":[]}`).OK(&team)
	f.collectIDs(f.Do("POST", "/workers", fmt.Sprintf(`{"name":"Seed","phone":"+14155550123","teams":["%s"]}`, team.ID)).Body)
	place := `{"address":{"city":"San Francisco","country":"USA"},"location":[-122.4,37.77]}`
	f.collectIDs(f.Do("POST", "/tasks", `{"destination":`+place+`,"recipients":[{"name":"Seed","phone":"+14155550124"}]}`).Body)
	f.collectIDs(f.Do("POST", "/hubs", `{"name":"Seed",`+place[1:]).Body)
	f.collectIDs(f.Do("POST", "/admins", `{"name":"Seed","email":"seed@example.com"}`).Body)
}

// collectIDs collects the newest ids of answers.
func (f *fuzzer) collectIDs(answer []byte) {
	found := regexp.MustCompile(`"(?:[iI]d|worker|team|jobId|dispatchId)":"([A-Za-z0-9*~]{24})"`).FindAllSubmatch(answer, 8)
	for _, match := range found {
		f.known = append(f.known, string(match[1]))
	}
	for _, match := range regexp.MustCompile(`"shortId":"([0-9a-f]{8})"`).FindAllSubmatch(answer, 2) {
		f.short = append(f.short, string(match[1]))
	}
}

func (f *fuzzer) try(rt *rapid.T, o fuzzOperation) int {
	path, query := o.path, url.Values{}
	for _, ref := range o.Parameters {
		p := ref.Value
		value := text(f.value(rt, p.Schema, p.Name, 2))
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		} else if p.Required || rapid.Bool().Draw(rt, "has "+p.Name) {
			query.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	var body any
	if o.RequestBody != nil && rapid.IntRange(0, 19).Draw(rt, "has body") > 0 {
		encoded, err := model.Marshal(f.value(rt, o.RequestBody.Value.Content["application/json"].Schema, "", 5))
		require.NoError(rt, err)
		body = string(encoded)
	}
	answer := f.Do(o.method, path, body)
	require.Less(rt, answer.Status, 500, "%s %s %s: %s", o.method, path, body, answer.Body)
	require.False(rt, answer.Status >= 300 && answer.Status < 400, "%s %s redirects", o.method, path)
	if answer.Status == 200 {
		f.collectIDs(answer.Body)
	}
	return answer.Status
}

// text returns a value as a parameter.
func text(value any) string {
	switch v := value.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = text(element)
		}
		return strings.Join(parts, ",")
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// value generates a value for a schema, sometimes an invalid one.
func (f *fuzzer) value(rt *rapid.T, ref *openapi3.SchemaRef, name string, depth int) any {
	if ref == nil || rapid.IntRange(0, 24).Draw(rt, "wild") == 0 {
		return anyValue(rt)
	}
	schema := ref.Value
	if schema.Nullable && rapid.IntRange(0, 9).Draw(rt, "null") == 0 {
		return nil
	}
	if len(schema.Enum) > 0 {
		return rapid.SampledFrom(schema.Enum).Draw(rt, name)
	}
	if choices := append(slices.Clone(schema.OneOf), schema.AnyOf...); len(choices) > 0 && len(schema.Properties) == 0 {
		return f.value(rt, rapid.SampledFrom(choices).Draw(rt, "choice"), name, depth)
	}
	properties, required := members(schema)
	switch {
	case len(properties) > 0:
		return f.object(rt, properties, required, depth)
	case len(schema.AllOf) > 0:
		return f.value(rt, schema.AllOf[0], name, depth)
	case schema.Type == nil:
		return anyValue(rt)
	case schema.Type.Is("array"):
		low := int(schema.MinItems)
		count := rapid.IntRange(low, low+2).Draw(rt, "length")
		list := make([]any, count)
		for i := range list {
			list[i] = f.value(rt, schema.Items, name, depth-1)
		}
		return list
	case schema.Type.Is("boolean"):
		return rapid.Bool().Draw(rt, name)
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return number(rt, schema, name)
	case schema.Type.Is("string"):
		return f.string(rt, schema, name)
	}
	return anyValue(rt)
}

// members returns the properties of a schema and of all its parts.
func members(schema *openapi3.Schema) (openapi3.Schemas, []string) {
	properties, required := maps.Clone(schema.Properties), slices.Clone(schema.Required)
	if properties == nil {
		properties = openapi3.Schemas{}
	}
	for _, part := range schema.AllOf {
		more, needed := members(part.Value)
		maps.Copy(properties, more)
		required = append(required, needed...)
	}
	return properties, required
}

func (f *fuzzer) object(rt *rapid.T, properties openapi3.Schemas, required []string, depth int) any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		odds := 3 // one in three optional members
		if slices.Contains(required, name) {
			odds = 30
		} else if depth <= 0 {
			continue
		}
		draw := rapid.IntRange(0, odds-1).Draw(rt, "has "+name)
		if (odds == 30) == (draw != 0) {
			object[name] = f.value(rt, properties[name], name, depth-1)
		}
	}
	return object
}

func number(rt *rapid.T, schema *openapi3.Schema, name string) any {
	low, high := -1000.0, 2_000_000_000_000.0
	if schema.Min != nil {
		low = *schema.Min
	}
	if schema.Max != nil {
		high = *schema.Max
	}
	edge := rapid.SampledFrom([]float64{low, high, low - 1, high + 1, 0, 1, 1_772_470_800_000, math.NaN()}).Draw(rt, name)
	if math.IsNaN(edge) {
		edge = rapid.Float64Range(low, high).Draw(rt, name)
	}
	if schema.Type.Is("integer") {
		return int64(edge)
	}
	return edge
}

func (f *fuzzer) string(rt *rapid.T, schema *openapi3.Schema, name string) any {
	switch {
	case strings.Contains(schema.Pattern, "{24}") && strings.Contains(schema.Pattern, "{8}"):
		return rapid.SampledFrom(append(slices.Clone(f.short), f.known...)).Draw(rt, name)
	case strings.Contains(schema.Pattern, "{24}"):
		return rapid.SampledFrom(f.known).Draw(rt, name)
	case strings.Contains(schema.Pattern, "{8}"):
		return rapid.SampledFrom(f.short).Draw(rt, name)
	}
	switch name {
	case "url": // nothing must be asked of the world outside
		return rapid.SampledFrom([]string{"https://127.0.0.1:1/x", "http://127.0.0.1/", "https://", "x", "https://[::1"}).Draw(rt, name)
	case "phone":
		return rapid.SampledFrom([]string{"+14155550123", "(415) 555-0177", "617-342-8853", "12", ""}).Draw(rt, name)
	case "country":
		return rapid.SampledFrom([]string{"USA", "United States", "Germany", "Atlantis"}).Draw(rt, name)
	case "city":
		return rapid.SampledFrom([]string{"San Francisco", "Berlin", "Oz"}).Draw(rt, name)
	case "unparsed":
		return rapid.SampledFrom([]string{"2829 Vallejo St, San Francisco, CA, USA", "94105, USA", ",,,", "x"}).Draw(rt, name)
	case "date":
		return rapid.SampledFrom([]string{"2026-03-02", "2026-02-30", "x"}).Draw(rt, name)
	case "timezone":
		return rapid.SampledFrom([]string{"America/Los_Angeles", "Europe/Berlin", "../etc", "Local"}).Draw(rt, name)
	}
	return rapid.SampledFrom([]string{
		"", "x", "dock", "Ana Ruiz", "ana@example.com", "\u0000", "\x1b[31m", "🚚", "\u202e", strings.Repeat("ä", 600), "' OR 1=1 --", "%s%n",
		"1772470800000", "true", "null",
	}).Draw(rt, name)
}

// anyValue generates any JSON value.
func anyValue(rt *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, false, 0, -1, 1e300, 0.5, int64(math.MaxInt64), "", "x",
		[]any{},
		map[string]any{},
		[]any{nil},
		[]any{[]any{}},
		map[string]any{"type": nil},
		map[string]any{"id": 1},
		"\u0000", strings.Repeat("x", 10_001),
	}).Draw(rt, "wild value")
}
