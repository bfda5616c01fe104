// Package receiver receives webhooks: it answers the validation request of a new webhook, verifies signatures and passes
// events on. The console and `waybill webhooks listen` use it.
package receiver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"waybill/model"
	"waybill/service/events"
)

// maxBody is the largest event; a batch of 500 tasks fits. Events up to smallBody are read at once. Of larger ones only
// maxLargeBodies are read at the same time, so that nobody can fill the memory with events that are not verified yet.
const (
	maxBody        = 32 << 20
	smallBody      = 64 << 10
	maxLargeBodies = 4
)

// Received is a received event.
type Received struct {
	// Event is the parsed body; its texts are safe to show.
	Event model.Event
	// Body is the body exactly as it was sent.
	Body []byte
	// Delivery is the delivery's id, which is the same on every attempt.
	Delivery string
	// Signature is the signature as it was sent.
	Signature string
	// Verified is set when the signature was checked and is right.
	Verified bool
}

// Options configures a receiver. Handle is required.
type Options struct {
	// Secret is the organization's webhook secret in hex. Without it signatures are not checked.
	Secret string
	// Handle handles an event. If it fails, the sender will send the event again.
	Handle func(context.Context, Received) error
	// OnValidation is called after each validation request.
	OnValidation func(path string)
	// OnRejected is called for each request that is not a genuine event, with [ErrSignature] or [ErrUnreadable].
	OnRejected func(reason error)
	Log        *slog.Logger
}

// Reasons to reject a request.
var (
	ErrSignature  = errors.New("the signature is wrong")
	ErrUnreadable = errors.New("the body is not an event")
)

// New makes a receiver.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnRejected == nil {
		o.OnRejected = func(error) {}
	}
	return &handler{o, make(chan struct{}, maxLargeBodies)}
}

type handler struct {
	Options
	largeBodies chan struct{}
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		h.answerValidation(w, r)
	case http.MethodPost:
		h.receive(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "send events with POST", http.StatusMethodNotAllowed)
	}
}

// answerValidation answers with the text that the service sends to validate a new webhook.
func (h *handler) answerValidation(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get(model.WebhookCheckParameter)
	if text == "" {
		http.Error(w, "this URL receives webhook events", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	io.WriteString(w, text) //nolint:errcheck // the sender may have left
	if h.OnValidation != nil {
		h.OnValidation(r.URL.Path)
	}
}

func (h *handler) receive(w http.ResponseWriter, r *http.Request) {
	received, status, err := h.readEvent(w, r)
	if err != nil {
		h.OnRejected(err)
		http.Error(w, err.Error(), status)
		return
	}
	if err := h.Handle(r.Context(), received); err != nil {
		h.Log.Warn("cannot handle an event; it will be sent again", "error", err)
		http.Error(w, "cannot handle the event", http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// readEvent reads an event, or returns the status to refuse the request with. It checks the signature of the raw bytes
// before it parses them and makes their texts safe to show.
func (h *handler) readEvent(w http.ResponseWriter, r *http.Request) (received Received, status int, err error) {
	body, release, err := h.readBody(w, r)
	defer release()
	if err != nil {
		return received, http.StatusBadRequest, ErrUnreadable
	}
	received = Received{
		Body: body, Delivery: r.Header.Get(events.DeliveryHeader), Signature: r.Header.Get(events.SignatureHeader),
	}
	if h.Secret != "" {
		if !events.Verify(h.Secret, body, received.Signature) {
			h.Log.Warn("refused an event with a wrong signature", "from", r.RemoteAddr)
			return received, http.StatusUnauthorized, ErrSignature
		}
		received.Verified = true
	}
	if err := model.UnmarshalLenient(model.CleanJSON(body), &received.Event); err != nil {
		return received, http.StatusBadRequest, ErrUnreadable
	}
	return received, 0, nil
}

// readBody reads the body. The caller must call release after checking it, so that the next large body can be read.
func (h *handler) readBody(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	release = func() {}
	whole := http.MaxBytesReader(w, r.Body, maxBody)
	body, err = io.ReadAll(io.LimitReader(whole, smallBody))
	if err != nil || len(body) < smallBody {
		return body, release, err
	}
	select {
	case h.largeBodies <- struct{}{}:
		release = func() { <-h.largeBodies }
	case <-r.Context().Done():
		return nil, release, r.Context().Err()
	}
	rest, err := io.ReadAll(whole)
	return append(body, rest...), release, err
}

// forwardTimeout is shorter than the ten seconds that the sender waits.
const forwardTimeout = 8 * time.Second

// Forward returns a Handle function that posts events unchanged to a URL, with their signature.
func Forward(client *http.Client, url string) func(context.Context, Received) error {
	return func(ctx context.Context, e Received) error {
		ctx, cancel := context.WithTimeout(ctx, forwardTimeout)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(e.Body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(events.SignatureHeader, e.Signature)
		req.Header.Set(events.DeliveryHeader, e.Delivery)
		resp, err := client.Do(req)
		if err != nil {
			return fmt.Errorf("forward to %s: %w", url, err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(url + " answered " + resp.Status)
		}
		return nil
	}
}
