package world

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"fmt"
	"net/http"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"

	"waybill/model"
	"waybill/service/store"
)

// Limits of a permanent password. Short ones can be guessed, and the hash uses at most 72 bytes.
const (
	minPassword = 8
	maxPassword = 72
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

// account is a driver's account at one organization. It has a temporary password or the hash of an own one.
type account struct {
	worker, org     model.ID
	temporary, hash sql.NullString
}

func (w *World) readAccounts(ctx context.Context, phone string) ([]account, error) {
	var accounts []account
	err := eachRow(ctx, w.store, "read worker accounts", `SELECT w.id, w.org, p.temporary, p.hash FROM workers w
		JOIN worker_passwords p ON p.worker = w.id WHERE w.phone = $1 ORDER BY w.created, w.id`,
		[]any{phone}, func(row *sql.Rows) error {
			var a account
			err := row.Scan(&a.worker, &a.org, &a.temporary, &a.hash)
			accounts = append(accounts, a)
			return err
		})
	return accounts, err
}

// dummyHash is the hash of an unknown password, with the same cost as all others.
const dummyHash = "$2a$10$.JU9ZvUOopZdcaQJWjT4I.ukRzZkxUABkVHv0JwO3FWbtE5fCFhzi"

// matchPassword finds the account that a password belongs to. A failure compares at least one hash, whether the number
// is known or not, so that its duration does not reveal who drives here.
func matchPassword(accounts []account, password string, compare func(hash, password []byte) error) (WorkerLogin, bool) {
	compared := false
	for _, a := range accounts {
		opens := false
		if a.temporary.Valid {
			opens = subtle.ConstantTimeCompare([]byte(password), []byte(a.temporary.String)) == 1
		} else if a.hash.Valid {
			opens = compare([]byte(a.hash.String), []byte(password)) == nil
			compared = true
		}
		if opens {
			return WorkerLogin{Worker: a.worker, Org: a.org, Temporary: a.temporary.Valid}, true
		}
	}
	if !compared {
		compare([]byte(dummyHash), []byte(password)) //nolint:errcheck // nobody has this password
	}
	return WorkerLogin{}, false
}

func wrongPasswordError() *Error {
	return &Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
		Message: "Wrong phone number or password. Enter the number with its country code.",
	}
}

// SetWorkerPassword sets a driver's own password and accepts the invitation. All other sessions of the driver end,
// because whoever knew the old password must be logged out.
func (w *World) SetWorkerPassword(ctx context.Context, worker model.ID, password, token string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || len(password) > maxPassword {
		return Invalid("The password must have at least %d characters and at most %d bytes.", minPassword, maxPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return fmt.Errorf("hash password: %w", err)
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "save password",
			"UPDATE worker_passwords SET temporary = NULL, hash = $1 WHERE worker = $2", string(hash), worker)
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
