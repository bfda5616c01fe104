package geo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/time/rate"

	"waybill/model"
)

// RemoteOptions configures a client of a remote service. Zero values mean the defaults.
type RemoteOptions struct {
	// BaseURL is the URL of the service, by default its public instance.
	BaseURL string
	// Client sends the requests; the default one does not follow redirects.
	Client *http.Client
	// Timeout is the timeout of a request, 5 s by default, without waiting for the rate limit.
	Timeout time.Duration
	// UserAgent identifies the program, which the public instances require.
	UserAgent string
	// Language is the language of answers when a query has none.
	Language string
	// PerSecond limits the requests; the default is what the service allows.
	PerSecond float64
}

const (
	defaultTimeout   = 5 * time.Second
	defaultUserAgent = "waybill"
	// maxAnswer is much more than any service sends for one address.
	maxAnswer = 1 << 20
)

// remote sends requests to one service.
type remote struct {
	RemoteOptions
	source    string
	base      *url.URL
	limiter   *rate.Limiter
	maxAnswer int64
}

func newRemote(source, defaultBase string, perSecond float64, o RemoteOptions) (*remote, error) {
	o.BaseURL = cmp.Or(o.BaseURL, defaultBase)
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%s: bad base URL %q; example: %s", source, o.BaseURL, defaultBase)
	}
	o.Timeout, o.UserAgent = cmp.Or(o.Timeout, defaultTimeout), cmp.Or(o.UserAgent, defaultUserAgent)
	if o.Client == nil {
		o.Client = &http.Client{
			// A redirect would send the key to another server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	o.PerSecond = cmp.Or(o.PerSecond, perSecond)
	limiter := rate.NewLimiter(rate.Limit(o.PerSecond), max(1, int(o.PerSecond)))
	return &remote{RemoteOptions: o, source: source, base: base, limiter: limiter, maxAnswer: maxAnswer}, nil
}

func (r *remote) languageFor(q Query) string { return strings.ToLower(cmp.Or(q.Language, r.Language)) }

func (r *remote) unavailable(text string, err error) *Error {
	return &Error{Kind: ErrUnavailable, Source: r.source, Text: text, Err: err}
}

// RemoteGeocoder finds addresses through a remote service.
type RemoteGeocoder struct {
	*remote
	// search asks the service. completeResult adds what all services have in common.
	search func(ctx context.Context, r *remote, q Query) (Result, error)
}

var _ Geocoder = (*RemoteGeocoder)(nil)

func newRemoteGeocoder(
	source, defaultBase string, perSecond float64, o RemoteOptions, search func(context.Context, *remote, Query) (Result, error),
) (*RemoteGeocoder, error) {
	r, err := newRemote(source, defaultBase, perSecond, o)
	if err != nil {
		return nil, err
	}
	return &RemoteGeocoder{r, search}, nil
}

// Geocode asks the service.
func (g *RemoteGeocoder) Geocode(ctx context.Context, q Query) (Result, error) {
	result, err := g.search(ctx, g.remote, q)
	if err != nil {
		return Result{}, err
	}
	if err := g.completeResult(&result, q); err != nil {
		return Result{}, err
	}
	return result, nil
}

// get requests base/path?parameters and decodes the answer.
func (r *remote) get(ctx context.Context, path string, parameters url.Values, into any) error {
	if err := r.limiter.Wait(ctx); err != nil {
		return r.unavailable("too many lookups are waiting; try again later", err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	target := r.base.JoinPath(path)
	target.RawQuery = parameters.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return r.unavailable("cannot create the request", err)
	}
	request.Header.Set("User-Agent", r.UserAgent)
	request.Header.Set("Accept", "application/json")
	response, err := r.Client.Do(request)
	if err != nil {
		return r.unavailable(r.base.Host+" did not answer; check the network or choose another geocoder", model.WithoutURL(err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, r.maxAnswer+1))
	switch {
	case err != nil:
		return r.unavailable(r.base.Host+" sent an incomplete answer", model.WithoutURL(err))
	case int64(len(body)) > r.maxAnswer:
		return r.unavailable(r.base.Host+" sent too much data; check the base URL", nil)
	case response.StatusCode != http.StatusOK:
		return r.statusError(response)
	}
	if err := json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return r.unavailable(r.base.Host+" did not answer with the expected JSON; check the base URL", err)
	}
	return nil
}

func (r *remote) statusError(response *http.Response) error {
	failed := r.unavailable("", nil)
	switch response.StatusCode {
	case http.StatusTooManyRequests:
		failed.Text = r.base.Host + " received too many requests; lower the rate or use your own instance"
	case http.StatusUnauthorized, http.StatusForbidden:
		failed.Text = r.base.Host + " refused this program or its key; check the key and the terms of the service"
	case http.StatusBadRequest:
		failed.Kind = ErrBadAddress
		failed.Text = r.base.Host + " cannot read the address"
	default:
		failed.Text = fmt.Sprintf("%s answered with status %d; try again later", r.base.Host, response.StatusCode)
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		failed.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failed
}

// completeResult fills missing parts of the result from the query and sets whether it is approximate.
func (r *remote) completeResult(result *Result, q Query) error {
	if err := result.Location.Validate(); err != nil {
		return r.unavailable(r.base.Host+" answered with an invalid location", err)
	}
	result.Source = r.source
	a := &result.Address
	hasHouse, hasStreet := a.Number != "", a.Street != ""
	query := q
	if q.Unparsed != "" {
		elements := splitElements(q.Unparsed)
		if len(elements) > 0 {
			query.Number, query.Street = splitNumber(elements[0])
		}
		query.City, query.State, query.PostalCode, query.Country = "", "", "", ""
	}
	a.Number = cmp.Or(a.Number, strings.TrimSpace(query.Number))
	a.Street = cmp.Or(a.Street, strings.TrimSpace(query.Street))
	a.Apartment = cmp.Or(a.Apartment, strings.TrimSpace(query.Apartment))
	a.City = cmp.Or(a.City, strings.TrimSpace(query.City))
	a.State = cmp.Or(a.State, strings.TrimSpace(query.State))
	a.PostalCode = cmp.Or(a.PostalCode, strings.TrimSpace(query.PostalCode))
	a.Country = cmp.Or(a.Country, strings.TrimSpace(query.Country))
	a.CountryCode = strings.ToUpper(a.CountryCode)
	switch {
	case hasHouse:
		result.Accuracy = cmp.Or(result.Accuracy, AccuracyHouse)
	case hasStreet:
		result.Accuracy = AccuracyStreet
		result.warnApproximate(onlyStreetFound)
	default:
		result.Accuracy = AccuracyCity
		result.warnApproximate(onlyPlaceFound)
	}
	return nil
}

func (r *remote) notFoundError(q Query) error {
	return unknownPlace(r.source, "nothing found for %q; check the spelling or send the location", q.Line())
}
