package credentials_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/credentials"
)

// fakeKeyring is a keyring in memory that can be made to fail, hang or panic.
type fakeKeyring struct {
	mu      sync.Mutex
	secrets map[string]string
	err     error
	// hang blocks every call until it is closed.
	hang   chan struct{}
	panics bool
	// loses makes Set forget what it was given.
	loses bool
	calls int
}

var _ credentials.Keyring = (*fakeKeyring)(nil)

func (k *fakeKeyring) enter() error {
	if k.hang != nil {
		<-k.hang
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls++
	if k.panics {
		panic("interface conversion: not an object path")
	}
	return k.err
}

func (k *fakeKeyring) Get(profile string) (string, error) {
	if err := k.enter(); err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	secret, ok := k.secrets[profile]
	if !ok {
		return "", credentials.ErrNotFound
	}
	return secret, nil
}

func (k *fakeKeyring) Set(profile, secret string) error {
	if err := k.enter(); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.loses {
		k.secrets[profile] = secret
	}
	return nil
}

func (k *fakeKeyring) Delete(profile string) error {
	if err := k.enter(); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.secrets[profile]; !ok {
		return credentials.ErrNotFound
	}
	delete(k.secrets, profile)
	return nil
}

// world is an environment of a test.
type world struct {
	keyring   *fakeKeyring
	variables map[string]string
	env       credentials.Environment
	// asked counts the passphrase prompts.
	asked int
}

// cheapWork keeps scrypt fast; the real cost is about a second.
const cheapWork = 4

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{keyring: &fakeKeyring{secrets: map[string]string{}}, variables: map[string]string{}}
	w.env = credentials.Environment{
		Getenv:        func(name string) string { return w.variables[name] },
		ConfigDir:     t.TempDir(),
		Keyring:       w.keyring,
		AgeWorkFactor: cheapWork,
		Passphrase: func(context.Context, string, bool) (string, error) {
			w.asked++
			return "correct horse", nil
		},
	}
	return w
}

func (w *world) vault() *credentials.Vault { return credentials.New(w.env) }

func writeFile(t testing.TB, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func request(profile credentials.Profile) credentials.Request {
	return credentials.Request{Profile: profile, Descriptor: credentials.NoDescriptor}
}
