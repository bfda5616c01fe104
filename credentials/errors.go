package credentials

import (
	"errors"
	"fmt"
	"strings"
)

// Errors to test for with errors.Is.
var (
	// ErrNotFound means that a store works and has no key for the profile.
	ErrNotFound = errors.New("no key is stored there")
	// ErrNoKey means that no place had a key; the error's text lists what was tried.
	ErrNoKey = errors.New("no API key found")
	// ErrInvalidKey means that a text cannot be an API key.
	ErrInvalidKey = errors.New("not an API key")
	// ErrKeyringUnavailable means that the system keyring cannot be used here; see KeyringError for the cause.
	ErrKeyringUnavailable = errors.New("the system keyring cannot be used")
	// ErrUnsafeFile means that others could read or replace a file with a key, so it was not read.
	ErrUnsafeFile = errors.New("the file with the key is not safe")
	// ErrCommand means that a key_command failed, took too long or printed nothing.
	ErrCommand = errors.New("the key command failed")
	// ErrPassphraseNeeded means that a key is encrypted and there is nobody to ask for the passphrase.
	ErrPassphraseNeeded = errors.New("a passphrase is needed")
	// ErrWrongPassphrase means that the passphrase does not open the encrypted file.
	ErrWrongPassphrase = errors.New("wrong passphrase")
	// ErrNotStorable means that a source is read only, such as a variable, and cannot take a key.
	ErrNotStorable = errors.New("keys cannot be stored there")
)

// InvalidKeyError says why a text cannot be an API key, without showing it.
type InvalidKeyError struct{ Reason string }

func (e *InvalidKeyError) Error() string { return "this cannot be an API key: " + e.Reason }

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

// KeyringError says why the system keyring cannot be used and what to do instead.
type KeyringError struct {
	Cause Cause
	// Err is what the keyring said, if it said anything.
	Err error
}

func (e *KeyringError) Error() string {
	text := ErrKeyringUnavailable.Error() + ": " + e.Explanation()
	// Where the cause is understood its own words say it better; only an unknown one needs the keyring's.
	if e.Cause == CauseOther && e.Err != nil {
		text += " (" + singleLine(e.Err.Error()) + ")"
	}
	return text + ". " + e.Advice()
}

// Explanation says what is wrong, in words.
func (e *KeyringError) Explanation() string {
	switch e.Cause {
	case CauseNoSession:
		return "no desktop session is reachable (no D-Bus session bus), which is usual over SSH and in containers"
	case CauseNoService:
		return "the session has no secret service, such as GNOME Keyring, KWallet or KeePassXC"
	case CauseLocked:
		return "it is locked and was not unlocked"
	case CauseNoKeyring:
		return "the secret service has no open keyring to keep keys in: none was created yet, or the default one is locked"
	case CauseTimeout:
		return "it did not answer in time; an unlock prompt may be waiting on another screen"
	case CauseUnsupported:
		return "this build has no keyring for this operating system"
	default:
		return "it failed"
	}
}

// Advice says what to do instead.
func (e *KeyringError) Advice() string {
	const instead = "set " + DefaultVariable + ", pass --api-key-file FILE, set key_command in the profile, " +
		"or keep the key in an encrypted file with 'waybill keys add --store age'"
	switch e.Cause {
	case CauseLocked:
		return "Unlock it and try again, or " + instead + "."
	case CauseTimeout:
		return "Answer the prompt and try again, or " + instead + "."
	case CauseNoKeyring:
		return "Create or unlock the default keyring in your desktop's password manager, or " + instead + "."
	default:
		return strings.ToUpper(instead[:1]) + instead[1:] + "."
	}
}

// Is makes errors.Is(err, ErrKeyringUnavailable) true.
func (e *KeyringError) Is(target error) bool { return target == ErrKeyringUnavailable }

// Unwrap returns what the keyring said.
func (e *KeyringError) Unwrap() error { return e.Err }

// ResolveError says that no key was found and what was tried.
type ResolveError struct {
	// Profile is the profile's name, empty when there is none.
	Profile string
	// Attempts is what was tried, in order.
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
			// A failure says itself what to do; a list of empty places does not.
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

// Unwrap returns the errors of the places that failed or cannot be used, or ErrNotFound when all of them are just empty.
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

// singleLine makes a text from outside fit for an error: one line, no control characters, not endless.
func singleLine(text string) string {
	const longest = 400
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(char rune) rune {
		switch {
		case char == '\n' || char == '\t' || char == '\r':
			return ' '
		case char < ' ' || (char >= 0x7f && char < 0xa0), isInvisible(char):
			return -1
		}
		return char
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}

// isInvisible matches what could reorder or hide text on a terminal.
func isInvisible(char rune) bool {
	return (char >= 0x200b && char <= 0x200f) || (char >= 0x2028 && char <= 0x202e) || (char >= 0x2060 && char <= 0x2069) ||
		char == 0xfeff
}
