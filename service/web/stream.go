package web

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"waybill/model"
)

const (
	// streamLife ends streams of forgotten pages. Browsers reconnect.
	streamLife = 10 * time.Minute
	// keepAlive is how often something is sent, so that proxies do not close the connection.
	keepAlive = 20 * time.Second
)

// serveStream sends the live part of the page whenever it changes.
func (h *Handler) serveStream(w http.ResponseWriter, r *http.Request) {
	found, ok := h.loadTracking(w, r)
	if !ok {
		return
	}
	select {
	case h.streams <- struct{}{}:
		defer func() { <-h.streams }()
	default:
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many open pages", http.StatusServiceUnavailable)
		return
	}
	s := &stream{Handler: h, w: w, control: http.NewResponseController(w), short: found.Task.ShortID}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer the events
	signal, cancel := h.subscribe(found.Task.ID)
	defer cancel()
	s.run(r, signal)
	s.control.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may be reused or closed
}

// subscribe returns the signal of a task's changes, or nil without Live.
func (h *Handler) subscribe(task model.ID) (<-chan struct{}, func()) {
	if h.live == nil {
		return nil, func() {}
	}
	return h.live.Subscribe(task)
}

// stream is the event stream of one open page.
type stream struct {
	*Handler
	w       http.ResponseWriter
	control *http.ResponseController
	short   model.ShortID
	sent    string
}

func (s *stream) run(r *http.Request, signal <-chan struct{}) {
	refresh := time.NewTicker(s.refresh)
	defer refresh.Stop()
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	end := time.NewTimer(streamLife)
	defer end.Stop()
	for {
		if done, err := s.update(r); err != nil || done {
			return
		}
		select {
		case <-signal:
		case <-refresh.C:
		case <-alive.C:
			if s.send(": keep-alive\n\n") != nil {
				return
			}
		case <-end.C:
			return
		case <-s.stop:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// update sends the live part of the page if it has changed. done is true when it will not change any more.
func (s *stream) update(r *http.Request) (done bool, err error) {
	html, done, err := s.renderLive(r.Context(), s.short)
	if err != nil {
		return false, err
	}
	if html != s.sent {
		s.sent = html
		if err := s.send("event: page\ndata: " + strings.ReplaceAll(html, "\n", "\ndata: ") + "\n\n"); err != nil {
			return false, err
		}
	}
	if done {
		return true, s.send("event: done\ndata:\n\n")
	}
	return false, nil
}

func (s *stream) send(text string) error {
	// Close the connection of a client that does not read.
	if err := s.control.SetWriteDeadline(time.Now().Add(keepAlive)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}
