package service_test

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/internal/servicetest"
	"waybill/model"
)

// expected is a simple model of an organization, from which the expected answers are computed.
type expected struct {
	*servicetest.Server
	org model.ID
	key string
	// strange holds one thing of each kind that belongs to someone else.
	strange map[string]model.ID
	// gone are ids that named something once.
	gone []model.ID

	destinations, recipients, teams, workers, tasks []model.ID // in order of creation
	notesOf                                         map[model.ID]string
	recipient                                       map[model.ID]*realmRecipient
	team                                            map[model.ID]*realmTeam
	worker                                          map[model.ID]*realmWorker
	task                                            map[model.ID]*expectedTask
	// lists are the containers in order, by their owner.
	lists map[model.ID][]model.ID
}

type realmRecipient struct {
	name, phone, notes string
	skip               bool
}

type realmTeam struct{ name string }

type realmWorker struct {
	name, phone, display string
	teams                []model.ID
	duty                 bool
	active               model.ID
}

type expectedTask struct {
	destination, recipient, source model.ID
	notes                          string
	quantity                       float64
	container                      model.ContainerRef
	state                          model.TaskState
	success                        bool
	needs                          []model.ID
}

func newExpected(s *servicetest.Server, strange map[string]model.ID) *expected {
	r := &expected{
		Server: s, strange: strange, notesOf: map[model.ID]string{}, recipient: map[model.ID]*realmRecipient{}, team: map[model.ID]*realmTeam{},
		worker: map[model.ID]*realmWorker{}, task: map[model.ID]*expectedTask{}, lists: map[model.ID][]model.ID{},
	}
	r.org, r.key = s.AddOrganization("Realm", "")
	return r
}

// outcome is the expected result of a call; the zero value is success.
type outcome struct {
	status  int
	subcode model.Int
}

//nolint:gochecknoglobals // names for what the interface refuses
var (
	fine       = outcome{}
	unknown    = outcome{404, model.ErrorNotFound}
	forbidden  = outcome{401, model.ErrorScope}
	invalid    = outcome{400, model.ErrorInvalid}
	missing    = outcome{400, model.ErrorMissing}
	duplicate  = outcome{400, model.ErrorDuplicate}
	nameTaken  = outcome{400, model.ErrorNotUnique}
	notAllowed = outcome{409, model.ErrorInvalid}
)

// call sends a request, requires its outcome, decodes a successful answer into v and reports success.
func (r *expected) call(rt *rapid.T, want outcome, method, path string, body, v any) bool {
	answer := r.DoAs(r.key, method, path, body)
	if want == fine {
		require.Equal(rt, 200, answer.Status, "%s %s %v: %s", method, path, body, answer.Body)
		if v != nil {
			require.NoError(rt, model.Unmarshal(answer.Body, v))
		}
		return true
	}
	var refused model.ErrorBody
	require.NoError(rt, model.Unmarshal(answer.Body, &refused), "%s %s %v should be refused: %s", method, path, body, answer.Body)
	require.Equal(rt, want, outcome{answer.Status, refused.Message.Error}, "%s %s %v: %s", method, path, body, answer.Body)
	return false
}

// pick draws an existing, unknown or foreign id, and its outcome.
func (r *expected) pick(rt *rapid.T, kind string, ids []model.ID) (model.ID, outcome) {
	odd := rapid.IntRange(0, 19).Draw(rt, "odd "+kind)
	switch {
	case odd == 0:
		return r.strange[kind], forbidden
	case odd == 1 && len(r.gone) > 0:
		return rapid.SampledFrom(r.gone).Draw(rt, "gone "+kind), unknown
	case odd == 2 || len(ids) == 0:
		return model.NewID(), unknown
	}
	return rapid.SampledFrom(ids).Draw(rt, kind), fine
}

// drawID draws an existing id; ok is false if there is none.
func drawID(rt *rapid.T, what string, ids []model.ID) (id model.ID, ok bool) {
	if len(ids) == 0 {
		return "", false
	}
	return rapid.SampledFrom(ids).Draw(rt, what), true
}

func without(ids []model.ID, id model.ID) []model.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(other model.ID) bool { return other == id })
}

// move puts a task into a container at an index; -1 is the end.
func (r *expected) move(id model.ID, to model.ContainerRef, index int) {
	task := r.task[id]
	r.lists[task.container.Owner()] = without(r.lists[task.container.Owner()], id)
	list := r.lists[to.Owner()]
	if index < 0 || index > len(list) {
		index = len(list)
	}
	r.lists[to.Owner()] = slices.Insert(slices.Clone(list), index, id)
	task.container, task.state = to, model.TaskUnassigned
	if to.Type == model.ContainerWorker {
		task.state = model.TaskAssigned
	}
}

