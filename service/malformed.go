package service

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
	"waybill/service/world"
)

// malformed refuses a body that cannot be decoded, in words that say where and what instead of naming Go types.
func malformed(err error) error {
	e := world.Invalid("%s", model.Clean(malformedText(err)))
	e.Subcode = model.ErrorWrongType
	e.Message = "The body is not the JSON that this request takes."
	return e
}

func malformedText(err error) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		reason := strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		return fmt.Sprintf("%sIt is not JSON at byte %d: %.200s.", member(syntax.JSONPointer), syntax.ByteOffset, reason)
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return fmt.Sprintf("%.200v.", err)
	}
	if wrong.Err != nil && wrong.GoType != nil && wrong.JSONKind == 0 {
		return fmt.Sprintf("%s%.200v.", member(wrong.JSONPointer), wrong.Err)
	}
	expected := expectedKind(wrong.GoType)
	if wrong.Err != nil && expected == "" {
		return fmt.Sprintf("%s%.200v.", member(wrong.JSONPointer), wrong.Err)
	}
	return fmt.Sprintf("%sIt must be %s, not %s.", member(wrong.JSONPointer), expected, sentKind(wrong.JSONKind))
}

// member names the place of a problem as the rules do: /tasks/3/notes is tasks[3].notes.
func member(pointer jsontext.Pointer) string {
	var path strings.Builder
	for token := range pointer.Tokens() {
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

func sentKind(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "true or false"
	case jsontext.KindString:
		return "a text"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	default:
		return "something else"
	}
}
