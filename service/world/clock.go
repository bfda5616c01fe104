package world

import (
	"context"
	"sync"
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

// ManualClock stands still until Advance moves it.
type ManualClock struct {
	mu      sync.Mutex
	now     time.Time
	waiting map[chan struct{}]time.Time
}

// NewManualClock returns a clock that shows now.
func NewManualClock(now time.Time) *ManualClock {
	return &ManualClock{now: now, waiting: map[chan struct{}]time.Time{}}
}

// Now implements Clock.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock and wakes every Sleep that is over.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for ch, until := range c.waiting {
		if !until.After(c.now) {
			close(ch)
			delete(c.waiting, ch)
		}
	}
}

// Sleep implements Clock.
func (c *ManualClock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	c.mu.Lock()
	ch := make(chan struct{})
	c.waiting[ch] = c.now.Add(d)
	c.mu.Unlock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, ch)
		return ctx.Err()
	}
}

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
