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

// cannotOpen reports whether err means that a connection could not open the database.
func cannotOpen(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&primaryCode == sqlite3.SQLITE_CANTOPEN
}

// primaryCode selects the kind of an error; the rest of a code says more about the cause.
const primaryCode = 0xff

// isDamage reports whether err means that the file is damaged or not a database.
func isDamage(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&primaryCode == sqlite3.SQLITE_CORRUPT || e.Code()&primaryCode == sqlite3.SQLITE_NOTADB)
}
