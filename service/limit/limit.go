// Package limit slows down strangers: a token bucket for each of them, in memory that they cannot fill.
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

// remembered bounds the memory that strangers can fill.
const remembered = 10_000

// Buckets holds a token bucket a name. A bucket that nobody has touched for the longest time is forgotten first, and only
// once it is full again, which forgives nothing. While there is no such bucket, all new names share one: more strangers
// than can be remembered are slowed down together, rather than not at all.
type Buckets struct {
	pause time.Duration
	burst int
	now   func() time.Time

	mu       sync.Mutex
	byName   map[string]*list.Element
	touched  *list.List // of *bucket, the latest first
	overflow *rate.Limiter
}

type bucket struct {
	name string
	*rate.Limiter
}

// New makes buckets that hold burst tokens and get one back after each pause, in the time that now tells.
func New(pause time.Duration, burst int, now func() time.Time) *Buckets {
	return &Buckets{
		pause: pause, burst: burst, now: now, byName: map[string]*list.Element{}, touched: list.New(),
		overflow: rate.NewLimiter(rate.Every(pause), burst),
	}
}

// Take takes a token from the bucket of a name, and reports whether there was one.
func (b *Buckets) Take(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	return b.bucket(name, now).AllowN(now, 1)
}

func (b *Buckets) bucket(name string, now time.Time) *rate.Limiter {
	if known := b.byName[name]; known != nil {
		b.touched.MoveToFront(known)
		return known.Value.(*bucket).Limiter
	}
	if len(b.byName) >= remembered {
		oldest := b.touched.Back().Value.(*bucket)
		if oldest.TokensAt(now) < float64(b.burst) {
			return b.overflow
		}
		b.touched.Remove(b.touched.Back())
		delete(b.byName, oldest.name)
	}
	made := &bucket{name, rate.NewLimiter(rate.Every(b.pause), b.burst)}
	b.byName[name] = b.touched.PushFront(made)
	return made.Limiter
}

// Address names the sender of a request. All of an IPv6 network has one name, because one sender has all of it.
func Address(r *http.Request) string {
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

// networkBits is how much of an IPv6 address a provider gives to one customer at least.
const networkBits = 64
