// Package web is the tracking page: what a recipient sees of a task, on a phone, without an account, without cookies,
// and readable without JavaScript.
package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/limit"
	"waybill/service/world"
)

//go:embed assets
var assets embed.FS

// assetPath is where style and script are; no short id looks like it.
const assetPath = "/t/-"

// Live tells when something about a task or worker has changed.
type Live interface {
	Subscribe(subject model.ID) (signal <-chan struct{}, cancel func())
}

// Options are what the page is made of; World is required.
type Options struct {
	World *world.World
	// Live makes open pages follow at once; without it they look again every few seconds.
	Live Live
	Log  *slog.Logger
	// Now is the time that limits are counted in. It is the real one, however fast the world's passes.
	Now func() time.Time
}

// Handler serves tracking pages under /t/.
type Handler struct {
	world     *world.World
	live      Live
	log       *slog.Logger
	templates *template.Template
	mux       *http.ServeMux
	// look is how often an open page looks for a moved driver, in real time.
	look    time.Duration
	visits  *limit.Buckets
	streams chan struct{}
	stop    chan struct{}
	stopped sync.Once
}

// maxStreams bounds how many pages are followed live at once; others reload.
const maxStreams = 2000

// An address may open so many pages at once, and one more after each pause: plenty for a family or an office, and too
// few to find other people's pages by trying their short ids.
const (
	visitBurst = 60
	visitPause = 100 * time.Millisecond
)

// New makes the handler. Close ends the open streams.
func New(o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	h := &Handler{
		world: o.World, live: o.Live, log: o.Log, look: 5 * time.Second, visits: limit.New(visitPause, visitBurst, o.Now),
		templates: template.Must(template.ParseFS(assets, "assets/*.html")),
		streams:   make(chan struct{}, maxStreams), stop: make(chan struct{}), mux: http.NewServeMux(),
	}
	h.mux.HandleFunc("GET /t/{short}", h.show)
	h.mux.HandleFunc("GET /t/{short}/events", h.follow)
	h.mux.HandleFunc("POST /t/{short}/feedback", h.feedback)
	h.mux.Handle("GET "+assetPath+"/tracking.css", asset("tracking.css", "text/css; charset=utf-8"))
	h.mux.Handle("GET "+assetPath+"/tracking.js", asset("tracking.js", "text/javascript; charset=utf-8"))
	h.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { h.missing(w) })
	return h
}

// Close ends the streams of open pages, so that a server can stop.
func (h *Handler) Close() { h.stopped.Do(func() { close(h.stop) }) }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "+
		"img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	h.mux.ServeHTTP(w, r)
}

// asset serves an embedded file; its tag lets a browser keep it.
func asset(name, kind string) http.Handler {
	content, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("embedded file " + name + ": " + err.Error())
	}
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Etag", tag)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}

// tracking reads what the path names, or answers that there is no such thing.
func (h *Handler) tracking(w http.ResponseWriter, r *http.Request) (world.Tracking, bool) {
	if !h.visits.Take(limit.Address(r)) {
		w.Header().Set("Retry-After", "1")
		h.render(w, http.StatusTooManyRequests, "missing", page{
			Assets: assetPath, Headline: "Too many pages at once", Detail: "Please wait a moment, then load this page again.",
		})
		return world.Tracking{}, false
	}
	short := model.ShortID(r.PathValue("short"))
	if !short.Valid() {
		h.missing(w)
		return world.Tracking{}, false
	}
	found, err := h.world.ReadTracking(r.Context(), short)
	if err != nil {
		h.fail(w, r, err)
		return found, false
	}
	return found, true
}

func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, world.NotFound()):
		h.missing(w)
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // to return would answer 200, with nothing
	default:
		h.log.Error("tracking page", "path", r.URL.Path, "error", err)
		h.render(w, http.StatusInternalServerError, "missing", page{
			Assets: assetPath, Headline: "Something went wrong", Detail: "Please try again in a moment.",
		})
	}
}

func (h *Handler) missing(w http.ResponseWriter) {
	h.render(w, http.StatusNotFound, "missing", page{
		Assets: assetPath, Headline: "We do not know this number", Detail: "Please check the address of the link you were sent.",
	})
}

func (h *Handler) render(w http.ResponseWriter, status int, name string, p page) {
	var b bytes.Buffer
	if err := h.templates.ExecuteTemplate(&b, name, p); err != nil {
		h.log.Error("tracking page", "error", err)
		http.Error(w, "Something went wrong. Please try again in a moment.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes()) //nolint:errcheck // a reader who has gone away needs no answer
}

func (h *Handler) show(w http.ResponseWriter, r *http.Request) {
	found, ok := h.tracking(w, r)
	if !ok {
		return
	}
	if r.Method == http.MethodGet && !found.Task.TrackingViewed {
		if err := h.world.MarkTrackingViewed(r.Context(), found.Task.ShortID); err != nil {
			h.log.Warn("a look at the tracking page was not noted", "error", err)
		}
	}
	h.render(w, http.StatusOK, "page", newPage(found))
}

// maxForm bounds what a feedback form may send.
const maxForm = 64 << 10

func (h *Handler) feedback(w http.ResponseWriter, r *http.Request) {
	found, ok := h.tracking(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		h.complain(w, found, r, "The form could not be read. Please send it again.")
		return
	}
	rating, err := strconv.Atoi(r.PostForm.Get("rating"))
	if err != nil {
		h.complain(w, found, r, "Please choose a rating.")
		return
	}
	err = h.world.AddFeedback(r.Context(), found.Task.ShortID, rating, r.PostForm.Get("comments"))
	var refusal *world.Error
	switch {
	case errors.As(err, &refusal):
		h.complain(w, found, r, refusal.Cause.Value().String())
	case err != nil:
		h.fail(w, r, err)
	default:
		http.Redirect(w, r, "/t/"+string(found.Task.ShortID), http.StatusSeeOther)
	}
}

// complain shows the form again with what was written, and what is wrong with it.
func (h *Handler) complain(w http.ResponseWriter, found world.Tracking, r *http.Request, problem string) {
	p := newPage(found)
	p.Problem, p.Comments = problem, r.PostForm.Get("comments")
	for i := range p.Ratings {
		p.Ratings[i].Chosen = r.PostForm.Get("rating") == strconv.Itoa(p.Ratings[i].Value)
	}
	h.render(w, http.StatusBadRequest, "page", p)
}

// fragment is the part of the page that changes.
func (h *Handler) fragment(ctx context.Context, short model.ShortID) (text string, done bool, err error) {
	found, err := h.world.ReadTracking(ctx, short)
	if err != nil {
		return "", false, err
	}
	p := newPage(found)
	var b bytes.Buffer
	if err := h.templates.ExecuteTemplate(&b, "live", p); err != nil {
		return "", false, fmt.Errorf("render: %w", err)
	}
	return b.String(), p.Done, nil
}
