package service

import (
	"waybill/model"
	"waybill/service/world"
)

func taskRoutes() []Route {
	const section = "Tasks"
	return []Route{
		{Method: "POST", Path: "/tasks", Section: section, handle: (*Service).createTask},
		{Method: "GET", Path: "/tasks/{id}", Section: section, Resource: TaskResource, handle: (*Service).getTask},
		{Method: "PUT", Path: "/tasks/{id}", Section: section, Beyond: true, Resource: TaskResource, handle: (*Service).updateTask},
		{Method: "DELETE", Path: "/tasks/{id}", Section: section, Beyond: true, Resource: TaskResource, handle: (*Service).deleteTask},
		{Method: "POST", Path: "/tasks/{id}/clone", Section: section, Resource: TaskResource, handle: (*Service).cloneTask},
		{
			Method: "POST", Path: "/tasks/{id}/complete", Section: section, Beyond: true, Resource: TaskResource,
			handle: (*Service).completeTask,
		},
		{Method: "GET", Path: "/tasks/all", Section: section, Beyond: true, handle: (*Service).listTasks},
		{Method: "GET", Path: "/tasks/shortId/{shortId}", Section: section, Beyond: true, handle: (*Service).getTaskByShortID},
		{Method: "POST", Path: "/tasks/metadata", Section: section, Beyond: true, handle: (*Service).findTasks},
		{Method: "POST", Path: "/tasks/autoAssign", Section: section, Beyond: true, handle: (*Service).autoAssign},
		{
			Method: "GET", Path: "/workers/{id}/tasks", Section: section, Beyond: true, Resource: WorkerResource,
			handle: (*Service).listWorkerTasks,
		},
		{
			Method: "GET", Path: "/teams/{id}/tasks", Section: section, Beyond: true, Resource: TeamResource,
			handle: (*Service).listTeamTasks,
		},
	}
}

func (s *Service) createTask(c *call) (any, error) {
	var in model.TaskInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateTask(c.ctx(), c.actor, in)
}

func (s *Service) getTask(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	if c.URL.RawQuery != "" && c.URL.Query().Get("assignmentHistory") == "true" {
		return s.world.TaskWithHistory(c.ctx(), c.org, id)
	}
	return s.world.Task(c.ctx(), c.org, id)
}

func (s *Service) getTaskByShortID(c *call) (any, error) {
	short := model.ShortID(c.PathValue("shortId"))
	if !short.Valid() {
		return nil, world.NotFound()
	}
	return s.world.TaskByShortID(c.ctx(), c.org, short)
}

func (s *Service) updateTask(c *call) (any, error) {
	var in model.TaskInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateTask(c.ctx(), c.actor, id, in)
}

func (s *Service) deleteTask(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteTask(c.ctx(), c.actor, id)
}

func (s *Service) listTasks(c *call) (any, error) {
	filter, err := taskFilter(c.URL.Query())
	if err != nil {
		return nil, err
	}
	return s.world.Tasks(c.ctx(), c.org, filter)
}

func (s *Service) listWorkerTasks(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	filter, err := taskFilter(c.URL.Query())
	if err != nil {
		return nil, err
	}
	return s.world.WorkerTasks(c.ctx(), c.org, id, filter)
}

func (s *Service) listTeamTasks(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	filter, err := taskFilter(c.URL.Query())
	if err != nil {
		return nil, err
	}
	return s.world.TeamTasks(c.ctx(), c.org, id, filter)
}

func (s *Service) findTasks(c *call) (any, error) {
	var query []model.Metadata
	if err := c.decode(&query); err != nil {
		return nil, err
	}
	return s.world.TasksByMetadata(c.ctx(), c.org, query)
}

func (s *Service) autoAssign(c *call) (any, error) {
	var in model.AutoAssignRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.AutoAssign(c.ctx(), c.actor, in)
}

// cloneTask takes the options where clients were seen to put them: under options, at the top level, or not at all.
func (s *Service) cloneTask(c *call) (any, error) {
	var in model.CloneRequest
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.CloneTask(c.ctx(), c.actor, id, in.Effective())
}

func (s *Service) completeTask(c *call) (any, error) {
	var in model.CompleteRequest
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.ForceCompleteTask(c.ctx(), c.actor, id, in)
}
