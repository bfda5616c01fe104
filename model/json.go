package model

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Raw is a JSON value kept as text.
type Raw = jsontext.Value

// Extra holds the members of an object that this version does not know, as one JSON object.
type Extra = jsontext.Value

// Marshal encodes v for the wire. Map members come out sorted, so equal values give equal bytes.
func Marshal(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true))
}

// MarshalIndent encodes v for people to read.
func MarshalIndent(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
}

// Unmarshal decodes JSON strictly: duplicate members are an error, because two readers could interpret them differently.
func Unmarshal(data []byte, v any) error {
	return json.Unmarshal(data, v)
}

// UnmarshalLenient decodes the answer of a service that may be less strict than ours: of duplicate members the last
// counts, and invalid UTF-8 becomes U+FFFD.
func UnmarshalLenient(data []byte, v any) error {
	return json.Unmarshal(data, v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Opt is a member that can be absent, null or a value. The zero Opt is absent; tag such fields `omitzero`.
type Opt[T any] struct {
	state optState
	value T
}

type optState uint8

const (
	optAbsent optState = iota
	optNull
	optValue
)

// Some is a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{state: optValue, value: v} }

// Null is an explicit null.
func Null[T any]() Opt[T] { return Opt[T]{state: optNull} }

// NullIfZero is null for the zero value of T, else the value.
func NullIfZero[T comparable](v T) Opt[T] {
	var zero T
	if v == zero {
		return Null[T]()
	}
	return Some(v)
}

// SomeIf is the value when ok, else null.
func SomeIf[T any](v T, ok bool) Opt[T] {
	if !ok {
		return Null[T]()
	}
	return Some(v)
}

// Get returns the value and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == optValue }

// Or returns the value, or def when there is none.
func (o Opt[T]) Or(def T) T {
	if o.state == optValue {
		return o.value
	}
	return def
}

// Value returns the value, or T's zero when there is none.
func (o Opt[T]) Value() T { return o.value }

// Has reports whether there is a value.
func (o Opt[T]) Has() bool { return o.state == optValue }

// IsNull reports an explicit null.
func (o Opt[T]) IsNull() bool { return o.state == optNull }

// IsZero reports absence; it is what `omitzero` asks.
func (o Opt[T]) IsZero() bool { return o.state == optAbsent }

// Present reports that the member was there, as a value or as null.
func (o Opt[T]) Present() bool { return o.state != optAbsent }

// MarshalJSONTo implements the codec's interface.
func (o Opt[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if o.state != optValue {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, &o.value)
}

// UnmarshalJSONFrom implements the codec's interface.
func (o *Opt[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == jsontext.KindNull {
		*o = Opt[T]{state: optNull}
		return dec.SkipValue()
	}
	var v T
	if err := json.UnmarshalDecode(dec, &v); err != nil {
		return err
	}
	*o = Opt[T]{state: optValue, value: v}
	return nil
}

// IDOr is a member that holds either the id of a resource or the resource itself.
type IDOr[T any] struct {
	ID     ID
	Object *T
}

// ByID refers to a resource by its id.
func ByID[T any](id ID) IDOr[T] { return IDOr[T]{ID: id} }

// Embedded carries the resource itself.
func Embedded[T any](v T) IDOr[T] { return IDOr[T]{Object: &v} }

// IsZero reports that neither id nor object is there.
func (r IDOr[T]) IsZero() bool { return r.ID == "" && r.Object == nil }

// MarshalJSONTo implements the codec's interface.
func (r IDOr[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if r.Object != nil {
		return json.MarshalEncode(enc, r.Object)
	}
	return enc.WriteToken(jsontext.String(string(r.ID)))
}

// UnmarshalJSONFrom implements the codec's interface.
func (r *IDOr[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch kind := dec.PeekKind(); kind {
	case jsontext.KindString:
		*r = IDOr[T]{}
		return json.UnmarshalDecode(dec, &r.ID)
	case jsontext.KindBeginObject:
		object := new(T)
		if err := json.UnmarshalDecode(dec, object); err != nil {
			return err
		}
		*r = IDOr[T]{Object: object}
		return nil
	case jsontext.KindInvalid:
		_, err := dec.ReadToken()
		return err
	default:
		return wrongKindError("an id or an object", kind)
	}
}

// wrongKindError says what a value should be and what it is.
func wrongKindError(expected string, sent jsontext.Kind) error {
	return fmt.Errorf("must be %s, not %s", expected, DescribeKind(sent))
}

// DescribeKind names a kind of JSON value.
func DescribeKind(kind jsontext.Kind) string {
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

// IsJSONObject reports whether data starts like a JSON object.
func IsJSONObject(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
}
