package taskimport

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
)

// Options are what a draft needs to understand texts.
type Options struct {
	// Now is the base of relative times, Zone the zone of clock times.
	Now  model.Millis
	Zone *time.Location
	// Country is the organization's, for local phone numbers.
	Country string
	// Team resolves the name of a team; nil when only ids are accepted.
	Team func(name string) (model.ID, error)
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// Check is the context of the rules.
func (o Options) Check() model.CheckContext {
	return model.CheckContext{Now: o.Now, Country: o.Country}
}

// Draft builds a task from texts, field by field.
type Draft struct {
	options       Options
	task          model.TaskInput
	destination   model.DestinationInput
	address       model.AddressInput
	destinationID model.ID
	lon, lat      model.Opt[float64]
	quantities    model.QuantitiesInput
	requirements  model.Requirements
	recipient     model.RecipientInput
	recipientID   model.ID
	hasRecipient  bool
	set           map[string]bool
	fields        map[string]Field
}

// NewDraft starts an empty draft.
func NewDraft(o Options) *Draft {
	return &Draft{options: o, set: map[string]bool{}, fields: fieldTable()}
}

// reset empties the draft for the next row.
func (d *Draft) reset() {
	clear(d.set)
	*d = Draft{options: d.options, set: d.set, fields: d.fields}
}

// Set sets a field. An empty value sets nothing.
func (d *Draft) Set(name, value string) error {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	d.set[name] = true
	if key, ok := strings.CutPrefix(name, customFieldPrefix); ok {
		return d.setCustomField(key, value)
	}
	if key, ok := strings.CutPrefix(name, metadataPrefix); ok {
		return d.setMetadata(key, value)
	}
	field, ok := d.fields[name]
	if !ok {
		return fmt.Errorf("unknown field %q", name)
	}
	if field.set != nil {
		return field.set(d, strings.TrimSpace(value))
	}
	return d.setValue(field.value(d), strings.TrimSpace(value))
}

// Has reports whether a field was set.
func (d *Draft) Has(name string) bool { return d.set[name] }

var (
	errTwoDestinations = errors.New("give the destination by id or by address, not both")
	errTwoRecipients   = errors.New("give the recipient by id or by name and phone, not both")
	errHalfLocation    = errors.New("a location needs both longitude and latitude")
	errTwoWindows      = errors.New("use either window, or after and before, not both")
)

// CheckWindow refuses a window that is given in one text and by its times.
func (d *Draft) CheckWindow() error {
	if d.Has("window") && (d.Has("after") || d.Has("before")) {
		return errTwoWindows
	}
	return nil
}

// Changes is the task with only the fields that were set, for an update.
func (d *Draft) Changes() (model.TaskInput, error) {
	task := d.task
	if d.Has("quantity_a") || d.Has("quantity_b") || d.Has("quantity_c") {
		task.AdditionalQuantities = model.Some(d.quantities)
	}
	if d.Has("require") || d.Has("minimum_age") {
		task.Requirements = model.Some(d.requirements)
	}
	destination, err := d.destinationInput()
	if err != nil {
		return task, err
	}
	if !destination.IsZero() {
		task.Destination = model.Some(destination)
	}
	switch {
	case d.recipientID != "" && d.hasRecipient:
		return task, errTwoRecipients
	case d.recipientID != "":
		task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.ByID[model.RecipientInput](d.recipientID)})
	case d.hasRecipient:
		task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(d.recipient)})
	}
	return task, nil
}

// Task is the task to create. Without a recipient it has an empty list, which the interface requires.
func (d *Draft) Task() (model.TaskInput, error) {
	task, err := d.Changes()
	if err == nil && !task.Recipients.Present() {
		task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{})
	}
	return task, err
}

func (d *Draft) destinationInput() (model.IDOr[model.DestinationInput], error) {
	var none model.IDOr[model.DestinationInput]
	if d.lon.Has() != d.lat.Has() {
		return none, errHalfLocation
	}
	place := d.destination
	if d.lon.Has() {
		place.Location = model.Some(model.Location{Lon: d.lon.Value(), Lat: d.lat.Value()})
	}
	if hasAddress(d.address) {
		place.Address = model.Some(d.address)
	}
	given := place.Address.Has() || place.Location.Has() || place.Notes != "" || place.Options.Has()
	switch {
	case d.destinationID != "" && given:
		return none, errTwoDestinations
	case d.destinationID != "":
		return model.ByID[model.DestinationInput](d.destinationID), nil
	case given:
		return model.Embedded(place), nil
	}
	return none, nil
}

func hasAddress(a model.AddressInput) bool {
	return a.Name+a.Number+a.Street+a.Apartment+a.City+a.State+a.PostalCode+a.Country+a.Unparsed != ""
}

func (d *Draft) parseTime(text string) (model.Millis, error) {
	return model.ParseTime(text, d.options.Now, d.options.zone())
}

func (d *Draft) setWindow(text string) error {
	from, to, err := model.ParseWindow(text, d.options.Now, d.options.zone())
	if err != nil {
		return err
	}
	d.task.CompleteAfter, d.task.CompleteBefore = model.Some(from), model.Some(to)
	return nil
}
