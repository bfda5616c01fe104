package apiclient

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"waybill/model"
)

var errTooSlow = errors.New("the response did not arrive in time")

// apiCall is one call of an endpoint.
type apiCall struct {
	method   string
	segments []string
	query    url.Values
	body     any
	// isQuery marks a POST that changes nothing. It is allowed in read-only mode and may be retried.
	isQuery bool
}

// isRead reports whether the call changes nothing.
func (k apiCall) isRead() bool { return k.method == http.MethodGet || k.isQuery }

// get, post, put and remove build the calls of almost all endpoints.
func get(segments ...string) apiCall { return apiCall{method: http.MethodGet, segments: segments} }

func post(body any, segments ...string) apiCall {
	return apiCall{method: http.MethodPost, segments: segments, body: body}
}

func put(body any, segments ...string) apiCall {
	return apiCall{method: http.MethodPut, segments: segments, body: body}
}

func remove(segments ...string) apiCall {
	return apiCall{method: http.MethodDelete, segments: segments}
}

func (k apiCall) withQuery(query url.Values) apiCall {
	k.query = query
	return k
}

func (k apiCall) asQuery() apiCall {
	k.isQuery = true
	return k
}

// fetch makes a call whose response is a T.
func fetch[T any](ctx context.Context, c *Client, k apiCall) (T, error) {
	var result T
	if err := c.do(ctx, k, &result); err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// request is a checked and encoded call. All attempts share it.
type request struct {
	apiCall
	path     string // after the base URL, with the query
	payload  []byte // nil when there is no body
	key      string
	redactor redactor
}

func (r *request) newError(kind error, format string, args ...any) *Error {
	return &Error{
		Method: r.method, Path: r.path, kinds: []error{kind}, detail: fmt.Sprintf(format, args...),
	}
}

// prepareRequest checks and encodes a call.
func (c *Client) prepareRequest(k apiCall) (*request, error) {
	r := &request{apiCall: k}
	var path strings.Builder
	for _, part := range k.segments {
		path.WriteByte('/')
		path.WriteString(escapeSegment(part))
	}
	r.path = path.String()
	for _, part := range k.segments {
		// An empty id or a dot would turn the path into that of another endpoint.
		if part == "" || part == "." || part == ".." {
			return nil, r.newError(ErrArgument, "the id or name is empty or a dot")
		}
	}
	if len(k.query) > 0 {
		r.path += "?" + k.query.Encode()
	}
	if k.body != nil {
		payload, err := model.Marshal(k.body)
		if err != nil {
			e := r.newError(ErrArgument, "%v", err)
			e.err = err
			return nil, e
		}
		r.payload = payload
	}
	return r, nil
}

// escapeSegment escapes a path segment. A star is legal in a path and common in ids, so it stays readable.
func escapeSegment(text string) string {
	return strings.ReplaceAll(url.PathEscape(text), "%2A", "*")
}

// Preview is a change that was not sent because of a dry run.
type Preview struct {
	Method string `json:"method"`
	// Path is the path after the base URL.
	Path string    `json:"path"`
	Body model.Raw `json:"body,omitzero"`
}

type dryRunKey struct{}

// WithDryRun passes every change under a context to show instead of sending it; the method then returns [ErrDryRun].
// Reads are sent as usual.
func WithDryRun(ctx context.Context, show func(Preview)) context.Context {
	return context.WithValue(ctx, dryRunKey{}, show)
}

type receiptKey struct{}

// WithReceipts passes the request id of every acknowledged change under a context to tell.
func WithReceipts(ctx context.Context, tell func(requestID string)) context.Context {
	return context.WithValue(ctx, receiptKey{}, tell)
}

// reportReceipt calls the function of [WithReceipts] for an acknowledged change.
func (r *request) reportReceipt(ctx context.Context, requestID string) {
	if tell, ok := ctx.Value(receiptKey{}).(func(string)); ok && !r.isRead() {
		tell(requestID)
	}
}

// checkAllowed enforces dry run, read-only mode and a valid API key before anything is sent.
func (c *Client) checkAllowed(ctx context.Context, r *request) error {
	if !r.isRead() {
		if show, ok := ctx.Value(dryRunKey{}).(func(Preview)); ok {
			show(Preview{Method: r.method, Path: r.path, Body: r.payload})
			return r.newError(ErrDryRun, "")
		}
		if c.readOnly() {
			return r.newError(ErrReadOnly, "")
		}
	}
	r.key = c.key.reveal()
	r.redactor = newRedactor(r.key)
	if r.key == "" {
		return r.newError(ErrNoKey, "")
	}
	if err := model.CheckKeyCharacters(r.key); err != nil {
		failure := r.newError(ErrMalformedKey, "%v", err)
		failure.kinds = append(failure.kinds, ErrInvalidKey)
		return failure
	}
	return nil
}

// do makes a call: it checks and sends the request, with retries, decodes the response and writes the log.
func (c *Client) do(ctx context.Context, k apiCall, result any) error {
	r, err := c.prepareRequest(k)
	if err != nil {
		return err
	}
	if err := c.checkAllowed(ctx, r); err != nil {
		return err
	}
	entry := Entry{Time: c.now(), Method: r.method, Path: r.path}
	started := time.Now()
	buffer, _ := c.buffers.Get().(*bytes.Buffer)
	defer c.recycleBuffer(buffer)
	a := &attempt{client: c, request: r, body: buffer}
	failure := c.sendWithRetries(ctx, a)
	if failure == nil {
		failure = a.decode(result)
	}
	entry.Attempts, entry.Status, entry.RequestID = a.number, a.status, a.requestID
	entry.Duration, entry.Waited = a.took, time.Since(started)-a.took
	entry.setBodies(r, a.content)
	if failure == nil {
		c.log.add(entry)
		r.reportReceipt(ctx, entry.RequestID)
		return nil
	}
	failure.Attempts = a.number
	entry.RequestID = cmp.Or(failure.RequestID, entry.RequestID)
	entry.Error = failure.Description()
	c.log.add(entry)
	return failure
}

// recycleBuffer keeps a buffer for the next response unless it is much larger than most responses need.
func (c *Client) recycleBuffer(buffer *bytes.Buffer) {
	const reasonable = 256 << 10
	if buffer.Cap() <= reasonable {
		c.buffers.Put(buffer)
	}
}

// attempt is the state of the last try to send a request.
type attempt struct {
	client    *Client
	request   *request
	body      *bytes.Buffer
	content   []byte // the sanitised body
	number    int
	status    int
	header    http.Header
	requestID string
	took      time.Duration
}

// sendOnce sends the request and reads the whole response.
func (a *attempt) sendOnce(ctx context.Context) *Error {
	a.status, a.header, a.requestID, a.content = 0, nil, "", nil
	a.body.Reset()
	release, err := a.client.limiter.Wait(ctx, priorityOf(ctx))
	if err != nil {
		return a.newTransportError(ctx, err, false)
	}
	defer release()
	a.number++
	started := time.Now()
	defer func() { a.took = time.Since(started) }()

	timeouts := a.client.timeouts
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	giveUp := time.AfterFunc(timeouts.attemptTimeout(), func() { cancel(errTooSlow) })
	defer giveUp.Stop()

	var connected atomic.Bool
	answer, err := a.send(ctx, &connected)
	if err != nil {
		return a.newTransportError(ctx, err, connected.Load() || !neverSent(err))
	}
	defer answer.Body.Close()
	a.status, a.header = answer.StatusCode, answer.Header
	a.client.clock.observe(answer.Header, started, time.Now())
	a.requestID = model.Clean(answer.Header.Get("X-Request-Id"))
	a.client.limiter.Observe(headerNumber(answer.Header, "X-RateLimit-Limit"),
		headerNumber(answer.Header, "X-RateLimit-Remaining"))
	giveUp.Reset(timeouts.BodyTimeout)
	if failure := a.read(ctx, answer); failure != nil {
		return failure
	}
	if a.status < 200 || a.status >= 300 {
		return a.newResponseError()
	}
	return nil
}

func (a *attempt) send(ctx context.Context, connected *atomic.Bool) (*http.Response, error) {
	r := a.request
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	var payload io.Reader
	if r.payload != nil {
		payload = bytes.NewReader(r.payload)
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), r.method,
		a.client.base.String()+r.path, payload)
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(r.key, "")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", a.client.userAgent)
	if r.payload != nil || r.method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	return a.client.http.Do(req)
}

