package operations

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Modes of an address form: how the address is given.
const (
	whereLine  = "line"
	whereParts = "parts"
	whereKnown = "known"
	wherePoint = "point"
	whereNone  = "none" // no address, or the source's
)

// addressForm asks for an address or an existing destination.
type addressForm struct {
	page string
	// modes are how the address can be given; the first is the default.
	modes []form.Option
}

// addressModes are the options for the given modes.
func addressModes(modes ...string) []form.Option {
	options := map[string]form.Option{
		whereNone:  {Label: "none"},
		whereLine:  {Label: "address in one line"},
		whereParts: {Label: "address in parts"},
		whereKnown: {Label: "existing destination", Note: "without geocoding"},
		wherePoint: {Label: "coordinates", Note: "without geocoding; city and country are required"},
	}
	return mapList(modes, func(mode string) form.Option {
		option := options[mode]
		option.Value = mode
		return option
	})
}

func (p addressForm) mode(values form.Values) string {
	if chosen := values.Get("where"); chosen != "" {
		return chosen
	}
	return p.modes[0].Value
}

// fields ask for the address. Only those of the chosen mode are visible.
func (p addressForm) fields(s Input) []form.Field {
	fields := []form.Field{{
		Name: "where", Title: "Given as", Page: p.page, Kind: form.Choice, Options: p.modes, Flag: form.Flag{None: true},
	}}
	add := func(name, title string, modes ...string) *form.Field {
		f := taskField(s, name, title, p.page)
		f.Show = func(values form.Values) bool { return slices.Contains(modes, p.mode(values)) }
		// The flag of a field that belongs to one mode chooses it; the parts of an address choose theirs.
		possible := slices.ContainsFunc(p.modes, func(o form.Option) bool { return o.Value == modes[0] })
		f.Flag.None = f.Flag.None || !slices.ContainsFunc(p.modes, func(o form.Option) bool { return slices.Contains(modes, o.Value) })
		if possible && len(modes) < 3 && name != "language" {
			f.Flag.Implies = form.Values{"where": modes[0]}
		}
		fields = append(fields, f)
		return &fields[len(fields)-1]
	}
	add("address", "Address", whereLine).Suggest = func(text string, _ form.Values) []form.Option {
		return suggestPlaces(s, text, func(address string, _ model.ID) string { return address })
	}
	known := add("destination", "Destination", whereKnown)
	known.About, known.Hint, known.Prompt = "a destination on the board, by its address", "", "type part of the address"
	known.Suggest = func(text string, _ form.Values) []form.Option {
		return suggestPlaces(s, text, func(_ string, id model.ID) string { return string(id) })
	}
	known.Echo = func(value string, _ form.Values) string { return boardAddress(s, model.ID(value)) }
	at := add("location", "Coordinates", wherePoint)
	at.About = "longitude first, then latitude"
	at.Echo = echoText(taskimport.ParseLocation, locationText)
	add("number", "Number", whereParts, wherePoint)
	add("street", "Street", whereParts, wherePoint)
	add("apartment", "Apartment", whereLine, whereParts, wherePoint)
	add("city", "City", whereParts, wherePoint)
	add("state", "State or province", whereParts, wherePoint)
	add("postal_code", "Postal code", whereParts, wherePoint)
	add("country", "Country", whereParts, wherePoint)
	add("address_name", "Place name", whereLine, whereParts, wherePoint)
	add("destination_notes", "Destination notes", whereLine, whereParts, wherePoint)
	add("language", "Lookup country", whereLine, whereParts)
	return fields
}

// checkGiven reports what the chosen mode requires.
func (p addressForm) checkGiven(values form.Values, problems form.Problems) {
	for way, need := range map[string]struct{ name, text string }{
		whereLine:  {"address", "Type an address, such as 543 Howard St, San Francisco, CA 94105, USA."},
		whereKnown: {"destination", "Choose a destination from the list, or give the address another way."},
		wherePoint: {"location", "Type the coordinates, longitude first: -122.3965,37.7883."},
	} {
		if p.mode(values) == way && values.Get(need.name) == "" {
			addProblem(problems, need.name, need.text)
		}
	}
}

// fieldOf maps a member of a destination to a field. The destination as a whole is the main field of the chosen mode.
func (p addressForm) fieldOf(member string, values form.Values) string {
	name := fieldOfMember(member, values)
	if name == "address" || name == "destination" {
		switch p.mode(values) {
		case whereParts:
			name = "street"
		case whereKnown:
			name = "destination"
		case wherePoint:
			name = "location"
		default:
			name = "address"
		}
	}
	return name
}

// suggestPlaces lists the board's destinations that fit a text, each with the value that the field keeps.
func suggestPlaces(s Input, text string, value func(address string, id model.ID) string) []form.Option {
	var options []form.Option
	for _, place := range s.Board.KnownDestinations(strings.TrimSpace(text), maxSuggestions) {
		if v := value(place.Address, place.ID); v != "" && !model.ID(text).Valid() {
			options = append(options, form.Option{Value: v, Label: place.Address})
		}
	}
	return options
}

// boardAddress finds the address of a destination by the tasks that go there.
func boardAddress(s Input, id model.ID) string {
	for row := range s.Board.Tasks.All() {
		if row.Destination == id {
			return row.Address
		}
	}
	return ""
}

func locationText(at model.Location) string {
	north, east := "N", "E"
	if at.Lat < 0 {
		north = "S"
	}
	if at.Lon < 0 {
		east = "W"
	}
	return fmt.Sprintf("%.4f° %s, %.4f° %s", math.Abs(at.Lat), north, math.Abs(at.Lon), east)
}

// placeText is a destination as it will be sent.
func placeText(s Input, place model.IDOr[model.DestinationInput]) string {
	if place.Object == nil {
		if address := boardAddress(s, place.ID); address != "" {
			return address
		}
		return "destination " + string(place.ID)
	}
	a := model.EffectiveAddress(place.Object.Address.Value())
	var parts []string
	for _, part := range []string{
		a.Name, a.Unparsed, strings.TrimSpace(a.Number + " " + a.Street), a.Apartment, a.City,
		strings.TrimSpace(a.State + " " + a.PostalCode), a.Country,
	} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	text := strings.Join(parts, ", ")
	if at, ok := place.Object.Location.Get(); ok {
		text += fmt.Sprintf(" (%g,%g)", at.Lon, at.Lat)
	}
	return model.Clean(text)
}
