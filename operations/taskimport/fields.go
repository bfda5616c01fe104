package taskimport

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
)

// Prefixes of custom fields and metadata.
const (
	customFieldPrefix = "field:"
	metadataPrefix    = "meta:"
)

// Field is one property of a task: a column of a CSV file, a flag of a command, a field of a form.
type Field struct {
	// Name is the column's name.
	Name string
	// Flag is the flag's name where it is not the column's with dashes.
	Flag string
	// About describes the field in a few words.
	About string
	// Example is a valid value.
	Example string
	// Switch marks yes-or-no fields.
	Switch bool

	// value is where the value goes; set replaces it where the type does not say how to read the text.
	value func(d *Draft) any
	set   func(d *Draft, value string) error
}

// FlagName is the name of the flag.
func (f Field) FlagName() string {
	if f.Flag != "" {
		return f.Flag
	}
	return strings.ReplaceAll(f.Name, "_", "-")
}

// Fields lists every field: place, recipient, time, load, completion, relations. A field added here is a column of files
// and a flag of tasks create and tasks update without further code: the form of a new task gets a field for every column
// that it does not know, and so does the form of an update.
func Fields() []Field {
	return slices.Concat(PlaceFields(), recipientFields(), timeFields(), loadFields(), completionFields(), relationFields())
}

// fieldTable is the fields by name.
func fieldTable() map[string]Field {
	table := map[string]Field{}
	for _, f := range Fields() {
		table[f.Name] = f
	}
	return table
}

// setValue reads a text as the type of a value.
func (d *Draft) setValue(value any, text string) error {
	switch value := value.(type) {
	case *string:
		*value = text
	case *model.ID:
		*value = model.ID(text)
	case *model.Opt[string]:
		*value = model.Some(text)
	case *model.Opt[model.ID]:
		*value = model.Some(model.ID(text))
	case *model.Opt[bool]:
		return parseInto(value, text, ParseYesNo)
	case *model.Opt[float64]:
		return parseInto(value, text, parseNumber)
	case *model.Opt[model.Int]:
		return parseInto(value, text, parseInteger)
	case *model.Opt[model.Minutes]:
		return parseInto(value, text, ParseMinutes)
	case *model.Opt[model.Millis]:
		return parseInto(value, text, d.parseTime)
	default:
		return fmt.Errorf("internal error: no reader for %T", value)
	}
	return nil
}

func parseInto[T any](value *model.Opt[T], text string, parse func(string) (T, error)) error {
	parsed, err := parse(text)
	if err == nil {
		*value = model.Some(parsed)
	}
	return err
}

// newRecipient also notes that the task has a new recipient.
func (d *Draft) newRecipient() *model.RecipientInput {
	d.hasRecipient = true
	return &d.recipient
}

// PlaceFields are the fields of a destination.
func PlaceFields() []Field {
	return []Field{
		{
			Name: "address", About: "the whole address in one line, its parts separated by commas",
			Example: "543 Howard St, San Francisco, CA 94105, USA", value: func(d *Draft) any { return &d.address.Unparsed },
		},
		{
			Name: "address_name", About: "a name for the address, such as a shop's", Example: "Ferry Building",
			value: func(d *Draft) any { return &d.address.Name },
		},
		{Name: "number", About: "the house number", Example: "543", value: func(d *Draft) any { return &d.address.Number }},
		{Name: "street", About: "the street", Example: "Howard St", value: func(d *Draft) any { return &d.address.Street }},
		{
			Name: "apartment", About: "suite, apartment or floor", Example: "5th floor",
			value: func(d *Draft) any { return &d.address.Apartment },
		},
		{Name: "city", About: "the city", Example: "San Francisco", value: func(d *Draft) any { return &d.address.City }},
		{
			Name: "state", Flag: "state-name", About: "the state or province", Example: "CA",
			value: func(d *Draft) any { return &d.address.State },
		},
		{
			Name: "postal_code", About: "the postal code", Example: "94105",
			value: func(d *Draft) any { return &d.address.PostalCode },
		},
		{Name: "country", About: "the country", Example: "United States", value: func(d *Draft) any { return &d.address.Country }},
		{
			Name: "location", About: "longitude,latitude; the address then needs city and country in columns of their own",
			Example: "-122.3965,37.7883", set: setLocation,
		},
		{Name: "longitude", About: "the longitude alone", Example: "-122.3965", value: func(d *Draft) any { return &d.lon }},
		{Name: "latitude", About: "the latitude alone", Example: "37.7883", value: func(d *Draft) any { return &d.lat }},
		{
			Name: "destination_notes", About: "notes on the place, such as a gate code", Example: "Ring twice",
			value: func(d *Draft) any { return &d.destination.Notes },
		},
		{
			Name: "language", About: "two-letter country code that guides the address lookup", Example: "US",
			set: func(d *Draft, value string) error {
				d.destination.Options = model.Some(model.DestinationOptions{Language: value})
				return nil
			},
		},
		{
			Name: "destination", About: "the id of an existing destination, instead of an address", Example: "2Ej*fTFUBsEMQPP1kZuTFUbE",
			value: func(d *Draft) any { return &d.destinationID },
		},
	}
}

