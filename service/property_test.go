package service_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/internal/servicetest"
	"waybill/model"
)

// TestRandomCallsMatchTheModel compares the service with a simple model: the same answers, errors and final state.
func TestRandomCallsMatchTheModel(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	strange := createForeign(s)
	rapid.Check(t, func(rt *rapid.T) {
		r := newExpected(s, strange)
		r.populate(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"create destination": r.createDestination,
			"read destination":   r.readDestination,
			"create recipient":   r.createRecipient,
			"update recipient":   r.updateRecipient,
			"find recipient":     r.findRecipient,
			"create team":        r.createTeam,
			"update team":        r.updateTeam,
			"delete team":        r.deleteTeam,
			"create worker":      r.createWorker,
			"update worker":      r.updateWorker,
			"delete worker":      r.deleteWorker,
			"change duty":        r.changeDuty,
			"create task":        r.createTask,
			"read task":          r.readTask,
			"update task":        r.updateTask,
			"assign task":        r.assignTask,
			"insert tasks":       r.insertTasks,
			"replace route":      r.replaceRoute,
			"clone task":         r.cloneTask,
			"start task":         r.startTask,
			"complete task":      r.completeTask,
			"delete task":        r.deleteTask,
		})
		r.checkAll(rt)
	})
}

// createForeign creates one object of each kind for another organization.
func createForeign(s *servicetest.Server) map[string]model.ID {
	var team model.Team
	s.Do("POST", "/teams", `{"name":"Strange","workers":[],"managers":[]}`).OK(&team)
	var worker model.Worker
	s.Do("POST", "/workers", `{"name":"Strange","phone":"+14155550190","teams":["`+string(team.ID)+`"]}`).OK(&worker)
	var task model.Task
	s.Do("POST", "/tasks", `{"destination":`+place(-122.4, 37.78)+`,"recipients":[{"name":"Strange","phone":"+14155550191"}]}`).OK(&task)
	return map[string]model.ID{
		"team": team.ID, "worker": worker.ID, "task": task.ID, "destination": task.Destination.Object.ID,
		"recipient": task.Recipients[0].Object.ID,
	}
}

// populate creates drivers on duty and tasks for them.
func (r *expected) populate(rt *rapid.T) {
	var team model.Team
	r.call(rt, fine, "POST", "/teams", `{"name":"West","workers":[],"managers":[]}`, &team)
	r.teams, r.team[team.ID] = append(r.teams, team.ID), &realmTeam{"West"}
	for _, phone := range []string{"+14155550106", "+14155550107"} {
		var worker model.Worker
		in := model.WorkerInput{Name: model.Some("Driver"), Phone: model.Some(phone), Teams: model.Some([]model.ID{team.ID})}
		r.call(rt, fine, "POST", "/workers", in, &worker)
		require.NoError(rt, r.World.GoOnDuty(context.Background(), worker.ID))
		r.workers = append(r.workers, worker.ID)
		r.worker[worker.ID] = &realmWorker{name: "Driver", phone: phone, teams: []model.ID{team.ID}, duty: true}
		for range 2 {
			var task model.Task
			r.call(rt, fine, "POST", "/tasks", taskBody(`"container":{"type":"WORKER","worker":"`+string(worker.ID)+`"}`), &task)
			container := model.WorkerContainer(worker.ID)
			r.tasks = append(r.tasks, task.ID)
			r.task[task.ID] = &expectedTask{destination: task.Destination.Object.ID, container: container}
			r.move(task.ID, container, -1)
		}
	}
}

func drawPhone(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"+14155550101", "+14155550102", "+14155550103", "+14155550104", "+14155550105"}).Draw(rt, "phone")
}

func drawNotes(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"", "Ring twice", "Ünïcode 🚚", `"quoted"`, "two\nlines"}).Draw(rt, "notes")
}

func drawName(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"North", "South", "north", "East"}).Draw(rt, "name")
}

func destinationAt(notes string) model.DestinationInput {
	return model.DestinationInput{
		Address:  model.Some(model.AddressInput{City: "San Francisco", Country: "USA"}),
		Location: model.Some(model.Location{Lon: -122.4, Lat: 37.78}), Notes: notes,
	}
}

func (r *expected) createDestination(rt *rapid.T) {
	var got model.Destination
	notes := drawNotes(rt)
	r.call(rt, fine, "POST", "/destinations", destinationAt(notes), &got)
	require.Equal(rt, notes, got.Notes)
	r.destinations, r.notesOf[got.ID] = append(r.destinations, got.ID), notes
}

func (r *expected) readDestination(rt *rapid.T) {
	id, want := r.pick(rt, "destination", r.destinations)
	var got model.Destination
	if r.call(rt, want, "GET", "/destinations/"+string(id), nil, &got) {
		require.Equal(rt, r.notesOf[id], got.Notes)
	}
}

func (r *expected) createRecipient(rt *rapid.T) {
	phone, want := drawPhone(rt), fine
	if _, taken := r.recipientOf(phone); taken {
		want = duplicate
	}
	in := model.RecipientInput{Name: model.Some(drawName(rt)), Phone: model.Some(phone), Notes: model.Some(drawNotes(rt))}
	if rapid.IntRange(0, 9).Draw(rt, "nameless") == 0 {
		in.Name, want = model.Some(" "), missing
	}
	var got model.Recipient
	if r.call(rt, want, "POST", "/recipients", in, &got) {
		r.addRecipient(got.ID, in)
		r.checkRecipient(rt, got.ID, got)
	}
}

func (r *expected) addRecipient(id model.ID, in model.RecipientInput) {
	r.recipients = append(r.recipients, id)
	r.recipient[id] = &realmRecipient{name: in.Name.Value(), phone: in.Phone.Value(), notes: in.Notes.Value()}
}

