package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// call is one request to a handler.
type call struct {
	*http.Request
	org       model.ID
	actor     world.Actor
	requestID string
	answer    http.Header
	limits    *bodyLimits
	reserved  []func()
}

func newCall(w http.ResponseWriter, r *http.Request) *call {
	c := &call{Request: r, requestID: newRequestID(), answer: w.Header()}
	w.Header().Set("X-Request-Id", c.requestID)
	return c
}

func (c *call) ctx() context.Context { return c.Request.Context() }

// id returns the path's {id}. A text that cannot be an id is answered with 404.
func (c *call) id() (model.ID, error) {
	id := model.ID(c.PathValue("id"))
	if !id.Valid() {
		return "", world.NotFound()
	}
	return id, nil
}

// decodeWithID returns the path's {id} and decodes the body.
func (c *call) decodeWithID(body any) (model.ID, error) {
	id, err := c.id()
	if err != nil {
		return "", err
	}
	return id, c.decode(body)
}

// empty is the answer without a body.
type empty struct{}

// decode reads the body into v. An empty body and `null` leave v unchanged, because published clients send both.
func (c *call) decode(v any) error { return c.decodeLimited(c.limits.bytes, v) }

// decodeLimited decodes a body of at most limit bytes.
func (c *call) decodeLimited(limit int64, v any) error {
	body, err := c.readBody(limit)
	if err != nil {
		return err
	}
	if text := bytes.TrimSpace(body); len(text) == 0 || string(text) == "null" {
		return nil
	}
	if sent := c.Header.Get("Content-Encoding"); sent != "" && !strings.EqualFold(sent, "identity") {
		return wrongMediaType(fmt.Sprintf("Its Content-Encoding is %.80q. Send the body without Content-Encoding.", model.Clean(sent)))
	}
	if sent := c.Header.Get("Content-Type"); !isJSON(sent) {
		return wrongMediaType(fmt.Sprintf("Its Content-Type is %.80q. Send Content-Type: application/json.", model.Clean(sent)))
	}
	if err := model.Unmarshal(body, v); err != nil {
		return decodeError(c.Request, err)
	}
	return nil
}

func sizeText(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}

// isJSON reports whether a Content-Type means JSON. A missing Content-Type counts as JSON.
func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "" || media == "application/json" || strings.HasSuffix(media, "+json")
}

func wrongMediaType(cause string) *world.Error {
	e := world.NewError(http.StatusUnsupportedMediaType, model.CodeInvalidContent, model.ErrorWrongType, "The body must be JSON.")
	e.Cause = model.Some(model.CauseText(cause))
	return e
}

// serve makes the HTTP handler of a route. handle gets the header of the answer.
func (s *Service) serve(batch bool, handle func(*call, http.Header) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := newCall(w, r)
		c.limits = s.bodies
		if batch {
			c.limits = s.batches
		}
		defer c.release()
		answer, err := recoverPanic(c, w.Header(), handle)
		if err != nil {
			s.writeError(w, c, batch, err)
			return
		}
		s.writeAnswer(w, answer)
	})
}

// recoverPanic calls handle and turns a panic into an error.
func recoverPanic(c *call, header http.Header, handle func(*call, http.Header) (any, error)) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return handle(c, header)
}

// serveRoute makes the HTTP handler of a route of the interface.
func (s *Service) serveRoute(route Route) http.Handler {
	return s.serve(route.Batch, func(c *call, header http.Header) (any, error) {
		if err := s.authenticate(c); err != nil {
			return nil, err
		}
		if err := s.limiter.allow(c.org, header); err != nil {
			return nil, err
		}
		return route.handle(s, c)
	})
}

