package model

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

func TestCleanJSONCleansStringsOnly(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	tests := []struct{ name, in, want string }{
		{"nothing to do", `{"id":"a","n":1.50e+3, "x":[true,null]}`, `{"id":"a","n":1.50e+3, "x":[true,null]}`},
		{"accents and simple escapes", `{"name":"Müller \"& Söhne\" \\ \/"}`, `{"name":"Müller \"& Söhne\" \\ \/"}`},
		{"escape sequence", `{"name":"a\u001b[31mb","n":1.50}`, `{"name":"ab","n":1.50}`},
		{"line break in a name", `{"name":"a\nb"}`, `{"name":"a b"}`},
		{"line break in notes", `{"notes":"a\nb"}`, `{"notes":"a\nb"}`},
		{"tab in notes", `{"notes":"a\tb"}`, `{"notes":"a b"}`},
		{"member name", `{"na\u200bme":"a"}`, `{"name":"a"}`},
		{"member name keeps no line break", `{"notes":{"a\nb":1}}`, `{"notes":{"a b":1}}`},
		{"nearest name in arrays", `{"comments":["a\nb",["c\nd"]],"names":["e\nf"]}`, `{"comments":["a\nb",["c\nd"]],"names":["e f"]}`},
		{"array after object", `{"notes":[{"name":"a\nb"},"c\nd"]}`, `{"notes":[{"name":"a b"},"c\nd"]}`},
		{"after nested object", `{"notes":{"x":"a\nb"},"y":"c\nd"}`, `{"notes":{"x":"a b"},"y":"c d"}`},
		{"value of metadata", `[{"name":"k","value":"a\nb"}]`, `[{"name":"k","value":"a\nb"}]`},
		{"space before the colon", `{"notes" : "a\nb", "name" : "a\nb"}`, `{"notes" : "a\nb", "name" : "a b"}`},
		{"quotes kept", `{"name":"\u200b\"\\"}`, `{"name":"\"\\"}`},
		{"escaped letters stay", `{"name":"\u0041"}`, `{"name":"\u0041"}`},
		{"raw override", "{\"name\":\"a\u202eb\"}", `{"name":"ab"}`},
		{"raw DEL", "[\"a\x7fb\"]", `["ab"]`},
		{"broken UTF-8", "[\"a\xffb\"]", "[\"a\ufffdb\"]"},
		{"lone surrogate", `["a\ud800b"]`, "[\"a\ufffdb\"]"},
		{"surrogate pair", `["a\ud83d\ude9ab"]`, `["a\ud83d\ude9ab"]`},
		{"a long name", `["` + long + `"]`, `["` + long[:MaxLine-1] + `…"]`},
		{"long notes", `{"notes":"` + long + `"}`, `{"notes":"` + long + `"}`},
		{"top-level string", `"a\u001bcb"`, `"ab"`},
		{"not JSON", `{"name":"a\u001bb`, `{"name":"a\u001bb`},
		{"two documents", `"\u001b" "a"`, `"\u001b" "a"`},
		{"a page of a proxy", "<html>\x1b[31m</html>", "<html>\x1b[31m</html>"},
		{"empty", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := []byte(test.in)
			require.Equal(t, test.want, string(CleanJSON(in)))
			require.Equal(t, test.in, string(in), "the input is not written to")
		})
	}
}

func TestNeedsCleaningFindsEverySuspectAtEveryOffset(t *testing.T) {
	for _, suspect := range []string{`\u0041`, `\n`, "\x7f", "\u200b", "\xff", "\u009b"} {
		for offset := range 24 {
			padding := strings.Repeat("x", offset)
			require.True(t, needsCleaning([]byte(padding+suspect+"yyyyyyyyyyyyyyy")), "%q at %d", suspect, offset)
		}
	}
	for offset := range 24 {
		require.False(t, needsCleaning([]byte(strings.Repeat("x", offset)+`é \" 東京 ~[]^`)))
	}
	for offset := range MaxLine {
		document := strings.Repeat(`"`, offset) + `"` + strings.Repeat("x", MaxLine+1) + `"`
		require.True(t, needsCleaning([]byte(document)), "a long string at %d", offset)
	}
}

func FuzzCleanJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a\u001b[1mb":["x\ny",{"notes":"a\r\nb\u202e"}],"n":-0.10e2}`, `["\ud800","\ud83d\ude9a"]`, `"`, `[1,"a`,
		"[\"\xff\"]", `{"notes":{"a":"\n"}}`,
	} {
		f.Add([]byte(seed))
	}
	lenient := []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
	f.Fuzz(func(t *testing.T, raw []byte) {
		cleaned := CleanJSON(bytes.Clone(raw))
		if !jsontext.Value(raw).IsValid(lenient...) {
			require.Equal(t, raw, cleaned)
			return
		}
		require.True(t, utf8.Valid(cleaned))
		require.True(t, jsontext.Value(cleaned).IsValid(jsontext.AllowDuplicateNames(true)))
		require.Equal(t, string(cleaned), string(CleanJSON(bytes.Clone(cleaned))))
		require.Equal(t, skeleton(t, raw), skeleton(t, cleaned))
		for token := range jsonStrings(t, cleaned) {
			requireHarmless(t, token, true)
		}
	})
}

// skeleton is a document without its strings: kinds in order, and every other token as it is written.
func skeleton(t *testing.T, raw []byte) string {
	t.Helper()
	var out strings.Builder
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return out.String()
		}
		if token.Kind() == jsontext.KindString {
			out.WriteString(`" `)
			continue
		}
		out.WriteString(token.String() + " ")
	}
}

func jsonStrings(t *testing.T, raw []byte) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return found
		}
		if token.Kind() == jsontext.KindString {
			found[token.String()] = true
		}
	}
}

func BenchmarkCleanJSON(b *testing.B) {
	task, err := os.ReadFile("testdata/golden/task-completed.json")
	require.NoError(b, err)
	value := jsontext.Value(task)
	require.NoError(b, value.Compact())
	page := `{"lastId":"` + ruleID + `","tasks":[` + strings.Repeat(string(value)+",", 63) + string(value) + `]}`
	require.Contains(b, page, `\n`)
	for _, kind := range []struct{ name, page string }{
		{"plain", strings.ReplaceAll(page, `\n`, " ")},
		{"line breaks in notes", page},
		{"dirty names", strings.ReplaceAll(page, "Boris", `Boris\u200b`)},
	} {
		b.Run(kind.name, func(b *testing.B) {
			raw := []byte(kind.page)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				CleanJSON(raw)
			}
		})
	}
}
