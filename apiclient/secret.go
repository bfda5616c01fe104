package apiclient

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[redacted]"

// Secret gives the API key at the moment a request is built. It is a function, so that printing whatever holds it
// prints an address at worst.
type Secret func() string

// StaticKey is a key that does not change.
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

// redactor takes a key out of texts: as it is, and in the two encodings in which basic authentication carries it.
type redactor struct{ needles [][]byte }

// minKeyLength keeps a mistyped key of a letter or two from turning every text into noise.
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

// longestNeedle is how many bytes a cut must leave beyond its end so that no part of a needle stays.
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
