// Package limit limits the requests of unauthenticated clients: one token bucket per client, in bounded memory.
package limit

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets bounds the memory, because anyone can create buckets.
const maxBuckets = 10_000

// Buckets holds one token bucket per key. When there are too many, the least recently used one is dropped, but only if it
// is full, so that nobody gains tokens. If it is not full, all new keys share one overflow bucket.
type Buckets struct {
	pause time.Duration
	burst int
	now   func() time.Time

	mu       sync.Mutex
	byKey    map[string]*list.Element
	recent   *list.List // of *bucket, most recently used first
	overflow *rate.Limiter
}

type bucket struct {
	key string
	*rate.Limiter
}

// New makes buckets of burst tokens, each of which gets one token back per pause on the clock now.
func New(pause time.Duration, burst int, now func() time.Time) *Buckets {
	return &Buckets{
		pause: pause, burst: burst, now: now, byKey: map[string]*list.Element{}, recent: list.New(),
		overflow: rate.NewLimiter(rate.Every(pause), burst),
	}
}

// Allow takes a token from the bucket of a key and reports whether there was one.
func (b *Buckets) Allow(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	return b.bucket(key, now).AllowN(now, 1)
}

func (b *Buckets) bucket(key string, now time.Time) *rate.Limiter {
	if known := b.byKey[key]; known != nil {
		b.recent.MoveToFront(known)
		return known.Value.(*bucket).Limiter
	}
	if len(b.byKey) >= maxBuckets {
		oldest := b.recent.Back().Value.(*bucket)
		if oldest.TokensAt(now) < float64(b.burst) {
			return b.overflow
		}
		b.recent.Remove(b.recent.Back())
		delete(b.byKey, oldest.key)
	}
	created := &bucket{key, rate.NewLimiter(rate.Every(b.pause), b.burst)}
	b.byKey[key] = b.recent.PushFront(created)
	return created.Limiter
}

// ClientKey returns the bucket key of a request's client: its IPv4 address or its IPv6 network, all of which usually
// belongs to one client.
func ClientKey(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	network, err := address.WithZone("").Prefix(networkBits)
	if err != nil {
		return host
	}
	return network.String()
}

// networkBits is the longest IPv6 prefix that providers give to one customer.
const networkBits = 64
