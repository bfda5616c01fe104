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

// newRand returns a generator that depends only on seed, kind and number.
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

// randomDuration returns a duration between low and high.
func randomDuration(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Float64()*float64(high-low))
}

// chance returns true with a probability in percent.
func chance(rng *rand.Rand, percent float64) bool { return rng.Float64()*100 < percent }

// randomCount returns a Poisson-distributed number with an average.
func randomCount(rng *rand.Rand, average float64) int {
	limit, product, n := math.Exp(-average), rng.Float64(), 0
	for product > limit {
		product *= rng.Float64()
		n++
	}
	return n
}

func randomItem[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// tickClock is the clock of the world; it shows the time of the current tick.
type tickClock struct{ now model.Millis }

// Now implements world.Clock.
func (c *tickClock) Now() time.Time { return c.now.Time() }

// Sleep implements world.Clock. Nothing in a tick waits.
func (c *tickClock) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// tickIDs generates ids from the seed and the tick. They start with the time and a count in sortable digits, so that new
// rows go to the end of the database's indexes, which halves the time to fill a sandbox of 50,000 tasks.
type tickIDs struct {
	rng   *rand.Rand
	now   model.Millis
	count uint64
}

func (i *tickIDs) startTick(seed uint64, now model.Millis) {
	rng := newRand(seed, "ids", int64(now))
	i.start(rng, now, firstCount(rng))
}

// start generates ids from a count on.
func (i *tickIDs) start(rng *rand.Rand, now model.Millis, made uint64) {
	i.rng, i.now, i.count = rng, now, made
}

// firstCount returns a random start of the count, so that ids look like any others.
func firstCount(rng *rand.Rand) uint64 { return rng.Uint64N(1 << (6*countDigits - 1)) }

// countDigits is how many digits of an id in base 64 are for the count.
const countDigits = 5

// ID implements world.IDs.
func (i *tickIDs) ID() model.ID {
	id := make([]byte, 0, model.IDLength)
	id = model.AppendIDTime(id, i.now)
	id = model.AppendIDDigits(id, i.count, countDigits)
	i.count++
	for len(id) < model.IDLength {
		id = model.AppendIDDigits(id, i.rng.Uint64(), min(6, model.IDLength-len(id)))
	}
	return model.ID(id)
}

// ShortID implements world.IDs.
func (i *tickIDs) ShortID() model.ShortID {
	var bytes [model.ShortIDLength / 2]byte
	binary.LittleEndian.PutUint32(bytes[:], i.rng.Uint32())
	return model.ShortID(hex.EncodeToString(bytes[:]))
}
