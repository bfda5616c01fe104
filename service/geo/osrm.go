package geo

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// OSRM is a client of the Open Source Routing Machine. Its errors match ErrUnavailable; use Fallback to continue with
// estimates.
type OSRM struct {
	remote   *remote
	maxTable int
	profile  func(Profile) (name string, factor float64)
}

// OSRMOptions configures an OSRM client. BaseURL is required; other zero values mean the defaults.
type OSRMOptions struct {
	RemoteOptions
	// MaxTable is how many coordinates the server allows in a table, 100 by default like --max-table-size of osrm-routed.
	MaxTable int
	// Profile returns the server's profile and the factor by which to multiply its times. The default is
	// DefaultOSRMProfile.
	Profile func(Profile) (name string, factor float64)
}

// DefaultOSRMProfile returns the profiles of the public servers and images: driving, cycling and walking. They have no
// trucks and motorcycles, so a truck takes a fifth longer than a car and a motorcycle a tenth less.
func DefaultOSRMProfile(p Profile) (name string, factor float64) {
	switch p {
	case Bicycle:
		return "cycling", 1
	case Motorcycle:
		return "driving", 0.9
	case Car:
		return "driving", 1
	case Truck:
		return "driving", 1.2
	default:
		return "walking", 1
	}
}

// NewOSRM makes a client. There is no default server: the public one is for demonstrations.
func NewOSRM(o OSRMOptions) (*OSRM, error) {
	if o.BaseURL == "" {
		return nil, errors.New("osrm: give the URL of a server, such as http://localhost:5000")
	}
	r, err := newRemote("osrm", "http://localhost:5000", 50, o.RemoteOptions)
	if err != nil {
		return nil, err
	}
	r.maxAnswer = maxRouteAnswer
	c := &OSRM{remote: r, maxTable: o.MaxTable, profile: o.Profile}
	if c.maxTable < 2 {
		c.maxTable = 100
	}
	if c.profile == nil {
		c.profile = DefaultOSRMProfile
	}
	return c, nil
}

var _ Travel = (*OSRM)(nil)

type osrmAnswer struct {
	Code      string       `json:"code"`
	Message   string       `json:"message"`
	Durations [][]*float64 `json:"durations"`
	Distances [][]*float64 `json:"distances"`
	Routes    []struct {
		Geometry struct {
			Coordinates [][]float64 `json:"coordinates"`
		} `json:"geometry"`
		Legs []struct {
			Duration float64 `json:"duration"`
			Distance float64 `json:"distance"`
		} `json:"legs"`
	} `json:"routes"`
}

// maxRouteAnswer is enough for the line of a hundred stops across a country.
const maxRouteAnswer = 32 << 20

// maxConcurrentTables is how many tables of one matrix are requested at once.
const maxConcurrentTables = 4

// Matrix combines tables of at most MaxTable coordinates. Where the server finds no route, the entry is an estimate.
func (c *OSRM) Matrix(ctx context.Context, from, to []Location, p Profile) (Matrix, error) {
	if err := validateAll(from, to); err != nil {
		return Matrix{}, err
	}
	m := newMatrix(len(from), len(to))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	half := c.maxTable / 2
	slots := make(chan struct{}, maxConcurrentTables)
	var group sync.WaitGroup
	var lock sync.Mutex
	for row := 0; row < len(from) && ctx.Err() == nil; row += half {
		for col := 0; col < len(to) && ctx.Err() == nil; col += half {
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				estimated, err := c.fillTable(ctx, from, to, row, col, p, m)
				if err != nil {
					cancel(err)
				}
				if estimated {
					lock.Lock()
					m.Estimated = true
					lock.Unlock()
				}
			})
		}
	}
	group.Wait()
	if ctx.Err() != nil {
		return Matrix{}, context.Cause(ctx)
	}
	return m, nil
}

// fillTable fills the part of a matrix that starts at a row and a column.
func (c *OSRM) fillTable(ctx context.Context, from, to []Location, row, col int, p Profile, m Matrix) (estimated bool, err error) {
	half := c.maxTable / 2
	from, to = from[row:min(row+half, len(from))], to[col:min(col+half, len(to))]
	name, factor := c.profile(p)
	parameters := url.Values{
		"annotations":  {"duration,distance"},
		"sources":      {indices(0, len(from))},
		"destinations": {indices(len(from), len(to))},
	}
	answer, err := c.request(ctx, "table/v1/"+name+"/"+coordinates(from, to), parameters)
	if err != nil {
		return false, err
	}
	if len(answer.Durations) != len(from) || len(answer.Distances) != len(from) {
		return false, c.remote.unavailable("the server answered with a table of another size", nil)
	}
	for i := range from {
		durations, distances := answer.Durations[i], answer.Distances[i]
		if len(durations) != len(to) || len(distances) != len(to) {
			return false, c.remote.unavailable("the server answered with a table of another size", nil)
		}
		for j := range to {
			leg := estimateLeg(from[i], to[j], p)
			if durations[j] != nil && distances[j] != nil {
				leg = Leg{Seconds: roundUp(*durations[j] * factor), Meters: int32(*distances[j] + 0.5)}
			} else {
				estimated = true
			}
			k := (row+i)*m.Cols + col + j
			m.Seconds[k], m.Meters[k] = leg.Seconds, leg.Meters
		}
	}
	return estimated, nil
}

