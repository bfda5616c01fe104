package apiclient

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"strings"

	"waybill/model"
)

// envelope is any of the forms in which a service reports a failure: the usual one, the one of batches, and that of
// a router that knows the path no more than we do.
type envelope struct {
	Code       string                 `json:"code"`
	Message    model.Raw              `json:"message"`
	Error      model.Raw              `json:"error"`
	ErrorCode  model.Raw              `json:"errorCode"`
	StatusCode model.Raw              `json:"statusCode"`
	Cause      model.Opt[model.Cause] `json:"cause"`
	Request    string                 `json:"request"`
}

// decodeBody fills an error from the body of a failing answer and reports whether the service itself wrote it.
func (e *Error) decodeBody(body []byte) bool {
	var env envelope
	if !model.IsJSONObject(body) || model.UnmarshalLenient(body, &env) != nil {
		return false
	}
	e.Code = env.Code
	if model.IsJSONObject(env.Message) {
		var message model.ErrorMessage
		if model.UnmarshalLenient(env.Message, &message) != nil {
			return false
		}
		e.Subcode, e.Message, e.Cause = message.Error, message.Message, message.Cause
		e.RequestID = cmp.Or(message.Request, e.RequestID)
		return e.Code != "" || e.Subcode != 0
	}
	// A router's own refusal has the message as text and no subcode: not the service's error body.
	_ = model.UnmarshalLenient(env.Message, &e.Message)
	code := env.Error
	if len(code) == 0 {
		code = env.ErrorCode
	}
	if model.UnmarshalLenient(code, &e.Subcode) != nil {
		return false
	}
	e.Cause = env.Cause
	e.RequestID = cmp.Or(env.Request, e.RequestID)
	return true
}

// classifyResponse names what a failing answer means.
func (e *Error) classifyResponse(header http.Header, body []byte) {
	ours := e.decodeBody(body)
	switch {
	case e.HTTPStatus >= 300 && e.HTTPStatus < 400:
		e.kinds = []error{ErrRedirect}
		e.detail = "to " + cleanText(withoutQuery(header.Get("Location")))
	case ours:
		e.kinds = e.kindsOfSubcode()
	default:
		e.kinds = e.kindsOfForeignBody(header, body)
	}
	if len(e.kinds) == 0 {
		e.kinds = kindsOfStatus(e.HTTPStatus)
	}
}

func (e *Error) kindsOfSubcode() []error {
	switch code := e.Subcode; {
	case e.isDispatchActive():
		return []error{ErrDispatchActive, ErrPrecondition}
	case code == model.ErrorScope:
		return []error{ErrOtherOrganization}
	case code >= 1100 && code <= 1199:
		return []error{ErrInvalidKey}
	case code == model.ErrorDuplicate, code == model.ErrorNotUnique:
		return []error{ErrDuplicate}
	case code == model.ErrorUnchanged:
		return []error{ErrUnchanged, ErrInvalid}
	case code == model.ErrorUpdateMissing, code == model.ErrorNotFound:
		return []error{ErrNotFound}
	case code >= 1000 && code <= 1099:
		return []error{ErrInvalid}
	case code == model.ErrorForbidden:
		return []error{ErrForbidden}
	case code == model.ErrorMissing:
		return []error{ErrMissing}
	case code == model.ErrorMethodNotAllowed:
		return []error{ErrUnsupportedRoute}
	case code >= 2300 && code <= 2399:
		return []error{ErrRateLimited}
	case code == model.ErrorAutoDispatch:
		return []error{ErrPrecondition}
	}
	return nil
}

// isDispatchActive reads the words: the interface gives the refusal no code of its own.
func (e *Error) isDispatchActive() bool {
	text := strings.ToLower(e.Message + " " + e.Cause.Value().String())
	return strings.Contains(text, "dispatch") && strings.Contains(text, "already in progress")
}

