// Package web serves the tracking page that recipients open on their phones. It needs no account, no cookies and no
// JavaScript.
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

// assetPath is the path of the stylesheet and the script. It cannot be a short id.
const assetPath = "/t/-"

// Live signals changes of a task or worker.
type Live interface {
	Subscribe(subject model.ID) (signal <-chan struct{}, cancel func())
}

// Options configures a Handler. World is required.
type Options struct {
	World *world.World
	// Live updates open pages at once; without it they are refreshed every few seconds.
	Live Live
	Log  *slog.Logger
	// Now is the clock of the rate limit, by default time.Now. It does not follow the world's clock, which may run faster.
	Now func() time.Time
}

// Handler serves tracking pages under /t/.
type Handler struct {
	world     *world.World
	live      Live
	log       *slog.Logger
	templates *template.Template
	mux       *http.ServeMux
	// refresh is how often an open page is refreshed, in real time.
	refresh time.Duration
	visits  *limit.Buckets
	streams chan struct{}
	stop    chan struct{}
	stopped sync.Once
}

// maxStreams is how many pages can be updated live at once. Others reload themselves.
const maxStreams = 2000

// Limits per client: enough for a family or an office, too few to guess the short ids of other people's pages.
const (
	visitBurst = 60
	visitPause = 100 * time.Millisecond
)

// New makes a Handler. Close ends its open streams.
func New(o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	h := &Handler{
		world: o.World, live: o.Live, log: o.Log, refresh: 5 * time.Second, visits: limit.New(visitPause, visitBurst, o.Now),
		templates: template.Must(template.ParseFS(assets, "assets/*.html")),
		streams:   make(chan struct{}, maxStreams), stop: make(chan struct{}), mux: http.NewServeMux(),
	}
	h.mux.HandleFunc("GET /t/{short}", h.servePage)
	h.mux.HandleFunc("GET /t/{short}/events", h.serveStream)
	h.mux.HandleFunc("POST /t/{short}/feedback", h.saveFeedback)
	h.mux.Handle("GET "+assetPath+"/tracking.css", serveAsset("tracking.css", "text/css; charset=utf-8"))
	h.mux.Handle("GET "+assetPath+"/tracking.js", serveAsset("tracking.js", "text/javascript; charset=utf-8"))
	h.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { h.notFound(w) })
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

// serveAsset serves an embedded file with an ETag, so that browsers cache it.
func serveAsset(name, kind string) http.Handler {
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

// loadTracking reads the task that the path names. If that fails, it answers the request and returns false.
func (h *Handler) loadTracking(w http.ResponseWriter, r *http.Request) (world.Tracking, bool) {
	if !h.visits.Allow(limit.ClientKey(r)) {
		w.Header().Set("Retry-After", "1")
		h.renderError(w, http.StatusTooManyRequests, "Too many pages at once", "Please wait a moment, then reload this page.")
		return world.Tracking{}, false
	}
	short := model.ShortID(r.PathValue("short"))
	if !short.Valid() {
		h.notFound(w)
		return world.Tracking{}, false
	}
	found, err := h.world.ReadTracking(r.Context(), short)
	if err != nil {
		h.handleError(w, r, err)
		return found, false
	}
	return found, true
}

func (h *Handler) handleError(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, world.NotFound()):
		h.notFound(w)
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // returning would send an empty 200
	default:
		h.log.Error("tracking page", "path", r.URL.Path, "error", err)
		h.renderError(w, http.StatusInternalServerError, "Something went wrong", "Please try again in a moment.")
	}
}

func (h *Handler) notFound(w http.ResponseWriter) {
	h.renderError(w, http.StatusNotFound, "Tracking number not found", "Please check the link you were sent.")
}

func (h *Handler) renderError(w http.ResponseWriter, status int, headline, detail string) {
	h.render(w, status, "error", page{Assets: assetPath, Headline: headline, Detail: detail})
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
	w.Write(b.Bytes()) //nolint:errcheck // the client may have left
}

func (h *Handler) servePage(w http.ResponseWriter, r *http.Request) {
	found, ok := h.loadTracking(w, r)
	if !ok {
		return
	}
	if r.Method == http.MethodGet && !found.Task.TrackingViewed {
		if err := h.world.MarkTrackingViewed(r.Context(), found.Task.ShortID); err != nil {
			h.log.Warn("cannot record a view of the tracking page", "error", err)
		}
	}
	h.render(w, http.StatusOK, "page", newPage(found))
}

// maxForm is the largest feedback form in bytes.
const maxForm = 64 << 10

func (h *Handler) saveFeedback(w http.ResponseWriter, r *http.Request) {
	found, ok := h.loadTracking(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		h.showProblem(w, found, r, "We could not read the form. Please send it again.")
		return
	}
	rating, err := strconv.Atoi(r.PostForm.Get("rating"))
	if err != nil {
		h.showProblem(w, found, r, "Please choose a rating.")
		return
	}
	err = h.world.AddFeedback(r.Context(), found.Task.ShortID, rating, r.PostForm.Get("comments"))
	var refusal *world.Error
	switch {
	case errors.As(err, &refusal):
		h.showProblem(w, found, r, refusal.Cause.Value().String())
	case err != nil:
		h.handleError(w, r, err)
	default:
		http.Redirect(w, r, "/t/"+string(found.Task.ShortID), http.StatusSeeOther)
	}
}

// showProblem shows the form again with its values and the problem.
func (h *Handler) showProblem(w http.ResponseWriter, found world.Tracking, r *http.Request, problem string) {
	p := newPage(found)
	p.Problem, p.Comments = problem, r.PostForm.Get("comments")
	for i := range p.Ratings {
		p.Ratings[i].Selected = r.PostForm.Get("rating") == strconv.Itoa(p.Ratings[i].Value)
	}
	h.render(w, http.StatusBadRequest, "page", p)
}

// renderLive renders the part of the page that changes. done is true when it will not change any more.
func (h *Handler) renderLive(ctx context.Context, short model.ShortID) (html string, done bool, err error) {
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
