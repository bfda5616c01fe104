package geo

import (
	"context"
	"errors"
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
)

// RemoteOptions are the settings every geocoding service shares. The zero value of each field means its default.
type RemoteOptions struct {
	// BaseURL is where the service is; the default is its public instance.
	BaseURL string
	// Client sends the requests; the default has no proxy settings of its own and follows no redirect.
	Client *http.Client
	// Timeout bounds one request, 5 s by default. Waiting for the rate limit does not count.
	Timeout time.Duration
	// UserAgent identifies the program, which the public instances ask for.
	UserAgent string
	// Language is the language to answer in when a query names none.
	Language string
	// PerSecond limits the requests; the default is what the service's rules allow.
	PerSecond float64
}

const (
	defaultTimeout   = 5 * time.Second
	defaultUserAgent = "waybill"
	// maxAnswer is far above what any of the services sends for one address.
	maxAnswer = 1 << 20
)

// remote asks one service for JSON.
type remote struct {
	source    string
	base      *url.URL
	client    *http.Client
	timeout   time.Duration
	userAgent string
	language  string
	limiter   *rate.Limiter
	maxAnswer int64
}

func newRemote(source, defaultBase string, perSecond float64, o RemoteOptions) (*remote, error) {
	if o.BaseURL == "" {
		o.BaseURL = defaultBase
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%s: %q is not a base URL; it looks like %s", source, o.BaseURL, defaultBase)
	}
	r := &remote{
		source: source, base: base, client: o.Client, timeout: o.Timeout, userAgent: o.UserAgent, language: o.Language,
		maxAnswer: maxAnswer,
	}
	if r.client == nil {
		r.client = &http.Client{
			// A redirect would carry the key to wherever it points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if r.timeout <= 0 {
		r.timeout = defaultTimeout
	}
	if r.userAgent == "" {
		r.userAgent = defaultUserAgent
	}
	if o.PerSecond > 0 {
		perSecond = o.PerSecond
	}
	r.limiter = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond)))
	return r, nil
}

func (r *remote) languageFor(q Query) string {
	if q.Language != "" {
		return strings.ToLower(q.Language)
	}
	return strings.ToLower(r.language)
}

func (r *remote) unavailable(text string, err error) *Error {
	return &Error{Kind: ErrUnavailable, Source: r.source, Text: text, Err: err}
}

// get asks for base/path?parameters and decodes the answer.
func (r *remote) get(ctx context.Context, path string, parameters url.Values, into any) error {
	if err := r.limiter.Wait(ctx); err != nil {
		return r.unavailable("too many look-ups are waiting for their turn; try again later", err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	target := r.base.JoinPath(path)
	target.RawQuery = parameters.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return r.unavailable("the request could not be made", err)
	}
	request.Header.Set("User-Agent", r.userAgent)
	request.Header.Set("Accept", "application/json")
	response, err := r.client.Do(request)
	if err != nil {
		return r.unavailable(r.base.Host+" did not answer; look at the network, or choose another geocoder", withoutURL(err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, r.maxAnswer+1))
	switch {
	case err != nil:
		return r.unavailable(r.base.Host+" stopped in the middle of its answer", withoutURL(err))
	case int64(len(body)) > r.maxAnswer:
		return r.unavailable(r.base.Host+" sent more than the question can need; is the base URL right?", nil)
	case response.StatusCode != http.StatusOK:
		return r.statusError(response)
	}
	if err := json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return r.unavailable(r.base.Host+" did not answer with the JSON it should; is the base URL right?", err)
	}
	return nil
}

// withoutURL takes the URL out of an error: it may hold a key, and errors end in logs.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

func (r *remote) statusError(response *http.Response) error {
	failed := r.unavailable("", nil)
	switch response.StatusCode {
	case http.StatusTooManyRequests:
		failed.Text = r.base.Host + " asks to be asked less often; lower the rate or use your own instance"
	case http.StatusUnauthorized, http.StatusForbidden:
		failed.Text = r.base.Host + " refuses this program or its key; check the key and the service's rules of use"
	case http.StatusBadRequest:
		failed.Kind = ErrBadAddress
		failed.Text = r.base.Host + " could not read the address"
	default:
		failed.Text = fmt.Sprintf("%s answered with status %d; try again later", r.base.Host, response.StatusCode)
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		failed.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failed
}

// completeResult fills what the service left out from the question and tells how exact the answer is.
func (r *remote) completeResult(result *Result, q Query) error {
	if err := result.Location.Validate(); err != nil {
		return r.unavailable(r.base.Host+" answered with a location that is none", err)
	}
	result.Source = r.source
	a := &result.Address
	hasHouse, hasStreet := a.Number != "", a.Street != ""
	asked := q
	if q.Unparsed != "" {
		elements := splitElements(q.Unparsed)
		if len(elements) > 0 {
			asked.Number, asked.Street = splitNumber(elements[0])
		}
		asked.City, asked.State, asked.PostalCode, asked.Country = "", "", "", ""
	}
	for _, part := range []struct {
		have *string
		ask  string
	}{
		{&a.Number, asked.Number},
		{&a.Street, asked.Street},
		{&a.Apartment, asked.Apartment},
		{&a.City, asked.City},
		{&a.State, asked.State},
		{&a.PostalCode, asked.PostalCode},
		{&a.Country, asked.Country},
	} {
		if *part.have == "" {
			*part.have = strings.TrimSpace(part.ask)
		}
	}
	a.CountryCode = strings.ToUpper(a.CountryCode)
	switch {
	case hasHouse:
	case hasStreet:
		result.Approximate = true
		result.Warnings = append(result.Warnings, "The location is approximate: the street was found, the house was not.")
	default:
		result.Approximate = true
		result.Warnings = append(result.Warnings, "The location is approximate: the place was found, the street was not.")
	}
	return nil
}

func (r *remote) notFoundError(q Query) error {
	return unknownPlace(r.source, "nothing found for %q; check the spelling, or send the location", q.Line())
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
