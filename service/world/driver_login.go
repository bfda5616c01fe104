package world

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/crypto/bcrypt"

	"waybill/model"
	"waybill/service/store"
)

// WorkerLogin is a driver whose password was correct.
type WorkerLogin struct {
	Worker model.ID
	Org    model.ID
	// Temporary is set until the driver has chosen a password.
	Temporary bool
}

// LogInWorker finds the driver with a phone number, including the country code, and a password. One person may drive for
// several organizations; the password decides which one is meant.
func (w *World) LogInWorker(ctx context.Context, phone, password string) (WorkerLogin, error) {
	var accounts []account
	if normalized, problems := model.NormalizePhone(phone, ""); len(problems) == 0 {
		var err error
		if accounts, err = w.readAccounts(ctx, normalized); err != nil {
			return WorkerLogin{}, err
		}
	}
	login, ok := matchPassword(accounts, password, bcrypt.CompareHashAndPassword)
	if !ok {
		return WorkerLogin{}, wrongPasswordError()
	}
	return login, nil
}

// account is a driver's account at one organization. It has the hash of a temporary password or of an own one.
type account struct {
	worker, org     model.ID
	temporary, hash sql.NullString
}

func (w *World) readAccounts(ctx context.Context, phone string) ([]account, error) {
	return readRows(ctx, w.store, "read worker accounts", `SELECT w.id, w.org, p.temporary, p.hash FROM workers w
		JOIN worker_passwords p ON p.worker = w.id WHERE w.phone = $1 ORDER BY w.created, w.id`,
		[]any{phone}, func(a *account) []any { return []any{&a.worker, &a.org, &a.temporary, &a.hash} })
}

// dummyTemporary and dummyHash are the hashes of unknown passwords, with the same costs as all others.
const (
	dummyTemporary = "$2a$04$vcQ2OQl.5FQpTfKK3Q.U6OEvtHeYEkm02I5Z/7a07nbVyKhcEM7hy"
	dummyHash      = "$2a$10$.JU9ZvUOopZdcaQJWjT4I.ukRzZkxUABkVHv0JwO3FWbtE5fCFhzi"
)

// matchPassword finds the account that a password belongs to. A failure compares at least one hash of each kind, whether
// the number is known or not, so that its duration does not reveal who drives here.
func matchPassword(accounts []account, password string, compare func(hash, password []byte) error) (WorkerLogin, bool) {
	unused := map[bool]string{true: dummyTemporary, false: dummyHash}
	for _, a := range accounts {
		hash := a.hash
		if a.temporary.Valid {
			hash = a.temporary
		}
		if !hash.Valid {
			continue
		}
		if compare([]byte(hash.String), []byte(password)) == nil {
			return WorkerLogin{Worker: a.worker, Org: a.org, Temporary: a.temporary.Valid}, true
		}
		delete(unused, a.temporary.Valid)
	}
	for _, hash := range unused {
		compare([]byte(hash), []byte(password)) //nolint:errcheck // nobody has this password
	}
	return WorkerLogin{}, false
}

func wrongPasswordError() *Error {
	return NewError(http.StatusUnauthorized, model.CodeInvalidCredentials, model.ErrorKey,
		"Wrong phone number or password. Enter the number with its country code.")
}

// SetWorkerPassword sets a driver's own password and accepts the invitation. All other sessions of the driver end,
// because whoever knew the old password must be logged out.
func (w *World) SetWorkerPassword(ctx context.Context, worker model.ID, password, token string) error {
	driver, err := ReadWorker(ctx, w.store, worker, w.Now())
	if err != nil {
		return err
	}
	if err := checkPassword(password, driver.Phone); err != nil {
		return err
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return fmt.Errorf("hash password: %w", err)
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "save password",
			"UPDATE worker_passwords SET temporary = NULL, hash = $1 WHERE worker = $2", string(hash), worker)
		eraseInvitations(ctx, tx, worker)
		tx.Write(ctx, "close other sessions",
			"DELETE FROM driver_sessions WHERE worker = $1 AND hash <> $2", worker, hashKey(token))
		stored, err := ReadWorker(ctx, tx, worker, w.Now())
		if err != nil {
			return err
		}
		stored.AccountStatus, stored.TimeLastModified = model.AccountAccepted, w.Now()
		saveWorkerDoc(ctx, tx, stored)
		return nil
	})
}

