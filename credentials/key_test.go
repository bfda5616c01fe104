package credentials_test

import (
	"bytes"
	"encoding/gob"
	stdjson "encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/credentials"
)

func mustKey(t require.TestingT, text string) credentials.Key {
	key, err := credentials.NewKey(text)
	require.NoError(t, err)
	return key
}

func TestNewKeyTrims(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"abc", " abc\n", "abc\r\n", "\ufeffabc", "\t abc \n\n"} {
		require.Equal(t, "abc", mustKey(t, text).Reveal())
	}
	require.Len(t, mustKey(t, strings.Repeat("k", credentials.MaxKeyLength)).Reveal(), 512)
}

func TestNewKeyRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "it is empty",
		" \n":                    "it is empty",
		"s3cr\net":               "character 5 is a line break",
		"s3cr et":                "character 5 is a space",
		"s3cr\x00et":             "character 5 is the control character U+0000",
		"s3cr\x1b[31m":           "character 5 is the control character U+001B",
		"s3cr\u200bet":           "character 5 is U+200B, which is not plain ASCII",
		"s3cr\xffet":             "character 5 is U+FFFD, which is not plain ASCII",
		"s3cr:et":                "character 5 is a colon",
		strings.Repeat("k", 513): "513 bytes long",
	} {
		key, err := credentials.NewKey(text)
		require.ErrorIs(t, err, credentials.ErrInvalidKey)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "s3cr", "the error must not show the key")
		require.True(t, key.IsZero())
		require.Empty(t, key.Reveal())
	}
}

func TestKeyEqual(t *testing.T) {
	t.Parallel()
	require.True(t, mustKey(t, "abc").Equal(mustKey(t, "abc ")))
	require.False(t, mustKey(t, "abc").Equal(mustKey(t, "abd")))
	require.False(t, mustKey(t, "abc").Equal(credentials.Key{}))
	require.Equal(t, "[no key]", credentials.Key{}.String())
}

// holder keeps a key the way careless code does: fmt cannot call the methods of an unexported field.
type holder struct {
	Open   credentials.Key
	hidden credentials.Key
	inner  struct{ deep *credentials.Key }
}

// TestKeyNeverShows tries every way a value reaches a screen, a log or a file.
func TestKeyNeverShows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[a-zA-Z0-9]{16,64}`).Draw(t, "secret")
		key := mustKey(t, secret)
		held := holder{Open: key, hidden: key}
		held.inner.deep = &key
		values := []any{key, &key, held, &held, []credentials.Key{key}, map[string]credentials.Key{"k": key}, fmt.Errorf("x: %v", key)}
		for _, value := range values {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%10.3s", "%p", "%t", "%w"} {
				requireHidden(t, secret, fmt.Sprintf(verb, value), verb)
			}
			requireHidden(t, secret, fmt.Sprint(value), "Sprint")
			for _, handler := range []func(*bytes.Buffer) slog.Handler{
				func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
				func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
			} {
				var log bytes.Buffer
				slog.New(handler(&log)).Info("x", "value", value)
				requireHidden(t, secret, log.String(), "slog")
			}
			for name, marshal := range map[string]func(any) ([]byte, error){
				"encoding/json": stdjson.Marshal,
				"json/v2":       func(v any) ([]byte, error) { return json.Marshal(v) },
				"toml":          toml.Marshal,
				"gob": func(v any) ([]byte, error) {
					var encoded bytes.Buffer
					err := gob.NewEncoder(&encoded).Encode(v)
					return encoded.Bytes(), err
				},
			} {
				// Some encoders refuse some of the values, which hides them as well.
				encoded, err := marshal(value)
				requireHidden(t, secret, string(encoded), name)
				requireHidden(t, secret, fmt.Sprint(err), name)
			}
			requireHidden(t, secret, failedComparison(value), "a failed test's diff")
		}
	})
}

// failedComparison returns what a test prints when a comparison with a key fails, which dumps values by reflection.
func failedComparison(value any) string {
	var recorded recorder
	assert.Equal(&recorded, "something else", value)
	return recorded.String()
}

type recorder struct{ bytes.Buffer }

func (r *recorder) Errorf(format string, arguments ...any) { fmt.Fprintf(r, format, arguments...) }

// requireHidden also looks for the key in hex, which %x would make of it.
func requireHidden(t *rapid.T, secret, output, how string) {
	for _, form := range []string{secret, secret[len(secret)-8:], fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret)} {
		if strings.Contains(output, form) {
			t.Fatalf("%s shows the key: %s", how, output)
		}
	}
}