func recipientFields() []Field {
	return []Field{
		{
			Name: "recipient_name", Flag: "name", About: "the recipient's name", Example: "Ada Okafor",
			value: func(d *Draft) any { return &d.newRecipient().Name },
		},
		{
			Name: "recipient_phone", Flag: "phone", About: "the recipient's phone; a known number updates that recipient", Example: "+14155550123",
			value: func(d *Draft) any { return &d.newRecipient().Phone },
		},
		{
			Name: "recipient_notes", About: "notes on the recipient", Example: "Prefers the back door",
			value: func(d *Draft) any { return &d.newRecipient().Notes },
		},
		{
			Name: "skip_sms", About: "send the recipient no SMS, yes or no", Example: "no", Switch: true,
			value: func(d *Draft) any { return &d.newRecipient().SkipSMSNotifications },
		},
		{
			Name: "skip_phone_check", About: "take the phone number as it is, starting with +", Example: "no", Switch: true,
			value: func(d *Draft) any { return &d.newRecipient().SkipPhoneNumberValidation },
		},
		{
			Name: "recipient_id", About: "the id of an existing recipient, instead of name and phone", Example: "h*wSb*apKlDkUFnuLTtjPke7",
			value: func(d *Draft) any { return &d.recipientID },
		},
		{
			Name: "override_name", About: "the recipient's name on this task only", Example: "Front desk",
			value: func(d *Draft) any { return &d.task.RecipientName },
		},
		{
			Name: "override_notes", About: "the recipient's notes on this task only", Example: "It is a gift",
			value: func(d *Draft) any { return &d.task.RecipientNotes },
		},
		{
			Name: "override_skip_sms", About: "send no SMS for this task only", Example: "yes", Switch: true,
			value: func(d *Draft) any { return &d.task.RecipientSkipSMSNotifications },
		},
	}
}

func timeFields() []Field {
	return []Field{
		{Name: "window", About: "the window, instead of after and before", Example: "14:00-16:00", set: (*Draft).setWindow},
		{Name: "after", About: "the earliest time", Example: "tomorrow 9am", value: func(d *Draft) any { return &d.task.CompleteAfter }},
		{Name: "before", About: "the due time", Example: "tomorrow 11am", value: func(d *Draft) any { return &d.task.CompleteBefore }},
		{
			Name: "service_time", About: "the service time, in minutes", Example: "5",
			value: func(d *Draft) any { return &d.task.ServiceTime },
		},
	}
}

func loadFields() []Field {
	return []Field{
		{
			Name: "kind", About: "pickup or dropoff; default: dropoff", Example: "dropoff",
			set: func(d *Draft, value string) error { return parseInto(&d.task.PickupTask, value, parseKind) },
		},
		{
			Name: "notes", About: "what the driver should know, up to 10,000 characters", Example: "Order 332: two crates",
			value: func(d *Draft) any { return &d.task.Notes },
		},
		{Name: "quantity", About: "how many units", Example: "2", value: func(d *Draft) any { return &d.task.Quantity }},
		{
			Name: "quantity_a", About: "the quantity in dimension A", Example: "1.5",
			value: func(d *Draft) any { return &d.quantities.A },
		},
		{
			Name: "quantity_b", About: "the quantity in dimension B", Example: "20",
			value: func(d *Draft) any { return &d.quantities.B },
		},
		{
			Name: "quantity_c", About: "the quantity in dimension C", Example: "0",
			value: func(d *Draft) any { return &d.quantities.C },
		},
		{
			Name: "color", About: "the colour of the marker on the map: teal, orange or magenta", Example: "orange",
			set: func(d *Draft, value string) error {
				color, err := parseColor(value)
				d.task.Appearance = model.Some(model.Appearance{TriangleColor: model.Some(color)})
				return err
			},
		},
	}
}

