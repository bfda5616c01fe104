package apiclient

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"waybill/model"
)

// DefaultMaxBody is the default limit for the size of a response.
const DefaultMaxBody = 32 << 20

// Options configure a client. BaseURL and Key are required.
type Options struct {
	// BaseURL is the address of the service with the version segment, such as https://host/api/v2.
	BaseURL string
	// Key returns the API key; it is called for every request.
	Key Secret
	// UserAgent is the User-Agent header; empty means "waybill".
	UserAgent string
	// Limiter is the request budget. Clients of one organization share it; nil creates a new one.
	Limiter *Limiter
	// ReadOnly reports whether changes are refused now; nil means never.
	ReadOnly func() bool
	// Transport configures connections.
	Transport TransportOptions
	// RoundTripper replaces the network; Transport then only sets the timeouts.
	RoundTripper http.RoundTripper
	// MaxBody limits the size of a response in bytes after decompression; 0 means [DefaultMaxBody].
	MaxBody int64
	// Logged is called after each request with its entry in the log; nil means never.
	Logged func(Entry)
	// LogSize is how many requests the log keeps; 0 means [DefaultLogSize].
	LogSize int
	// Now is the clock for the log and for dates in Retry-After; nil means time.Now. Waiting always uses the time package.
	Now func() time.Time
}

// Client sends requests to one service with one API key. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	key       Secret
	userAgent string
	limiter   *Limiter
	readOnly  func() bool
	http      *http.Client
	timeouts  TransportOptions
	maxBody   int64
	log       *Log
	now       func() time.Time
	clock     *serviceClock
	buffers   *sync.Pool
}

// New returns a client without opening a connection. It reports a wrong base URL or certificate file.
func New(o Options) (*Client, error) {
	base, err := model.ParseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	timeouts := o.Transport.withDefaults()
	roundTripper := o.RoundTripper
	if roundTripper == nil {
		if roundTripper, err = newTransport(timeouts); err != nil {
			return nil, err
		}
	}
	if o.Limiter == nil {
		o.Limiter = NewLimiter(LimiterOptions{})
	}
	if o.ReadOnly == nil {
		o.ReadOnly = func() bool { return false }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{
		base:      base,
		key:       o.Key,
		userAgent: cmp.Or(o.UserAgent, "waybill"),
		limiter:   o.Limiter,
		readOnly:  o.ReadOnly,
		http:      &http.Client{Transport: roundTripper, CheckRedirect: refuseRedirect},
		timeouts:  timeouts,
		maxBody:   cmp.Or(o.MaxBody, DefaultMaxBody),
		log:       newLog(base.String(), cmp.Or(o.LogSize, DefaultLogSize), o.Logged),
		now:       o.Now,
		clock:     &serviceClock{},
		buffers:   &sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}, nil
}

// refuseRedirect returns redirects as responses, so that the API key is not sent to another address.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// BaseURL returns the address of the service.
func (c *Client) BaseURL() string { return c.base.String() }

// SendsKeyUnencrypted reports whether requests leave this machine unencrypted, so that others can read the API key.
func (c *Client) SendsKeyUnencrypted() bool { return model.SendsKeyUnencrypted(c.base) }

// Limiter returns the request budget of the client.
func (c *Client) Limiter() *Limiter { return c.limiter }

// Log returns the log of the client.
func (c *Client) Log() *Log { return c.log }

// Close closes idle connections. The client can still be used.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// String describes the client by its service.
func (c *Client) String() string { return fmt.Sprintf("client of %s", c.base) }
