package board

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

func in(n int) model.Opt[model.Millis] { return model.Some(noon.Add(minutes(n))) }

// troubled is a task that is 20 minutes late on worker 1, to be bent by a case.
func troubled(bend func(*model.Task)) model.Task {
	t := model.Task{
		ID: testID('k', 9), ShortID: "9e01ab42", State: model.TaskAssigned, Worker: model.Some(testID('w', 1)), CompleteBefore: in(-20),
		CompleteAfter: in(-80), Destination: model.Embedded(model.Destination{Location: model.Location{Lon: -122.4, Lat: 37.78}}),
		Recipients: []model.IDOr[model.Recipient]{model.Embedded(model.Recipient{Name: "Ann", Phone: "+14155550100"})},
	}
	bend(&t)
	return t
}

func onDuty(bend func(*model.Worker)) model.Worker {
	w := model.Worker{
		ID: testID('w', 1), Name: "Dayo Okafor", OnDuty: true, TimeLastSeen: in(-1), Tasks: []model.ID{testID('k', 9)},
		Location: model.Some(model.Location{Lon: -122.41, Lat: 37.78}), Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}),
		UserData: model.Some(model.UserData{BatteryLevel: model.Some(0.6)}),
	}
	bend(&w)
	return w
}

func TestExplain(t *testing.T) {
	same := func(*model.Task) {}
	fine := func(*model.Worker) {}
	lateStop := func(n int) model.Task {
		return model.Task{ID: testID('k', n), State: model.TaskAssigned, Worker: model.Some(testID('w', 1)), CompleteBefore: in(-40)}
	}
	free := func(t *model.Task) { t.State, t.Worker = model.TaskUnassigned, model.Null[model.ID]() }
	idle := func(n int, lon float64) model.Worker {
		return model.Worker{ID: testID('w', n), OnDuty: true, TimeLastSeen: in(0), Location: model.Some(model.Location{Lon: lon, Lat: 37.78})}
	}
	for name, c := range map[string]struct {
		task    model.Task
		others  []model.Task
		workers []model.Worker
		why     string
		reason  Reason
		remedy  Remedy
	}{
		"unassigned, some near": {
			task: troubled(free), workers: []model.Worker{idle(2, -122.41), idle(3, -122.42), idle(4, -120)},
			why: "unassigned, 2 idle nearby", reason: ReasonUnassigned, remedy: RemedyAssign,
		},
		"unassigned, all far": {
			task: troubled(free), workers: []model.Worker{idle(4, -120)},
			why: "unassigned, 1 idle, but far away", reason: ReasonUnassigned, remedy: RemedyAssign,
		},
		"unassigned, none": {
			task: troubled(free), why: "unassigned, nobody idle", reason: ReasonUnassigned, remedy: RemedyAssign,
		},
		"waits for its pickup": {
			task:    troubled(func(t *model.Task) { t.Dependencies = []model.ID{testID('k', 8)} }),
			others:  []model.Task{{ID: testID('k', 8), ShortID: "5d20c1aa", State: model.TaskActive, PickupTask: true}},
			workers: []model.Worker{onDuty(fine)}, why: "waits for pickup 5d20c1aa", reason: ReasonWaitsForPickup, remedy: RemedyPickup,
		},
		"pickup done": {
			task: troubled(func(t *model.Task) { t.Dependencies = []model.ID{testID('k', 8)} }),
			others: []model.Task{{
				ID: testID('k', 8), State: model.TaskCompleted, CompletionDetails: model.CompletionDetails{Success: model.Some(true)},
			}},
			workers: []model.Worker{onDuty(fine)}, why: "not started", reason: ReasonOverdue, remedy: RemedyCallDriver,
		},
		"driver off duty": {
			task: troubled(same), workers: []model.Worker{onDuty(func(w *model.Worker) { w.OnDuty = false })},
			why: "driver off duty", reason: ReasonOffDuty, remedy: RemedyReassign,
		},
		"driver silent": {
			task: troubled(same), workers: []model.Worker{onDuty(func(w *model.Worker) { w.TimeLastSeen = in(-11) })},
			why: "driver silent 11m", reason: ReasonSilent, remedy: RemedyCallDriver,
		},
		"behind late stops": {
			task: troubled(same), others: []model.Task{lateStop(5), lateStop(6), lateStop(7)},
			workers: []model.Worker{onDuty(func(w *model.Worker) {
				w.ActiveTask, w.Tasks = model.Some(testID('k', 5)), []model.ID{testID('k', 6), testID('k', 9), testID('k', 7)}
			})},
			why: "behind 2 late stops", reason: ReasonBehindLate, remedy: RemedyRoute,
		},
		"window too short": {
			task:    troubled(func(t *model.Task) { t.CompleteAfter, t.ServiceTime = in(-25), 10 }),
			workers: []model.Worker{onDuty(fine)}, why: "window too short", reason: ReasonWindowShort, remedy: RemedyWindow,
		},
		"expected late": {
			task:    troubled(func(t *model.Task) { t.CompleteBefore, t.EstimatedCompletionTime = in(30), in(40) }),
			workers: []model.Worker{onDuty(fine)}, why: "arrives 7m after due", reason: ReasonETA, remedy: RemedyCandidates,
		},
		"expected after the window": {
			task: troubled(func(t *model.Task) {
				t.CompleteBefore, t.EstimatedArrivalTime, t.EstimatedCompletionTime = in(30), in(124), in(130)
			}),
			others:  []model.Task{{ID: testID('k', 5), State: model.TaskAssigned, Worker: model.Some(testID('w', 1))}},
			workers: []model.Worker{onDuty(func(w *model.Worker) { w.Tasks = []model.ID{testID('k', 5), testID('k', 9)} })},
			why:     "1 stop before it", reason: ReasonETA, remedy: RemedyCandidates,
		},
		"there in time, done too late": {
			task: troubled(func(t *model.Task) {
				t.State, t.CompleteBefore, t.EstimatedArrivalTime, t.EstimatedCompletionTime = model.TaskActive, in(30), in(28), in(33)
			}),
			workers: []model.Worker{onDuty(func(w *model.Worker) { w.ActiveTask, w.Tasks = model.Some(testID('k', 9)), nil })},
			why:     "done 3m after due", reason: ReasonService, remedy: RemedyClone,
		},
		"started too late": {
			task: troubled(func(t *model.Task) {
				t.State, t.CompleteBefore, t.EstimatedArrivalTime = model.TaskActive, in(5), in(12)
				t.CompletionDetails.Events = []model.CompletionEvent{{Name: model.EventStart, Time: noon.Add(minutes(-3))}}
			}),
			workers: []model.Worker{onDuty(func(w *model.Worker) { w.ActiveTask, w.Tasks = model.Some(testID('k', 9)), nil })},
			why:     "started 8m before due", reason: ReasonETA, remedy: RemedyWindow,
		},
		"came too late": {
			task: troubled(func(t *model.Task) {
				t.State, t.CompletionDetails.Events = model.TaskActive, []model.CompletionEvent{{Name: model.EventArrival, Time: noon.Add(minutes(-16))}}
			}),
			workers: []model.Worker{onDuty(fine)}, why: "arrived 4m after due, not done", reason: ReasonETA, remedy: RemedyComplete,
		},
		"takes long": {
			task: troubled(func(t *model.Task) {
				t.State, t.CompletionDetails.Events = model.TaskActive, []model.CompletionEvent{{Name: model.EventArrival, Time: noon.Add(minutes(-29))}}
			}),
			workers: []model.Worker{onDuty(fine)}, why: "there for 29m, not done", reason: ReasonService, remedy: RemedyCallDriver,
		},
		"came in too late": {
			task: troubled(func(t *model.Task) {
				t.TimeCreated, t.CompleteBefore, t.EstimatedArrivalTime, t.EstimatedCompletionTime = noon.Add(minutes(-2)), in(10), in(25), in(30)
			}),
			workers: []model.Worker{onDuty(fine)},
			why:     "created 12m before due, arrives 15m after due", reason: ReasonShortNotice, remedy: RemedyCandidates,
		},
		"low battery besides": {
			task:    troubled(func(t *model.Task) { t.State = model.TaskActive }),
			workers: []model.Worker{onDuty(func(w *model.Worker) { w.UserData = model.Some(model.UserData{BatteryLevel: model.Some(0.09)}) })},
			why:     "not done, battery 9%", reason: ReasonOverdue, remedy: RemedyCallDriver,
		},
		"at risk": {
			task: troubled(func(t *model.Task) { t.CompleteBefore = in(6) }), workers: []model.Worker{onDuty(fine)},
			why: "not started", reason: ReasonDueSoon, remedy: RemedyCandidates,
		},
		"told to be delayed": {
			task:    troubled(func(t *model.Task) { t.CompleteBefore, t.DelayTime = in(300), model.Some(model.Seconds(600)) }),
			workers: []model.Worker{onDuty(fine)}, why: "delay reported, not started", reason: ReasonDelayed, remedy: RemedyRoute,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBoard(DefaultSettings(), noon)
			s, _ := b.Apply(Change{Tasks: append(c.others, c.task), Workers: c.workers})
			queue := s.TriageQueue(100)
			at := slices.IndexFunc(queue, func(q Triage) bool { return q.Task.ID == testID('k', 9) })
			require.GreaterOrEqual(t, at, 0, "not in the queue")
			got := queue[at]
			require.Equal(t, c.why, got.Why)
			require.Equal(t, c.reason, got.Reasons[0])
			require.Contains(t, got.Remedies, c.remedy)
			if c.task.State == model.TaskActive {
				require.NotContains(t, got.Remedies, RemedyReassign, "it is refused")
				require.NotContains(t, got.Remedies, RemedyCandidates)
			}
			require.Equal(t, RemedyCall, got.Remedies[len(got.Remedies)-1])
		})
	}
}

