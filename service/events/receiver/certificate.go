package receiver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Names of the files in a certificate folder.
const (
	caFile   = "webhook-ca.pem"
	pairFile = "webhook-localhost.pem"
)

// certificateLife is short, because the authority's key is thrown away and a new pair costs nothing.
const certificateLife = 90 * 24 * time.Hour

// LocalCertificate makes a certificate for this machine's loopback names, so that a service told of its authority
// delivers events to a receiver here. It is kept in dir and made anew when it is about to end. The authority can sign
// nothing else: its key is never written.
func LocalCertificate(dir string) (certificate tls.Certificate, authority string, err error) {
	authority = filepath.Join(dir, caFile)
	if pair, ok := loadCertificate(filepath.Join(dir, pairFile), authority); ok {
		return pair, authority, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return certificate, "", fmt.Errorf("make the certificate folder: %w", err)
	}
	caPEM, pairPEM, err := createCertificates(time.Now())
	if err != nil {
		return certificate, "", fmt.Errorf("make a certificate: %w", err)
	}
	if err := errors.Join(
		os.WriteFile(authority, caPEM, 0o600), os.WriteFile(filepath.Join(dir, pairFile), pairPEM, 0o600),
	); err != nil {
		return certificate, "", fmt.Errorf("keep the certificate: %w", err)
	}
	certificate, err = tls.X509KeyPair(pairPEM, pairPEM)
	return certificate, authority, err
}

// loadCertificate reads the kept certificate if it holds for a day more.
func loadCertificate(pairPath, caPath string) (tls.Certificate, bool) {
	pair, err := tls.LoadX509KeyPair(pairPath, pairPath)
	if err != nil || pair.Leaf == nil || time.Until(pair.Leaf.NotAfter) < 24*time.Hour {
		return pair, false
	}
	ca, err := os.ReadFile(caPath)
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(ca) {
		return pair, false
	}
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "localhost"})
	return pair, err == nil
}

func createCertificates(now time.Time) (ca, pair []byte, err error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	root := &x509.Certificate{
		SerialNumber: randomSerial(), Subject: pkix.Name{CommonName: "waybill local webhooks"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		// Whoever trusts this authority trusts it for loopback only.
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"localhost"},
		PermittedIPRanges: []*net.IPNet{
			{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)}, {IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
		},
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, caKey.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: randomSerial(), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, key.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER})
	pair = append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leafDER}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})...)
	return ca, pair, nil
}

func randomSerial() *big.Int {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // crypto/rand.Read never fails
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b[:])
}
