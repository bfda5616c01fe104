package geo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
)

// Query is the address to find. With Unparsed, only Apartment and Language of the other fields are used.
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
	// Language is a two-letter code: the language of the answer, and the country to assume when the address has none.
	Language string
	// Default is the place of the organization, for an address without a city or country.
	Default Default
}

// Default is what a geocoder may assume about an address.
type Default struct {
	City, State, Country string
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
	// Accuracy is what was found, and Radius how far the true point may be away in meters; 0 if unknown.
	Accuracy Accuracy
	Radius   float64
	// Approximate is set when the location is not that of the house.
	Approximate bool
	// Warnings are sentences for people about what was assumed or ignored.
	Warnings []string
	// PlaceID is the geocoder's id of the place, if it has one.
	PlaceID string
	// Source names the geocoder.
	Source string
}

// Geocoder finds addresses. Its errors match ErrUnknownPlace, ErrBadAddress or ErrUnavailable.
type Geocoder interface {
	Geocode(ctx context.Context, q Query) (Result, error)
}

// Kinds of errors.
var (
	// ErrUnknownPlace means that the place is not known. Asking again does not help.
	ErrUnknownPlace = errors.New("unknown place")
	// ErrBadAddress means that the address is incomplete.
	ErrBadAddress = errors.New("incomplete address")
	// ErrUnavailable means that the geocoder did not answer. Asking later may help.
	ErrUnavailable = errors.New("geocoder unavailable")
)

// Error is the error of one lookup, with a text for people.
type Error struct {
	Kind   error // ErrUnknownPlace, ErrBadAddress or ErrUnavailable
	Source string
	Text   string
	Err    error // the cause, if any
	// RetryAfter is how long the source asked to wait, or 0.
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

// Line returns the address in one line, separated by commas.
func (q Query) Line() string {
	if q.Unparsed != "" {
		return strings.TrimSpace(q.Unparsed)
	}
	return model.JoinParts(q.Number+" "+q.Street, q.City, q.State+" "+q.PostalCode, q.Country)
}
