package world

import (
	"context"
	"time"
)

// ScaledClock runs faster or slower than the system's from a moment of its own: the sandbox's day.
type ScaledClock struct {
	shown   time.Time // what it showed at began
	began   time.Time // with the monotonic reading, so that a change of the system's time does not matter
	perReal float64
}

// NewScaledClock makes a clock that shows now and goes speed times as fast as the system's; a speed of 0 or less
// means 1.
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
