package sandbox

import "time"

// Now is the time up to which everything has happened.
func (s *Sandbox) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Now.Time()
}
