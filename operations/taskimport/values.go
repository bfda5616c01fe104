package taskimport

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"waybill/model"
)

func parseNumber(value string) (float64, error) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("%q is not a number; write 2 or 2.5", model.Clean(value))
	}
	return n, nil
}

func parseInteger(value string) (model.Int, error) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", model.Clean(value))
	}
	return model.Int(n), nil
}

// parseWord reads one of some words; problem says what is wrong with another one.
func parseWord[T any](value, problem string, words map[string]T) (T, error) {
	meaning, known := words[strings.ToLower(value)]
	if !known {
		return meaning, fmt.Errorf(problem, model.Clean(value))
	}
	return meaning, nil
}

// ParseYesNo reads yes, no and similar words.
func ParseYesNo(value string) (bool, error) {
	return parseWord(value, "%q is not yes or no", map[string]bool{
		"yes": true, "y": true, "true": true, "1": true, "x": true, "no": false, "n": false, "false": false, "0": false,
	})
}

// ParseMinutes reads minutes or a duration such as 5m or 1h30.
func ParseMinutes(value string) (model.Minutes, error) {
	if n, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
		return model.Minutes(n), nil
	}
	length, err := model.ParseDuration(value)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of minutes", model.Clean(value))
	}
	return model.MinutesOf(length), nil
}

func parseKind(value string) (pickup bool, err error) {
	return parseWord(value, "unknown kind %q; use pickup or dropoff", map[string]bool{
		"pickup": true, "pick-up": true, "pick up": true, "pick_up": true, "p": true,
		"dropoff": false, "drop-off": false, "drop off": false, "drop_off": false, "drop": false, "d": false, "delivery": false,
	})
}

func parseColor(value string) (model.Int, error) {
	return parseWord(value, "unknown colour %q; use teal, orange or magenta", map[string]model.Int{
		"teal": model.TriangleTeal, "0": model.TriangleTeal, "orange": model.TriangleOrange, "1": model.TriangleOrange,
		"magenta": model.TriangleMagenta, "2": model.TriangleMagenta,
	})
}

// ParseLocation reads longitude,latitude. It refuses swapped coordinates, the most common mistake, and says so.
func ParseLocation(value string) (model.Location, error) {
	lonText, latText, ok := strings.Cut(value, ",")
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(lonText), 64)
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(latText), 64)
	at := model.Location{Lon: lon, Lat: lat}
	switch {
	case !ok || errLon != nil || errLat != nil:
		return model.Location{}, fmt.Errorf("%q is not a location; write longitude,latitude such as -122.3965,37.7883", model.Clean(value))
	case at.Valid():
		return at, nil
	case (model.Location{Lon: lat, Lat: lon}).Valid():
		return model.Location{}, fmt.Errorf("%q is not on the globe; the longitude comes first: %s,%s",
			model.Clean(value), model.Clean(strings.TrimSpace(latText)), model.Clean(strings.TrimSpace(lonText)))
	}
	return model.Location{}, fmt.Errorf("%q is not on the globe", model.Clean(value))
}

// setCustomField reads key or key:type. Without a type the value is a string: a gate code of 0042 is no number.
func (d *Draft) setCustomField(key, value string) error {
	if name, _, _ := strings.Cut(key, ":"); strings.TrimSpace(name) == "" {
		return fmt.Errorf("a custom field needs its key: %sKEY", customFieldPrefix)
	}
	entry, err := ParseMetadata(key, value)
	if err != nil {
		return err
	}
	d.task.CustomFields = model.Some(append(d.task.CustomFields.Value(),
		model.CustomFieldInput{Key: entry.Name, Value: model.Some(entry.Value)}))
	return nil
}

// setMetadata reads name or name:type. Without a type the value is a string.
func (d *Draft) setMetadata(key, value string) error {
	entry, err := ParseMetadata(key, value)
	if err == nil {
		d.task.Metadata = model.Some(append(d.task.Metadata.Value(), entry))
	}
	return err
}

// ParseMetadata makes an entry from its name, which may end in a colon and a type, and its value, and checks it.
func ParseMetadata(name, value string) (model.Metadata, error) {
	kind := model.MetadataString
	if i := strings.LastIndex(name, ":"); i >= 0 {
		name, kind = name[:i], name[i+1:]
	}
	entry := model.Metadata{Name: strings.TrimSpace(name), Type: kind}
	if kind == model.MetadataString {
		encoded, err := model.Marshal(value)
		if err != nil {
			return entry, err
		}
		entry.Value = encoded
	} else if entry.Value = model.Raw(strings.TrimSpace(value)); !entry.Value.IsValid() {
		return entry, fmt.Errorf("%q is not JSON of type %s", model.Clean(value), model.Clean(kind))
	}
	if problems := entry.Check(); len(problems) > 0 {
		return entry, problems
	}
	return entry, nil
}
