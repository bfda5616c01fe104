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

// limiter limits the requests of each organization with a token bucket. It is not a time window, because clients that
// pace themselves by the remaining count stall forever when a window shows them 0 at the wrong moment.
type limiter struct {
	perSecond float64
	now       func() time.Time
	limit     []string // the value of limitHeader
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

// unlimited is the value of both headers when there is no limit. Clients need both numbers on every answer.
const unlimited = "1000000"

// The rate limit headers in the canonical form of net/http.
const (
	limitHeader     = "X-Ratelimit-Limit"
	remainingHeader = "X-Ratelimit-Remaining"
)

// allow counts a request, sets the headers and refuses the request when it is over the limit.
func (l *limiter) allow(org model.ID, header http.Header) error {
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
	return world.NewError(http.StatusTooManyRequests, model.CodeTooManyRequests, model.ErrorRateLimit,
		"Too many requests. The limit of this organization is "+strconv.FormatFloat(l.perSecond, 'f', -1, 64)+" per second.")
}

// setDefaultHeaders sets the headers on an answer to a request whose organization is not known, such as one with an
// invalid key. Clients read the numbers from refusals too.
func (l *limiter) setDefaultHeaders(header http.Header) {
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
