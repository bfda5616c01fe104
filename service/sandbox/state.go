package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// state is the part of a sandbox that is not in the tables of the world.
type state struct {
	Org        model.ID     `json:"org"`
	Dispatcher model.ID     `json:"desk"` // an administrator
	Seed       uint64       `json:"seed"`
	Workers    int          `json:"workers"`
	Tasks      int          `json:"tasks"`
	LiveFrom   model.Millis `json:"began"` // start of the live day
	Now        model.Millis `json:"now"`   // everything up to here is simulated
	// DriversCreated and MorningCreated are the progress of filling.
	DriversCreated int `json:"hired"`
	MorningCreated int `json:"loaded"`
	// Recipients and TasksSent count those created so far.
	Recipients int `json:"recipients"`
	TasksSent  int `json:"sent"`
	// Open is the number of open tasks when the dispatcher last counted them.
	Open      int       `json:"open"`
	Teams     []team    `json:"teams"`
	Clients   []client  `json:"clients"`
	Templates templates `json:"templates"`
}

// team is a team with its depot.
type team struct {
	ID  model.ID     `json:"id"`
	Hub geo.Location `json:"hub"`
}

// client is a business that orders from the courier.
type client struct {
	Org         model.ID `json:"org"`
	Key         model.ID `json:"key"`
	Number      int      `json:"number"` // index in city.Clients
	Destination model.ID `json:"door"`   // where its goods are picked up
}

// load reads the sandbox. It returns false if the store has none yet.
func (s *Sandbox) load(ctx context.Context) (bool, error) {
	known, err := readState(ctx, s.store, &s.state)
	if err != nil {
		return false, err
	}
	if !known {
		var orgs int
		if err := s.store.QueryRow(ctx, "SELECT count(*) FROM organizations").Scan(&orgs); err != nil {
			return false, fmt.Errorf("count organizations: %w", err)
		}
		if orgs > 0 {
			return false, ErrNotSandbox
		}
		return false, nil
	}
	s.options = Options{Seed: s.state.Seed, Workers: s.state.Workers, Tasks: s.state.Tasks}
	s.clock.now = s.state.Now
	return true, s.loadDrivers(ctx)
}

func readState(ctx context.Context, q store.Querier, into *state) (bool, error) {
	var doc []byte
	err := q.QueryRow(ctx, "SELECT doc FROM sandbox WHERE id = 1").Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the sandbox: %w", err)
	}
	*into = state{}
	if err := model.Unmarshal(doc, into); err != nil {
		return false, fmt.Errorf("decode the sandbox: %w", err)
	}
	return true, nil
}

// SavedTime returns the time in the sandbox of a store, and whether there is one. It is not before the last event,
// because a user may have changed something after the last tick.
func SavedTime(ctx context.Context, q store.Querier) (now model.Millis, known bool, err error) {
	var saved state
	if known, err = readState(ctx, q, &saved); err != nil || !known {
		return 0, known, err
	}
	var last model.Millis
	err = q.QueryRow(ctx, "SELECT time FROM events ORDER BY seq DESC LIMIT 1").Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, true, fmt.Errorf("read the last event: %w", err)
	}
	return max(saved.Now, saved.LiveFrom, last), true, nil
}

func (s *Sandbox) loadDrivers(ctx context.Context) error {
	var err error
	s.drivers, err = store.QueryRows(ctx, s.store, "read drivers", func(rows *sql.Rows, into **driver) error {
		d := &driver{}
		var doc []byte
		if err := rows.Scan(&d.worker, &d.number, &doc); err != nil {
			return err
		}
		d.traits = s.traitsOf(d.number)
		*into = d
		return model.Unmarshal(doc, d)
	}, "SELECT worker, number, doc FROM sandbox_drivers ORDER BY number")
	return err
}

// save writes the state and the drivers who have changed.
func (s *Sandbox) save(ctx context.Context) error {
	doc, err := model.Marshal(s.state)
	if err != nil {
		return fmt.Errorf("encode the sandbox: %w", err)
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Change(ctx, "save the sandbox", `INSERT INTO sandbox (id, doc) VALUES (1, $1)
			ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`, string(doc)); err != nil {
			return err
		}
		for _, d := range s.drivers {
			if !d.changed {
				continue
			}
			if err := d.save(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *driver) save(ctx context.Context, tx *store.Tx) error {
	doc, err := model.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode a driver: %w", err)
	}
	// Do not restore a driver whom the user has deleted.
	_, err = tx.Change(ctx, "save a driver", `INSERT INTO sandbox_drivers (worker, number, doc)
		SELECT id, $2, $3 FROM workers WHERE id = $1
		ON CONFLICT (worker) DO UPDATE SET doc = excluded.doc`, d.worker, d.number, string(doc))
	d.changed = d.changed && err != nil
	return err
}
