package apiclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
)

// Error is why a request failed: what happened and what it means as text, the service's own words, and where to look.
type Error struct {
	// Code and Subcode are the service's names of the error; empty and 0 when it gave none.
	Code    string
	Subcode model.Int
	// Message and Cause are the service's own words.
	Message string
	Cause   model.Opt[model.Cause]
	// RequestID is to be quoted to the service's support.
	RequestID string
	// HTTPStatus is 0 when no answer came.
	HTTPStatus int
	// Method and Path are what was asked; Path includes the query.
	Method, Path string
	// Attempts is how often it was tried.
	Attempts int
	// RetryAfter is how long the service asks to wait; 0 when it does not say.
	RetryAfter time.Duration

	kinds  []error
	detail string
	err    error
	// maybeSent is false only when nothing of the request can have reached the service.
	maybeSent bool
}

// Unwrap gives errors.Is the kinds of the error, and the underlying one.
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
	return cleanText(text.String())
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

// Hint says what to do next; empty when there is nothing to advise.
func (e *Error) Hint() string {
	for _, err := range e.kinds {
		if k, ok := errors.AsType[*kind](err); ok && k.hint != "" {
			return k.hint
		}
	}
	return ""
}

// RequestSummary says which request it was, for support: method, path, status, code and request id.
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
	return cleanText(strings.Join(parts, ", "))
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

// Duplicate is the key and value that are already taken, when the service names them.
func (e *Error) Duplicate() (key, value string, ok bool) {
	cause, ok := e.Cause.Get()
	if !ok || cause.Object == nil || cause.Object.Type != model.CauseDuplicate {
		return "", "", false
	}
	return cause.Object.Key.Or("value"), cause.Object.ValueText(), true
}

func (e *Error) hasKind(kind error) bool { return errors.Is(e, kind) }
