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

// malformed refuses a body that cannot be decoded, in words that say where and what instead of naming Go types. A member
// that the request requires is one that is wrongly formatted; any other is of the wrong type.
func malformed(r *http.Request, err error) error {
	var e *world.Error
	switch wrong, ok := errors.AsType[*json.SemanticError](err); {
	case ok && requires(r, wrong.JSONPointer):
		e = world.ProblemsError(model.Problems{{Subcode: model.ErrorMissing, Text: malformedText(err)}})
	case ok:
		e = world.ProblemsError(model.Problems{{Subcode: model.ErrorWrongType, Text: malformedText(err)}})
		e.Message = "The values provided for one or more parameters are of the wrong type."
	default:
		e = world.ProblemsError(model.Problems{{Subcode: model.ErrorWrongType, Text: malformedText(err)}})
		e.Message = "The body is not JSON that can be read."
	}
	return e
}

func requires(r *http.Request, at jsontext.Pointer) bool {
	_, path, _ := strings.Cut(r.Pattern, " ")
	path, ok := strings.CutPrefix(path, BasePath)
	return ok && openapi.Requires(r.Method, path, at)
}

func malformedText(err error) string { return model.Clean(describeMalformed(err)) }

func describeMalformed(err error) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		reason := strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		return fmt.Sprintf("%sIt is not JSON at byte %d: %.200s.", member(syntax.JSONPointer), syntax.ByteOffset, reason)
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return fmt.Sprintf("%.200v.", err)
	}
	where, expected := member(wrong.JSONPointer), expectedKind(wrong.GoType)
	switch {
	case errors.Is(wrong.Err, strconv.ErrRange):
		return where + "The number is too great."
	case wrong.Err != nil && (expected == "" || wrong.JSONKind == 0 || !isPlain(wrong.GoType)):
		return where + sentence(wrong.Err)
	default:
		return fmt.Sprintf("%sIt must be %s, not %s.", where, expected, model.DescribeKind(wrong.JSONKind))
	}
}

// isPlain reports a type that the codec reads itself. What a type of ours says of a value is better than what its kind is.
func isPlain(t reflect.Type) bool {
	return t == nil || !reflect.PointerTo(t).Implements(reflect.TypeFor[json.UnmarshalerFrom]())
}

// sentence is what a type of ours says, with a capital and a full stop.
func sentence(err error) string {
	text := strings.TrimSuffix(fmt.Sprintf("%.200v", err), ".")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// member names the place of a problem as the rules do: /tasks/3/notes is tasks[3].notes.
func member(pointer jsontext.Pointer) string {
	const deepest = 12
	var path strings.Builder
	depth := 0
	for token := range pointer.Tokens() {
		if depth++; depth > deepest {
			path.WriteString("…")
			break
		}
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
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
