package apiclient

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// ErrCAFile says that the file of extra certificate authorities cannot be used.
var ErrCAFile = errors.New("the extra certificate file cannot be used")

// TransportOptions say how connections are made. The zero value is right for most networks.
type TransportOptions struct {
	// CAFile names a PEM file of certificate authorities to trust beside the system's.
	CAFile string
	// Proxy chooses the proxy of a request; nil reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Proxy func(*http.Request) (*url.URL, error)
	// DialTimeout limits the making of a connection; 0 means 10 s.
	DialTimeout time.Duration
	// TLSTimeout limits the handshake; 0 means 10 s.
	TLSTimeout time.Duration
	// HeaderTimeout limits the wait for an answer to begin; 0 means 75 s, because a service may take 70 s before
	// it gives up itself.
	HeaderTimeout time.Duration
	// BodyTimeout limits the reading of an answer; 0 means 60 s.
	BodyTimeout time.Duration
}

func (o TransportOptions) withDefaults() TransportOptions {
	o.DialTimeout = cmp.Or(o.DialTimeout, 10*time.Second)
	o.TLSTimeout = cmp.Or(o.TLSTimeout, 10*time.Second)
	o.HeaderTimeout = cmp.Or(o.HeaderTimeout, 75*time.Second)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, 60*time.Second)
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	return o
}

// attemptTimeout is the longest that one attempt can take, sending included: nothing may hang for ever.
func (o TransportOptions) attemptTimeout() time.Duration {
	const sending = time.Minute
	return o.DialTimeout + o.TLSTimeout + sending + o.HeaderTimeout + o.BodyTimeout
}

func newTransport(o TransportOptions) (*http.Transport, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pool, err := trustAlso(o.CAFile)
		if err != nil {
			return nil, err
		}
		config.RootCAs = pool
	}
	dialer := &net.Dialer{Timeout: o.DialTimeout, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                 o.Proxy,
		DialContext:           dialer.DialContext,
		TLSClientConfig:       config,
		TLSHandshakeTimeout:   o.TLSTimeout,
		ResponseHeaderTimeout: o.HeaderTimeout,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          32,
		MaxIdleConnsPerHost:   32,
		ForceAttemptHTTP2:     true,
		// After a laptop wakes up its connections are dead without a word; pings find that out.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}, nil
}

// trustAlso is the system's authorities and those of a file.
func trustAlso(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCAFile, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%w: %s holds no PEM certificate (-----BEGIN CERTIFICATE-----)", ErrCAFile, file)
	}
	return pool, nil
}
