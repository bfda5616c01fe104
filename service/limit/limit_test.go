package limit_test

import (
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/service/limit"
)

type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newClock() *clock { return &clock{time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)} }

func drain(b *limit.Buckets, key string) (taken int) {
	for b.Allow(key) {
		taken++
	}
	return taken
}

func TestEachKeyHasABucketThatRefills(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := limit.New(20*time.Second, 5, c.Now)
	require.Equal(t, 5, drain(b, "a"))
	require.Equal(t, 5, drain(b, "b"))
	c.now = c.now.Add(41 * time.Second)
	require.Equal(t, 2, drain(b, "a"))
	c.now = c.now.Add(time.Hour)
	require.Equal(t, 5, drain(b, "a"))
}

// A client with more addresses than there are buckets must not get a fresh bucket with each.
func TestTooManyKeysShareABucket(t *testing.T) {
	t.Parallel()
	const maxBuckets = 10_000
	c := newClock()
	b := limit.New(time.Second, 3, c.Now)
	for i := range maxBuckets {
		require.True(t, b.Allow(strconv.Itoa(i)))
	}
	taken := 0
	for i := range 1000 {
		if b.Allow("late " + strconv.Itoa(i)) {
			taken++
		}
	}
	require.Equal(t, 3, taken)
	require.Equal(t, 2, drain(b, "0"), "a known key keeps its tokens")

	c.now = c.now.Add(time.Second) // the bucket of everyone but the first is full again
	require.Equal(t, 3, drain(b, "newcomer"))
	require.Equal(t, 3, drain(b, "another"))
	require.Equal(t, 1, drain(b, "0"), "a bucket is not dropped before it is full")
}

func TestClientKeyOfAddresses(t *testing.T) {
	t.Parallel()
	for from, key := range map[string]string{
		"192.0.2.7:1234":                "192.0.2.7",
		"[::ffff:192.0.2.7]:1234":       "192.0.2.7",
		"[2001:db8:1:2:3:4:5:6]:1234":   "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1]:80":     "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:80":          "2001:db8:1:3::/64",
		"[fe80::1%eth0]:80":             "fe80::/64",
		"@":                             "@",
		"a name without an address:123": "a name without an address",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = from
		require.Equal(t, key, limit.ClientKey(r), from)
	}
}
