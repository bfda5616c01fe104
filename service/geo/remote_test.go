package geo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	nominatimHouse = `[{"place_id":297417241,"licence":"Data © OpenStreetMap contributors","osm_type":"node","osm_id":1,
		"lat":"37.7886679","lon":"-122.3966021","category":"place","type":"house","importance":0.00000999,
		"addresstype":"place","name":"","display_name":"543, Howard Street, San Francisco",
		"address":{"house_number":"543","road":"Howard Street","city":"San Francisco","state":"California",
		"ISO3166-2-lvl4":"US-CA","postcode":"94105","country":"United States","country_code":"us"},
		"boundingbox":["37.7","37.8","-122.4","-122.3"]}]`
	nominatimTown = `[{"place_id":5,"lat":"48.1","lon":"11.5","address":{"town":"Garching","state":"Bayern","country":"Deutschland","country_code":"de"}}]`
	photonHouse   = `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-122.3966021,37.7886679]},
		"properties":{"osm_type":"N","osm_id":240109189,"osm_key":"place","osm_value":"house","type":"house","housenumber":"543",
		"street":"Howard Street","city":"San Francisco","state":"California","postcode":"94105","country":"United States","countrycode":"US"}}]}`
	photonStreet = `{"features":[{"geometry":{"coordinates":[-122.39,37.78]},"properties":{"osm_type":"W","osm_id":7,"type":"street",
		"name":"Howard Street","city":"San Francisco","country":"United States","countrycode":"US"}}]}`
	googleHouse = `{"results":[{"address_components":[
		{"long_name":"5","short_name":"5","types":["subpremise"]},
		{"long_name":"543","short_name":"543","types":["street_number"]},
		{"long_name":"Howard Street","short_name":"Howard St","types":["route"]},
		{"long_name":"San Francisco","short_name":"SF","types":["locality","political"]},
		{"long_name":"California","short_name":"CA","types":["administrative_area_level_1","political"]},
		{"long_name":"United States","short_name":"US","types":["country","political"]},
		{"long_name":"94105","short_name":"94105","types":["postal_code"]}],
		"formatted_address":"543 Howard St #5, San Francisco, CA 94105, USA",
		"geometry":{"location":{"lat":37.7886679,"lng":-122.3966021},"location_type":"ROOFTOP"},
		"place_id":"ChIJnQKsxvQPiVQRqzq"}],"status":"OK"}`
)

// served starts a server that answers with a status and a body, and gives its address and the requests it got.
func served(t *testing.T, status int, body string) (string, *[]*http.Request) {
	t.Helper()
	var got []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r)
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "17")
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL, &got
}

func fast(base string) RemoteOptions {
	return RemoteOptions{BaseURL: base, PerSecond: 1e6, UserAgent: "waybill-test/1"}
}

// clients makes each adapter against one address.
func clients(t *testing.T, o RemoteOptions) map[string]Geocoder {
	t.Helper()
	nominatim, err := NewNominatim(o)
	require.NoError(t, err)
	photon, err := NewPhoton(o)
	require.NoError(t, err)
	google, err := NewGoogle("secret-key", o)
	require.NoError(t, err)
	return map[string]Geocoder{"nominatim": nominatim, "photon": photon, "google": google}
}

var howard = Query{
	Number: "543", Street: "Howard St", Apartment: "5", City: "San Francisco", State: "CA", PostalCode: "94105",
	Country: "US", Language: "EN",
}

func TestRemoteHouse(t *testing.T) {
	for name, body := range map[string]string{"nominatim": nominatimHouse, "photon": photonHouse, "google": googleHouse} {
		base, requests := served(t, http.StatusOK, body)
		result, err := clients(t, fast(base))[name].Geocode(t.Context(), howard)
		require.NoError(t, err, name)
		require.Equal(t, Location{-122.3966021, 37.7886679}, result.Location)
		require.Equal(t, Address{
			Number: "543", Street: "Howard Street", Apartment: "5", City: "San Francisco", State: "California",
			PostalCode: "94105", Country: "United States", CountryCode: "US",
		}, result.Address, name)
		require.False(t, result.Approximate, name)
		require.Empty(t, result.Warnings, name)
		require.Equal(t, name, result.Source)
		require.NotEmpty(t, result.PlaceID)
		require.Len(t, *requests, 1)
		require.Equal(t, "waybill-test/1", (*requests)[0].Header.Get("User-Agent"))
	}
}

