package geo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Query is the address to find. With Unparsed the other parts but Apartment and Language are not looked at.
type Query struct {
	Number     string
	Street     string
	Apartment  string
	City       string
	State      string
	PostalCode string
	Country    string
	// Unparsed is a whole address in one line, its elements separated by commas.
	Unparsed string
	// Language is a two-letter code: the language to answer in where the geocoder knows several, and the country to
	// assume when the address names none.
	Language string
}

// Address is an address as the geocoder understood it.
type Address struct {
	Name        string
	Number      string
	Street      string
	Apartment   string
	City        string
	State       string
	PostalCode  string
	Country     string
	CountryCode string // ISO 3166-1 alpha-2
}

// Result is a found address.
type Result struct {
	Location Location
	Address  Address
	// Approximate is set when the location is less exact than the house.
	Approximate bool
	// Warnings are sentences for people, about what was assumed or left out.
	Warnings []string
	// PlaceID is the source's own id of the place, when it has one.
	PlaceID string
	// Source names the geocoder.
	Source string
}

// Geocoder finds addresses. Its errors match ErrUnknownPlace, ErrBadAddress or ErrUnavailable.
type Geocoder interface {
	Geocode(ctx context.Context, q Query) (Result, error)
}

// The kinds of failure a caller can act on.
var (
	// ErrUnknownPlace: the address is readable but no such place is known. Asking again gives the same answer.
	ErrUnknownPlace = errors.New("unknown place")
	// ErrBadAddress: the address lacks what is needed to look it up.
	ErrBadAddress = errors.New("incomplete address")
	// ErrUnavailable: the geocoder could not be asked or did not answer. Asking later may work.
	ErrUnavailable = errors.New("geocoder unavailable")
)

// Error is the failure of one look-up, with a text for people.
type Error struct {
	Kind   error // ErrUnknownPlace, ErrBadAddress or ErrUnavailable
	Source string
	Text   string
	Err    error // what lies behind it, if anything
	// RetryAfter is how long the source asked to be left alone, 0 when it did not say.
	RetryAfter time.Duration
}

func (e *Error) Error() string {
	text := e.Text
	if e.Source != "" {
		text = e.Source + ": " + text
	}
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// Unwrap makes the kind and the cause visible to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

func unknownPlace(source, format string, args ...any) error {
	return &Error{Kind: ErrUnknownPlace, Source: source, Text: fmt.Sprintf(format, args...)}
}

func badAddress(source, text string) error {
	return &Error{Kind: ErrBadAddress, Source: source, Text: text}
}

// Line writes the address on one line, its elements separated by commas.
func (q Query) Line() string {
	if q.Unparsed != "" {
		return strings.TrimSpace(q.Unparsed)
	}
	parts := []string{
		strings.TrimSpace(q.Number + " " + q.Street), q.City, strings.TrimSpace(q.State + " " + q.PostalCode), q.Country,
	}
	var line []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			line = append(line, part)
		}
	}
	return strings.Join(line, ", ")
}
