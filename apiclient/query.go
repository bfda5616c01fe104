package apiclient

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"waybill/model"
)

// params builds a query and leaves out what is not set.
type params url.Values

func (p params) text(name, value string) params {
	if value != "" {
		url.Values(p).Set(name, value)
	}
	return p
}

func (p params) millis(name string, value model.Millis) params {
	if value != 0 {
		url.Values(p).Set(name, strconv.FormatInt(int64(value), 10))
	}
	return p
}

func (p params) boolean(name string, value model.Opt[bool]) params {
	if set, ok := value.Get(); ok {
		url.Values(p).Set(name, strconv.FormatBool(set))
	}
	return p
}

func (p params) trueFlag(name string, value bool) params {
	if value {
		url.Values(p).Set(name, "true")
	}
	return p
}

func (p params) number(name string, value float64) params {
	if value != 0 {
		url.Values(p).Set(name, strconv.FormatFloat(value, 'f', -1, 64))
	}
	return p
}

func (p params) location(name string, value model.Opt[model.Location]) params {
	if at, ok := value.Get(); ok {
		url.Values(p).Set(name, coordinate(at.Lon)+","+coordinate(at.Lat))
	}
	return p
}

// addList sets several values as the interface wants them: in one parameter, with commas.
func addList[T any](p params, name string, values []T) params {
	if len(values) == 0 {
		return p
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return p.text(name, strings.Join(texts, ","))
}

func (p params) values() url.Values { return url.Values(p) }

func coordinate(degrees float64) string { return strconv.FormatFloat(degrees, 'f', -1, 64) }
