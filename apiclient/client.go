package apiclient

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// DefaultMaxBody is the largest answer that is read.
const DefaultMaxBody = 32 << 20

// Options say which service a client talks to and how. BaseURL and Key are needed.
type Options struct {
	// BaseURL is the address of the service; it ends in the version segment, such as https://host/api/v2.
	BaseURL string
	// Key gives the API key; it is asked for on every request.
	Key Secret
	// UserAgent names the program; empty means "waybill".
	UserAgent string
	// Limiter is the request budget. Clients of one organization share one; nil makes a new one.
	Limiter *Limiter
	// ReadOnly reports whether changes are refused at the moment; nil means never.
	ReadOnly func() bool
	// Transport says how connections are made.
	Transport TransportOptions
	// RoundTripper replaces the network; Transport then only gives the timeouts.
	RoundTripper http.RoundTripper
	// MaxBody is the largest answer that is read, in bytes after decompression; 0 means [DefaultMaxBody].
	MaxBody int64
	// LogSize is how many requests the log keeps; 0 means [DefaultLogSize].
	LogSize int
	// Now is the clock that stamps the log and reads dates in Retry-After; nil means time.Now. Waiting always follows
	// the time package.
	Now func() time.Time
}

// Client talks to one service with one key. It is safe for concurrent use.
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

// New makes a client. It opens no connection; a wrong base URL or certificate file is reported at once.
func New(o Options) (*Client, error) {
	base, err := parseBaseURL(o.BaseURL)
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
		log:       newLog(base.String(), cmp.Or(o.LogSize, DefaultLogSize)),
		now:       o.Now,
		clock:     &serviceClock{},
		buffers:   &sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}, nil
}

// refuseRedirect keeps the key from travelling to wherever a redirect points.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// BaseURL is the address of the service.
func (c *Client) BaseURL() string { return c.base.String() }

// SendsKeyUnencrypted reports that requests leave this machine unencrypted, so that anyone on the way can read the key.
func (c *Client) SendsKeyUnencrypted() bool { return sendsKeyUnencrypted(c.base) }

// Limiter is the request budget of the client.
func (c *Client) Limiter() *Limiter { return c.limiter }

// Log is the client's last requests.
func (c *Client) Log() *Log { return c.log }

// Close drops idle connections. The client can be used again afterwards.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// String names the client by its service.
func (c *Client) String() string { return fmt.Sprintf("client of %s", c.base) }
