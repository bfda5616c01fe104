package apiclient

import (
	"net/http"
	"sync/atomic"
	"time"
)

// serviceClock is the offset of the clock of the service, measured with the Date header of responses.
type serviceClock struct{ offset atomic.Int64 }

// clockTolerance is the offset that is ignored: a Date has whole seconds, and a response takes some time.
const clockTolerance = 5 * time.Second

func (c *serviceClock) observe(header http.Header, sent, received time.Time) {
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return
	}
	// The Date was written between the two times and truncated to a second.
	here := sent.Add(received.Sub(sent) / 2)
	ahead := date.Add(time.Second / 2).Sub(here)
	if ahead.Abs() < clockTolerance {
		ahead = 0
	}
	c.offset.Store(int64(ahead))
}

// ClockOffset returns how far the clock of the service is ahead of this machine, 0 if they agree within seconds. Windows and
// delays are in the time of the service, so compare them with its time.
func (c *Client) ClockOffset() time.Duration { return time.Duration(c.clock.offset.Load()) }
