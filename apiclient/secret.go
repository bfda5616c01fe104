package apiclient

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[redacted]"

// Secret returns the API key. It is a function, so that printing a struct that contains it prints at most an address.
type Secret func() string

// StaticKey returns a Secret for a key that does not change.
func StaticKey(key string) Secret { return func() string { return key } }

// Format implements fmt.Formatter for every verb.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// MarshalText keeps the key out of encoded settings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue keeps the key out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

func (s Secret) reveal() string {
	if s == nil {
		return ""
	}
	return s()
}

// redactor removes an API key from texts, in plain form and in the encodings of basic authentication.
type redactor struct{ needles [][]byte }

// minKeyLength is the length below which a key is not redacted: a mistyped key of one letter would match everywhere.
const minKeyLength = 6

func newRedactor(key string) redactor {
	if len(key) < minKeyLength {
		return redactor{}
	}
	encode := base64.StdEncoding.EncodeToString
	return redactor{needles: [][]byte{
		[]byte(key),
		[]byte(encode([]byte(key + ":"))),
		[]byte(encode([]byte(key))),
	}}
}

// longestNeedle returns the length of the longest text to redact.
func (r redactor) longestNeedle() int {
	longest := 0
	for _, needle := range r.needles {
		longest = max(longest, len(needle))
	}
	return longest
}

func (r redactor) bytes(text []byte) []byte {
	for _, needle := range r.needles {
		if bytes.Contains(text, needle) {
			text = bytes.ReplaceAll(text, needle, []byte(redacted))
		}
	}
	return text
}

func (r redactor) string(text string) string { return string(r.bytes([]byte(text))) }
