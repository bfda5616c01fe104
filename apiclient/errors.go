package apiclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
)

// Error describes a failed request.
type Error struct {
	// Code and Subcode identify the error; they are empty if the service sent none.
	Code    string
	Subcode model.Int
	// Message and Cause are the texts of the service.
	Message string
	Cause   model.Opt[model.Cause]
	// RequestID identifies the request to the support of the service.
	RequestID string
	// HTTPStatus is 0 if there was no response.
	HTTPStatus int
	// Method and Path identify the endpoint; Path includes the query.
	Method, Path string
	// Attempts is how often the request was sent.
	Attempts int
	// RetryAfter is how long the service asks to wait; 0 if it does not say.
	RetryAfter time.Duration

	kinds  []error
	detail string
	err    error
	// maybeSent is false only if the request certainly did not reach the service.
	maybeSent bool
}

// Unwrap returns the kinds of the error and the underlying error.
func (e *Error) Unwrap() []error {
	if e.err == nil {
		return e.kinds
	}
	return append(e.kinds[:len(e.kinds):len(e.kinds)], e.err)
}

// Description says in one clause what happened.
func (e *Error) Description() string {
	var text strings.Builder
	text.WriteString(e.summary())
	if key, value, ok := e.Duplicate(); ok {
		fmt.Fprintf(&text, " (%s %s)", key, value)
	}
	for _, words := range []string{e.Message, e.causeText(), e.detail} {
		if words = strings.TrimSpace(words); words != "" {
			text.WriteString(": " + strings.TrimRight(words, "."))
		}
	}
	return model.Clean(text.String())
}

func (e *Error) summary() string {
	if len(e.kinds) > 0 {
		return e.kinds[0].Error()
	}
	if errors.Is(e.err, context.Canceled) {
		return "the request was cancelled"
	}
	return "the request failed"
}

func (e *Error) causeText() string {
	cause, ok := e.Cause.Get()
	if !ok || cause.Object != nil && cause.Object.Type == model.CauseDuplicate {
		return ""
	}
	return cause.String()
}

// Hint says what to do next. It may be empty.
func (e *Error) Hint() string {
	for _, err := range e.kinds {
		if k, ok := errors.AsType[*kind](err); ok && k.hint != "" {
			return k.hint
		}
	}
	return ""
}

// RequestSummary identifies the request for support: method, path, status, code and request id.
func (e *Error) RequestSummary() string {
	var parts []string
	if e.Method != "" {
		parts = append(parts, e.Method+" "+e.Path)
	}
	if e.HTTPStatus != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if e.Subcode != 0 {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %d", e.Code, e.Subcode)))
	}
	if e.RequestID != "" {
		parts = append(parts, "request "+e.RequestID)
	}
	if e.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d attempts", e.Attempts))
	}
	return model.Clean(strings.Join(parts, ", "))
}

func (e *Error) Error() string {
	text := e.Description()
	if hint := e.Hint(); hint != "" {
		text += "; " + hint
	}
	if where := e.RequestSummary(); where != "" {
		text += " (" + where + ")"
	}
	return text
}

// ErrorText returns any error in one clause for the screen: without the hint and the request of an [*Error], and without
// control characters. It is empty for nil.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Description()
	}
	return model.Clean(err.Error())
}

// Duplicate returns the key and value that are already taken, if the service names them.
func (e *Error) Duplicate() (key, value string, ok bool) {
	cause, ok := e.Cause.Get()
	if !ok || cause.Object == nil || cause.Object.Type != model.CauseDuplicate {
		return "", "", false
	}
	return cause.Object.Key.Or("value"), cause.Object.ValueText(), true
}

func (e *Error) hasKind(kind error) bool { return errors.Is(e, kind) }
