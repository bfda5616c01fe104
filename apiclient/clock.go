package apiclient

import (
	"net/http"
	"sync/atomic"
	"time"
)

// serviceClock is how far the service's clock is ahead of this machine's, as the dates of its answers tell.
type serviceClock struct{ offset atomic.Int64 }

// clockTolerance is a difference that says nothing: a Date has whole seconds, and an answer is some time under way.
const clockTolerance = 5 * time.Second

func (c *serviceClock) observe(header http.Header, sent, received time.Time) {
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return
	}
	// The Date was written at some moment in between, and cut off to a second.
	here := sent.Add(received.Sub(sent) / 2)
	ahead := date.Add(time.Second / 2).Sub(here)
	if ahead.Abs() < clockTolerance {
		ahead = 0
	}
	c.offset.Store(int64(ahead))
}

// ClockOffset is how far the service's clock is ahead of this machine's; 0 while they agree within seconds. Windows and delays
// are told in the service's time, so whoever compares them with now must use it too.
func (c *Client) ClockOffset() time.Duration { return time.Duration(c.clock.offset.Load()) }
