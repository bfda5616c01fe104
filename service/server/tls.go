package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"
)

// certificates reloads a certificate when its file changes, so that a renewed one needs no restart.
type certificates struct {
	certFile, keyFile string
	log               *slog.Logger

	mu         sync.Mutex
	loaded     *tls.Certificate
	modifiedAt time.Time
	checkedAt  time.Time
}

// checkInterval is how often the files are checked.
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
		err = checkPrivate(c.keyFile)
	}
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	switch {
	case err == nil:
		c.loaded, c.modifiedAt = &pair, changed
	case c.loaded != nil:
		c.log.Warn("cannot load the renewed certificate; keeping the old one", "error", err)
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

// checkPrivate refuses a private key that every user of the machine can read. Windows has no such permissions.
func checkPrivate(keyFile string) error {
	info, err := os.Stat(keyFile)
	if err != nil {
		return err
	}
	const others = 0o007
	if runtime.GOOS != "windows" && info.Mode().Perm()&others != 0 {
		return fmt.Errorf("every user of this machine can use the private key; run: chmod 600 %s", keyFile)
	}
	return nil
}