func TestTriageOrder(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	late := func(n, by int, state model.TaskState) model.Task {
		return model.Task{ID: testID('k', n), State: state, CompleteBefore: in(-by)}
	}
	s, _ := b.Apply(Change{Tasks: []model.Task{
		late(1, 30, model.TaskActive), late(2, 20, model.TaskActive), late(7, 20, model.TaskUnassigned), late(3, 10, model.TaskAssigned), late(4, -5, model.TaskUnassigned),
		late(5, -2, model.TaskActive), late(6, -500, model.TaskActive),
	}})
	var order []model.ID
	for _, q := range s.TriageQueue(10) {
		order = append(order, q.Task.ID)
	}
	require.Equal(t, []model.ID{testID('k', 1), testID('k', 7), testID('k', 2), testID('k', 3), testID('k', 5), testID('k', 4)}, order,
		"by how late it is; what nobody has started first where that is the same")
	require.Len(t, s.TriageQueue(2), 2)
	require.Equal(t, minutes(30), s.TriageQueue(1)[0].Late)
}

func TestTrendSinceLastLook(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *model.Task) { t.CompleteBefore, t.EstimatedCompletionTime = in(10), in(30) })
	s, _ := b.Apply(Change{Tasks: []model.Task{task}})
	var history DelayHistory
	row := s.Tasks.Get(task.ID)
	require.Equal(t, ToneText, history.Trend(row, noon), "never seen before")
	history.Remember(s.Tasks.All(), noon)
	for finish, want := range map[int]Tone{30: ToneText, 31: ToneGrowing, 45: ToneGrowing, 29: ToneShrinking, 12: ToneShrinking} {
		task.EstimatedCompletionTime = in(finish)
		s, _ = b.Apply(Change{Tasks: []model.Task{task}})
		require.Equal(t, want, history.Trend(s.Tasks.Get(task.ID), s.Now), "%d", finish)
	}
	history.Remember(func(func(*TaskRow) bool) {}, noon)
	require.Equal(t, ToneText, history.Trend(s.Tasks.Get(task.ID), s.Now), "forgotten")
}

