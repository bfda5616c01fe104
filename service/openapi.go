package service

import (
	"waybill/model"
	"waybill/service/openapi"
)

func documentationRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/openapi.json", Section: "Documentation", Beyond: true, handle: (*Service).getDocument},
	}
}

func (s *Service) getDocument(*call) (any, error) { return model.Raw(openapi.Document()), nil }