// read reads the body into the buffer, up to the limit.
func (a *attempt) read(ctx context.Context, answer *http.Response) *Error {
	limit := a.client.maxBody
	if size := answer.ContentLength; size > 0 && size <= limit {
		a.body.Grow(int(size) + bytes.MinRead) // ReadFrom needs room to detect the end
	}
	n, err := a.body.ReadFrom(io.LimitReader(answer.Body, limit+1))
	switch {
	case err != nil:
		return a.newTransportError(ctx, err, true)
	case n > limit:
		return a.newUnreadableError(ErrTooLarge, fmt.Sprintf("more than %d MiB", max(1, limit>>20)))
	}
	a.content = bytes.TrimSpace(model.CleanJSON(a.body.Bytes()))
	return nil
}

func (a *attempt) newError() *Error {
	r := a.request
	return &Error{
		Method: r.method, Path: r.redactor.string(r.path), HTTPStatus: a.status, RequestID: a.requestID, maybeSent: true,
	}
}

// newTransportError returns the error of an attempt without a complete response.
func (a *attempt) newTransportError(ctx context.Context, err error, maybeSent bool) *Error {
	e := a.newError()
	e.maybeSent = maybeSent
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if cause := context.Cause(ctx); cause != nil && (errors.Is(err, context.Canceled) || errors.Is(cause, errTooSlow)) {
		err = cause
	}
	e.classifyTransport(err)
	e.detail = model.Clean(a.request.redactor.string(e.detail))
	if maybeSent && !a.request.isRead() {
		e.kinds = append([]error{ErrUnknownOutcome}, e.kinds...)
	}
	return e
}