func TestRemoteParameters(t *testing.T) {
	line := Query{Unparsed: "543 Howard St, San Francisco, CA 94105, USA"}
	for _, test := range []struct {
		name, path string
		query      Query
		body       string
		want       url.Values
	}{
		{"nominatim", "/search", howard, nominatimHouse, url.Values{
			"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"1"}, "accept-language": {"en"},
			"street": {"543 Howard St"}, "city": {"San Francisco"}, "state": {"CA"}, "postalcode": {"94105"}, "country": {"US"},
		}},
		{"nominatim", "/search", line, nominatimHouse, url.Values{
			"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"1"}, "q": {line.Unparsed},
		}},
		{"photon", "/api", howard, photonHouse, url.Values{
			"q": {"543 Howard St, San Francisco, CA 94105, US"}, "limit": {"1"}, "lang": {"en"},
		}},
		{"photon", "/api", Query{Unparsed: "x", Language: "xx"}, photonHouse, url.Values{"q": {"x"}, "limit": {"1"}}},
		{"google", "/maps/api/geocode/json", howard, googleHouse, url.Values{
			"address": {"543 Howard St, San Francisco, CA 94105, US"}, "key": {"secret-key"}, "language": {"en"},
		}},
	} {
		base, requests := served(t, http.StatusOK, test.body)
		_, err := clients(t, fast(base))[test.name].Geocode(t.Context(), test.query)
		require.NoError(t, err)
		require.Equal(t, test.path, (*requests)[0].URL.Path)
		require.Equal(t, test.want, (*requests)[0].URL.Query())
	}
}

func TestRemoteWithoutHouse(t *testing.T) {
	base, _ := served(t, http.StatusOK, nominatimTown)
	result, err := clients(t, fast(base))["nominatim"].Geocode(t.Context(), Query{Number: "3", Street: "Am Bach", City: "Garching", Country: "DE"})
	require.NoError(t, err)
	require.True(t, result.Approximate)
	require.Contains(t, result.Warnings[0], "not the street")
	require.Equal(t, "Am Bach", result.Address.Street, "what was asked for is kept")
	require.Equal(t, "Garching", result.Address.City)

	base, _ = served(t, http.StatusOK, photonStreet)
	result, err = clients(t, fast(base))["photon"].Geocode(t.Context(), Query{Unparsed: "543 Howard St, San Francisco"})
	require.NoError(t, err)
	require.True(t, result.Approximate)
	require.Contains(t, result.Warnings[0], "not the house")
	require.Equal(t, "543", result.Address.Number)
	require.Equal(t, "Howard Street", result.Address.Street)

	middle := strings.Replace(googleHouse, "ROOFTOP", "GEOMETRIC_CENTER", 1)
	middle = strings.Replace(middle, `"place_id"`, `"partial_match":true,"place_id"`, 1)
	base, _ = served(t, http.StatusOK, middle)
	result, err = clients(t, fast(base))["google"].Geocode(t.Context(), howard)
	require.NoError(t, err)
	require.True(t, result.Approximate)
	require.Len(t, result.Warnings, 2)
}

func TestRemoteNothingFound(t *testing.T) {
	for name, body := range map[string]string{
		"nominatim": `[]`, "photon": `{"type":"FeatureCollection","features":[]}`, "google": `{"results":[],"status":"ZERO_RESULTS"}`,
	} {
		base, _ := served(t, http.StatusOK, body)
		_, err := clients(t, fast(base))[name].Geocode(t.Context(), howard)
		require.ErrorIs(t, err, ErrUnknownPlace, name)
		require.ErrorContains(t, err, "543 Howard St, San Francisco")
	}
}

func TestRemoteFailures(t *testing.T) {
	for _, test := range []struct {
		what   string
		status int
		body   string
		kind   error
		text   string
	}{
		{"not JSON", 200, "<html>captive portal</html>", ErrUnavailable, "base URL"},
		{"empty", 200, "", ErrUnavailable, "JSON"},
		{"half", 200, `[{"lat":"37`, ErrUnavailable, "JSON"},
		{"another shape", 200, `"hello"`, ErrUnavailable, "JSON"},
		{"too long", 200, strings.Repeat(" ", maxAnswer+2), ErrUnavailable, "too much"},
		{"throttled", 429, "slow down", ErrUnavailable, "too many requests"},
		{"refused", 403, "blocked", ErrUnavailable, "refused"},
		{"bad request", 400, `{"message":"bad"}`, ErrBadAddress, "cannot read"},
		{"broken", 502, "bad gateway", ErrUnavailable, "502"},
		{"redirect", 302, "", ErrUnavailable, "302"},
	} {
		base, _ := served(t, test.status, test.body)
		for name, client := range clients(t, fast(base)) {
			_, err := client.Geocode(t.Context(), howard)
			require.ErrorIs(t, err, test.kind, "%s: %s", name, test.what)
			require.ErrorContains(t, err, test.text, "%s: %s", name, test.what)
			require.NotContains(t, err.Error(), "secret-key")
			if test.status == 429 {
				var typed *Error
				require.ErrorAs(t, err, &typed)
				require.Equal(t, 17*time.Second, typed.RetryAfter)
			}
		}
	}
}

