package service

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"waybill/model"
	"waybill/service/world"
)

// limiter holds a token bucket an organization. A bucket, not a window: clients that pace themselves by the
// remaining count stall for ever when a window shows them 0 at the wrong moment.
type limiter struct {
	perSecond float64
	now       func() time.Time
	limit     []string // what the header says of the limit
	mu        sync.Mutex
	buckets   map[model.ID]*rate.Limiter
}

func newLimiter(perSecond float64, now func() time.Time) *limiter {
	limit := unlimited
	if perSecond > 0 {
		limit = strconv.Itoa(int(math.Ceil(perSecond)))
	}
	return &limiter{perSecond: perSecond, now: now, limit: []string{limit}, buckets: map[model.ID]*rate.Limiter{}}
}

// unlimited is what the headers say without a limit: clients need both numbers on every answer.
const unlimited = "1000000"

// The headers as net/http keeps them.
const (
	limitHeader     = "X-Ratelimit-Limit"
	remainingHeader = "X-Ratelimit-Remaining"
)

func (l *limiter) take(org model.ID, header http.Header) error {
	header[limitHeader] = l.limit
	if l.perSecond <= 0 {
		header[remainingHeader] = l.limit
		return nil
	}
	bucket, now := l.bucket(org), l.now()
	allowed := bucket.AllowN(now, 1)
	header.Set(remainingHeader, strconv.Itoa(int(max(0, bucket.TokensAt(now)))))
	if allowed {
		return nil
	}
	header.Set("Retry-After", strconv.Itoa(int(math.Ceil(1/l.perSecond))))
	return &world.Error{
		Status: http.StatusTooManyRequests, Code: model.CodeTooManyRequests, Subcode: model.ErrorRateLimit,
		Message: "Too many requests: the organization's limit is " + strconv.FormatFloat(l.perSecond, 'f', -1, 64) + " a second.",
	}
}

// announce shows the whole limit on an answer that came before any organization was known: clients look for the
// numbers on refusals too.
func (l *limiter) announce(header http.Header) {
	if len(header[limitHeader]) == 0 {
		header[limitHeader], header[remainingHeader] = l.limit, l.limit
	}
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
