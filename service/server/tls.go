package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificates reads a certificate again when its file has changed, so that a renewed one needs no restart.
type certificates struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	loaded  *tls.Certificate
	modifiedAt time.Time
	checkedAt  time.Time
}

// checkInterval is how often the files are looked at.
const checkInterval = 5 * time.Second

func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current()
		},
	}
}

func (c *certificates) current() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil && time.Since(c.checkedAt) < checkInterval {
		return c.loaded, nil
	}
	c.checkedAt = time.Now()
	changed, err := latestModTime(c.certFile, c.keyFile)
	if err == nil && c.loaded != nil && !changed.After(c.modifiedAt) {
		return c.loaded, nil
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	switch {
	case err == nil:
		c.loaded, c.modifiedAt = &pair, changed
	case c.loaded != nil:
		c.log.Warn("the renewed certificate cannot be used; the old one stays", "error", err)
	default:
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	return c.loaded, nil
}

func latestModTime(files ...string) (time.Time, error) {
	var latest time.Time
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return latest, err
		}
		if info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest, nil
}
