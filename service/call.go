package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// maxBody bounds a request: 500 tasks with notes at their limit fit.
const maxBody = 32 << 20

// call is one request on its way through a handler.
type call struct {
	*http.Request
	org       model.ID
	actor     world.Actor
	requestID string
}

func (c *call) ctx() context.Context { return c.Request.Context() }

// id is the path's {id}; a text that cannot be an id names nothing.
func (c *call) id() (model.ID, error) {
	id := model.ID(c.PathValue("id"))
	if !id.Valid() {
		return "", world.NotFound()
	}
	return id, nil
}

// idAnd is the path's {id}, for a handler that takes a body, too.
func (c *call) idAnd(body any) (model.ID, error) {
	id, err := c.id()
	if err != nil {
		return "", err
	}
	return id, c.decode(body)
}

// empty is an answer without a body.
type empty struct{}

// decode reads the body into v. An empty body and `null` leave v as it is: published clients send both.
func (c *call) decode(v any) error { return c.decodeUpTo(maxBody, v) }

// decodeUpTo is decode for a body that has no reason to be larger than limit, in bytes.
func (c *call) decodeUpTo(limit int64, v any) error {
	body, err := io.ReadAll(http.MaxBytesReader(nil, c.Body, limit))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return &world.Error{
				Status: http.StatusRequestEntityTooLarge, Code: model.CodeInvalidContent, Subcode: model.ErrorInvalid,
				Message: "The body is larger than " + sizeText(limit) + ".",
			}
		}
		return world.Invalid("the body could not be read: %v", err)
	}
	if text := bytes.TrimSpace(body); len(text) == 0 || string(text) == "null" {
		return nil
	}
	if sent := c.Header.Get("Content-Encoding"); sent != "" && !strings.EqualFold(sent, "identity") {
		return wrongMediaType(fmt.Sprintf("It is encoded as %.80q; send it as it is, without a Content-Encoding.", model.Clean(sent)))
	}
	if sent := c.Header.Get("Content-Type"); !isJSON(sent) {
		return wrongMediaType(fmt.Sprintf("It is declared as %.80q; send the header Content-Type: application/json.", model.Clean(sent)))
	}
	if err := model.Unmarshal(body, v); err != nil {
		return malformed(c.Request, err)
	}
	return nil
}

func sizeText(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}

// isJSON reports whether a Content-Type declares JSON. A body that declares nothing is taken as JSON.
func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "" || media == "application/json" || strings.HasSuffix(media, "+json")
}

func wrongMediaType(cause string) *world.Error {
	return &world.Error{
		Status: http.StatusUnsupportedMediaType, Code: model.CodeInvalidContent, Subcode: model.ErrorWrongType,
		Message: "The body must be JSON.", Cause: model.Some(model.CauseText(cause)),
	}
}

// serve wraps a route's handler with everything that all routes share.
func (s *Service) serve(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, requestID: newRequestID()}
		w.Header().Set("X-Request-Id", c.requestID)
		answer, err := s.run(route, c, w.Header())
		if err != nil {
			s.answerError(w, c, route.Batch, err)
			return
		}
		s.answer(w, answer)
	})
}

func (s *Service) run(route Route, c *call, header http.Header) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := s.authenticate(c); err != nil {
		return nil, err
	}
	if err := s.limiter.take(c.org, header); err != nil {
		return nil, err
	}
	return route.handle(s, c)
}

func (s *Service) answer(w http.ResponseWriter, answer any) {
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
	w.Write(body) //nolint:errcheck // a client that has gone away needs no answer
}

var jsonContent = []string{"application/json; charset=utf-8"} //nolint:gochecknoglobals // read-only, saves an allocation a request

// notFound answers requests for paths that no route has.
func (s *Service) notFound(w http.ResponseWriter, r *http.Request) {
	err := world.NotFound()
	err.Message = fmt.Sprintf("There is no such route: %.200s", model.Clean(r.Method+" "+sentPath(r)))
	s.refuse(w, r, false, err)
}

// notAllowed answers requests for paths that take other methods only.
func (s *Service) notAllowed(w http.ResponseWriter, r *http.Request, allowed []string, batch bool) {
	allow := strings.Join(allowed, ", ")
	w.Header().Set("Allow", allow)
	s.refuse(w, r, batch, &world.Error{
		Status: http.StatusMethodNotAllowed, Code: model.CodeMethodNotAllowed, Subcode: model.ErrorMethodNotAllowed,
		Message: "This route takes " + allow + ".",
	})
}

func (s *Service) refuse(w http.ResponseWriter, r *http.Request, batch bool, err error) {
	c := &call{Request: r, requestID: newRequestID()}
	w.Header().Set("X-Request-Id", c.requestID)
	s.answerError(w, c, batch, err)
}

func (s *Service) answerError(w http.ResponseWriter, c *call, batch bool, err error) {
	var refusal *world.Error
	var problems model.Problems
	switch {
	case errors.As(err, &refusal):
	case errors.As(err, &problems):
		refusal = world.ProblemsError(problems)
	case gone(c.Request, err):
		panic(http.ErrAbortHandler)
	default:
		s.log.Error("request failed", "request", c.requestID, "method", c.Method, "path", c.URL.Path, "error", err)
		refusal = &world.Error{
			Status: http.StatusInternalServerError, Code: model.CodeInternal, Subcode: model.ErrorInternal,
			Message: "The service failed to answer. Quote the request id when you report it.",
		}
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
	s.limiter.announce(w.Header())
	if refusal.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", challenge(c.URL.Path))
	}
	w.Header()["Content-Type"] = jsonContent
	w.WriteHeader(refusal.Status)
	w.Write(encoded) //nolint:errcheck // a client that has gone away needs no answer
}

// gone reports whether a request failed only because its sender has left. Such a request must end without an answer: to
// return from its handler would answer 200 for what was not done, and who closed only the sending half still reads it.
func gone(r *http.Request, err error) bool {
	return errors.Is(err, context.Canceled) && r.Context().Err() != nil
}

// challenge says how to log in: drivers with a token, everyone else with an API key as user name.
func challenge(path string) string {
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

// newRequestID is a random UUID.
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
