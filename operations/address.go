package operations

import (
	"fmt"
	"math"
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Ways to say where something is.
const (
	whereLine  = "line"
	whereParts = "parts"
	whereKnown = "known"
	wherePoint = "point"
	whereNone  = "none" // nowhere, or where it was
)

// addressForm asks for a place.
type addressForm struct {
	page string
	// modes are how the place can be said; the first is taken when nothing else is.
	modes []form.Option
}

func lineMode() form.Option { return form.Option{Value: whereLine, Label: "an address in one line"} }
func partsMode() form.Option {
	return form.Option{Value: whereParts, Label: "an address in its parts"}
}

func knownMode() form.Option {
	return form.Option{Value: whereKnown, Label: "a place that exists", Note: "nothing is looked up"}
}

func pointMode() form.Option {
	return form.Option{Value: wherePoint, Label: "coordinates", Note: "nothing is looked up; city and country are needed"}
}

// addressFieldNames are the fields of a place that drafts know by the same name.
func addressFieldNames() []string {
	var names []string
	for _, f := range taskimport.PlaceFields() {
		if f.Name != "longitude" && f.Name != "latitude" { // they are one field here
			names = append(names, f.Name)
		}
	}
	return names
}

func (p addressForm) mode(values form.Values) string {
	if chosen := values.Get("where"); chosen != "" {
		return chosen
	}
	return p.modes[0].Value
}

// fields ask for the place, one way at a time.
func (p addressForm) fields(s Input) []form.Field {
	in := func(ways ...string) func(form.Values) bool {
		return func(values form.Values) bool {
			where := p.mode(values)
			for _, way := range ways {
				if where == way {
					return true
				}
			}
			return false
		}
	}
	fields := []form.Field{{Name: "where", Title: "Where", Kind: form.Choice, Options: p.modes}}
	add := func(name, title string, ways ...string) *form.Field {
		f := taskField(s, name, title, p.page)
		f.Show = in(ways...)
		fields = append(fields, f)
		return &fields[len(fields)-1]
	}
	add("address", "Address", whereLine).Suggest = func(text string, _ form.Values) []form.Option { return suggestAddresses(s, text) }
	known := add("destination", "Place", whereKnown)
	known.About, known.Hint, known.Prompt = "one that the board knows, by its address", "", "type a part of the address"
	known.Suggest = func(text string, _ form.Values) []form.Option { return suggestPlaces(s, text) }
	known.Echo = func(value string, _ form.Values) string { return boardAddress(s, model.ID(value)) }
	at := add("location", "Coordinates", wherePoint)
	at.About = "longitude first, then latitude"
	at.Echo = func(value string, _ form.Values) string { return locationText(value) }
	for _, part := range []struct{ name, title string }{{"number", "Number"}, {"street", "Street"}} {
		add(part.name, part.title, whereParts, wherePoint)
	}
	add("apartment", "Apartment", whereLine, whereParts, wherePoint)
	for _, part := range []struct{ name, title string }{
		{"city", "City"}, {"state", "State or province"}, {"postal_code", "Postal code"}, {"country", "Country"},
	} {
		add(part.name, part.title, whereParts, wherePoint)
	}
	add("address_name", "Name of the place", whereLine, whereParts, wherePoint)
	add("destination_notes", "Notes on the place", whereLine, whereParts, wherePoint)
	add("language", "Language", whereLine, whereParts)
	fields[0].Page = p.page
	return fields
}

// fill gives a draft the place, and says when what the way needs is not there.
func (p addressForm) fill(draft *taskimport.Draft, values form.Values, problems form.Problems) {
	for _, name := range addressFieldNames() {
		if err := draft.Set(name, values.Get(name)); err != nil {
			addProblem(problems, name, sentence(err.Error()))
		}
	}
	for way, need := range map[string]struct{ name, text string }{
		whereLine:  {"address", "The address is needed, such as 543 Howard St, San Francisco, CA 94105, USA."},
		whereKnown: {"destination", "Choose a place of the list, or say where in another way."},
		wherePoint: {"location", "The coordinates are needed, longitude first: -122.3965,37.7883."},
	} {
		if p.mode(values) == way && values.Get(need.name) == "" {
			addProblem(problems, need.name, need.text)
		}
	}
}

// fieldOf is the field of a member of a destination: of what belongs to the place as a whole, the one that is shown.
func (p addressForm) fieldOf(member string, values form.Values) string {
	name := fieldOfMember(member)
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

// taskField is a field of a form from the table that files and flags have their columns from, so that all three
// understand the same.
func taskField(s Input, name, title, page string) form.Field {
	f := form.Field{Name: name, Title: title, Page: page}
	for _, known := range taskimport.Fields() {
		if known.Name != name {
			continue
		}
		f.About, f.Hint = strings.TrimSuffix(known.About, ", yes or no"), known.Example
		if known.Switch {
			f.Kind, f.Hint = form.Yes, ""
		}
	}
	if rest, repeats := strings.CutPrefix(strings.TrimPrefix(f.About, "the "), strings.ToLower(title)); repeats && (rest == "" || rest[0] == ',') {
		f.About = strings.TrimPrefix(rest, ", ") // the title says it
	}
	f.Check = unlessEmpty(func(value string) error { return taskimport.NewDraft(draftOptions(s)).Set(name, value) })
	return f
}

func suggestAddresses(s Input, text string) []form.Option {
	var options []form.Option
	for _, place := range s.Board.KnownPlaces(strings.TrimSpace(text), maxSuggestions) {
		options = append(options, form.Option{Value: place.Address, Label: place.Address})
	}
	return options
}

func suggestPlaces(s Input, text string) []form.Option {
	if model.ID(text).Valid() {
		return nil
	}
	var options []form.Option
	for _, place := range s.Board.KnownPlaces(strings.TrimSpace(text), maxSuggestions) {
		if place.ID != "" {
			options = append(options, form.Option{Value: string(place.ID), Label: place.Address})
		}
	}
	return options
}

// boardAddress finds a place on the board by the tasks that go there.
func boardAddress(s Input, id model.ID) string {
	for row := range s.Board.Tasks.All() {
		if row.Destination == id {
			return row.Address
		}
	}
	return ""
}

func locationText(value string) string {
	at, err := taskimport.ParseLocation(value)
	if err != nil {
		return ""
	}
	north, east := "N", "E"
	if at.Lat < 0 {
		north = "S"
	}
	if at.Lon < 0 {
		east = "W"
	}
	return fmt.Sprintf("%.4f° %s, %.4f° %s", math.Abs(at.Lat), north, math.Abs(at.Lon), east)
}

// placeText tells a place as it will be sent.
func placeText(s Input, place model.IDOr[model.DestinationInput]) string {
	if place.Object == nil {
		if address := boardAddress(s, place.ID); address != "" {
			return address
		}
		return "place " + string(place.ID)
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