// release moves all tasks of a container to the organization.
func (r *expected) release(owner model.ID) {
	for _, id := range r.lists[owner] {
		r.move(id, model.OrganizationContainer(r.org), -1)
	}
	delete(r.lists, owner)
}

// recipientOf returns the recipient with a phone number.
func (r *expected) recipientOf(phone string) (model.ID, bool) {
	for _, id := range r.recipients {
		if r.recipient[id].phone == phone {
			return id, true
		}
	}
	return "", false
}

func (r *expected) checkTask(rt *rapid.T, id model.ID, got model.Task) {
	want := r.task[id]
	require.Equal(rt, id, got.ID)
	require.Equal(rt, r.org, got.Organization)
	require.Equal(rt, want.state, got.State, "state of %s", id)
	require.Equal(rt, want.notes, got.Notes)
	require.InDelta(rt, want.quantity, got.Quantity, 0)
	require.Equal(rt, want.container, got.Container.Value(), "container of %s", id)
	require.Equal(rt, want.destination, got.Destination.Object.ID)
	require.Equal(rt, r.notesOf[want.destination], got.Destination.Object.Notes)
	require.Equal(rt, want.source, got.SourceTaskID.Value())
	require.ElementsMatch(rt, want.needs, got.Dependencies)
	worker := model.ID("")
	if want.container.Type == model.ContainerWorker {
		worker = want.container.Owner()
	}
	require.Equal(rt, worker, got.Worker.Value())
	if want.recipient == "" {
		require.Empty(rt, got.Recipients)
	} else {
		require.Len(rt, got.Recipients, 1)
		r.checkRecipient(rt, want.recipient, *got.Recipients[0].Object)
	}
	details := got.CompletionDetails
	require.Equal(rt, want.success, details.Success.Value())
	require.Equal(rt, want.state == model.TaskCompleted, details.Time.Has())
}

func (r *expected) checkRecipient(rt *rapid.T, id model.ID, got model.Recipient) {
	require.Equal(rt, id, got.ID)
	require.Equal(rt, *r.recipient[id], realmRecipient{got.Name, got.Phone, got.Notes, got.SkipSMSNotifications})
}

func (r *expected) checkWorker(rt *rapid.T, id model.ID, got model.Worker) {
	want := r.worker[id]
	require.Equal(rt, id, got.ID)
	require.Equal(rt, []any{want.name, want.phone, want.display, want.duty, want.active},
		[]any{got.Name, got.Phone, got.DisplayName.Value(), got.OnDuty, got.ActiveTask.Value()})
	require.ElementsMatch(rt, want.teams, got.Teams)
	require.Equal(rt, append([]model.ID{}, r.lists[id]...), got.Tasks)
}

func (r *expected) checkTeam(rt *rapid.T, id model.ID, got model.Team) {
	var members []model.ID
	for _, worker := range r.workers {
		if slices.Contains(r.worker[worker].teams, id) {
			members = append(members, worker)
		}
	}
	require.Equal(rt, r.team[id].name, got.Name)
	require.ElementsMatch(rt, members, got.Workers)
	require.Equal(rt, append([]model.ID{}, r.lists[id]...), got.Tasks)
}

// checkAll compares everything with the service.
func (r *expected) checkAll(rt *rapid.T) {
	for _, id := range r.tasks {
		var task model.Task
		r.call(rt, fine, "GET", "/tasks/"+string(id), nil, &task)
		r.checkTask(rt, id, task)
	}
	for _, id := range r.recipients {
		var recipient model.Recipient
		r.call(rt, fine, "GET", "/recipients/"+string(id), nil, &recipient)
		r.checkRecipient(rt, id, recipient)
	}
	var teams []model.Team
	r.call(rt, fine, "GET", "/teams", nil, &teams)
	require.Len(rt, teams, len(r.teams))
	for _, team := range teams {
		r.checkTeam(rt, team.ID, team)
	}
	var workers []model.Worker
	r.call(rt, fine, "GET", "/workers", nil, &workers)
	require.Len(rt, workers, len(r.workers))
	for _, worker := range workers {
		r.checkWorker(rt, worker.ID, worker)
	}
	var container model.Container
	r.call(rt, fine, "GET", "/containers/organizations/"+string(r.org), nil, &container)
	require.Equal(rt, append([]model.ID{}, r.lists[r.org]...), container.Tasks)
}
