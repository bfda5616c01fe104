// Package clocktest has a clock for tests that moves only when it is told to.
package clocktest

import (
	"context"
	"sync"
	"time"
)

// Clock stands still until Advance moves it.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	waiting map[chan struct{}]time.Time
}

// New returns a clock that shows now.
func New(now time.Time) *Clock {
	return &Clock{now: now, waiting: map[chan struct{}]time.Time{}}
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock and wakes every Sleep that is over.
func (c *Clock) Advance(d time.Duration) {
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

// Sleep waits until Advance has moved the clock by d or ctx is done.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
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
