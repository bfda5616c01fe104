package store

import (
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsUnique reports whether err is the violation of a unique constraint.
func IsUnique(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// IsFull reports whether err means that the disk is full.
func IsFull(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_FULL
}

// isDamage reports whether err means that the file is damaged or not a database.
func isDamage(err error) bool {
	var e *sqlite.Error
	const primary = 0xff // the rest of a code says more about the cause
	return errors.As(err, &e) && (e.Code()&primary == sqlite3.SQLITE_CORRUPT || e.Code()&primary == sqlite3.SQLITE_NOTADB)
}
