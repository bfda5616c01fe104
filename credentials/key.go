// Package credentials finds, stores and removes API keys: in the system keyring first, then in the fallbacks.
//
// A key is a [Key] from the moment it is read. Only Reveal returns its text; printing, logging or encoding it does not.
package credentials

import (
	"crypto/subtle"
	"encoding"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"waybill/model"
)

// MaxKeyLength is the maximum length of a key in bytes.
const MaxKeyLength = 512

const redacted = "[redacted]"

// Key is an API key that is never printed. The zero value is no key.
//
// The text is behind a function, because printing by reflection ignores the methods of unexported fields and would show it.
type Key struct {
	reveal func() string
}

// NewKey checks a key that was typed, pasted or read from a file, and trims white space around it.
func NewKey(text string) (Key, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if text == "" {
		return Key{}, &InvalidKeyError{Reason: "it is empty"}
	}
	if len(text) > MaxKeyLength {
		return Key{}, &InvalidKeyError{Reason: fmt.Sprintf("it is %d bytes long, but the maximum is %d; "+
			"is this the right file or text?", len(text), MaxKeyLength)}
	}
	if err := model.CheckKeyCharacters(text); err != nil {
		return Key{}, &InvalidKeyError{Reason: err.Error()}
	}
	return Key{reveal: func() string { return text }}, nil
}

// newKeyFrom is NewKey for a key from a source that its error names.
func newKeyFrom(source, text string) (Key, error) {
	key, err := NewKey(text)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", source, err)
	}
	return key, nil
}

// Reveal returns the text of the key. Use it only to authenticate requests and to store the key.
func (k Key) Reveal() string {
	if k.reveal == nil {
		return ""
	}
	return k.reveal()
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.reveal == nil }

// Equal compares two keys in constant time.
func (k Key) Equal(other Key) bool {
	return subtle.ConstantTimeCompare([]byte(k.Reveal()), []byte(other.Reveal())) == 1
}

// Whatever prints, logs or encodes a value finds these methods by its type.
var (
	_ = fmt.Formatter(Key{})
	_ = encoding.TextMarshaler(Key{})
	_ = slog.LogValuer(Key{})
)

// String hides the key.
func (k Key) String() string {
	if k.IsZero() {
		return "[no key]"
	}
	return redacted
}

// GoString hides the key from %#v.
func (k Key) GoString() string { return "credentials.Key(" + k.String() + ")" }

// Format hides the key from every verb.
func (k Key) Format(state fmt.State, verb rune) {
	text := k.String()
	if verb == 'v' && state.Flag('#') {
		text = k.GoString()
	}
	_, _ = io.WriteString(state, text)
}

// MarshalText hides the key from JSON, TOML and every other encoder.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// LogValue hides the key from slog.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }
