package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Starting a task takes its estimated completion away, and must not make it less late.
func TestLatenessIsTheSameOnceStarted(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *Task) {
		t.CompleteBefore, t.EstimatedArrivalTime, t.EstimatedCompletionTime = in(10), in(13), in(19)
		t.DelayTime = Some(Seconds(180))
	})
	s, _ := b.Apply(Change{Tasks: []Task{task}})
	require.Equal(t, "3m late", s.Tasks.Get(task.ID).Standing(s.Now))
	var looks Looks
	looks.Look(s.Tasks.All(), s.Now)

	task.State, task.EstimatedCompletionTime, task.ETA = TaskActive, Null[Millis](), Some(Seconds(780))
	s, _ = b.Apply(Change{Tasks: []Task{task}})
	row := s.Tasks.Get(task.ID)
	require.Equal(t, "3m late", row.Standing(s.Now))
	require.Equal(t, TrendSteady, looks.Trend(row, s.Now))
}

func TestArrivalOfACompletionAlone(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := troubled(func(t *Task) { t.CompleteBefore, t.EstimatedCompletionTime, t.ServiceTime = in(10), in(19), 6 })
	s, _ := b.Apply(Change{Tasks: []Task{task}})
	row := s.Tasks.Get(task.ID)
	require.Equal(t, noon.Add(minutes(13)), row.Arrival)
	require.Equal(t, noon.Add(minutes(19)), row.Finish)
	require.Equal(t, "3m late", row.Standing(s.Now))
}

// An estimate that got better counts at once, however long the service takes to say that there is no delay any more.
func TestAnArrivalIsNewerThanADelay(t *testing.T) {
	row := TaskRow{Before: noon.Add(minutes(60)), Arrival: noon.Add(minutes(6)), Delay: minutes(76)}
	require.Equal(t, "54m spare", row.Standing(noon))
	row.Arrival = 0
	require.Equal(t, "1h16 late", row.Standing(noon))
}

// Due, eta and lateness add up as they are read, and what is late is never called in time.
func TestLatenessAddsUpToTheMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		second := rapid.IntRange(-20_000, 20_000)
		at := func(label string) Millis { return noon.Add(time.Duration(second.Draw(t, label)) * time.Second) }
		row := TaskRow{Before: at("due"), Arrival: at("arrival")}
		now := at("now")
		slack, ok := row.Slack(now)
		require.True(t, ok)
		reached := max(now, row.Arrival)
		read := func(m Millis) time.Time { return m.Time().Truncate(time.Minute) }
		if shown := read(row.Before).Sub(read(reached)); shown != 0 {
			require.Equal(t, shown, slack)
		} else {
			require.Less(t, slack.Abs(), time.Minute)
		}
		require.Equal(t, reached > row.Before, slack < 0)
	})
}

// 10m30s reads as 10m, and is not more than ten minutes.
func TestFiltersCompareWhatIsRead(t *testing.T) {
	f, err := ParseFilter(PaneTasks, "late>10m")
	require.NoError(t, err)
	due := noon.Add(-minutes(10))
	require.False(t, f.MatchTask(&TaskRow{Before: due}, noon+30_000))
	require.True(t, f.MatchTask(&TaskRow{Before: due}, noon+60_000))
	f, err = ParseFilter(PaneWorkers, "late>10m")
	require.NoError(t, err)
	require.False(t, f.MatchWorker(&WorkerRow{Delay: minutes(10) + 30*time.Second, OnDuty: true}, noon))
	require.True(t, f.MatchWorker(&WorkerRow{Delay: minutes(11), OnDuty: true}, noon))
}
