package model

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
)

// Destination is a place where a task happens.
type Destination struct {
	ID                ID            `json:"id"`
	TimeCreated       Millis        `json:"timeCreated"`
	TimeLastModified  Millis        `json:"timeLastModified"`
	Location          Location      `json:"location"`
	Address           Address       `json:"address"`
	Notes             string        `json:"notes"`
	Metadata          []Metadata    `json:"metadata"`
	GooglePlaceID     Opt[string]   `json:"googlePlaceId,omitzero"`
	Warnings          Opt[[]string] `json:"warnings,omitzero"`
	UseGPS            Opt[bool]     `json:"useGPS,omitzero"`
	Organization      Opt[ID]       `json:"organization,omitzero"`
	WasGeocoded       Opt[bool]     `json:"wasGeocoded,omitzero"`
	CreatedByLocation Opt[bool]     `json:"createdByLocation,omitzero"`
	Extra             Extra         `json:",embed"`
}

// Address is a postal address as the service returns it.
type Address struct {
	Name       Opt[string] `json:"name,omitzero"`
	Number     string      `json:"number"`
	Street     string      `json:"street"`
	Apartment  string      `json:"apartment"`
	City       string      `json:"city"`
	State      string      `json:"state"`
	PostalCode string      `json:"postalCode"`
	Country    string      `json:"country"`
	Unparsed   Opt[string] `json:"unparsed,omitzero"`
	Extra      Extra       `json:",embed"`
}

// Line returns the whole address on one line.
func (a Address) Line() string {
	line := JoinParts(a.Name.Value(), a.StreetLine(), a.Apartment, a.City, a.State+" "+a.PostalCode, a.Country)
	return cmp.Or(line, a.Unparsed.Value())
}

// StreetLine returns the house number and the street.
func (a Address) StreetLine() string { return strings.TrimSpace(a.Number + " " + a.Street) }

// AddressInput is an address as it is sent: parsed into parts, or in one line as Unparsed.
type AddressInput struct {
	Name       string `json:"name,omitzero"`
	Number     string `json:"number,omitzero"`
	Street     string `json:"street,omitzero"`
	Apartment  string `json:"apartment,omitzero"`
	City       string `json:"city,omitzero"`
	State      string `json:"state,omitzero"`
	PostalCode string `json:"postalCode,omitzero"`
	Country    string `json:"country,omitzero"`
	Unparsed   string `json:"unparsed,omitzero"`
	Extra      Extra  `json:",embed"`
}

// AddressParts is an address whose parts are members of something larger.
type AddressParts AddressInput

// UnmarshalJSON implements the codec's interface. Next to an address in one line, all parts but name and apartment are
// ignored, whatever their type.
func (a *AddressInput) UnmarshalJSON(data []byte) error {
	var parts AddressParts
	err := json.Unmarshal(data, &parts)
	if err == nil {
		*a = AddressInput(parts)
		return nil
	}
	if line, ok := decodeUnparsedAddress(data); ok {
		*a = line
		return nil
	}
	return err
}

// decodeUnparsedAddress decodes an address in one line and reports whether there is one.
func decodeUnparsedAddress(data []byte) (AddressInput, bool) {
	var line struct {
		Name      string `json:"name,omitzero"`
		Apartment string `json:"apartment,omitzero"`
		Unparsed  string `json:"unparsed,omitzero"`
	}
	if err := json.Unmarshal(data, &line); err != nil || isBlank(line.Unparsed) {
		return AddressInput{}, false
	}
	return AddressInput{Name: line.Name, Apartment: line.Apartment, Unparsed: line.Unparsed}, true
}

// DestinationInput is the body that creates a destination, alone or inside a task.
type DestinationInput struct {
	Address  Opt[AddressInput]       `json:"address,omitzero"`
	Location Opt[Location]           `json:"location,omitzero"`
	Notes    string                  `json:"notes,omitzero"`
	Metadata []Metadata              `json:"metadata,omitzero"`
	UseGPS   Opt[bool]               `json:"useGPS,omitzero"`
	Options  Opt[DestinationOptions] `json:"options,omitzero"`
	Extra    Extra                   `json:",embed"`
}

// DestinationOptions control geocoding.
type DestinationOptions struct {
	Language string `json:"language,omitzero"`
	Extra    Extra  `json:",embed"`
}

// Metadata is a named value on a resource. Value keeps whatever JSON it was given.
type Metadata struct {
	Name       string        `json:"name"`
	Type       string        `json:"type"`
	Subtype    Opt[string]   `json:"subtype,omitzero"`
	Visibility Opt[[]string] `json:"visibility,omitzero"`
	Value      Raw           `json:"value,omitzero"`
	Extra      Extra         `json:",embed"`
}
