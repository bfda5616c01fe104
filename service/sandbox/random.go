package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"

	"waybill/model"
)

// newRand makes the random numbers of one thing: the same seed, kind and number give the same ones, whatever else has
// been drawn before.
func newRand(seed uint64, kind string, number int64) *rand.Rand {
	h := fnv.New64a()
	var bytes [16]byte
	binary.LittleEndian.PutUint64(bytes[:8], seed)
	binary.LittleEndian.PutUint64(bytes[8:], uint64(number))
	h.Write(bytes[:])     //nolint:errcheck // a hash never fails
	h.Write([]byte(kind)) //nolint:errcheck // a hash never fails
	return rand.New(rand.NewPCG(h.Sum64(), seed^uint64(number)))
}

func (s *Sandbox) newRand(kind string, number int64) *rand.Rand {
	return newRand(s.options.Seed, kind, number)
}

// randomDuration draws a time between two.
func randomDuration(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Float64()*float64(high-low))
}

// chance is true that often of a hundred.
func chance(rng *rand.Rand, percent float64) bool { return rng.Float64()*100 < percent }

// randomCount draws how often something happens that happens that often on average.
func randomCount(rng *rand.Rand, average float64) int {
	limit, product, n := math.Exp(-average), rng.Float64(), 0
	for product > limit {
		product *= rng.Float64()
		n++
	}
	return n
}

func randomItem[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// tickClock shows the time of the tick that is happening.
type tickClock struct{ now model.Millis }

// Now implements world.Clock.
func (c *tickClock) Now() time.Time { return c.now.Time() }

// Sleep implements world.Clock. Nothing in a tick waits.
func (c *tickClock) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// tickIDs makes ids from the seed and the tick. They begin with the time and a count, in digits that sort, so that the
// database adds new rows at the end of its indexes: a city of fifty thousand tasks is filled in half the time.
type tickIDs struct {
	rng  *rand.Rand
	now  model.Millis
	count uint64
}

func (i *tickIDs) startTick(seed uint64, now model.Millis) {
	rng := newRand(seed, "ids", int64(now))
	i.start(rng, now, firstCount(rng))
}

// start makes ids from a count on.
func (i *tickIDs) start(rng *rand.Rand, now model.Millis, made uint64) {
	i.rng, i.now, i.count = rng, now, made
}

// firstCount is where to count from: anywhere, so that ids look like any others.
func firstCount(rng *rand.Rand) uint64 { return rng.Uint64N(1 << (6*countDigits - 1)) }

// Digits of an id, to the base of 64: seven for the time in milliseconds, five for the count.
const (
	idDigits    = "*0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz~"
	timeDigits  = 7
	countDigits = 5
)

// ID implements world.IDs.
func (i *tickIDs) ID() model.ID {
	id := make([]byte, 0, model.IDLength)
	id = appendDigits(id, uint64(i.now), timeDigits)
	id = appendDigits(id, i.count, countDigits)
	i.count++
	for len(id) < model.IDLength {
		id = appendDigits(id, i.rng.Uint64(), min(6, model.IDLength-len(id)))
	}
	return model.ID(id)
}

func appendDigits(id []byte, n uint64, digits int) []byte {
	for shift := 6 * (digits - 1); shift >= 0; shift -= 6 {
		id = append(id, idDigits[n>>shift&63])
	}
	return id
}

// ShortID implements world.IDs.
func (i *tickIDs) ShortID() model.ShortID {
	var bytes [model.ShortIDLength / 2]byte
	binary.LittleEndian.PutUint32(bytes[:], i.rng.Uint32())
	return model.ShortID(hex.EncodeToString(bytes[:]))
}
