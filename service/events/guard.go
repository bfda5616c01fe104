package events

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

const (
	// sendTimeout is how long a webhook's server may take to answer.
	sendTimeout = 10 * time.Second
	// dialTimeout is how much of that connecting may take.
	dialTimeout = 5 * time.Second
	// maxAnswer is how much of an answer is read.
	maxAnswer = 4 << 10
)

// ErrForbiddenAddress says that a webhook points to an address that the service must not reach.
var ErrForbiddenAddress = errors.New("the address is not a public one")

// ClientOptions say what the client that talks to webhooks may reach.
type ClientOptions struct {
	// Allow are networks that may be reached though they are not public.
	Allow []netip.Prefix
	// CAFile holds further certificate authorities, in PEM.
	CAFile string
	// Resolver replaces the system's.
	Resolver *net.Resolver

	// onConnect is told of every address that passed, before it is connected to.
	onConnect func(address string)
}

// NewClient makes a client that connects to public addresses only, over TLS with a valid certificate. The address is
// looked at after the name was resolved, on each connection, so a name that changes its mind gains nothing.
func NewClient(o ClientOptions) (*http.Client, error) {
	roots, err := loadRootCAs(o.CAFile)
	if err != nil {
		return nil, err
	}
	guard := newAddressGuard(o.Allow)
	dialer := &net.Dialer{
		Timeout: dialTimeout, Resolver: o.Resolver,
		Control: func(network, address string, conn syscall.RawConn) error {
			if err := guard.Safe(network, address, conn); err != nil {
				return fmt.Errorf("%w: %w", ErrForbiddenAddress, err)
			}
			if o.onConnect != nil {
				o.onConnect(address)
			}
			return nil
		},
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // a proxy would connect for us, past the guard
			DialContext:            dialAllowed(dialer),
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    dialTimeout,
			MaxIdleConnsPerHost:    maxConcurrentSends,
			MaxIdleConns:           256,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

func dialAllowed(dialer *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if isNumericHost(host) {
			return nil, fmt.Errorf("%w: %s is a number that some resolvers take for an address", ErrForbiddenAddress, host)
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// isNumericHost reports a host whose last label is a number, in decimal, octal or hex, but which is not an address
// in the usual spelling. Some resolvers take such a host for an IPv4 address; there is no such name.
func isNumericHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	last, hex := strings.CutPrefix(last, "0x")
	for _, c := range last {
		if (c < '0' || c > '9') && (!hex || c < 'a' || c > 'f') {
			return false
		}
	}
	return last != "" || hex
}

// azureMetadata is where the virtual machines of one cloud ask for their settings. It lies among public addresses.
const azureMetadata = "168.63.129.16/32"

func newAddressGuard(allow []netip.Prefix) *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, prefix := range allow {
		if prefix.Addr().Is4() {
			v4 = append(v4, prefix)
		} else {
			v6 = append(v6, prefix)
		}
	}
	return ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithNetworks("tcp4", "tcp6"),
		ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix(azureMetadata)),
		ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...),
	)
}

func loadRootCAs(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the webhook certificate authorities: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", file)
	}
	return roots, nil
}