// A window that ends, a driver who falls silent: the clock alone moves the counters.
func TestTick(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	s, _ := b.Apply(Change{
		Tasks:   []model.Task{{ID: testID('k', 1), State: model.TaskAssigned, CompleteBefore: in(30)}},
		Workers: []model.Worker{onDuty(func(w *model.Worker) { w.TimeLastSeen = in(0) })},
	})
	require.Equal(t, Counters{Assigned: 1, Busy: 1}, s.Counters)
	s, d := b.Tick(noon.Add(minutes(9)))
	require.Equal(t, Counters{Assigned: 1, Busy: 1}, s.Counters)
	require.True(t, d.Empty())
	s, d = b.Tick(noon.Add(minutes(16)))
	require.Equal(t, Counters{Assigned: 1, AtRisk: 1, Silent: 1}, s.Counters)
	require.Equal(t, []RowDelta{{testID('k', 1), RowChanged, FieldRisk}}, d.Tasks)
	require.Equal(t, []RowDelta{{testID('w', 1), RowChanged, FieldStatus}}, d.Workers)
	require.Equal(t, noon.Add(minutes(16)), s.Workers.Get(testID('w', 1)).StateSince)
	s, _ = b.Tick(noon.Add(minutes(30)))
	require.Equal(t, 1, s.Counters.AtRisk, "on the dot is not late")
	s, _ = b.Tick(noon.Add(minutes(30)) + 1)
	require.Equal(t, Counters{Assigned: 1, Late: 1, Silent: 1}, s.Counters)
	s, _ = b.Tick(noon)
	require.Equal(t, 1, s.Counters.Late, "the clock does not go back")
}

