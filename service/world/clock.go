package world

import (
	"context"
	"time"

	"waybill/model"
)

// Clock tells the time: the system's, a scaled one in the sandbox, or a manual one in tests.
type Clock interface {
	Now() time.Time
	// Sleep waits until d has passed on this clock or ctx is done.
	Sleep(ctx context.Context, d time.Duration) error
}

// SystemClock is the clock of the operating system.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits until d has passed on this clock or ctx is done.
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

// IDs generates ids. A seeded implementation gives repeatable results.
type IDs interface {
	ID() model.ID
	ShortID() model.ShortID
}

// RandomIDs generates ids that cannot be guessed.
type RandomIDs struct{}

// ID implements IDs. Ids sort by the system's clock, not by the World's, which a sandbox may set back. Only the page
// layout of the database depends on the order.
func (RandomIDs) ID() model.ID { return model.NewIDAt(time.Now()) }

// ShortID implements IDs.
func (RandomIDs) ShortID() model.ShortID { return model.NewShortID() }

// ScaledClock shows a time of its own that passes faster or slower than the system's; the sandbox runs on one.
type ScaledClock struct {
	shown   time.Time // what it showed at began
	began   time.Time // with the monotonic reading, so that a change of the system's time does not matter
	perReal float64
}

// NewScaledClock returns a clock that shows now and runs speed times as fast as the system's. A speed of 0 or less means
// 1.
func NewScaledClock(now time.Time, speed float64) *ScaledClock {
	if speed <= 0 {
		speed = 1
	}
	return &ScaledClock{shown: now.Round(0), began: time.Now(), perReal: speed}
}

// Now implements Clock.
func (c *ScaledClock) Now() time.Time {
	return c.shown.Add(time.Duration(float64(time.Since(c.began)) * c.perReal))
}

// Sleep implements Clock.
func (c *ScaledClock) Sleep(ctx context.Context, d time.Duration) error {
	return SystemClock{}.Sleep(ctx, time.Duration(float64(d)/c.perReal))
}
