package model

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// ID identifies a resource: 24 characters of A–Z a–z 0–9 * ~.
type ID string

// IDLength is the length of every id.
const IDLength = 24

const idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*~"

// Valid reports whether the id has the form of a resource id.
func (id ID) Valid() bool {
	if len(id) != IDLength {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '*' && c != '~' {
			return false
		}
	}
	return true
}

// NewID returns a random id.
func NewID() ID {
	var random [IDLength]byte
	rand.Read(random[:]) //nolint:errcheck // crypto/rand.Read never fails
	return IDFrom(random)
}

// IDFrom returns the id for 24 bytes; a seeded source gives repeatable ids.
func IDFrom(random [IDLength]byte) ID {
	for i, b := range random {
		random[i] = idAlphabet[b&63]
	}
	return ID(random[:])
}

// sortedAlphabet holds the characters of an id in the order in which databases compare them.
const sortedAlphabet = "*0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz~"

// timeDigits is how many characters of an id made by NewIDAt encode the millisecond: seven digits in base 64 last until
// the year 2109.
const timeDigits = 7

// NewIDAt returns an id that cannot be guessed (102 random bits) but sorts after ids made in an earlier millisecond. A
// database appends it to an index instead of changing a random page for each row.
func NewIDAt(at time.Time) ID {
	var raw [IDLength]byte
	rand.Read(raw[timeDigits:]) //nolint:errcheck // crypto/rand.Read never fails
	rest := at.UnixMilli()
	for i := timeDigits - 1; i >= 0; i-- {
		raw[i] = byte(rest)
		rest >>= 6
	}
	for i, b := range raw {
		raw[i] = sortedAlphabet[b&63]
	}
	return ID(raw[:])
}

// ShortID is the eight hex digits by which people refer to tasks and orders.
type ShortID string

// ShortIDLength is the length of every short id.
const ShortIDLength = 8

// Valid reports whether the short id is eight lower-case hex digits.
func (s ShortID) Valid() bool {
	if len(s) != ShortIDLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// NewShortID makes a random short id.
func NewShortID() ShortID {
	var random [ShortIDLength / 2]byte
	rand.Read(random[:]) //nolint:errcheck // crypto/rand.Read never fails
	return ShortID(hex.EncodeToString(random[:]))
}