func (s *Service) writeAnswer(w http.ResponseWriter, answer any) {
	if _, ok := answer.(empty); ok {
		w.WriteHeader(http.StatusOK)
		return
	}
	body, ok := answer.(model.Raw)
	if !ok {
		var err error
		if body, err = model.Marshal(answer); err != nil {
			s.log.Error("encode answer", "error", err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
	}
	header := w.Header()
	header["Content-Type"] = jsonContent
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) //nolint:errcheck // the client may have left
}

var jsonContent = []string{"application/json; charset=utf-8"} //nolint:gochecknoglobals // read-only, saves an allocation per request

// notFound answers a request that matches no route.
func (s *Service) notFound(w http.ResponseWriter, r *http.Request) {
	err := world.NotFound()
	err.Message = fmt.Sprintf("Unknown route: %.200s", model.Clean(r.Method+" "+sentPath(r)))
	s.writeError(w, newCall(w, r), false, err)
}

// methodNotAllowed answers a request whose path exists with other methods only.
func (s *Service) methodNotAllowed(w http.ResponseWriter, r *http.Request, allowed []string, batch bool) {
	allow := strings.Join(allowed, ", ")
	w.Header().Set("Allow", allow)
	s.writeError(w, newCall(w, r), batch, world.NewError(http.StatusMethodNotAllowed, model.CodeMethodNotAllowed, model.ErrorMethodNotAllowed,
		"Allowed methods: "+allow+"."))
}

func (s *Service) writeError(w http.ResponseWriter, c *call, batch bool, err error) {
	var refusal *world.Error
	var problems model.Problems
	switch {
	case errors.As(err, &refusal):
	case errors.As(err, &problems):
		refusal = world.ProblemsError(problems)
	case clientLeft(c.Request, err):
		panic(http.ErrAbortHandler)
	default:
		s.log.Error("request failed", "request", c.requestID, "method", c.Method, "path", c.URL.Path, "error", err)
		refusal = failure(s.world.Store().Explain(err))
	}
	var body any = model.ErrorBody{Code: refusal.Code, Message: model.ErrorMessage{
		Error: refusal.Subcode, Message: refusal.Message, Cause: refusal.Cause, Request: c.requestID,
		RemoteAddress: model.Some(remoteHost(c.Request)),
	}}
	if batch {
		body = refusal.BatchBody()
	}
	encoded, err := model.Marshal(body)
	if err != nil {
		s.log.Error("encode error", "error", err)
	}
	s.limiter.setDefaultHeaders(w.Header())
	if refusal.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", authChallenge(c.URL.Path))
	}
	w.Header()["Content-Type"] = jsonContent
	w.WriteHeader(refusal.Status)
	w.Write(encoded) //nolint:errcheck // the client may have left
}

// failure is the answer to a request that the service could not carry out.
func failure(err error) *world.Error {
	unavailable := func(text string) *world.Error {
		return world.NewError(http.StatusServiceUnavailable, model.CodeInternal, model.ErrorUnavailable, text)
	}
	switch {
	case store.IsFull(err):
		return unavailable("The disk of the service is full. Nothing was changed. Free space on the server and send the request again.")
	case errors.Is(err, store.ErrMoved):
		return unavailable("The service cannot save changes, because its data folder was moved or removed. " +
			"Put the folder back or restart the service.")
	}
	return world.NewError(http.StatusInternalServerError, model.CodeInternal, model.ErrorInternal,
		"Internal error. Include the request id when you report it.")
}

// clientLeft reports whether a request failed only because its client closed the connection. Such a request must be
// aborted: returning from the handler would send 200, which a client that closed only its sending half still reads.
func clientLeft(r *http.Request, err error) bool {
	return errors.Is(err, context.Canceled) && r.Context().Err() != nil
}

// authChallenge returns the WWW-Authenticate header: drivers send a token, everyone else an API key as user name.
func authChallenge(path string) string {
	if strings.HasPrefix(path, DriverBasePath) {
		return "Bearer"
	}
	return `Basic realm="API key as user name"`
}

func remoteHost(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// newRequestID returns a random UUID.
func newRequestID() string {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // crypto/rand.Read never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	text := make([]byte, 0, 36)
	for i, part := range [][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
		if i > 0 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, part)
	}
	return string(text)
}
