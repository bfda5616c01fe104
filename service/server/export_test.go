package server

import (
	"net/http"

	"waybill/service/world"
)

// World returns the server's world.
func (s *Server) World() *world.World { return s.world }

// MonitoringHandler returns the handler of health checks and metrics.
func (s *Server) MonitoringHandler() http.Handler { return s.newMonitoringHandler(newMetrics()) }