func TestRemoteInvalidLocations(t *testing.T) {
	for name, body := range map[string]string{
		"nominatim": `[{"lat":"north","lon":"1"}]`,
		"photon":    `{"features":[{"geometry":{"coordinates":[]}}]}`,
		"google":    `{"status":"OK","results":[{"geometry":{"location":{"lat":137,"lng":1}}}]}`,
	} {
		base, _ := served(t, http.StatusOK, body)
		_, err := clients(t, fast(base))[name].Geocode(t.Context(), howard)
		require.ErrorIs(t, err, ErrUnavailable, name)
	}
}

func TestGoogleStatuses(t *testing.T) {
	for status, kind := range map[string]error{
		"OVER_QUERY_LIMIT": ErrUnavailable, "OVER_DAILY_LIMIT": ErrUnavailable, "REQUEST_DENIED": ErrUnavailable,
		"INVALID_REQUEST": ErrBadAddress, "UNKNOWN_ERROR": ErrUnavailable, "": ErrUnavailable,
	} {
		base, _ := served(t, http.StatusOK, `{"results":[],"status":"`+status+`","error_message":"the reason"}`)
		_, err := clients(t, fast(base))["google"].Geocode(t.Context(), howard)
		require.ErrorIs(t, err, kind, status)
		require.ErrorContains(t, err, "the reason")
	}
}

func TestRemoteTimeout(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	o := fast(server.URL)
	o.Timeout = time.Millisecond
	for name, client := range clients(t, o) {
		_, err := client.Geocode(t.Context(), howard)
		require.ErrorIs(t, err, ErrUnavailable, name)
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		require.NotContains(t, err.Error(), "secret-key", name)
	}
}

func TestRemoteUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	base := server.URL
	server.Close()
	for name, client := range clients(t, fast(base)) {
		_, err := client.Geocode(t.Context(), howard)
		require.ErrorIs(t, err, ErrUnavailable, name)
		require.NotContains(t, err.Error(), "secret-key", name)
	}
}

// A caller with a deadline is told at once that its turn would come too late.
func TestRemoteRateLimit(t *testing.T) {
	base, requests := served(t, http.StatusOK, nominatimHouse)
	client, err := NewNominatim(RemoteOptions{BaseURL: base})
	require.NoError(t, err)
	require.InDelta(t, 1, float64(client.remote.limiter.Limit()), 0)
	_, err = client.Geocode(t.Context(), howard)
	require.NoError(t, err)
	client.remote.limiter.SetLimit(0.001)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = client.Geocode(ctx, howard)
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "waiting")
	require.Len(t, *requests, 1)
}

func TestRemoteOptions(t *testing.T) {
	for _, base := range []string{"nominatim.example", "ftp://x", "http://", "://"} {
		_, err := NewNominatim(RemoteOptions{BaseURL: base})
		require.ErrorContains(t, err, "base URL", base)
		_, err = NewPhoton(RemoteOptions{BaseURL: base})
		require.Error(t, err)
		_, err = NewGoogle("k", RemoteOptions{BaseURL: base})
		require.Error(t, err)
	}
	_, err := NewGoogle("", RemoteOptions{})
	require.ErrorContains(t, err, "key")
	public, err := NewNominatim(RemoteOptions{})
	require.NoError(t, err)
	require.Equal(t, "nominatim.openstreetmap.org", public.remote.base.Host)
	require.Equal(t, defaultTimeout, public.Timeout)
}

type memoryCache struct {
	kept    map[string]Result
	getErr  error
	putErr  error
	lookups atomic.Int32
}