// sessionTTL is how long an unused session of the driver app lasts.
const sessionTTL = 30 * 24 * time.Hour

// sessionUpdateInterval is how often the use of a session is stored, because each update is a write.
const sessionUpdateInterval = time.Hour

// DriverSession is a logged-in driver app.
type DriverSession struct {
	Worker model.ID
	Org    model.ID
	// Temporary is set until the driver has chosen a password.
	Temporary bool
}

// OpenSession starts a session for a driver who has logged in and stores the device. A driver with an own password has
// accepted the invitation. The token is returned once; only its hash is stored.
func (w *World) OpenSession(ctx context.Context, login WorkerLogin, device model.UserData) (token string, err error) {
	token = rand.Text()
	now := w.Now()
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		if !login.Temporary {
			w.acceptWorker(ctx, tx, login.Worker, device)
		}
		tx.Write(ctx, "delete old sessions", "DELETE FROM driver_sessions WHERE worker = $1 AND used < $2",
			login.Worker, int64(now.Add(-sessionTTL)))
		tx.Write(ctx, "insert session", "INSERT INTO driver_sessions (hash, worker, created, used) VALUES ($1, $2, $3, $3)",
			hashKey(token), login.Worker, int64(now))
		return nil
	})
	return token, err
}

// FindSession finds the driver whose session has a token.
func (w *World) FindSession(ctx context.Context, token string) (DriverSession, error) {
	var session DriverSession
	var used model.Millis
	hash, now := hashKey(token), w.Now()
	err := w.store.QueryRow(ctx, `SELECT s.worker, w.org, s.used, coalesce(p.temporary, '') <> '' FROM driver_sessions s
		JOIN workers w ON w.id = s.worker LEFT JOIN worker_passwords p ON p.worker = w.id WHERE s.hash = $1`, hash).
		Scan(&session.Worker, &session.Org, &used, &session.Temporary)
	if errors.Is(err, sql.ErrNoRows) || err == nil && now.Sub(used) > sessionTTL {
		return DriverSession{}, sessionEndedError()
	}
	if err != nil {
		return DriverSession{}, fmt.Errorf("find session: %w", err)
	}
	if now.Sub(used) < sessionUpdateInterval {
		return session, nil
	}
	return session, w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "update session", "UPDATE driver_sessions SET used = $2 WHERE hash = $1", hash, int64(now))
		return nil
	})
}

func sessionEndedError() *Error {
	return NewError(http.StatusUnauthorized, model.CodeInvalidCredentials, model.ErrorKey,
		"The session has ended. Log in again with your phone number and password.")
}

// CloseSession ends a session.
func (w *World) CloseSession(ctx context.Context, token string) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "delete session", "DELETE FROM driver_sessions WHERE hash = $1", hashKey(token))
		return nil
	})
}

// DriverRoute returns what is ahead of a driver: the active task or null, and the list in order.
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

// AcceptInvitation marks a driver's invitation as accepted and stores the driver's device.
func (w *World) AcceptInvitation(ctx context.Context, worker model.ID, device model.UserData) error {
	return w.store.Write(ctx, func(tx *store.Tx) error { w.acceptWorker(ctx, tx, worker, device); return nil })
}

func (w *World) acceptWorker(ctx context.Context, tx *store.Tx, worker model.ID, device model.UserData) {
	stored, err := ReadWorker(ctx, tx, worker, w.Now())
	tx.Fail(err)
	data := stored.UserData.Value()
	setIfSent(&data.AppVersion, device.AppVersion)
	setIfSent(&data.DeviceDescription, device.DeviceDescription)
	setIfSent(&data.Platform, device.Platform)
	stored.UserData, stored.AccountStatus, stored.TimeLastModified = model.Some(data), model.AccountAccepted, w.Now()
	saveWorkerDoc(ctx, tx, stored)
}
