package server

import "waybill/service/world"

// World is the world that the server serves.
func (s *Server) World() *world.World { return s.world }