func completionFields() []Field {
	return []Field{
		{
			Name: "require", About: "what the driver must provide: signature, photo, notes, separated by commas", Example: "signature,photo",
			set: setRequire,
		},
		{Name: "minimum_age", About: "how old the recipient must be", Example: "18", value: func(d *Draft) any { return &d.requirements.MinimumAge }},
		{
			Name: "barcodes", About: "what must be scanned, as printed; several separated by semicolons", Example: "PKG-1;PKG-2",
			set: addBarcodes(false),
		},
		{Name: "blocking_barcodes", About: "barcodes without which the task cannot be completed", Example: "PKG-3", set: addBarcodes(true)},
		{
			Name: "scan_only_required", About: "refuse every other barcode", Example: "yes", Switch: true,
			value: func(d *Draft) any { return &d.task.ScanOnlyRequiredBarcodes },
		},
	}
}

func relationFields() []Field {
	return []Field{
		{Name: "team", About: "the team that gets it, by id or name", Example: "North", set: setTeam},
		{
			Name: "depends_on", About: "ids of tasks to be completed first, separated by spaces", Example: "11z1BbsQUZFHD1XAd~emDDeK",
			set: func(d *Draft, value string) error {
				var ids []model.ID
				for _, id := range strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
					ids = append(ids, model.ID(id))
				}
				d.task.Dependencies = model.Some(ids)
				return nil
			},
		},
		{
			Name: "merchant", About: "the organization that the recipient sees, by id", Example: "yAM*fDkztrT3gUcz9mNDgNOL",
			value: func(d *Draft) any { return &d.task.Merchant },
		},
		{
			Name: "executor", About: "the organization that delivers it, by id", Example: "yAM*fDkztrT3gUcz9mNDgNOL",
			value: func(d *Draft) any { return &d.task.Executor },
		},
		{
			Name: "use_merchant_for_proxy", About: "use the merchant for this task's calls and messages", Example: "yes", Switch: true,
			value: func(d *Draft) any { return &d.task.UseMerchantForProxy },
		},
		{
			Name: "template", About: "the id of a task template", Example: "rYkkYQs~3EdnFkO2Qsp9XNLv",
			value: func(d *Draft) any { return &d.task.Template },
		},
	}
}

func setLocation(d *Draft, value string) error {
	at, err := ParseLocation(value)
	if err == nil {
		d.lon, d.lat = model.Some(at.Lon), model.Some(at.Lat)
	}
	return err
}

func setTeam(d *Draft, value string) error {
	id := model.ID(value)
	if !id.Valid() {
		if d.options.Team == nil {
			return fmt.Errorf("%q is not the id of a team", model.Clean(value))
		}
		found, err := d.options.Team(value)
		if err != nil {
			return err
		}
		id = found
	}
	d.task.Container = model.Some(model.TeamContainer(id))
	return nil
}

func setRequire(d *Draft, value string) error {
	for _, word := range strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		switch word {
		case "signature":
			d.requirements.Signature = model.Some(true)
		case "photo":
			d.requirements.Photo = model.Some(true)
		case "notes", "note":
			d.requirements.Notes = model.Some(true)
		default:
			return fmt.Errorf("unknown requirement %q; use signature, photo or notes", model.Clean(word))
		}
	}
	return nil
}

// addBarcodes adds barcodes as printed; the interface takes base64.
func addBarcodes(blocks bool) func(*Draft, string) error {
	return func(d *Draft, value string) error {
		list := d.task.Barcodes.Value()
		for content := range strings.SplitSeq(value, ";") {
			if content = strings.TrimSpace(content); content != "" {
				data := base64.StdEncoding.EncodeToString([]byte(content))
				list = append(list, model.RequiredBarcode{Data: model.Some(data), BlockCompletion: blocks})
			}
		}
		d.task.Barcodes = model.Some(list)
		return nil
	}
}
