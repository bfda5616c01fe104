package service

import (
	"waybill/model"
	"waybill/service/world"
)

func taskRoutes() []Route {
	workerTasks := searchIn((*query).taskFilter, (*world.World).WorkerTasks)
	teamTasks := searchIn((*query).taskFilter, (*world.World).TeamTasks)
	return inSection("Tasks", []Route{
		{Method: "POST", Path: "/tasks", handle: create((*world.World).CreateTask)},
		{Method: "GET", Path: "/tasks/{id}", Resource: TaskResource, handle: (*Service).getTask},
		{Method: "PUT", Path: "/tasks/{id}", Extension: true, Resource: TaskResource, handle: update((*world.World).UpdateTask)},
		{Method: "DELETE", Path: "/tasks/{id}", Extension: true, Resource: TaskResource, handle: remove((*world.World).DeleteTask)},
		{Method: "POST", Path: "/tasks/{id}/clone", Resource: TaskResource, handle: (*Service).cloneTask},
		{Method: "POST", Path: "/tasks/{id}/complete", Extension: true, Resource: TaskResource, handle: (*Service).completeTask},
		{Method: "GET", Path: "/tasks/all", Extension: true, handle: search((*query).taskFilter, (*world.World).Tasks)},
		{Method: "GET", Path: "/tasks/shortId/{shortId}", Extension: true, handle: (*Service).getTaskByShortID},
		{Method: "POST", Path: "/tasks/metadata", Extension: true, handle: findByMetadata((*world.World).TasksByMetadata)},
		{Method: "POST", Path: "/tasks/autoAssign", Extension: true, handle: create((*world.World).AutoAssign)},
		{Method: "GET", Path: "/workers/{id}/tasks", Extension: true, Resource: WorkerResource, handle: workerTasks},
		{Method: "GET", Path: "/teams/{id}/tasks", Extension: true, Resource: TeamResource, handle: teamTasks},
	})
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

// cloneTask accepts the options where published clients put them: under options, at the top level, or nowhere.
func (s *Service) cloneTask(c *call) (any, error) {
	var in model.CloneRequest
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	return s.world.CloneTask(c.ctx(), c.actor, id, in.Effective())
}

func (s *Service) completeTask(c *call) (any, error) {
	var in model.CompleteRequest
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.ForceCompleteTask(c.ctx(), c.actor, id, in)
}
