package service

import "waybill/model"

func templateRoutes() []Route {
	const section = "Task templates"
	return []Route{
		{Method: "POST", Path: "/cfGroups/task", Section: section, handle: (*Service).createTemplate},
		{Method: "GET", Path: "/cfGroups/task", Section: section, Beyond: true, handle: (*Service).listTemplates},
	}
}

func (s *Service) createTemplate(c *call) (any, error) {
	var in model.TemplateInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateTemplate(c.ctx(), c.actor, in)
}

func (s *Service) listTemplates(c *call) (any, error) { return s.world.Templates(c.ctx(), c.org) }