// Unassigned work is at risk when not even the nearest idle worker can make it.
func TestReach(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *model.Task) {
		t.State, t.Worker, t.CompleteBefore, t.ServiceTime = model.TaskUnassigned, model.Null[model.ID](), in(45), 5
	})
	far := onDuty(func(w *model.Worker) { w.Location, w.Tasks = model.Some(model.Location{Lon: -122.4, Lat: 38.1}), nil })
	b.Apply(Change{Tasks: []model.Task{task}, Workers: []model.Worker{far}})
	s, _ := b.Tick(noon + 1)
	require.Equal(t, RiskAtRisk, s.Tasks.Get(task.ID).Risk, "36 km by car in 40 minutes")
	far.Location = model.Some(model.Location{Lon: -122.4, Lat: 37.79})
	b.Apply(Change{Workers: []model.Worker{far}})
	s, _ = b.Tick(noon + 2)
	require.Equal(t, RiskOK, s.Tasks.Get(task.ID).Risk, "one kilometre")
	// Someone near who is not of the team does not help.
	far.Location = model.Some(model.Location{Lon: -122.4, Lat: 38.1})
	far.Teams = []model.ID{testID('t', 1)}
	task.Container = model.Some(model.TeamContainer(testID('t', 1)))
	stranger := onDuty(func(w *model.Worker) { w.ID, w.Tasks = testID('w', 2), nil })
	b.Apply(Change{Tasks: []model.Task{task}, Workers: []model.Worker{far, stranger}})
	s, _ = b.Tick(noon + 3)
	require.Equal(t, RiskAtRisk, s.Tasks.Get(task.ID).Risk)
	// No longer free: the way of others is of no concern.
	task.State, task.Worker, task.Container = model.TaskAssigned, model.Some(testID('w', 2)), model.Null[model.ContainerRef]()
	s, _ = b.Apply(Change{Tasks: []model.Task{task}})
	require.Equal(t, RiskOK, s.Tasks.Get(task.ID).Risk)
}

func TestLateTrend(t *testing.T) {
	var trend lateTrend
	require.Empty(t, trend.history())
	trend.record(noon, 3)
	trend.record(noon.Add(10*time.Second), 4)
	require.Equal(t, []int{4}, trend.history())
	trend.record(noon.Add(minutes(3)), 1)
	require.Equal(t, []int{4, 4, 4, 1}, trend.history())
	kept := trend.history()
	trend.record(noon.Add(minutes(4)), 7)
	require.Equal(t, []int{4, 4, 4, 1}, kept, "a line handed out stays")
	trend.record(noon.Add(minutes(500)), 9)
	line := trend.history()
	require.Len(t, line, trendMinutes)
	require.Equal(t, 7, line[0])
	require.Equal(t, 9, line[trendMinutes-1])
}