func (m *memoryCache) Get(_ context.Context, key string) (Result, bool, error) {
	m.lookups.Add(1)
	result, ok := m.kept[key]
	return result, ok && m.getErr == nil, m.getErr
}

func (m *memoryCache) Put(_ context.Context, key string, result Result) error {
	if m.putErr == nil {
		m.kept[key] = result
	}
	return m.putErr
}

type countingGeocoder struct {
	asked int
	err   error
}

func (c *countingGeocoder) Geocode(_ context.Context, q Query) (Result, error) {
	c.asked++
	return Result{Address: Address{Number: q.Number, Apartment: q.Apartment}, Location: Location{1, 2}}, c.err
}

func TestCached(t *testing.T) {
	inner, cache := &countingGeocoder{}, &memoryCache{kept: map[string]Result{}}
	cached := NewCached("test", inner, cache, nil)
	for _, q := range []Query{
		howard,
		{Number: "543", Street: "HOWARD STREET", City: "san  francisco", State: "ca", PostalCode: "94105", Country: "us", Language: "en"},
	} {
		result, err := cached.Geocode(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, Location{1, 2}, result.Location)
		require.Equal(t, q.Apartment, result.Address.Apartment, "the apartment is the caller's own")
	}
	require.Equal(t, 1, inner.asked)
	other := howard
	other.Number = "545"
	_, err := cached.Geocode(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, 2, inner.asked)
	_, err = NewCached("another", inner, cache, nil).Geocode(t.Context(), howard)
	require.NoError(t, err)
	require.Equal(t, 3, inner.asked, "another geocoder's answers are its own")
	for range 2 {
		_, err = cached.Geocode(t.Context(), Query{Unparsed: "1 Main St, Paris", Apartment: "2"})
		require.NoError(t, err)
		_, err = cached.Geocode(t.Context(), Query{Unparsed: "1 main st,  PARIS", Apartment: "3"})
		require.NoError(t, err)
	}
	require.Equal(t, 5, inner.asked)
}

func TestCachedDoesNotCacheErrors(t *testing.T) {
	inner, cache := &countingGeocoder{err: ErrUnknownPlace}, &memoryCache{kept: map[string]Result{}}
	cached := NewCached("test", inner, cache, nil)
	for range 2 {
		_, err := cached.Geocode(t.Context(), howard)
		require.ErrorIs(t, err, ErrUnknownPlace)
	}
	require.Equal(t, 2, inner.asked)
	require.Empty(t, cache.kept)
}

func TestCachedWorksWithoutItsCache(t *testing.T) {
	var failures []error
	down := errors.New("disk full")
	inner := &countingGeocoder{}
	cached := NewCached("test", inner, &memoryCache{kept: map[string]Result{}, getErr: down, putErr: down},
		func(err error) { failures = append(failures, err) })
	_, err := cached.Geocode(t.Context(), howard)
	require.NoError(t, err)
	require.Equal(t, []error{down, down}, failures)
}

// The extent of what was found tells how far the house may be away.
func TestRemoteRadius(t *testing.T) {
	google := strings.Replace(googleHouse, `"location_type":"ROOFTOP"`, `"location_type":"GEOMETRIC_CENTER",
		"viewport":{"northeast":{"lat":37.7900,"lng":-122.3950},"southwest":{"lat":37.7875,"lng":-122.3980}}`, 1)
	for _, test := range []struct{ name, body, within string }{
		{"nominatim", strings.Replace(nominatimTown, `"lon":"11.5"`, `"lon":"11.5","boundingbox":["48.09","48.11","11.49","11.51"]`, 1), "within 2 km: only the place"},
		{"photon", strings.Replace(photonStreet, `"type":"street"`, `"type":"street","extent":[-122.392,37.781,-122.389,37.779]`, 1), "within 300 m: only the street"},
		{"google", google, "within 300 m: it is the middle"},
		{"nominatim", nominatimTown, "approximate: only the place"},
	} {
		base, _ := served(t, http.StatusOK, test.body)
		result, err := clients(t, fast(base))[test.name].Geocode(t.Context(), howard)
		require.NoError(t, err)
		require.Contains(t, result.Warnings[0], test.within, test.name)
		require.NotEqual(t, AccuracyHouse, result.Accuracy, test.name)
	}
	base, _ := served(t, http.StatusOK, nominatimHouse)
	result, err := clients(t, fast(base))["nominatim"].Geocode(t.Context(), howard)
	require.NoError(t, err)
	require.Equal(t, AccuracyHouse, result.Accuracy)
}
