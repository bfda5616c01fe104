package run

import (
	"context"
	"sync"
)

// signal tells any number of waiting readers that something changed. Its owner's lock guards it. A reader that was slow
// has nothing queued up: it finds the latest state.
type signal struct {
	version int
	raised  chan struct{}
}

func newSignal() signal { return signal{version: 1, raised: make(chan struct{})} }

func (s *signal) raise() {
	s.version++
	close(s.raised)
	s.raised = make(chan struct{})
}

// waitForChange blocks until something is so or the context ends.
func waitForChange(ctx context.Context, mu *sync.Mutex, s *signal, so func() bool) {
	for {
		mu.Lock()
		met, raised := so(), s.raised
		mu.Unlock()
		if met {
			return
		}
		select {
		case <-raised:
		case <-ctx.Done():
			return
		}
	}
}
