package apitest_test

import (
	"net/http"
	"slices"

	"waybill/model"
)

func (m *memory) routeRoutePlans() {
	m.route("GET /routePlans", func(*http.Request, model.ID) (any, error) {
		all := []model.RoutePlan{}
		for _, plan := range m.plans {
			all = append(all, plan)
		}
		return all, nil
	})
	m.route("POST /routePlans", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.RoutePlanInput](r)
		if !in.StartTime.Has() {
			return nil, missing()
		}
		plan := model.RoutePlan{ID: m.own(org), Name: in.Name.Value(), State: "PENDING", StartTime: in.StartTime, Tasks: []model.ID{}}
		return m.planTasks(plan, in.Tasks.Value()), err
	})
	m.route("GET /routePlans/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.plans, r, org) })
	m.route("PUT /routePlans/{id}", func(r *http.Request, org model.ID) (any, error) {
		plan, err := lookup(m, m.plans, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.RoutePlanInput](r)
		plan.Name = in.Name.Or(plan.Name)
		return m.planTasks(plan, in.Tasks.Or(plan.Tasks)), err
	})
	m.route("PUT /routePlans/{id}/tasks", func(r *http.Request, org model.ID) (any, error) {
		plan, err := lookup(m, m.plans, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.RoutePlanInput](r)
		return m.planTasks(plan, append(slices.Clone(plan.Tasks), in.Tasks.Value()...)), err
	})
	m.route("DELETE /routePlans/{id}", func(r *http.Request, org model.ID) (any, error) {
		plan, err := lookup(m, m.plans, r, org)
		m.planTasks(plan, nil)
		delete(m.plans, plan.ID)
		return nil, err
	})
}

// planTasks sets the tasks of a plan.
func (m *memory) planTasks(plan model.RoutePlan, tasks []model.ID) model.RoutePlan {
	put := func(ids []model.ID, on model.Opt[model.ID]) {
		for _, id := range ids {
			task := m.tasks[id]
			task.RoutePlan = on
			m.tasks[id] = task
		}
	}
	put(plan.Tasks, model.Opt[model.ID]{})
	put(tasks, model.Some(plan.ID))
	plan.Tasks = tasks
	plan.TaskStates = model.Some(make([]model.TaskState, len(tasks)))
	m.plans[plan.ID] = plan
	return plan
}
