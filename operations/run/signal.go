package run

import (
	"context"
	"sync"
)

// signal wakes waiting readers after a change. Its owner's lock guards it. Slow readers miss versions and see the latest.
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

// waitForChange blocks until the condition holds or the context ends.
func waitForChange(ctx context.Context, mu *sync.Mutex, s *signal, holds func() bool) {
	for {
		mu.Lock()
		met, raised := holds(), s.raised
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
