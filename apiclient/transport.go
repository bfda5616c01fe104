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

// ErrCAFile is matched by every error about the file of extra certificate authorities.
var ErrCAFile = errors.New("cannot use the CA file")

// TransportOptions configure connections. The zero value works in most networks.
type TransportOptions struct {
	// CAFile is a PEM file of certificate authorities to trust in addition to those of the system.
	CAFile string
	// Proxy returns the proxy of a request; nil reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Proxy func(*http.Request) (*url.URL, error)
	// DialTimeout limits opening a connection; 0 means 10 s.
	DialTimeout time.Duration
	// TLSTimeout limits the TLS handshake; 0 means 10 s.
	TLSTimeout time.Duration
	// HeaderTimeout limits the wait for the first byte of a response; 0 means 75 s, because a service may take 70 s
	// until its own timeout.
	HeaderTimeout time.Duration
	// BodyTimeout limits reading a response; 0 means 60 s.
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

// attemptTimeout returns the longest time one attempt may take, including sending the request.
func (o TransportOptions) attemptTimeout() time.Duration {
	const sending = time.Minute
	return o.DialTimeout + o.TLSTimeout + sending + o.HeaderTimeout + o.BodyTimeout
}

func newTransport(o TransportOptions) (*http.Transport, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pool, err := loadCertPool(o.CAFile)
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
		// Pings detect connections that died while the machine was asleep.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}, nil
}

// loadCertPool returns the certificate authorities of the system and those of a file.
func loadCertPool(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCAFile, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%w: %s contains no PEM certificate (-----BEGIN CERTIFICATE-----)", ErrCAFile, file)
	}
	return pool, nil
}
