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
	normalized, problems := model.NormalizePhone(phone, "")
	if len(problems) > 0 {
		return WorkerLogin{}, wrongPassword()
	}
	rows, err := w.store.Query(ctx, `SELECT w.id, w.org, p.temporary, p.hash FROM workers w
		JOIN worker_passwords p ON p.worker = w.id WHERE w.phone = $1 ORDER BY w.created, w.id`, normalized)
	if err != nil {
		return WorkerLogin{}, fmt.Errorf("find the worker: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var login WorkerLogin
		var temporary, hash sql.NullString
		if err := rows.Scan(&login.Worker, &login.Org, &temporary, &hash); err != nil {
			return WorkerLogin{}, fmt.Errorf("read password: %w", err)
		}
		login.Temporary = temporary.Valid
		if passwordMatches(password, temporary, hash) {
			return login, nil
		}
	}
	if err := rows.Err(); err != nil {
		return WorkerLogin{}, fmt.Errorf("find the worker: %w", err)
	}
	return WorkerLogin{}, wrongPassword()
}

func passwordMatches(password string, temporary, hash sql.NullString) bool {
	if temporary.Valid {
		return subtle.ConstantTimeCompare([]byte(password), []byte(temporary.String)) == 1
	}
	return hash.Valid && bcrypt.CompareHashAndPassword([]byte(hash.String), []byte(password)) == nil
}

func wrongPassword() *Error {
	return &Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
		Message: "The phone number or the password is wrong. The number needs its country code.",
	}
}

// SetWorkerPassword makes a driver's own password the only one and the account accepted.
func (w *World) SetWorkerPassword(ctx context.Context, worker model.ID, password string) error {
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
		stored, err := WorkerForEvent(ctx, tx, worker, w.Now())
		if err != nil {
			return err
		}
		stored.AccountStatus, stored.TimeLastModified = model.AccountAccepted, w.Now()
		return saveWorkerDoc(ctx, tx, stored)
	})
}
