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

// Lengths of a permanent password: short ones are guessed, and the hash reads no more than 72 bytes.
const (
	minPassword = 8
	maxPassword = 72
)

// WorkerLogin is a driver who has proved who they are.
type WorkerLogin struct {
	Worker model.ID
	Org    model.ID
	// Temporary is set until the driver has chosen a password.
	Temporary bool
}

// LogInWorker finds the driver with a phone number, with country code, and password. One person may drive for several
// organizations; the password decides which one is meant.
func (w *World) LogInWorker(ctx context.Context, phone, password string) (WorkerLogin, error) {
	var accounts []account
	if normalized, problems := model.NormalizePhone(phone, ""); len(problems) == 0 {
		var err error
		if accounts, err = w.accountsOf(ctx, normalized); err != nil {
			return WorkerLogin{}, err
		}
	}
	login, ok := logIn(accounts, password, bcrypt.CompareHashAndPassword)
	if !ok {
		return WorkerLogin{}, wrongPassword()
	}
	return login, nil
}

// account is a driver's account with one organization. Its password is the temporary one or has a hash.
type account struct {
	worker, org     model.ID
	temporary, hash sql.NullString
}

func (w *World) accountsOf(ctx context.Context, phone string) ([]account, error) {
	rows, err := w.store.Query(ctx, `SELECT w.id, w.org, p.temporary, p.hash FROM workers w
		JOIN worker_passwords p ON p.worker = w.id WHERE w.phone = $1 ORDER BY w.created, w.id`, phone)
	if err != nil {
		return nil, fmt.Errorf("find the worker: %w", err)
	}
	defer rows.Close()
	var accounts []account
	for rows.Next() {
		var a account
		if err := rows.Scan(&a.worker, &a.org, &a.temporary, &a.hash); err != nil {
			return nil, fmt.Errorf("read password: %w", err)
		}
		accounts = append(accounts, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("find the worker: %w", err)
	}
	return accounts, nil
}

// nobodysHash is the hash of a password that was thrown away, with the cost of all others.
const nobodysHash = "$2a$10$.JU9ZvUOopZdcaQJWjT4I.ukRzZkxUABkVHv0JwO3FWbtE5fCFhzi"

// logIn finds the account that a password opens. A refusal compares a hash at least once, whether the number is known
// or not, so that its time does not tell who drives for anybody here.
func logIn(accounts []account, password string, compare func(hash, password []byte) error) (WorkerLogin, bool) {
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
		compare([]byte(nobodysHash), []byte(password)) //nolint:errcheck // nobody has this password
	}
	return WorkerLogin{}, false
}

func wrongPassword() *Error {
	return &Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
		Message: "The phone number or the password is wrong. The number needs its country code.",
	}
}

// SetWorkerPassword makes a driver's own password the only one and the account accepted. Every app of the driver but the
// one with this token is logged out: whoever had the old password is out.
func (w *World) SetWorkerPassword(ctx context.Context, worker model.ID, password, token string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || len(password) > maxPassword {
		return Invalid("A password has at least %d characters and at most %d bytes.", minPassword, maxPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return fmt.Errorf("hash password: %w", err)
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE worker_passwords SET temporary = NULL, hash = $1 WHERE worker = $2", string(hash), worker); err != nil {
			return fmt.Errorf("save password: %w", err)
		}
		if _, err := tx.Exec(ctx, "DELETE FROM driver_sessions WHERE worker = $1 AND hash <> $2", worker, hashKey(token)); err != nil {
			return fmt.Errorf("close other sessions: %w", err)
		}
		stored, err := ReadWorker(ctx, tx, worker, w.Now())
		if err != nil {
			return err
		}
		stored.AccountStatus, stored.TimeLastModified = model.AccountAccepted, w.Now()
		return saveWorkerDoc(ctx, tx, stored)
	})
}
