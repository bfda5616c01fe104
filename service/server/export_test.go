package server

import "waybill/service/world"

// World returns the server's world.
func (s *Server) World() *world.World { return s.world }
