package service_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
)

var phoneNumber atomic.Int64

// addWorker stores a worker on duty at a location without the interface.
func addWorker(t testing.TB, s *servicetest.Server, org model.ID, at model.Location, teams ...model.ID) model.ID {
	t.Helper()
	id := model.NewID()
	phone := fmt.Sprintf("+1415555%04d", phoneNumber.Add(1))
	worker := model.Worker{
		ID: id, Organization: org, Name: "Driver " + phone, Phone: phone, OnDuty: true, Teams: teams,
		TimeCreated: s.World.Now(), AccountStatus: model.AccountAccepted, DisplayName: model.Null[string](), ImageURL: model.Null[string](),
		Vehicle: model.Null[model.Vehicle](), Timezone: model.Null[string](), AdditionalCapacities: model.Some(model.Capacities{}),
		UserData: model.Some(model.UserData{
			AppVersion: model.Null[string](), DeviceDescription: model.Null[string](), Platform: model.Null[string](),
		}),
		HasRecentlyUsedSpoofedLocations: model.Some(false),
	}
	doc, err := model.Marshal(worker)
	require.NoError(t, err)
	require.NoError(t, s.Store.Write(context.Background(), func(tx *store.Tx) error {
		if _, err := tx.Exec(context.Background(), `INSERT INTO workers (id, org, phone, on_duty, lon, lat, created, modified, doc)
			VALUES ($1, $2, $3, 1, $4, $5, $6, $6, $7)`, id, org, phone, at.Lon, at.Lat, int64(s.World.Now()), string(doc)); err != nil {
			return err
		}
		for _, team := range teams {
			if _, err := tx.Exec(context.Background(), "INSERT INTO team_workers (team, worker) VALUES ($1, $2)", team, id); err != nil {
				return err
			}
		}
		return nil
	}))
	return id
}

// addTeam stores a team.
func addTeam(t testing.TB, s *servicetest.Server, org model.ID) model.ID {
	t.Helper()
	id := model.NewID()
	doc, err := model.Marshal(model.Team{ID: id, Name: "Team " + string(id)})
	require.NoError(t, err)
	require.NoError(t, s.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), "INSERT INTO teams (id, org, name_fold, created, modified, doc) VALUES ($1, $2, $3, $4, $4, $5)",
			id, org, id, int64(s.World.Now()), string(doc))
		return err
	}))
	return id
}

// place returns a destination with coordinates, so that nothing is geocoded.
func place(lon, lat float64) string {
	return fmt.Sprintf(`{"address":{"number":"543","street":"Howard St","city":"San Francisco","state":"CA","country":"USA"},"location":[%g,%g]}`, lon, lat)
}

// taskBody returns a task with more members.
func taskBody(more string) string {
	if more != "" {
		more = "," + more
	}
	return `{"destination":` + place(-122.4, 37.78) + `,"recipients":[]` + more + `}`
}

func createTask(t testing.TB, s *servicetest.Server, more string) model.Task {
	t.Helper()
	var task model.Task
	s.Do("POST", "/tasks", taskBody(more)).OK(&task)
	return task
}

func getTask(t testing.TB, s *servicetest.Server, id model.ID) model.Task {
	t.Helper()
	var task model.Task
	s.Do("GET", "/tasks/"+string(id), nil).OK(&task)
	return task
}

func addCustomField(t testing.TB, s *servicetest.Server, doc string) {
	t.Helper()
	var field model.CustomField
	require.NoError(t, model.Unmarshal([]byte(doc), &field))
	insertDoc(t, s, "INSERT INTO custom_fields (org, key, created, doc) VALUES ($1, $2, 0, $3)", s.Org, field.Key, doc)
}

func addTemplate(t testing.TB, s *servicetest.Server, doc string) model.ID {
	t.Helper()
	id := model.NewID()
	insertDoc(t, s, "INSERT INTO templates (id, org, name_fold, created, doc) VALUES ($1, $2, $1, 0, $3)", id, s.Org, doc)
	return id
}

// connectClient makes an organization a client of another courier.
func connectClient(t testing.TB, s *servicetest.Server, courier, client model.ID) {
	t.Helper()
	insertDoc(t, s, "INSERT INTO connections (courier, client) VALUES ($1, $2)", courier, client)
}

func insertDoc(t testing.TB, s *servicetest.Server, query string, args ...any) {
	t.Helper()
	require.NoError(t, s.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	}))
}
