package geo

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeOSRM answers tables and routes as osrm-routed does, with a metre and a tenth of a second for each thousandth of
// a degree, and null where an end is south of the equator.
type fakeOSRM struct {
	t     *testing.T
	max   int
	lock  sync.Mutex
	paths []string
}

func (f *fakeOSRM) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.lock.Lock()
	f.paths = append(f.paths, r.URL.Path)
	f.lock.Unlock()
	part := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var points []Location
	for _, pair := range strings.Split(part[3], ";") {
		lon, lat, _ := strings.Cut(pair, ",")
		x, _ := strconv.ParseFloat(lon, 64)
		y, _ := strconv.ParseFloat(lat, 64)
		points = append(points, Location{x, y})
	}
	if len(points) > f.max {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"code":"TooBig","message":"Too many table coordinates"}`)
		return
	}
	if part[0] == "route" {
		fmt.Fprint(w, fakeRoute(points))
		return
	}
	query := r.URL.Query()
	fmt.Fprintf(w, `{"code":"Ok","durations":%s,"distances":%s,"sources":[],"destinations":[]}`,
		fakeTable(points, query.Get("sources"), query.Get("destinations"), 0.1),
		fakeTable(points, query.Get("sources"), query.Get("destinations"), 1))
}

func fakeWay(a, b Location) float64 { return 1000*abs(a.Lon-b.Lon) + 1000*abs(a.Lat-b.Lat) }

func abs(x float64) float64 { return max(x, -x) }

func fakeTable(points []Location, sources, destinations string, unit float64) string {
	var rows []string
	for _, s := range strings.Split(sources, ";") {
		var row []string
		for _, d := range strings.Split(destinations, ";") {
			i, _ := strconv.Atoi(s)
			j, _ := strconv.Atoi(d)
			if points[j].Lat < 0 {
				row = append(row, "null")
			} else {
				row = append(row, strconv.FormatFloat(fakeWay(points[i], points[j])*unit, 'f', 3, 64))
			}
		}
		rows = append(rows, "["+strings.Join(row, ",")+"]")
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func fakeRoute(points []Location) string {
	var legs, line []string
	for i, p := range points {
		line = append(line, fmt.Sprintf("[%f,%f]", p.Lon, p.Lat))
		if i > 0 {
			way := fakeWay(points[i-1], p)
			legs = append(legs, fmt.Sprintf(`{"duration":%f,"distance":%f,"steps":[],"summary":"","weight":1}`, way/10, way))
		}
	}
	return `{"code":"Ok","routes":[{"geometry":{"type":"LineString","coordinates":[` + strings.Join(line, ",") +
		`]},"legs":[` + strings.Join(legs, ",") + `]}],"waypoints":[]}`
}

func newFakeOSRM(t *testing.T, limit int) (*fakeOSRM, *OSRM) {
	t.Helper()
	fake := &fakeOSRM{t: t, max: limit}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	client, err := NewOSRM(OSRMOptions{RemoteOptions: fast(server.URL), MaxTable: limit})
	require.NoError(t, err)
	return fake, client
}

func TestOSRMMatrixInPieces(t *testing.T) {
	for _, limit := range []int{2, 7, 10, 100} {
		fake, client := newFakeOSRM(t, limit)
		from, to := cityPoints(13), cityPoints(9)
		m, err := client.Matrix(t.Context(), from, to, Car)
		require.NoError(t, err)
		require.False(t, m.Estimated)
		for i := range from {
			for j := range to {
				way := fakeWay(from[i], to[j])
				require.InDelta(t, way, m.At(i, j).Meters, 1)
				require.InDelta(t, way/10, m.At(i, j).Seconds, 1)
			}
		}
		half := limit / 2
		require.Len(t, fake.paths, ((13+half-1)/half)*((9+half-1)/half))
		require.Contains(t, fake.paths[0], "/table/v1/driving/")
	}
}

func TestOSRMEstimatesWhereThereIsNoRoute(t *testing.T) {
	_, client := newFakeOSRM(t, 100)
	south := Location{10, -0.01}
	m, err := client.Matrix(t.Context(), []Location{{10, 0.5}}, []Location{{10, 0.6}, south}, Car)
	require.NoError(t, err)
	require.True(t, m.Estimated)
	require.Equal(t, int32(100), m.At(0, 0).Meters)
	require.Equal(t, estimateLeg(Location{10, 0.5}, south, Car), m.At(0, 1))
}

func TestOSRMRoute(t *testing.T) {
	for _, limit := range []int{3, 100} {
		fake, client := newFakeOSRM(t, limit)
		points := cityPoints(6)
		route, err := client.Route(t.Context(), points, Truck)
		require.NoError(t, err)
		require.False(t, route.Estimated)
		require.Len(t, route.Legs, 5)
		require.Len(t, route.Path, 6)
		for i, leg := range route.Legs {
			way := fakeWay(points[i], points[i+1])
			require.InDelta(t, way, leg.Meters, 1)
			require.InDelta(t, way/10*1.2, leg.Seconds, 1.1, "a truck takes longer than the server's car")
		}
		require.Contains(t, fake.paths[0], "/route/v1/driving/")
	}
	_, client := newFakeOSRM(t, 100)
	route, err := client.Route(t.Context(), cityPoints(1), Car)
	require.NoError(t, err)
	require.Equal(t, cityPoints(1), route.Path)
	require.Empty(t, route.Legs)
}

func TestOSRMProfiles(t *testing.T) {
	fake, client := newFakeOSRM(t, 100)
	for _, p := range allProfiles() {
		_, err := client.Route(t.Context(), cityPoints(2), p)
		require.NoError(t, err)
	}
	for i, want := range []string{"walking", "cycling", "driving", "driving", "driving"} {
		require.Contains(t, fake.paths[i], "/"+want+"/")
	}
}

func TestOSRMFailures(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		text   string
	}{
		{400, `{"code":"TooBig","message":"Too many table coordinates"}`, "refused the locations"},
		{200, `{"code":"NoTable","message":"none"}`, "NoTable"},
		{200, `{"code":"Ok"}`, "answered"},
		{200, `{"code":"Ok","durations":[[1]],"distances":[[1,2,3]],"routes":[{"legs":[]}]}`, "answered"},
		{200, `nonsense`, "JSON"},
		{500, ``, "500"},
	} {
		base, _ := served(t, test.status, test.body)
		client, err := NewOSRM(OSRMOptions{RemoteOptions: fast(base)})
		require.NoError(t, err)
		points := cityPoints(2)
		_, err = client.Matrix(t.Context(), points, points, Car)
		require.ErrorIs(t, err, ErrUnavailable, test.body)
		require.ErrorContains(t, err, test.text)
		_, err = client.Route(t.Context(), points, Car)
		require.ErrorIs(t, err, ErrUnavailable, test.body)

		var told []error
		fallback := NewFallback(client, func(err error) { told = append(told, err) })
		m, err := fallback.Matrix(t.Context(), points, points, Car)
		require.NoError(t, err)
		require.True(t, m.Estimated)
		route, err := fallback.Route(t.Context(), points, Car)
		require.NoError(t, err)
		require.True(t, route.Estimated)
		require.Len(t, told, 2)
	}
	_, err := NewOSRM(OSRMOptions{})
	require.ErrorContains(t, err, "localhost:5000")
}

func TestFallbackKeepsGoodAnswers(t *testing.T) {
	_, client := newFakeOSRM(t, 100)
	fallback := NewFallback(client, func(err error) { t.Error(err) })
	m, err := fallback.Matrix(t.Context(), cityPoints(3), cityPoints(3), Car)
	require.NoError(t, err)
	require.False(t, m.Estimated)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = fallback.Matrix(ctx, cityPoints(3), cityPoints(3), Car)
	require.Error(t, err, "a cancelled caller wants no estimate")
	_, err = fallback.Route(ctx, cityPoints(3), Car)
	require.Error(t, err)
}
