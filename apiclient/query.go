package apiclient

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"waybill/model"
)

// encodeQuery returns the fields of a struct as a query, under the names in their tags. It omits zero values unless the tag
// says always.
func encodeQuery(query any) url.Values {
	values := url.Values{}
	fields := reflect.ValueOf(query)
	for i := range fields.NumField() {
		name, always := strings.CutSuffix(fields.Type().Field(i).Tag.Get("query"), ",always")
		if field := fields.Field(i); always || !field.IsZero() {
			values.Set(name, queryText(field))
		}
	}
	return values
}

// queryText writes a value of a query. Lists are separated by commas.
func queryText(value reflect.Value) string {
	switch value := value.Interface().(type) {
	case model.Opt[bool]:
		return strconv.FormatBool(value.Value())
	case model.Opt[model.Location]:
		return coordinate(value.Value().Lon) + "," + coordinate(value.Value().Lat)
	}
	switch value.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(value.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10)
	case reflect.Float64:
		return coordinate(value.Float())
	case reflect.Slice:
		texts := make([]string, value.Len())
		for i := range texts {
			texts[i] = queryText(value.Index(i))
		}
		return strings.Join(texts, ",")
	default:
		return value.String()
	}
}

func coordinate(degrees float64) string { return strconv.FormatFloat(degrees, 'f', -1, 64) }
