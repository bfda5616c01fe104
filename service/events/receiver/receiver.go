// Package receiver is the other end of a webhook: it answers the check of a new webhook, verifies signatures and hands
// events on. The command that listens and the console use it, and so can anyone who builds an integration.
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

// maxBody bounds an event: a batch of 500 tasks fits. Nearly all events are small and are read at once; of the large ones
// only so many are held at the same time, so that nobody can fill the memory by sending many before they are verified.
const (
	maxBody     = 32 << 20
	smallBody   = 64 << 10
	maxLargeBodies = 4
)

// Received is an event that came in.
type Received struct {
	// Event is what the body says, with every text safe to show.
	Event model.Event
	// Body is the event as it was sent, byte for byte.
	Body []byte
	// Delivery is the same on every attempt of one delivery.
	Delivery string
	// Signature is what came with it.
	Signature string
	// Verified says that the signature was checked, and is right.
	Verified bool
}

// Options are what a receiver is made of; Handle is required.
type Options struct {
	// Secret is the organization's, in hex. Without it signatures are not checked.
	Secret string
	// Handle gets each event. When it fails, the sender is told so and will send the event again.
	Handle func(context.Context, Received) error
	// OnValidation is told of each check of a new webhook that was answered.
	OnValidation func(path string)
	// OnRejected is told of each request that was no genuine event, and why: [ErrSignature] or [ErrUnreadable].
	OnRejected func(reason error)
	Log     *slog.Logger
}

// Why a request was dropped.
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
		http.Error(w, "events come by POST", http.StatusMethodNotAllowed)
	}
}

// answerValidation repeats the text that the service sends before it registers a webhook.
func (h *handler) answerValidation(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get(model.WebhookCheckParameter)
	if text == "" {
		http.Error(w, "this address takes events of a delivery service", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	io.WriteString(w, text) //nolint:errcheck // a sender that has gone away needs no answer
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
		h.Log.Warn("an event could not be handled; it will be sent again", "error", err)
		http.Error(w, "the event could not be handled", http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// readEvent takes an event from a request, or says with which status it is refused. The signature is checked over the bytes
// as they came; only then are they parsed, and their texts made safe to show.
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
			h.Log.Warn("an event with a wrong signature was refused", "from", r.RemoteAddr)
			return received, http.StatusUnauthorized, ErrSignature
		}
		received.Verified = true
	}
	if err := model.UnmarshalLenient(model.CleanJSON(body), &received.Event); err != nil {
		return received, http.StatusBadRequest, ErrUnreadable
	}
	return received, 0, nil
}

// readBody reads what was sent. Release gives back the place of a large one, once it is known to be genuine or not.
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

// forwardTimeout leaves the sender's own ten seconds some room.
const forwardTimeout = 8 * time.Second

// Forward makes a Handle that passes events on to another address as they came, with their signature.
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
