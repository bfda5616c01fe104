package model

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"
)

// ID identifies a resource: 24 characters of A–Z a–z 0–9 * ~.
type ID string

// IDLength is the length of every id.
const IDLength = 24

const idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*~"

// Valid reports whether the id has the form of a resource id.
func (id ID) Valid() bool {
	return len(id) == IDLength && strings.Trim(string(id), idAlphabet) == ""
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

// timeDigits is how many characters of an id encode the millisecond: seven digits in base 64 last until the year 2109.
const timeDigits = 7

// AppendIDTime appends the start of an id that sorts after ids with an earlier millisecond.
func AppendIDTime(id []byte, at Millis) []byte { return AppendIDDigits(id, uint64(at), timeDigits) }

// AppendIDDigits appends a number to an id in digits of base 64 that sort like the number.
func AppendIDDigits(id []byte, n uint64, digits int) []byte {
	for shift := 6 * (digits - 1); shift >= 0; shift -= 6 {
		id = append(id, sortedAlphabet[n>>shift&63])
	}
	return id
}

// NewIDAt returns an id that cannot be guessed (102 random bits) but sorts after ids made in an earlier millisecond. A
// database appends it to an index instead of changing a random page for each row.
func NewIDAt(at time.Time) ID {
	var random [IDLength - timeDigits]byte
	rand.Read(random[:]) //nolint:errcheck // crypto/rand.Read never fails
	id := AppendIDTime(make([]byte, 0, IDLength), MillisOf(at))
	for _, b := range random {
		id = append(id, sortedAlphabet[b&63])
	}
	return ID(id)
}

// ShortID is the eight hex digits by which people refer to tasks and orders.
type ShortID string

// ShortIDLength is the length of every short id.
const ShortIDLength = 8

// Valid reports whether the short id is eight lower-case hex digits.
func (s ShortID) Valid() bool {
	return len(s) == ShortIDLength && strings.Trim(string(s), "0123456789abcdef") == ""
}

// NewShortID makes a random short id.
func NewShortID() ShortID {
	var random [ShortIDLength / 2]byte
	rand.Read(random[:]) //nolint:errcheck // crypto/rand.Read never fails
	return ShortID(hex.EncodeToString(random[:]))
}