// kindsOfForeignBody classifies an answer that is not the service's error body.
func (e *Error) kindsOfForeignBody(header http.Header, body []byte) []error {
	body = bytes.TrimSpace(body)
	json := len(body) > 0 && (body[0] == '{' || body[0] == '[' || body[0] == '"')
	if !json && len(body) > 0 {
		e.detail = describePage(header, body)
	}
	switch {
	case e.HTTPStatus == http.StatusProxyAuthRequired:
		e.detail = "the proxy wants its own user and password"
		return []error{ErrNotJSON}
	case e.HTTPStatus == http.StatusNotFound, e.HTTPStatus == http.StatusMethodNotAllowed,
		e.HTTPStatus == http.StatusNotImplemented:
		return []error{ErrUnsupportedRoute}
	case json || len(body) == 0:
		return nil
	default:
		return append([]error{ErrNotJSON}, kindsOfForeignStatus(e.HTTPStatus)...)
	}
}

// kindsOfForeignStatus is what a status still means when a page comes with it. A 401 or 403 page is not about our key.
func kindsOfForeignStatus(status int) []error {
	if status == http.StatusTooManyRequests || status >= 500 {
		return kindsOfStatus(status)
	}
	return nil
}

func kindsOfStatus(status int) []error {
	switch {
	case status == http.StatusUnauthorized:
		return []error{ErrInvalidKey}
	case status == http.StatusForbidden:
		return []error{ErrForbidden}
	case status == http.StatusNotFound:
		return []error{ErrNotFound}
	case status == http.StatusTooManyRequests:
		return []error{ErrRateLimited}
	case status == http.StatusPreconditionFailed:
		return []error{ErrBusy}
	case status == http.StatusRequestEntityTooLarge:
		return []error{ErrInvalid}
	case status == http.StatusGatewayTimeout:
		return []error{ErrTimeout, ErrServer}
	case status >= 500:
		return []error{ErrServer}
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return []error{ErrInvalid}
	}
	return []error{ErrRefused}
}

// hasUnknownOutcome reports a failing answer to a write that does not tell whether it was carried out. The service's own
// time limit ends in a 502 while it goes on working, and a proxy cannot know what happened behind it.
func (e *Error) hasUnknownOutcome(body []byte) bool {
	switch {
	case e.HTTPStatus == http.StatusBadGateway, e.HTTPStatus == http.StatusGatewayTimeout:
		return true
	case e.HTTPStatus >= 500:
		probe := new(Error)
		return !probe.decodeBody(body)
	}
	return false
}

// classifyTransport names what it means that no whole answer came.
func (e *Error) classifyTransport(err error) {
	e.err = err
	e.detail = err.Error()
	switch {
	case errors.Is(err, context.Canceled):
		e.detail = ""
	case isTimeout(err):
		e.kinds = []error{ErrTimeout}
		if !e.maybeSent {
			e.kinds = []error{ErrOffline, ErrTimeout}
		}
	case isCertificate(err):
		e.kinds = []error{ErrUntrusted}
	case !e.maybeSent:
		e.kinds = []error{ErrOffline}
	default:
		e.kinds = []error{ErrConnectionLost}
	}
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errTooSlow) {
		return true
	}
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

func isCertificate(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return true
	}
	_, ok := errors.AsType[x509.HostnameError](err)
	return ok
}

const maxSnippet = 80

// describePage is what a foreign page says of itself: its title, or how it begins.
func describePage(header http.Header, body []byte) string {
	const enough = 4096
	text := string(body[:min(len(body), enough)])
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if title, ok := pageTitle(text); ok {
		return fmt.Sprintf("a page titled %q", truncate(cleanText(html.UnescapeString(title))))
	}
	if strings.HasPrefix(text, "<") {
		return "a page without a title"
	}
	return fmt.Sprintf("%s %q", cmp.Or(cleanText(kind), "text"), truncate(cleanText(text)))
}

func pageTitle(page string) (string, bool) {
	lower := strings.ToLower(page)
	start := strings.Index(lower, "<title")
	if start < 0 || len(lower) != len(page) {
		return "", false
	}
	open := strings.IndexByte(lower[start:], '>')
	if open < 0 {
		return "", false
	}
	start += open + 1
	end := strings.Index(lower[start:], "</title")
	if end < 0 {
		return "", false
	}
	return page[start : start+end], true
}

func truncate(text string) string {
	runes := []rune(text)
	if len(runes) <= maxSnippet {
		return text
	}
	return string(runes[:maxSnippet]) + "…"
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}
