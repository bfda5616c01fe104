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
	// streamLife ends a stream now and then, so that a forgotten page costs nothing for ever; browsers come back.
	streamLife = 10 * time.Minute
	// quietLimit is how long a stream may be silent before a proxy takes it for dead.
	quietLimit = 20 * time.Second
)

// follow sends the page's changing part whenever it has changed.
func (h *Handler) follow(w http.ResponseWriter, r *http.Request) {
	found, ok := h.tracking(w, r)
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
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold events back
	signal, cancel := h.subscribe(found.Task.ID)
	defer cancel()
	s.run(r, signal)
	s.control.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may serve other requests, or be gone
}

// subscribe follows a task, if there is anyone to ask.
func (h *Handler) subscribe(task model.ID) (<-chan struct{}, func()) {
	if h.live == nil {
		return nil, func() {}
	}
	return h.live.Subscribe(task)
}

// stream is one open page.
type stream struct {
	*Handler
	w       http.ResponseWriter
	control *http.ResponseController
	short   model.ShortID
	sent    string
}

func (s *stream) run(r *http.Request, signal <-chan struct{}) {
	look := time.NewTicker(s.look)
	defer look.Stop()
	quiet := time.NewTicker(quietLimit)
	defer quiet.Stop()
	end := time.NewTimer(streamLife)
	defer end.Stop()
	for {
		if done, err := s.update(r); err != nil || done {
			return
		}
		select {
		case <-signal:
		case <-look.C:
		case <-quiet.C:
			if s.send(": still here\n\n") != nil {
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

// update sends the page's changing part if it has changed, and tells when nothing will change any more.
func (s *stream) update(r *http.Request) (done bool, err error) {
	text, done, err := s.fragment(r.Context(), s.short)
	if err != nil {
		return false, err
	}
	if text != s.sent {
		s.sent = text
		if err := s.send("event: page\ndata: " + strings.ReplaceAll(text, "\n", "\ndata: ") + "\n\n"); err != nil {
			return false, err
		}
	}
	if done {
		return true, s.send("event: done\ndata:\n\n")
	}
	return false, nil
}

func (s *stream) send(text string) error {
	// A reader that does not take what is sent is let go.
	if err := s.control.SetWriteDeadline(time.Now().Add(quietLimit)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}
