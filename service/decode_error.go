package service

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
	"waybill/service/openapi"
	"waybill/service/world"
)

// decodeError turns an error of the JSON decoder into a refusal that names the field and the problem instead of Go types.
// A required member of the wrong type has another subcode than an optional one, as the interface asks.
func decodeError(r *http.Request, err error) error {
	var e *world.Error
	text := model.Clean(describeDecodeError(err))
	switch wrong, ok := errors.AsType[*json.SemanticError](err); {
	case ok && isRequired(r, wrong.JSONPointer):
		e = world.ProblemsError(model.Problems{{Subcode: model.ErrorMissing, Text: text}})
	case ok:
		e = world.ProblemsError(model.Problems{{Subcode: model.ErrorWrongType, Text: text}})
		e.Message = "The values provided for one or more parameters are of the wrong type."
	default:
		e = invalidJSON(text)
	}
	return e
}

func invalidJSON(text string) *world.Error {
	e := world.ProblemsError(model.Problems{{Subcode: model.ErrorWrongType, Text: text}})
	e.Message = "The body is not valid JSON."
	return e
}

func isRequired(r *http.Request, at jsontext.Pointer) bool {
	_, path, _ := strings.Cut(r.Pattern, " ")
	path, ok := strings.CutPrefix(path, BasePath)
	return ok && openapi.IsRequired(r.Method, path, at)
}

func describeDecodeError(err error) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		reason := strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		return fmt.Sprintf("%sInvalid JSON at byte %d: %.200s.", fieldPrefix(syntax.JSONPointer), syntax.ByteOffset, reason)
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return fmt.Sprintf("%.200v.", err)
	}
	where, expected := fieldPrefix(wrong.JSONPointer), expectedKind(wrong.GoType)
	switch {
	case errors.Is(wrong.Err, strconv.ErrRange):
		return where + "The number is too large."
	case wrong.Err != nil && (expected == "" || wrong.JSONKind == 0 || !isBuiltIn(wrong.GoType)):
		return where + sentence(wrong.Err)
	default:
		return fmt.Sprintf("%sMust be %s, not %s.", where, expected, model.DescribeKind(wrong.JSONKind))
	}
}

// isBuiltIn reports whether the codec decodes t itself. For our own types their error is better than the expected kind.
func isBuiltIn(t reflect.Type) bool {
	return t == nil || !reflect.PointerTo(t).Implements(reflect.TypeFor[json.UnmarshalerFrom]())
}

// sentence writes an error with a capital letter and a full stop.
func sentence(err error) string {
	text := strings.TrimSuffix(fmt.Sprintf("%.200v", err), ".")
	return model.Capitalize(text) + "."
}

// fieldPrefix names a field as the rules do: /tasks/3/notes becomes "tasks[3].notes: ".
func fieldPrefix(pointer jsontext.Pointer) string {
	const maxDepth = 12
	var path strings.Builder
	depth := 0
	for token := range pointer.Tokens() {
		if depth++; depth > maxDepth {
			path.WriteString("…")
			break
		}
		switch {
		case model.AllDigits(token):
			fmt.Fprintf(&path, "[%s]", token)
		case path.Len() > 0:
			path.WriteString("." + token)
		default:
			path.WriteString(token)
		}
	}
	if path.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%.200s: ", path.String())
}

func expectedKind(t reflect.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64, reflect.Int, reflect.Int64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	default:
		return ""
	}
}
