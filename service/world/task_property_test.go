package world_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
	"waybill/service/world"
)

// modelTask is what the plain model of the world below knows of a task.
type modelTask struct {
	state  model.TaskState
	worker model.ID
	needs  model.ID
}

// plainWorld is the world as a few lines of Go have it: tasks, ordered lists, and one active task a worker.
type plainWorld struct {
	tasks  map[model.ID]*modelTask
	lists  map[model.ID][]model.ID // by owner
	active map[model.ID]model.ID
	order  []model.ID
}

func (p *plainWorld) leave(id model.ID) {
	for owner, list := range p.lists {
		p.lists[owner] = slices.DeleteFunc(list, func(other model.ID) bool { return other == id })
	}
}

func (p *plainWorld) canStart(worker, id model.ID) bool {
	task := p.tasks[id]
	need := p.tasks[task.needs]
	return task.state == model.TaskAssigned && task.worker == worker && p.active[worker] == "" &&
		(need == nil || need.state == model.TaskCompleted)
}

// Random calls give what the plain model says, whatever their order.
func TestRandomCallsAgainstAPlainModel(t *testing.T) {
	f := newFixture(t)
	org := f.actor.Org
	p := &plainWorld{tasks: map[model.ID]*modelTask{}, lists: map[model.ID][]model.ID{}, active: map[model.ID]model.ID{}}
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		pick := func() model.ID {
			if len(p.order) == 0 {
				rt.Skip("no task yet")
			}
			return rapid.SampledFrom(p.order).Draw(rt, "task")
		}
		worker := func() model.ID { return rapid.SampledFrom(f.workers[:]).Draw(rt, "worker") }
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				in, needs := input(t, ""), model.ID("")
				if len(p.order) > 0 && rapid.Bool().Draw(rt, "waits") {
					needs = pick()
					in.Dependencies = model.Some([]model.ID{needs})
				}
				raw, err := f.CreateTask(ctx, f.actor, in)
				require.NoError(rt, err)
				var task model.Task
				require.NoError(rt, model.Unmarshal(raw, &task))
				p.tasks[task.ID] = &modelTask{needs: needs}
				p.lists[org] = append(p.lists[org], task.ID)
				p.order = append(p.order, task.ID)
			},
			"move": func(rt *rapid.T) {
				id, to := pick(), model.OrganizationContainer(org)
				if rapid.Bool().Draw(rt, "to a worker") {
					to = model.WorkerContainer(worker())
				}
				_, err := f.UpdateTask(ctx, f.actor, id, model.TaskInput{Container: model.Some(to)})
				task := p.tasks[id]
				if task.state >= model.TaskActive {
					require.Error(rt, err)
					return
				}
				require.NoError(rt, err)
				if slices.Contains(p.lists[to.Owner()], id) {
					return
				}
				p.leave(id)
				p.lists[to.Owner()] = append(p.lists[to.Owner()], id)
				task.state, task.worker = model.TaskUnassigned, ""
				if to.Type == model.ContainerWorker {
					task.state, task.worker = model.TaskAssigned, to.Owner()
				}
			},
			"start": func(rt *rapid.T) {
				id, who := pick(), worker()
				err := f.StartTask(ctx, who, id)
				if !p.canStart(who, id) {
					require.Error(rt, err)
					return
				}
				require.NoError(rt, err)
				p.leave(id)
				p.tasks[id].state = model.TaskActive
				p.active[who] = id
			},
			"finish": func(rt *rapid.T) {
				id, who := pick(), worker()
				finish := f.CompleteTask
				if rapid.Bool().Draw(rt, "fails") {
					finish = f.FailTask
				}
				err := finish(ctx, who, id, world.Completion{})
				if p.active[who] != id {
					require.Error(rt, err)
					return
				}
				require.NoError(rt, err)
				p.tasks[id].state = model.TaskCompleted
				p.active[who] = ""
			},
			"delete": func(rt *rapid.T) {
				id := pick()
				err := f.DeleteTask(ctx, f.actor, id)
				if p.tasks[id].state >= model.TaskActive {
					require.Error(rt, err)
					return
				}
				require.NoError(rt, err)
				p.leave(id)
				delete(p.tasks, id)
				p.order = slices.DeleteFunc(p.order, func(other model.ID) bool { return other == id })
			},
			"": func(rt *rapid.T) { requireSame(ctx, rt, f, p) },
		})
	})
}

// requireSame compares one worker, one list and one task; over many calls that finds what a full comparison would.
func requireSame(ctx context.Context, rt *rapid.T, f fixture, p *plainWorld) {
	ref := rapid.SampledFrom([]model.ContainerRef{
		model.OrganizationContainer(f.actor.Org), model.WorkerContainer(f.workers[0]), model.WorkerContainer(f.workers[1]),
	}).Draw(rt, "container")
	container, err := f.Container(ctx, f.actor.Org, ref)
	require.NoError(rt, err)
	require.Equal(rt, append([]model.ID{}, p.lists[ref.Owner()]...), container.Tasks)
	require.Equal(rt, p.active[ref.Owner()], container.ActiveTask.Value())
	if len(p.order) == 0 {
		return
	}
	id := rapid.SampledFrom(p.order).Draw(rt, "compared")
	raw, err := f.Task(ctx, f.actor.Org, id)
	require.NoError(rt, err)
	var task model.Task
	require.NoError(rt, model.Unmarshal(raw, &task))
	require.Equal(rt, p.tasks[id].state, task.State)
	require.Equal(rt, p.tasks[id].worker, task.Worker.Value())
}
