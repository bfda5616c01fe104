package service

import (
	"math"
	"net/http"
	"strconv"
	"sync"

	"golang.org/x/time/rate"

	"waybill/model"
	"waybill/service/world"
)

// limiter holds a token bucket an organization. A bucket, not a window: clients that pace themselves by the
// remaining count stall for ever when a window shows them 0 at the wrong moment.
type limiter struct {
	perSecond float64
	mu        sync.Mutex
	buckets   map[model.ID]*rate.Limiter
}

func newLimiter(perSecond float64) *limiter {
	return &limiter{perSecond: perSecond, buckets: map[model.ID]*rate.Limiter{}}
}

// unlimited is what the headers say without a limit: clients need both numbers on every answer.
const unlimited = "1000000"

func (l *limiter) take(org model.ID, header http.Header) error {
	if l.perSecond <= 0 {
		header.Set("X-RateLimit-Limit", unlimited)
		header.Set("X-RateLimit-Remaining", unlimited)
		return nil
	}
	bucket := l.bucket(org)
	allowed := bucket.Allow()
	header.Set("X-RateLimit-Limit", strconv.Itoa(int(math.Ceil(l.perSecond))))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(int(max(0, bucket.Tokens()))))
	if allowed {
		return nil
	}
	header.Set("Retry-After", "1")
	return &world.Error{
		Status: http.StatusTooManyRequests, Code: model.CodeTooManyRequests, Subcode: model.ErrorRateLimit,
		Message: "Too many requests: the organization's limit is " + strconv.Itoa(int(l.perSecond)) + " a second.",
	}
}

// announce shows the whole limit on an answer that came before any organization was known: clients look for the
// numbers on refusals too.
func (l *limiter) announce(header http.Header) {
	if header.Get("X-RateLimit-Limit") != "" {
		return
	}
	limit := unlimited
	if l.perSecond > 0 {
		limit = strconv.Itoa(int(math.Ceil(l.perSecond)))
	}
	header.Set("X-RateLimit-Limit", limit)
	header.Set("X-RateLimit-Remaining", limit)
}

func (l *limiter) bucket(org model.ID) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[org]
	if b == nil {
		b = rate.NewLimiter(rate.Limit(l.perSecond), int(math.Ceil(l.perSecond)))
		l.buckets[org] = b
	}
	return b
}
