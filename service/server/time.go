package server

import "time"

// Now is the time in the server's world; a sandbox has its own.
func (s *Server) Now() time.Time { return s.clock.Now() }
