package world

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// sessionLife is how long a driver's app stays logged in without being used.
const sessionLife = 30 * 24 * time.Hour

// sessionTouch is how often the use of a session is noted: each note is a write.
const sessionTouch = time.Hour

// DriverSession is a driver's app that is logged in.
type DriverSession struct {
	Worker model.ID
	Org    model.ID
	// Temporary is set until the driver has chosen a password.
	Temporary bool
}

// OpenSession logs in the app of a driver who has proved who they are, and notes the device. Who has a password of their
// own has thereby accepted the invitation. The token is shown once and only its hash is kept.
func (w *World) OpenSession(ctx context.Context, login WorkerLogin, device model.UserData) (token string, err error) {
	token = rand.Text()
	now := w.Now()
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		if !login.Temporary {
			if err := w.acceptWorker(ctx, tx, login.Worker, device); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "DELETE FROM driver_sessions WHERE worker = $1 AND used < $2",
			login.Worker, int64(now.Add(-sessionLife))); err != nil {
			return fmt.Errorf("forget old sessions: %w", err)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO driver_sessions (hash, worker, created, used) VALUES ($1, $2, $3, $3)",
			hashKey(token), login.Worker, int64(now)); err != nil {
			return fmt.Errorf("insert session: %w", err)
		}
		return nil
	})
	return token, err
}

// FindSession finds the driver whom a token stands for.
func (w *World) FindSession(ctx context.Context, token string) (DriverSession, error) {
	var session DriverSession
	var used model.Millis
	hash, now := hashKey(token), w.Now()
	err := w.store.QueryRow(ctx, `SELECT s.worker, w.org, s.used, coalesce(p.temporary, '') <> '' FROM driver_sessions s
		JOIN workers w ON w.id = s.worker LEFT JOIN worker_passwords p ON p.worker = w.id WHERE s.hash = $1`, hash).
		Scan(&session.Worker, &session.Org, &used, &session.Temporary)
	if errors.Is(err, sql.ErrNoRows) || err == nil && now.Sub(used) > sessionLife {
		return DriverSession{}, loggedOut()
	}
	if err != nil {
		return DriverSession{}, fmt.Errorf("find session: %w", err)
	}
	if now.Sub(used) < sessionTouch {
		return session, nil
	}
	return session, w.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE driver_sessions SET used = $2 WHERE hash = $1", hash, int64(now))
		return err
	})
}

func loggedOut() *Error {
	return &Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
		Message: "The session has ended. Log in again with phone number and password.",
	}
}

// CloseSession logs an app out.
func (w *World) CloseSession(ctx context.Context, token string) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM driver_sessions WHERE hash = $1", hashKey(token))
		return err
	})
}

// DriverRoute is what lies before a driver: the task that is started, or null, and the list in order.
func (w *World) DriverRoute(ctx context.Context, worker model.ID) (model.Raw, error) {
	rows, err := w.store.Query(ctx, selectTaskWire+
		"WHERE t.worker = $1 AND t.state IN (1, 2) ORDER BY t.state DESC, t.position", worker)
	if err != nil {
		return nil, fmt.Errorf("read the route: %w", err)
	}
	defer rows.Close()
	active, list := []byte("null"), []byte{}
	for rows.Next() {
		var t taskRow
		var destination string
		var recipient sql.NullString
		if err := t.scanWire(rows.Scan, &destination, &recipient); err != nil {
			return nil, fmt.Errorf("read the route: %w", err)
		}
		if t.state == model.TaskActive {
			active = t.appendWire(nil, destination, recipient.String, "")
			continue
		}
		if len(list) > 0 {
			list = append(list, ',')
		}
		list = t.appendWire(list, destination, recipient.String, "")
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the route: %w", err)
	}
	answer := append([]byte(`{"activeTask":`), active...)
	answer = append(append(answer, `,"tasks":[`...), list...)
	return append(answer, "]}"...), nil
}