// newResponseError returns the error of a response with a failure status.
func (a *attempt) newResponseError() *Error {
	e := a.newError()
	body := a.request.redactor.bytes(a.content)
	e.RetryAfter = retryAfter(a.header, a.client.now())
	e.classifyResponse(a.header, body)
	if !a.request.isRead() && e.hasUnknownOutcome(body) {
		e.kinds = append([]error{ErrUnknownOutcome}, e.kinds...)
	}
	return e
}

// newUnreadableError returns the error of a successful response that cannot be read: a change may have been made.
func (a *attempt) newUnreadableError(kind error, detail string) *Error {
	e := a.newError()
	e.kinds, e.detail = []error{kind}, detail
	if !a.request.isRead() {
		e.kinds = []error{ErrUnknownOutcome, kind}
	}
	return e
}

// decode decodes the response of a successful attempt. A nil result means that the endpoint returns no body.
func (a *attempt) decode(result any) *Error {
	if result == nil {
		return nil
	}
	if len(a.content) == 0 {
		return a.newUnreadableError(ErrBadResponse, "it is empty")
	}
	if first := a.content[0]; first != '{' && first != '[' {
		return a.newUnreadableError(ErrNotJSON, a.request.redactor.string(describePage(a.header, a.content)))
	}
	if err := model.UnmarshalLenient(a.content, result); err != nil {
		e := a.newUnreadableError(ErrBadResponse, truncate(model.Clean(a.request.redactor.string(err.Error()))))
		e.err = err
		return e
	}
	return nil
}

func headerNumber(header http.Header, name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(header.Get(name)))
	if err != nil {
		return -1
	}
	return n
}
