package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

// Starting a task takes its estimated completion away, and must not make it less late.
func TestLatenessIsTheSameOnceStarted(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *model.Task) {
		t.CompleteBefore, t.EstimatedArrivalTime, t.EstimatedCompletionTime = in(10), in(13), in(19)
		t.DelayTime = model.Some(model.Seconds(180))
	})
	s, _ := b.Apply(Change{Tasks: []model.Task{task}})
	require.Equal(t, "3m late", s.Tasks.Get(task.ID).LatenessText(s.Now))
	var history DelayHistory
	history.Remember(s.Tasks.All(), s.Now)

	task.State, task.EstimatedCompletionTime, task.ETA = model.TaskActive, model.Null[model.Millis](), model.Some(model.Seconds(780))
	s, _ = b.Apply(Change{Tasks: []model.Task{task}})
	row := s.Tasks.Get(task.ID)
	require.Equal(t, "3m late", row.LatenessText(s.Now))
	require.Equal(t, ToneText, history.Trend(row, s.Now))
}

func TestArrivalOfACompletionAlone(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *model.Task) { t.CompleteBefore, t.EstimatedCompletionTime, t.ServiceTime = in(10), in(19), 6 })
	s, _ := b.Apply(Change{Tasks: []model.Task{task}})
	row := s.Tasks.Get(task.ID)
	require.Equal(t, noon.Add(minutes(13)), row.Arrival)
	require.Equal(t, noon.Add(minutes(19)), row.Finish)
	require.Equal(t, "3m late", row.LatenessText(s.Now))
}

// An estimate that got better counts at once, however long the service takes to say that there is no delay any more.
func TestAnArrivalIsNewerThanADelay(t *testing.T) {
	row := TaskRow{Due: noon.Add(minutes(60)), Arrival: noon.Add(minutes(6)), Delay: minutes(76)}
	require.Equal(t, "54m spare", row.LatenessText(noon))
	row.Arrival = 0
	require.Equal(t, "1h16 late", row.LatenessText(noon))
}

// Due, eta and lateness add up as they are read, and what is late is never called in time.
func TestLatenessAddsUpToTheMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		second := rapid.IntRange(-20_000, 20_000)
		at := func(label string) model.Millis { return noon.Add(time.Duration(second.Draw(t, label)) * time.Second) }
		row := TaskRow{Due: at("due"), Arrival: at("arrival")}
		now := at("now")
		slack, ok := row.Slack(now)
		require.True(t, ok)
		reached := max(now, row.Arrival)
		read := func(m model.Millis) time.Time { return m.Time().Truncate(time.Minute) }
		if shown := read(row.Due).Sub(read(reached)); shown != 0 {
			require.Equal(t, shown, slack)
		} else {
			require.Less(t, slack.Abs(), time.Minute)
		}
		require.Equal(t, reached > row.Due, slack < 0)
	})
}

// 10m30s reads as 10m, and is not more than ten minutes.
func TestFiltersCompareWhatIsRead(t *testing.T) {
	f, err := ParseFilter(PaneTasks, "late>10m")
	require.NoError(t, err)
	due := noon.Add(-minutes(10))
	require.False(t, TaskRows().Match(f)(&TaskRow{Due: due}, noon+30_000))
	require.True(t, TaskRows().Match(f)(&TaskRow{Due: due}, noon+60_000))
	f, err = ParseFilter(PaneWorkers, "late>10m")
	require.NoError(t, err)
	require.False(t, WorkerRows().Match(f)(&WorkerRow{Delay: minutes(10) + 30*time.Second, OnDuty: true}, noon))
	require.True(t, WorkerRows().Match(f)(&WorkerRow{Delay: minutes(11), OnDuty: true}, noon))
}

// A worker is late by the tasks that the board has: by the worst of them, and not a minute longer than they are.
func TestWorkersAreLateByTheirTasks(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker := onDuty(func(w *model.Worker) { w.DelayTime = model.Some(model.Seconds(76 * 60)) })
	delay := func(s *Snapshot) time.Duration { return s.Workers.Get(worker.ID).Delay }
	s, _ := b.Apply(Change{Workers: []model.Worker{worker}})
	require.Equal(t, minutes(76), delay(s), "the board has no task of theirs")

	task := troubled(func(t *model.Task) { t.CompleteBefore, t.EstimatedArrivalTime = in(60), in(6) })
	s, _ = b.Apply(Change{Tasks: []model.Task{task}})
	require.Zero(t, delay(s), "54m spare")
	task.EstimatedArrivalTime = in(63)
	s, d := b.Apply(Change{Tasks: []model.Task{task}})
	require.Equal(t, minutes(3), delay(s))
	require.Equal(t, []RowDelta{{worker.ID, RowChanged, FieldDelay}}, d.Workers)
	s, _ = b.Tick(noon.Add(minutes(70)))
	require.Equal(t, minutes(10), delay(s), "the clock went past the estimate")
	task.State, task.Worker = model.TaskUnassigned, model.Null[model.ID]()
	s, _ = b.Apply(Change{Tasks: []model.Task{task}})
	require.Zero(t, delay(s), "they do not have it any more, whatever the list of their stops still says")
}

// A worker who is late by seconds does not change with every one of them.
func TestSecondsOfLatenessAreNoNews(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker := model.Worker{ID: testID('w', 1), OnDuty: true, TimeLastSeen: model.Some(noon)}
	task := model.Task{ID: testID('k', 1), State: model.TaskAssigned, Worker: model.Some(worker.ID), CompleteBefore: model.Some(noon.Add(time.Second))}
	b.Apply(Change{Workers: []model.Worker{worker}, Tasks: []model.Task{task}})
	b.Tick(noon.Add(5 * time.Second))
	for second := range 50 {
		_, d := b.Tick(noon.Add(time.Duration(6+second) * time.Second))
		require.Empty(t, d.Workers, second)
	}
	s, d := b.Tick(noon.Add(61 * time.Second))
	require.Len(t, d.Workers, 1)
	require.Equal(t, time.Minute, s.Workers.Get(worker.ID).Delay)
}

// However the board came to be, a worker is as late as the worst of their open tasks.
func TestWorkersAgainstTheirTasks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBoard(DefaultSettings(), noon)
		now := noon
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			now = now.Add(minutes(rapid.IntRange(0, 20).Draw(t, "minutes")))
			change := Change{ReceivedAt: now}
			for range rapid.IntRange(0, 6).Draw(t, "tasks") {
				change.Tasks = append(change.Tasks, genTask(t, now))
			}
			for range rapid.IntRange(0, 3).Draw(t, "workers") {
				change.Workers = append(change.Workers, genWorker(t, now))
			}
			if rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
				change.Removed = []model.ID{testID('k', rapid.IntRange(0, 40).Draw(t, "removed")), testID('w', rapid.IntRange(0, 5).Draw(t, "left"))}
			}
			s, _ := b.Apply(change)
			for w := range s.Workers.All() {
				worst := time.Duration(0)
				for task := range s.Tasks.All() {
					if task.Worker == w.ID {
						worst = max(worst, task.Lateness(s.Now))
					}
				}
				if worst > 0 && worst < time.Minute {
					worst = barelyLate
				}
				require.Equal(t, worst, w.Delay)
			}
		}
	})
}
