package cli

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// describeJSONError describes what is wrong with a JSON document and where, without Go types.
func describeJSONError(err error) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("invalid JSON: %s at byte %d", strings.TrimPrefix(syntax.Err.Error(), "jsontext: "), syntax.ByteOffset+1)
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err.Error()
	}
	where := cmp.Or(strings.ReplaceAll(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "/", "."), "the document")
	if wrong.Err != nil {
		return where + ": " + wrong.Err.Error()
	}
	return fmt.Sprintf("%s: must be %s, not %s", where, describeGoType(wrong.GoType), model.DescribeKind(wrong.JSONKind))
}

// describeGoType describes the JSON that a Go type accepts.
func describeGoType(t reflect.Type) string {
	if t == nil {
		return "something else"
	}
	switch t.Kind() { //nolint:exhaustive // the others are numbers, or read themselves
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a number"
}
