package credentials

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// Service is the name under which keys are stored in the system keyring, one entry a profile.
const Service = "waybill"

// Keyring is a store of secrets by profile. Get and Delete return ErrNotFound for a profile without one; any other error
// means that the keyring cannot be used. Calls may block.
type Keyring interface {
	Get(profile string) (string, error)
	Set(profile, secret string) error
	Delete(profile string) error
}

// SystemKeyring returns the operating system's keyring: the Secret Service on Linux and BSD, the Keychain on macOS, the
// Credential Manager on Windows. getenv is asked for the way to the session.
func SystemKeyring(getenv func(string) string) Keyring { return systemKeyring{getenv} }

type systemKeyring struct{ getenv func(string) string }

var _ Keyring = systemKeyring{}

func (k systemKeyring) Get(profile string) (string, error) {
	if err := checkSession(k.getenv); err != nil {
		return "", err
	}
	secret, err := keyring.Get(Service, profile)
	return secret, classifyKeyringError(err)
}

func (k systemKeyring) Set(profile, secret string) error {
	if err := checkSession(k.getenv); err != nil {
		return err
	}
	return classifyKeyringError(keyring.Set(Service, profile, secret))
}

func (k systemKeyring) Delete(profile string) error {
	if err := checkSession(k.getenv); err != nil {
		return err
	}
	return classifyKeyringError(keyring.Delete(Service, profile))
}

func classifyKeyringError(err error) error {
	var known *KeyringError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.As(err, &known):
		return known
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return &KeyringError{Cause: CauseUnsupported, Err: err}
	default:
		return &KeyringError{Cause: platformCause(err), Err: err}
	}
}

// callWithTimeout runs one call of a keyring and gives up on it after limit. The call itself cannot be stopped: it may sit behind
// an unlock prompt. Its goroutine ends when the prompt does, and its late answer is dropped.
func callWithTimeout(ctx context.Context, limit time.Duration, call func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		secret string
		err    error
	}
	answers := make(chan answer, 1)
	go func() {
		// A misbehaving secret service can make the library panic, which nobody could catch on this goroutine.
		defer func() {
			if fault := recover(); fault != nil {
				answers <- answer{err: &KeyringError{Cause: CauseOther, Err: fmt.Errorf("the keyring's answer made no sense: %v", fault)}}
			}
		}()
		secret, err := call()
		answers <- answer{secret, err}
	}()
	select {
	case got := <-answers:
		return got.secret, asKeyringError(got.err)
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", &KeyringError{Cause: CauseTimeout, Err: ctx.Err()}
		}
		return "", ctx.Err()
	}
}

// asKeyringError holds a backend to the rule that every error but "not found" means unavailable.
func asKeyringError(err error) error {
	var known *KeyringError
	if err == nil || errors.Is(err, ErrNotFound) || errors.As(err, &known) {
		return err
	}
	return &KeyringError{Cause: CauseOther, Err: err}
}
