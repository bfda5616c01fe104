package world_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/internal/storetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// countedIDs makes the same ids in every world. Short ids repeat when they are told to.
type countedIDs struct {
	made   int
	shorts []model.ShortID
}

func (c *countedIDs) ID() model.ID {
	c.made++
	return model.ID(fmt.Sprintf("%024d", c.made))
}

func (c *countedIDs) ShortID() model.ShortID {
	if len(c.shorts) > 0 {
		next := c.shorts[0]
		c.shorts = c.shorts[1:]
		return next
	}
	c.made++
	return model.ShortID(fmt.Sprintf("%08x", c.made))
}

// logbook keeps events.
type logbook struct{ events []string }

func (l *logbook) Record(_ context.Context, _ *store.Tx, org model.ID, events ...world.Event) error {
	for _, e := range events {
		l.events = append(l.events, fmt.Sprint(org, e.Trigger, e.Actor, e.Time, e.TaskID, e.Worker))
	}
	return nil
}

func (l *logbook) CheckThresholds(context.Context, *store.Tx, model.ID, ...world.Measurement) error {
	return nil
}

type bulkWorld struct {
	*world.World
	ids   *countedIDs
	log   *logbook
	actor world.Actor
	team  model.ID
}

func newBulkWorld(t *testing.T) *bulkWorld {
	t.Helper()
	w := &bulkWorld{ids: &countedIDs{}, log: &logbook{}}
	w.World = world.New(world.Options{
		Store: storetest.Open(t), Clock: clocktest.New(time.Date(2026, 3, 2, 17, 0, 0, 500_000_000, time.UTC)), IDs: w.ids, Events: w.log,
	})
	org, _, err := w.CreateOrganization(t.Context(), world.NewOrganization{Name: "Bay Couriers", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	w.actor = world.Actor{Type: world.ActorAPI, ID: org.ID, Org: org.ID}
	team, err := w.CreateTeam(t.Context(), w.actor, model.TeamInput{
		Name: model.Some("North"), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(t, err)
	w.team = team.ID
	return w
}

// inputs are tasks of every kind that a batch can hold: known and new recipients, teams and none, metadata, dependencies.
func (w *bulkWorld) inputs(n int, needs ...model.ID) []model.TaskInput {
	list := make([]model.TaskInput, n)
	for i := range list {
		in := model.TaskInput{
			Destination: model.Some(model.Embedded(model.DestinationInput{
				Address:  model.Some(model.AddressInput{Number: fmt.Sprint(i), Street: "A St", City: "San Francisco", Country: "USA"}),
				Location: model.Some(model.Location{Lon: -122.4, Lat: 37.7 + float64(i)/1000}),
			})),
			Recipients: model.Some([]model.IDOr[model.RecipientInput]{}), PickupTask: model.Some(i%4 == 0),
		}
		if i%5 > 0 {
			in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(model.RecipientInput{
				Name: model.Some(fmt.Sprintf("Person %d", i)), Phone: model.Some(fmt.Sprintf("+1415555%04d", i%70)),
				SkipPhoneNumberValidation: model.Some(true),
			})})
		}
		if i%3 > 0 {
			in.Container = model.Some(model.TeamContainer(w.team))
		}
		if i%7 == 0 {
			in.Metadata = model.Some([]model.Metadata{{Name: "number", Type: "number", Value: model.Raw(fmt.Sprint(i))}})
		}
		if i%11 == 10 {
			in.Dependencies = model.Some(needs)
		}
		list[i] = in
	}
	return list
}

func (w *bulkWorld) tables(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, query := range []string{
		`SELECT id, org, executor, short_id, state, coalesce(worker, ''), container, container_owner, pickup, destination,
			coalesce(recipient, ''), list_time, created, modified, first_assignment, doc FROM tasks ORDER BY id`,
		"SELECT id, org, lon, lat, created, modified, doc FROM destinations ORDER BY id",
		"SELECT org, phone, name_fold, created, modified FROM recipients ORDER BY phone",
		"SELECT owner, kind, size, last, modified FROM containers ORDER BY owner",
		"SELECT resource, kind, org, name, type, value FROM metadata ORDER BY resource",
		"SELECT task, needs FROM dependencies ORDER BY task",
		"SELECT container_owner, count(DISTINCT position), min(position), max(position) FROM tasks GROUP BY container_owner",
	} {
		rows, err := w.Store().Query(t.Context(), query)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		for rows.Next() {
			require.NoError(t, rows.Scan(targets...))
			all = append(all, fmt.Sprintln(values...))
		}
		require.NoError(t, rows.Err())
		rows.Close()
	}
	return all
}

// requireSameRows compares row by row: a failure shows the first that differs, not four hundred.
func requireSameRows(t *testing.T, one, other *bulkWorld) {
	t.Helper()
	want, got := one.tables(t), other.tables(t)
	for i := range min(len(want), len(got)) {
		require.Equal(t, want[i], got[i])
	}
	require.Len(t, got, len(want))
}

// TestManyTasksAreMadeAsOneByOne: what is in the store afterwards does not tell how it came there.
func TestManyTasksAreMadeAsOneByOne(t *testing.T) {
	t.Parallel()
	single, bulk := newBulkWorld(t), newBulkWorld(t)
	var first model.Task
	for _, w := range []*bulkWorld{single, bulk} {
		raw, err := w.CreateTask(t.Context(), w.actor, w.inputs(1)[0])
		require.NoError(t, err)
		require.NoError(t, model.Unmarshal(raw, &first))
	}
	for _, in := range single.inputs(203, first.ID) {
		_, err := single.CreateTask(t.Context(), single.actor, in)
		require.NoError(t, err)
	}
	require.NoError(t, bulk.CreateTasks(t.Context(), bulk.actor, bulk.inputs(203, first.ID)))
	requireSameRows(t, single, bulk)
	require.ElementsMatch(t, single.log.events, bulk.log.events)

	refused := bulk.inputs(50)
	refused[49].Notes = model.Some(string(make([]byte, 20_000)))
	require.Error(t, bulk.CreateTasks(t.Context(), bulk.actor, refused))
	refused[49] = model.TaskInput{}
	require.Error(t, bulk.CreateTasks(t.Context(), bulk.actor, refused))
	refused = bulk.inputs(50, model.NewID())
	require.Error(t, bulk.CreateTasks(t.Context(), bulk.actor, refused), "a task that it depends on does not exist")
	requireSameRows(t, single, bulk) // all or none
}

func TestManyTasksGetShortIDsOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newBulkWorld(t)
	w.ids.shorts = []model.ShortID{"0000000a", "0000000b", "0000000a", "0000000c", "0000000b"}
	require.NoError(t, w.CreateTasks(t.Context(), w.actor, w.inputs(60)))
	var tasks, shorts, history int
	require.NoError(t, w.Store().QueryRow(t.Context(), "SELECT count(*), count(DISTINCT short_id) FROM tasks").Scan(&tasks, &shorts))
	require.NoError(t, w.Store().QueryRow(t.Context(), "SELECT count(first_assignment) FROM tasks").Scan(&history))
	require.Equal(t, []int{60, 60, 60}, []int{tasks, shorts, history})
	var counted, last int64
	require.NoError(t, w.Store().QueryRow(t.Context(), "SELECT sum(size), max(last) FROM containers").Scan(&counted, &last))
	require.EqualValues(t, 60, counted)
}
