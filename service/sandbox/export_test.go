package sandbox

import "time"

// Now returns the time up to which everything is simulated.
func (s *Sandbox) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Now.Time()
}
