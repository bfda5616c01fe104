package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// versionFile is a file whose length counts changes of something that processes cache. Reading it costs a hundredth of a
// query and also shows the changes of other processes.
type versionFile struct{ file *os.File }

func openVersionFile(dir, name string) (*versionFile, error) {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open a version file: %w", err)
	}
	return &versionFile{file}, nil
}

func (e *versionFile) version() (int64, error) {
	info, err := e.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", e.file.Name(), err)
	}
	return info.Size(), nil
}

func (e *versionFile) increment() error {
	if _, err := e.file.Write([]byte{'\n'}); err != nil {
		return fmt.Errorf("notify running servers: %w", err)
	}
	return nil
}

// KeysVersion counts the removals of API keys by all processes.
func (s *Store) KeysVersion() (int64, error) { return s.keysVersion.version() }

// IncrementKeysVersion makes every process on the data folder drop its cached API keys. Call it after the commit, so that
// they read the changed keys.
func (s *Store) IncrementKeysVersion() error { return s.keysVersion.increment() }
