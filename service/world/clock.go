package world

import (
	"context"
	"time"

	"waybill/model"
)

// Clock is where time comes from: the system's, a faster one in the sandbox, a settable one in tests.
type Clock interface {
	Now() time.Time
	// Sleep waits until d has passed on this clock, or ctx is done.
	Sleep(ctx context.Context, d time.Duration) error
}

// SystemClock is the real time.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep implements Clock.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// IDs makes new ids; a seeded source makes a repeatable world.
type IDs interface {
	ID() model.ID
	ShortID() model.ShortID
}

// RandomIDs makes ids that cannot be guessed.
type RandomIDs struct{}

// ID implements IDs.
func (RandomIDs) ID() model.ID { return model.NewID() }

// ShortID implements IDs.
func (RandomIDs) ShortID() model.ShortID { return model.NewShortID() }
