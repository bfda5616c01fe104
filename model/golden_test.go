package model

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// wireTypes maps the first part of a golden file's name to what it holds.
func wireTypes() map[string]func() any {
	return map[string]func() any{
		"admin":               func() any { return new(Admin) },
		"auto-assign-request": func() any { return new(AutoAssignRequest) },
		"auto-assign-result":  func() any { return new(AutoAssignResult) },
		"admin-input":         func() any { return new(AdminInput) },
		"batch-accepted":      func() any { return new(BatchAccepted) },
		"batch-job":           func() any { return new(BatchJob) },
		"batch-request":       func() any { return new(BatchRequest) },
		"batch-sync":          func() any { return new(BatchSyncResult) },
		"clone":               func() any { return new(CloneRequest) },
		"complete":            func() any { return new(CompleteRequest) },
		"container":           func() any { return new(Container) },
		"container-insert":    func() any { return new(ContainerUpdate) },
		"container-replace":   func() any { return new(ContainerUpdate) },
		"custom-field-change": func() any { return new(CustomFieldChange) },
		"custom-fields":       func() any { return new(CustomFieldList) },
		"destination":         func() any { return new(Destination) },
		"destination-input":   func() any { return new(DestinationInput) },
		"dispatch":            func() any { return new(Dispatch) },
		"dispatch-accepted":   func() any { return new(DispatchAccepted) },
		"dispatch-request":    func() any { return new(DispatchRequest) },
		"error":               func() any { return new(ErrorBody) },
		"error-batch":         func() any { return new(BatchErrorBody) },
		"event":               func() any { return new(Event) },
		"greeting":            func() any { return new(Greeting) },
		"hub":                 func() any { return new(Hub) },
		"hub-input":           func() any { return new(HubInput) },
		"metadata":            func() any { return new([]Metadata) },
		"order":               func() any { return new(Order) },
		"order-input":         func() any { return new(OrderInput) },
		"orders-cancel":       func() any { return new(CancelOrders) },
		"orders-cancelled":    func() any { return new(OrdersCancelled) },
		"organization":        func() any { return new(Organization) },
		"quote-request":       func() any { return new(QuoteRequest) },
		"quotes":              func() any { return new([]Quote) },
		"recipient":           func() any { return new(Recipient) },
		"recipient-input":     func() any { return new(RecipientInput) },
		"route-plan":          func() any { return new(RoutePlan) },
		"route-plan-input":    func() any { return new(RoutePlanInput) },
		"schedule":            func() any { return new(Schedule) },
		"task":                func() any { return new(Task) },
		"task-input":          func() any { return new(TaskInput) },
		"task-page":           func() any { return new(TaskPage) },
		"team":                func() any { return new(Team) },
		"team-estimate":       func() any { return new(TeamEstimate) },
		"team-input":          func() any { return new(TeamInput) },
		"template":            func() any { return new(Template) },
		"template-input":      func() any { return new(TemplateInput) },
		"webhook":             func() any { return new(Webhook) },
		"webhook-input":       func() any { return new(WebhookInput) },
		"worker":              func() any { return new(Worker) },
		"worker-input":        func() any { return new(WorkerInput) },
		"workers-near":        func() any { return new(WorkersNear) },
	}
}

// typeOf finds the wire type with the longest name that a file's name starts with.
func typeOf(t *testing.T, file string) func() any {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	types := wireTypes()
	for name != "" {
		if newValue, ok := types[name]; ok {
			return newValue
		}
		name = name[:max(0, strings.LastIndexByte(name, '-'))]
	}
	t.Fatalf("no wire type for %s", file)
	return nil
}

func goldenFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/golden/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// canonical sorts members and takes white space off, and leaves numbers as they are written.
func canonical(t testing.TB, raw []byte) string {
	t.Helper()
	value := jsontext.Value(raw).Clone()
	require.NoError(t, value.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)))
	return string(value)
}

func TestGoldensSurviveTheRoundTrip(t *testing.T) {
	for _, file := range goldenFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			value := typeOf(t, file)()
			require.NoError(t, Unmarshal(raw, value))
			encoded, err := Marshal(value)
			require.NoError(t, err)
			require.Equal(t, canonical(t, raw), canonical(t, encoded))
		})
	}
}

// seen collects which fields of which types the goldens fill, and which members no field took.
type seen struct {
	fields  map[string]bool
	unknown map[string]bool
}

func (s *seen) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			s.walk(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			s.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case field.Name == "Extra":
				if v.Field(i).Len() > 0 {
					s.unknown[v.Type().Name()] = true
				}
			case !v.Field(i).IsZero():
				s.fields[v.Type().Name()+"."+field.Name] = true
				s.walk(v.Field(i))
			}
		}
	}
}

func TestGoldensKnowEveryMember(t *testing.T) {
	for _, file := range goldenFiles(t) {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		value := typeOf(t, file)()
		require.NoError(t, Unmarshal(raw, value))
		found := seen{map[string]bool{}, map[string]bool{}}
		found.walk(reflect.ValueOf(value))
		switch filepath.Base(file) {
		case "task-unknown.json", "clone-top-level.json":
			require.NotEmpty(t, found.unknown, file)
		case "hub.json": // county is part of newer addresses only
			require.Equal(t, map[string]bool{"Address": true}, found.unknown)
		default:
			require.Empty(t, found.unknown, file)
		}
	}
}

func TestGoldensFillEveryField(t *testing.T) {
	found := seen{map[string]bool{}, map[string]bool{}}
	roots := map[reflect.Type]bool{}
	for _, file := range goldenFiles(t) {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		value := typeOf(t, file)()
		require.NoError(t, Unmarshal(raw, value))
		found.walk(reflect.ValueOf(value))
		roots[reflect.TypeOf(value)] = true
	}
	checked := map[reflect.Type]bool{}
	var missing []string
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		if checked[typ] {
			return
		}
		checked[typ] = true
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			visit(typ.Elem())
		case reflect.Struct:
			for i := range typ.NumField() {
				field := typ.Field(i)
				if field.Tag.Get("json") != "" && field.Name != "Extra" && !found.fields[typ.Name()+"."+field.Name] {
					missing = append(missing, typ.Name()+"."+field.Name)
				}
				visit(field.Type)
			}
		}
	}
	for root := range roots {
		visit(root)
	}
	require.Greater(t, len(checked), 60)
	require.Empty(t, missing, "no golden has a value for these")
	for name := range wireTypes() {
		matches, err := filepath.Glob("testdata/golden/" + name + "*.json")
		require.NoError(t, err)
		require.NotEmpty(t, matches, "no golden for %s", name)
	}
}

// FuzzWire decodes anything as every wire type: it never panics, and what decodes once stays the same.
func FuzzWire(f *testing.F) {
	for _, file := range goldenFiles(f) {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		if len(raw) < 4096 { // small seeds mutate better
			f.Add(raw)
		}
	}
	f.Add([]byte(`{"state":1e0,"eta":1.0,"destination":{},"recipients":["x",{}],"metadata":[{"value":{"a":1e400}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for name, newValue := range wireTypes() {
			first := newValue()
			if Unmarshal(raw, first) != nil {
				continue
			}
			encoded, err := Marshal(first)
			require.NoError(t, err, name)
			second := newValue()
			require.NoError(t, Unmarshal(encoded, second), "%s: %s", name, encoded)
			again, err := Marshal(second)
			require.NoError(t, err, name)
			require.Equal(t, string(encoded), string(again), name)
		}
	})
}
