package credentials

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// Service is the name of the service in the system keyring, with one entry per profile.
const Service = "waybill"

// Keyring stores one secret per profile. Get and Delete return ErrNotFound for a profile without a secret; any other error
// means that the keyring cannot be used. Calls may block.
type Keyring interface {
	Get(profile string) (string, error)
	Set(profile, secret string) error
	Delete(profile string) error
}

// SystemKeyring returns the keyring of the operating system: the Secret Service on Linux and BSD, the Keychain on macOS, the
// Credential Manager on Windows.
func SystemKeyring(getenv func(string) string) Keyring { return systemKeyring{getenv} }

type systemKeyring struct{ getenv func(string) string }

var _ Keyring = systemKeyring{}

func (k systemKeyring) Get(profile string) (secret string, err error) {
	err = k.call(func() error {
		secret, err = keyring.Get(Service, profile)
		return err
	})
	return secret, err
}

func (k systemKeyring) Set(profile, secret string) error {
	return k.call(func() error { return keyring.Set(Service, profile, secret) })
}

func (k systemKeyring) Delete(profile string) error {
	return k.call(func() error { return keyring.Delete(Service, profile) })
}

func (k systemKeyring) call(call func() error) error {
	if err := checkSession(k.getenv); err != nil {
		return err
	}
	return classifyKeyringError(call())
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

// callWithin calls a function that cannot be stopped, such as one that waits for an unlock prompt. If the function takes
// longer than limit, inTime is false, err is that of the context, and the late result is dropped.
func callWithin[T any](ctx context.Context, limit time.Duration, call func() (T, error)) (result T, inTime bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		result T
		err    error
	}
	answers := make(chan answer, 1)
	go func() {
		result, err := call()
		answers <- answer{result, err}
	}()
	select {
	case got := <-answers:
		return got.result, true, got.err
	case <-ctx.Done():
		return result, false, ctx.Err()
	}
}

// callKeyring calls the keyring and returns an error after its timeout.
func (v *Vault) callKeyring(ctx context.Context, call func() (string, error)) (string, error) {
	secret, inTime, err := callWithin(ctx, v.env.KeyringTimeout, func() (secret string, err error) {
		// A faulty secret service can make the library panic, which would end the program on this goroutine.
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("invalid response from the keyring: %v", fault)
			}
		}()
		return call()
	})
	switch {
	case inTime:
		return secret, asKeyringError(err)
	case errors.Is(err, context.DeadlineExceeded):
		return "", &KeyringError{Cause: CauseTimeout, Err: err}
	}
	return "", err
}

// asKeyringError converts every error except ErrNotFound to a *KeyringError.
func asKeyringError(err error) error {
	var known *KeyringError
	if err == nil || errors.Is(err, ErrNotFound) || errors.As(err, &known) {
		return err
	}
	return &KeyringError{Cause: CauseOther, Err: err}
}
