package service

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"waybill/model"
	"waybill/service/world"
)

// loginLimiter slows down whoever tries passwords: few attempts for one phone number, some more from one address,
// behind which there may be a whole depot.
type loginLimiter struct {
	now       func() time.Time
	mu        sync.Mutex
	phones    map[string]*rate.Limiter
	addresses map[string]*rate.Limiter
}

const (
	phoneBurst, addressBurst = 5, 30
	phonePause, addressPause = 20 * time.Second, time.Second
	// maxRemembered bounds the memory that strangers can fill.
	maxRemembered = 10_000
)

func newLoginLimiter(now func() time.Time) *loginLimiter {
	return &loginLimiter{now: now, phones: map[string]*rate.Limiter{}, addresses: map[string]*rate.Limiter{}}
}

func (l *loginLimiter) take(address, phone string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if bucketOf(l.addresses, address, now, addressPause, addressBurst).AllowN(now, 1) &&
		bucketOf(l.phones, digits(phone), now, phonePause, phoneBurst).AllowN(now, 1) {
		return nil
	}
	return &world.Error{
		Status: http.StatusTooManyRequests, Code: model.CodeTooManyRequests, Subcode: model.ErrorRateLimit,
		Message: "Too many logins. Wait a minute and try again.",
	}
}

// digits makes one number of its spellings.
func digits(phone string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
}

func bucketOf(buckets map[string]*rate.Limiter, name string, now time.Time, pause time.Duration, burst int) *rate.Limiter {
	if b := buckets[name]; b != nil {
		return b
	}
	if len(buckets) >= maxRemembered {
		for known, b := range buckets {
			if b.TokensAt(now) >= float64(burst) {
				delete(buckets, known) // full again: forgetting it forgives nothing
			}
		}
	}
	b := rate.NewLimiter(rate.Every(pause), burst)
	if len(buckets) < maxRemembered {
		buckets[name] = b
	}
	return b
}
