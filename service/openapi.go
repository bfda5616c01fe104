package service

import (
	"waybill/model"
	"waybill/service/openapi"
)

func documentationRoutes() []Route {
	return inSection("Documentation", []Route{
		{Method: "GET", Path: "/openapi.json", Extension: true, handle: (*Service).getOpenAPI},
	})
}

func (s *Service) getOpenAPI(*call) (any, error) { return model.Raw(openapi.Document()), nil }
