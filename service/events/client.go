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
	// dialTimeout is how long connecting may take.
	dialTimeout = 5 * time.Second
	// maxAnswer is how many bytes of an answer are read.
	maxAnswer = 4 << 10
)

// ErrForbiddenAddress means that a webhook points to an address that the service must not connect to.
var ErrForbiddenAddress = errors.New("the address is not public")

// ClientOptions configures the client that sends to webhooks.
type ClientOptions struct {
	// Allow lists private networks that the client may connect to.
	Allow []netip.Prefix
	// CAFile is a PEM file with additional certificate authorities.
	CAFile string
	// Resolver replaces the system's resolver.
	Resolver *net.Resolver

	// onConnect is called with every allowed address before connecting.
	onConnect func(address string)
}

// NewClient makes a client that connects to public addresses only, over TLS with a valid certificate. It checks the
// resolved address on each connection, so that changing a DNS name does not help an attacker.
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
			Proxy:                  nil, // a proxy would bypass the check of addresses
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

// dialAllowed refuses hosts that are numbers in disguise before they are resolved.
func dialAllowed(dialer *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if isNumericHost(host) {
			return nil, fmt.Errorf("%w: some resolvers read the number %s as an address", ErrForbiddenAddress, host)
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// isNumericHost reports whether the last label of a host is a decimal, octal or hex number although the host is not a
// normal IP address. Some resolvers read such a host as an IPv4 address; no DNS name looks like that.
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

// azureMetadata is the address of Azure's metadata service, which is in a public range.
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
		return nil, fmt.Errorf("read the certificate authorities for webhooks: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no PEM certificate", file)
	}
	return roots, nil
}