// Route requests the route through all locations, in pieces of at most MaxTable.
func (c *OSRM) Route(ctx context.Context, through []Location, p Profile) (Route, error) {
	if err := validateAll(through); err != nil {
		return Route{}, err
	}
	route := Route{}
	if len(through) == 1 {
		route.Path = append(route.Path, through[0])
	}
	for first := 0; first < len(through)-1; first += c.maxTable - 1 {
		if err := c.routePiece(ctx, through[first:min(first+c.maxTable, len(through))], p, &route); err != nil {
			return Route{}, err
		}
	}
	return route, nil
}

func (c *OSRM) routePiece(ctx context.Context, through []Location, p Profile, route *Route) error {
	name, factor := c.profile(p)
	answer, err := c.request(ctx, "route/v1/"+name+"/"+coordinates(through),
		url.Values{"overview": {"full"}, "geometries": {"geojson"}})
	if err != nil {
		return err
	}
	if len(answer.Routes) == 0 || len(answer.Routes[0].Legs) != len(through)-1 {
		return c.remote.unavailable("the server answered with another route than asked for", nil)
	}
	for _, leg := range answer.Routes[0].Legs {
		route.Legs = append(route.Legs, Leg{Seconds: roundUp(leg.Duration * factor), Meters: int32(leg.Distance + 0.5)})
	}
	for _, point := range answer.Routes[0].Geometry.Coordinates {
		if len(point) < 2 {
			return c.remote.unavailable("the server answered with an invalid line", nil)
		}
		at := Location{Lon: point[0], Lat: point[1]}
		if n := len(route.Path); n == 0 || route.Path[n-1] != at {
			route.Path = append(route.Path, at)
		}
	}
	return nil
}

func (c *OSRM) request(ctx context.Context, path string, parameters url.Values) (osrmAnswer, error) {
	var answer osrmAnswer
	err := c.remote.get(ctx, path, parameters, &answer)
	if errors.Is(err, ErrBadAddress) {
		return answer, c.remote.unavailable("the server refused the locations: one is not near a road, or there are too many", nil)
	}
	if err != nil {
		return answer, err
	}
	if answer.Code != "Ok" {
		return answer, c.remote.unavailable(strings.TrimSpace("the server found no route: "+answer.Code+" "+answer.Message), nil)
	}
	return answer, nil
}

func coordinates(lists ...[]Location) string {
	var b strings.Builder
	for _, list := range lists {
		for _, l := range list {
			if b.Len() > 0 {
				b.WriteByte(';')
			}
			b.WriteString(strconv.FormatFloat(l.Lon, 'f', 6, 64))
			b.WriteByte(',')
			b.WriteString(strconv.FormatFloat(l.Lat, 'f', 6, 64))
		}
	}
	return b.String()
}

func indices(first, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strconv.Itoa(first + i)
	}
	return strings.Join(parts, ";")
}

// Fallback uses estimates when a Travel fails. They have Estimated set.
type Fallback struct {
	primary Travel
	onError func(error)
}

// NewFallback makes a Travel that falls back to StraightLine. onError, if not nil, is called with the reason.
func NewFallback(primary Travel, onError func(error)) *Fallback {
	if onError == nil {
		onError = func(error) {}
	}
	return &Fallback{primary, onError}
}

var _ Travel = (*Fallback)(nil)

// Matrix asks the primary Travel and estimates if that fails.
func (f *Fallback) Matrix(ctx context.Context, from, to []Location, p Profile) (Matrix, error) {
	return tryBoth(ctx, f, func(t Travel) (Matrix, error) { return t.Matrix(ctx, from, to, p) })
}

// Route asks the primary Travel and estimates if that fails.
func (f *Fallback) Route(ctx context.Context, through []Location, p Profile) (Route, error) {
	return tryBoth(ctx, f, func(t Travel) (Route, error) { return t.Route(ctx, through, p) })
}

// tryBoth asks the primary Travel, and StraightLine if that fails for another reason than the context.
func tryBoth[T any](ctx context.Context, f *Fallback, ask func(Travel) (T, error)) (T, error) {
	answer, err := ask(f.primary)
	if err == nil || ctx.Err() != nil {
		return answer, err
	}
	f.onError(err)
	return ask(StraightLine{})
}
