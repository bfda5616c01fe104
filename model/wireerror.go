package model

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error classes.
const (
	CodeInvalidArgument    = "InvalidArgument"
	CodeInvalidContent     = "InvalidContent"
	CodeInvalidCredentials = "InvalidCredentials"
	CodeForbidden          = "Forbidden"
	CodeResourceNotFound   = "ResourceNotFound"
	CodeMethodNotAllowed   = "MethodNotAllowed"
	CodePreconditionFailed = "PreconditionFailed"
	CodeTooManyRequests    = "TooManyRequests"
	CodeInternal           = "Internal"
)

// Error subcodes.
const (
	ErrorInvalid          Int = 1000
	ErrorAmbiguous        Int = 1001
	ErrorUnchanged        Int = 1002
	ErrorUpdateMissing    Int = 1003
	ErrorDuplicate        Int = 1004
	ErrorWrongType        Int = 1005
	ErrorWebhookCheck     Int = 1008
	ErrorTimeConstraint   Int = 1009
	ErrorPhone            Int = 1010
	ErrorGeocoding        Int = 1011
	ErrorKey              Int = 1102
	ErrorScope            Int = 1103
	ErrorForbidden        Int = 1300
	ErrorNotFound         Int = 1402
	ErrorMissing          Int = 1900
	ErrorNotUnique        Int = 1901
	ErrorAutoDispatch     Int = 2218
	ErrorRateLimit        Int = 2300
	ErrorInternal         Int = 2500
	ErrorUnavailable      Int = 2501
	ErrorMethodNotAllowed Int = 1405
)

// ErrorBody is the envelope of every failing request but batches.
type ErrorBody struct {
	Code    string       `json:"code"`
	Message ErrorMessage `json:"message"`
	Extra   Extra        `json:",embed"`
}

// ErrorMessage is the inside of the envelope.
type ErrorMessage struct {
	Error         Int         `json:"error"`
	Message       string      `json:"message"`
	Cause         Opt[Cause]  `json:"cause,omitzero"`
	Request       string      `json:"request"`
	RemoteAddress Opt[string] `json:"remoteAddress,omitzero"`
	Extra         Extra       `json:",embed"`
}

// BatchErrorBody is how a refused batch request answers.
type BatchErrorBody struct {
	StatusCode Int        `json:"statusCode"`
	Error      Int        `json:"error"`
	Message    string     `json:"message"`
	Cause      Opt[Cause] `json:"cause,omitzero"`
	Extra      Extra      `json:",embed"`
}

// CauseDuplicate is the type of a cause that names a broken uniqueness.
const CauseDuplicate = "duplicateKey"

// Cause is why a request failed: a text, or for a duplicate an object that names key and value.
type Cause struct {
	Text   string
	Object *CauseObject
}

// CauseObject is a cause with parts.
type CauseObject struct {
	Type  string      `json:"type"`
	Key   Opt[string] `json:"key,omitzero"`
	Value Opt[Raw]    `json:"value,omitzero"`
	Extra Extra       `json:",embed"`
}

// CauseText is a cause in words.
func CauseText(text string) Cause { return Cause{Text: text} }

// DuplicateCause names the key whose value is taken.
func DuplicateCause(key, value string) Cause {
	quoted, err := jsontext.AppendQuote(nil, value)
	if err != nil {
		quoted = []byte(`"unknown"`)
	}
	return Cause{Object: &CauseObject{Type: CauseDuplicate, Key: Some(key), Value: Some(Raw(quoted))}}
}

// String is the cause in words.
func (c Cause) String() string {
	if c.Object == nil {
		return c.Text
	}
	if c.Object.Type != CauseDuplicate {
		return c.Object.Type
	}
	return fmt.Sprintf("%s %s is already taken", c.Object.Key.Or("value"), c.Object.ValueText())
}

// ValueText is the value of a cause as plain text.
func (o *CauseObject) ValueText() string {
	var text string
	if err := json.Unmarshal(o.Value.Value(), &text); err == nil {
		return text
	}
	return string(o.Value.Value())
}

// MarshalJSONTo implements the codec's interface.
func (c Cause) MarshalJSONTo(enc *jsontext.Encoder) error {
	if c.Object != nil {
		return json.MarshalEncode(enc, c.Object)
	}
	return enc.WriteToken(jsontext.String(c.Text))
}

// UnmarshalJSONFrom implements the codec's interface. A cause of an unexpected kind is kept as its JSON text.
func (c *Cause) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*c = Cause{}
	switch dec.PeekKind() {
	case jsontext.KindString:
		return json.UnmarshalDecode(dec, &c.Text)
	case jsontext.KindBeginObject:
		c.Object = new(CauseObject)
		return json.UnmarshalDecode(dec, c.Object)
	default:
		value, err := dec.ReadValue()
		c.Text = string(value)
		return err
	}
}
