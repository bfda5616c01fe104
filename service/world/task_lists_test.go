package world_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// listed is what a list needs to know of a task.
type listed struct {
	id                 model.ID
	mine               bool
	created, completed int64 // 0 when it is not
}

func (l listed) time() int64 { return max(l.created, l.completed) }

// Every page of a list, whatever its span, holds what a search through all tasks finds, in order of creation.
func TestListsHoldWhatASearchThroughAllTasksFinds(t *testing.T) {
	f := newFixture(t)
	tasks := make([]listed, 320)
	for i := range tasks {
		tasks[i].id = f.create(t, "")
	}
	rapid.Check(t, func(rt *rapid.T) {
		// Few different times, evenly spread, so that pages end among tasks of the same time.
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)) //nolint:gosec // the same each time it is repeated
		for i := range tasks {
			tasks[i] = listed{id: tasks[i].id, mine: draw.IntN(4) > 0, created: 1000 * (1 + draw.Int64N(4))}
			if draw.IntN(3) > 0 {
				tasks[i].completed = tasks[i].created + 1000*draw.Int64N(6)
			}
		}
		setTimes(rt, f, tasks)
		from := 1000 * draw.Int64N(7)
		to := from + 1000*(1+draw.Int64N(10))
		want := slices.DeleteFunc(slices.Clone(tasks), func(l listed) bool { return l.time() < from || l.time() >= to })
		slices.SortStableFunc(want, func(a, b listed) int { return cmp.Compare(a.created, b.created) })
		require.Equal(rt, idsOf(want), listAll(rt, f, from, to))
	})
}

func idsOf(tasks []listed) []model.ID {
	ids := []model.ID{}
	for _, task := range tasks {
		ids = append(ids, task.id)
	}
	return ids
}

// setTimes makes the stored tasks what a test wants: its own or another organization's, made and completed some time.
func setTimes(rt *rapid.T, f fixture, tasks []listed) {
	require.NoError(rt, f.store.Write(rt.Context(), func(tx *store.Tx) error {
		for _, task := range tasks {
			owner := f.actor.Org
			if !task.mine {
				owner = "anotherOrganizationOfAll"
			}
			if _, err := tx.Exec(rt.Context(), `UPDATE tasks SET org = $2, created = $3, completed = CASE WHEN $4 = 0 THEN NULL ELSE $4 END,
				list_time = $5 WHERE id = $1`, task.id, owner, task.created, task.completed, task.time()); err != nil {
				return err
			}
		}
		return nil
	}))
}

// listAll reads a list to its end.
func listAll(rt *rapid.T, f fixture, from, to int64) []model.ID {
	ids := []model.ID{}
	filter := world.TaskFilter{From: model.Some(model.Millis(from)), To: model.Some(model.Millis(to))}
	for {
		raw, err := f.Tasks(rt.Context(), f.actor.Org, filter)
		require.NoError(rt, err)
		var page model.TaskPage
		require.NoError(rt, model.Unmarshal(raw, &page))
		for _, task := range page.Tasks {
			ids = append(ids, task.ID)
		}
		last, more := page.LastID.Get()
		if !more {
			return ids
		}
		filter.LastID = last
	}
}
