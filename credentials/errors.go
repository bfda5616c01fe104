package credentials

import (
	"errors"
	"fmt"
	"strings"

	"waybill/model"
)

// Errors to test for with errors.Is.
var (
	// ErrNotFound means that a store works but has no key for the profile.
	ErrNotFound = errors.New("no key stored")
	// ErrNoKey means that no source has a key; the text lists what was tried.
	ErrNoKey = errors.New("no API key found")
	// ErrInvalidKey means that a text cannot be an API key.
	ErrInvalidKey = errors.New("not an API key")
	// ErrKeyringUnavailable means that the system keyring cannot be used here; see KeyringError for the cause.
	ErrKeyringUnavailable = errors.New("the system keyring cannot be used")
	// ErrUnsafeFile means that other users could read or replace a file with a key, so it was not read.
	ErrUnsafeFile = errors.New("the key file is not private")
	// ErrCommand means that a key_command failed, took too long or printed nothing.
	ErrCommand = errors.New("the key command failed")
	// ErrPassphraseNeeded means that a key is encrypted and no passphrase was entered.
	ErrPassphraseNeeded = errors.New("a passphrase is needed")
	// ErrWrongPassphrase means that the passphrase does not open the encrypted file.
	ErrWrongPassphrase = errors.New("wrong passphrase")
	// ErrNotStorable means that a source, such as a variable, is read-only.
	ErrNotStorable = errors.New("keys cannot be stored there")
)

// InvalidKeyError says why a text cannot be an API key, without showing it.
type InvalidKeyError struct{ Reason string }

func (e *InvalidKeyError) Error() string { return "invalid API key: " + e.Reason }

// Is makes errors.Is(err, ErrInvalidKey) true.
func (e *InvalidKeyError) Is(target error) bool { return target == ErrInvalidKey }

// Cause is why the system keyring cannot be used.
type Cause string

// The causes.
const (
	CauseNoSession   Cause = "no session"
	CauseNoService   Cause = "no service"
	CauseLocked      Cause = "locked"
	CauseNoKeyring   Cause = "no keyring"
	CauseTimeout     Cause = "timed out"
	CauseUnsupported Cause = "unsupported"
	CauseOther       Cause = "other"
)

// describe returns what is wrong, and what to do before trying again if that can help.
func (c Cause) describe() (explanation, remedy string) {
	switch c {
	case CauseNoSession:
		return "no desktop session is reachable (no D-Bus session bus), which is usual over SSH and in containers", ""
	case CauseNoService:
		return "the session has no secret service, such as GNOME Keyring, KWallet or KeePassXC", ""
	case CauseLocked:
		return "it is locked", "unlock it and try again"
	case CauseNoKeyring:
		return "the secret service has no unlocked keyring: none was created yet, or the default one is locked",
			"create or unlock the default keyring in your desktop's password manager"
	case CauseTimeout:
		return "it did not respond in time; an unlock prompt may be open on another screen", "answer the prompt and try again"
	case CauseUnsupported:
		return "this operating system is not supported", ""
	default:
		return "it failed", ""
	}
}

// KeyringError says why the system keyring cannot be used and what to do instead.
type KeyringError struct {
	Cause Cause
	// Err is the error of the keyring. It may be nil.
	Err error
}

func (e *KeyringError) Error() string {
	text := ErrKeyringUnavailable.Error() + ": " + e.Explanation()
	// For a known cause the explanation is enough.
	if e.Cause == CauseOther && e.Err != nil {
		text += " (" + singleLine(e.Err.Error()) + ")"
	}
	return text + ". " + e.Advice()
}

// Explanation says what is wrong.
func (e *KeyringError) Explanation() string {
	explanation, _ := e.Cause.describe()
	return explanation
}

// Advice says what to do instead.
func (e *KeyringError) Advice() string {
	advice := "set " + DefaultVariable + ", pass --api-key-file FILE, set key_command in the profile, " +
		"or store the key in an encrypted file with 'waybill keys add --store age'."
	if _, remedy := e.Cause.describe(); remedy != "" {
		advice = remedy + ", or " + advice
	}
	return model.Capitalize(advice)
}

// Is makes errors.Is(err, ErrKeyringUnavailable) true.
func (e *KeyringError) Is(target error) bool { return target == ErrKeyringUnavailable }

// Unwrap returns the error of the keyring.
func (e *KeyringError) Unwrap() error { return e.Err }

// ResolveError says that no key was found, and lists what was tried.
type ResolveError struct {
	// Profile is the name of the profile, empty without one.
	Profile string
	// Attempts lists what was tried, in order.
	Attempts []Attempt
}

func (e *ResolveError) Error() string {
	whose := "this run"
	if e.Profile != "" {
		whose = fmt.Sprintf("profile %q", e.Profile)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s for %s", ErrNoKey, whose)
	advice := e.advice()
	for _, attempt := range e.Attempts {
		reason := attempt.Reason()
		var keyring *KeyringError
		switch {
		case errors.As(attempt.Err, &keyring):
			reason, advice = keyring.Explanation(), keyring.Advice()
		case attempt.Outcome == OutcomeFailed:
			// A failed source says itself what to do.
			advice = ""
		}
		fmt.Fprintf(&text, "\n  %s: %s", attempt.Location, reason)
	}
	if advice != "" {
		text.WriteString("\n" + advice)
	}
	return text.String()
}

func (e *ResolveError) advice() string {
	if e.Profile == "" {
		return "Set " + DefaultVariable + ", or pass --api-key-file FILE."
	}
	return fmt.Sprintf("Run 'waybill keys add %s', set %s, or pass --api-key-file FILE.", e.Profile, DefaultVariable)
}

// Is makes errors.Is(err, ErrNoKey) true.
func (e *ResolveError) Is(target error) bool { return target == ErrNoKey }

// Unwrap returns the errors of failed and unavailable sources, or ErrNotFound if all sources are empty.
func (e *ResolveError) Unwrap() []error {
	var all []error
	for _, attempt := range e.Attempts {
		if attempt.Err != nil && attempt.Outcome != OutcomeEmpty {
			all = append(all, attempt.Err)
		}
	}
	if len(all) == 0 {
		return []error{ErrNotFound}
	}
	return all
}

// singleLine returns a text from outside for an error message: on one line, without control characters, truncated.
func singleLine(text string) string {
	const longest = 400
	text = strings.Join(strings.Fields(model.Clean(text)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}