func (r *expected) updateRecipient(rt *rapid.T) {
	id, want := r.pick(rt, "recipient", r.recipients)
	in := model.RecipientInput{Notes: model.Some(drawNotes(rt)), SkipSMSNotifications: model.Some(rapid.Bool().Draw(rt, "skip"))}
	if rapid.IntRange(0, 9).Draw(rt, "new phone") == 0 {
		in.Phone = model.Some(drawPhone(rt))
		if want == fine {
			want = invalid
		}
	}
	var got model.Recipient
	if r.call(rt, want, "PUT", "/recipients/"+string(id), in, &got) {
		r.recipient[id].notes, r.recipient[id].skip = in.Notes.Value(), in.SkipSMSNotifications.Value()
		r.checkRecipient(rt, id, got)
	}
}

func (r *expected) findRecipient(rt *rapid.T) {
	phone, want := drawPhone(rt), unknown
	id, known := r.recipientOf(phone)
	if known {
		want = fine
	}
	var got model.Recipient
	if r.call(rt, want, "GET", "/recipients/phone/"+phone, nil, &got) {
		r.checkRecipient(rt, id, got)
	}
}

// teamNamed reports whether another team has the name, ignoring case.
func (r *expected) teamNamed(name string, except model.ID) bool {
	return slices.ContainsFunc(r.teams, func(id model.ID) bool { return id != except && strings.EqualFold(r.team[id].name, name) })
}

func (r *expected) createTeam(rt *rapid.T) {
	name, want := drawName(rt), fine
	if r.teamNamed(name, "") {
		want = nameTaken
	}
	var got model.Team
	in := model.TeamInput{Name: model.Some(name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{})}
	if r.call(rt, want, "POST", "/teams", in, &got) {
		r.teams, r.team[got.ID] = append(r.teams, got.ID), &realmTeam{name}
		r.checkTeam(rt, got.ID, got)
	}
}

func (r *expected) updateTeam(rt *rapid.T) {
	id, want := r.pick(rt, "team", r.teams)
	name := drawName(rt)
	if want == fine && r.teamNamed(name, id) {
		want = nameTaken
	}
	var got model.Team
	if r.call(rt, want, "PUT", "/teams/"+string(id), model.TeamInput{Name: model.Some(name)}, &got) {
		r.team[id].name = name
		r.checkTeam(rt, id, got)
	}
}

func (r *expected) deleteTeam(rt *rapid.T) {
	id, want := r.pick(rt, "team", r.teams)
	hasMembers := slices.ContainsFunc(r.workers, func(w model.ID) bool { return slices.Contains(r.worker[w].teams, id) })
	if want == fine && hasMembers {
		want = notAllowed
	}
	if r.call(rt, want, "DELETE", "/teams/"+string(id), nil, nil) {
		r.release(id)
		r.teams, r.gone = without(r.teams, id), append(r.gone, id)
	}
}

func (r *expected) createWorker(rt *rapid.T) {
	phone, want := drawPhone(rt), fine
	in := model.WorkerInput{Name: model.Some(drawName(rt)), Phone: model.Some(phone)}
	if slices.ContainsFunc(r.workers, func(id model.ID) bool { return r.worker[id].phone == phone }) {
		want = duplicate
	}
	team, ok := drawID(rt, "team", r.teams)
	if ok {
		in.Teams = model.Some([]model.ID{team})
	} else {
		want = missing
	}
	var got model.Worker
	if r.call(rt, want, "POST", "/workers", in, &got) {
		r.workers = append(r.workers, got.ID)
		r.worker[got.ID] = &realmWorker{name: in.Name.Value(), phone: phone, teams: []model.ID{team}}
		r.checkWorker(rt, got.ID, got)
	}
}

func (r *expected) updateWorker(rt *rapid.T) {
	id, want := r.pick(rt, "worker", r.workers)
	in := model.WorkerInput{DisplayName: model.Some(drawName(rt))}
	if len(r.teams) > 0 && rapid.Bool().Draw(rt, "teams") {
		in.Teams = model.Some(rapid.SliceOfNDistinct(rapid.SampledFrom(r.teams), 0, len(r.teams), rapid.ID).Draw(rt, "teams"))
		if want == fine && len(in.Teams.Value()) == 0 {
			want = missing
		}
	}
	var got model.Worker
	if r.call(rt, want, "PUT", "/workers/"+string(id), in, &got) {
		r.worker[id].display = in.DisplayName.Value()
		if in.Teams.Has() {
			r.worker[id].teams = in.Teams.Value()
		}
		r.checkWorker(rt, id, got)
	}
}

func (r *expected) deleteWorker(rt *rapid.T) {
	id, want := r.pick(rt, "worker", r.workers)
	if want == fine && r.worker[id].active != "" {
		want = notAllowed
	}
	if r.call(rt, want, "DELETE", "/workers/"+string(id), nil, nil) {
		r.release(id)
		r.workers, r.gone = without(r.workers, id), append(r.gone, id)
	}
}

func (r *expected) changeDuty(rt *rapid.T) {
	id, ok := drawID(rt, "worker", r.workers)
	if !ok {
		return
	}
	worker := r.worker[id]
	if rapid.IntRange(0, 3).Draw(rt, "off") > 0 {
		require.NoError(rt, r.World.GoOnDuty(context.Background(), id))
		worker.duty = true
		return
	}
	err := r.World.GoOffDuty(context.Background(), id)
	if worker.active != "" {
		require.Error(rt, err, "a driver on the way cannot go off duty")
		return
	}
	require.NoError(rt, err)
	worker.duty = false
}
