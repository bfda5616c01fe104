package board

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A field that changes() forgets would never be redrawn. This test changes one field after the other, so a new field of a
// row type fails until changes() compares it or it is listed here with its reason.
func TestEveryFieldOfARowCountsAsAChange(t *testing.T) {
	const (
		identity = "the row is found by it, so it never changes"
		derived  = "made from other fields that are compared"
	)
	ignored := map[string]string{"ID": identity, "search": derived}
	requireFieldsCompared(t, ignored, (*TaskRow).changes)
	requireFieldsCompared(t, ignored, (*WorkerRow).changes)
	requireFieldsCompared(t, ignored, (*OrderRow).changes)
	requireFieldsCompared(t, ignored, (*TeamRow).changes)
	requireFieldsCompared(t, ignored, (*HubRow).changes)
	requireFieldsCompared(t, ignored, (*TemplateRow).changes)
}

func requireFieldsCompared[R any](t *testing.T, ignored map[string]string, changes func(before, after *R) Fields) {
	t.Helper()
	row := reflect.TypeFor[R]()
	for i := range row.NumField() {
		field := row.Field(i)
		if ignored[field.Name] != "" {
			continue
		}
		var before, after R
		changed := reflect.ValueOf(&after).Elem().Field(i)
		changeValue(t, reflect.NewAt(changed.Type(), unsafe.Pointer(changed.UnsafeAddr())).Elem()) // also unexported fields
		require.NotZero(t, changes(&before, &after), "%s.changes does not compare %s", row.Name(), field.Name)
	}
}

// changeValue sets a value that is not the zero value. Of a struct it changes the last field.
func changeValue(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("changed")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Struct:
		changeValue(t, v.Field(v.NumField()-1))
	default:
		t.Fatalf("%s: teach this test to change it", v.Type())
	}
}
