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

// decodeBody fills the error from the body of a response and reports whether the body is an error of the service.
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
	// An error from a router has the message as text and no subcode; it is not an error of the service.
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

// classifyResponse sets the kinds of the error from a failed response.
func (e *Error) classifyResponse(header http.Header, body []byte) {
	ours := e.decodeBody(body)
	switch {
	case e.HTTPStatus >= 300 && e.HTTPStatus < 400:
		e.kinds = []error{ErrRedirect}
		e.detail = "to " + model.Clean(withoutQuery(header.Get("Location")))
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
	if e.isDispatchActive() {
		return []error{ErrDispatchActive, ErrPrecondition}
	}
	if kinds, ok := map[model.Int][]error{
		model.ErrorScope:            {ErrOtherOrganization},
		model.ErrorDuplicate:        {ErrDuplicate},
		model.ErrorNotUnique:        {ErrDuplicate},
		model.ErrorUnchanged:        {ErrUnchanged, ErrInvalid},
		model.ErrorUpdateMissing:    {ErrNotFound},
		model.ErrorNotFound:         {ErrNotFound},
		model.ErrorForbidden:        {ErrForbidden},
		model.ErrorMissing:          {ErrMissing},
		model.ErrorMethodNotAllowed: {ErrUnsupportedRoute},
		model.ErrorAutoDispatch:     {ErrPrecondition},
	}[e.Subcode]; ok {
		return kinds
	}
	// Other codes are known by their hundreds.
	return map[model.Int][]error{10: {ErrInvalid}, 11: {ErrInvalidKey}, 23: {ErrRateLimited}}[e.Subcode/100]
}

// isDispatchActive checks the text, because the interface has no code for this error.
func (e *Error) isDispatchActive() bool {
	text := strings.ToLower(e.Message + " " + e.Cause.Value().String())
	return strings.Contains(text, "dispatch") && strings.Contains(text, "already in progress")
}

// kindsOfForeignBody classifies a response whose body is not an error of the service.
func (e *Error) kindsOfForeignBody(header http.Header, body []byte) []error {
	body = bytes.TrimSpace(body)
	json := len(body) > 0 && (body[0] == '{' || body[0] == '[' || body[0] == '"')
	if !json && len(body) > 0 {
		e.detail = describePage(header, body)
	}
	switch {
	case e.HTTPStatus == http.StatusProxyAuthRequired:
		e.detail = "the proxy requires a user name and a password"
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

// kindsOfForeignStatus returns what a status means if the body is not from the service. A 401 or 403 is then not about the API key.
func kindsOfForeignStatus(status int) []error {
	if status == http.StatusTooManyRequests || status >= 500 {
		return kindsOfStatus(status)
	}
	return nil
}

func kindsOfStatus(status int) []error {
	kinds, known := map[int][]error{
		http.StatusBadRequest:            {ErrInvalid},
		http.StatusUnauthorized:          {ErrInvalidKey},
		http.StatusForbidden:             {ErrForbidden},
		http.StatusNotFound:              {ErrNotFound},
		http.StatusPreconditionFailed:    {ErrBusy},
		http.StatusRequestEntityTooLarge: {ErrInvalid},
		http.StatusUnprocessableEntity:   {ErrInvalid},
		http.StatusTooManyRequests:       {ErrRateLimited},
		http.StatusGatewayTimeout:        {ErrTimeout, ErrServer},
	}[status]
	switch {
	case known:
		return kinds
	case status >= 500:
		return []error{ErrServer}
	}
	return []error{ErrRefused}
}

// hasUnknownOutcome reports whether a failed write may have been carried out. When the service exceeds its time limit,
// the client gets a 502 while the service continues, and a proxy does not know what the service did.
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

// classifyTransport sets the kinds of the error from a network error.
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

// describePage returns the title of a page, or its first characters.
func describePage(header http.Header, body []byte) string {
	const enough = 4096
	text := string(body[:min(len(body), enough)])
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if title, ok := pageTitle(text); ok {
		return fmt.Sprintf("a page titled %q", truncate(model.Clean(html.UnescapeString(title))))
	}
	if strings.HasPrefix(text, "<") {
		return "a page without a title"
	}
	return fmt.Sprintf("%s %q", cmp.Or(model.Clean(kind), "text"), truncate(model.Clean(text)))
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
