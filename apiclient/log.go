package apiclient

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// DefaultLogSize is how many requests a log keeps.
const DefaultLogSize = 200

const (
	maxRequestBody = 64 << 10
	maxResponseBody  = 16 << 10
)

// Entry is one request that was made, without anything secret.
type Entry struct {
	// Number counts the requests of a client from 1.
	Number int
	Time   time.Time
	Method string
	// Path is behind the base URL, with the query.
	Path string
	// Status is 0 when no answer came.
	Status int
	// Duration is how long the last attempt took, Waited everything before it: the budget and earlier attempts.
	Duration, Waited time.Duration
	Attempts         int
	RequestID        string
	// Error is empty when the request succeeded.
	Error string
	// RequestBody and AnswerBody begin like the bodies; the Cut flags say that they do not end like them. The request's
	// is as it was sent, the answer's is one line of printable text.
	RequestBody, ResponseBody string
	RequestCut, ResponseCut   bool

	base string
}

func (e *Entry) setBodies(r *request, answer []byte) {
	e.RequestBody, e.RequestCut = redactBody(r.redactor, r.payload, maxRequestBody)
	e.ResponseBody, e.ResponseCut = redactBody(r.redactor, answer, maxResponseBody)
	e.ResponseBody = cleanText(e.ResponseBody)
	e.Path = r.redactor.string(e.Path)
}

// redactBody is the beginning of a body without secrets, and whether something was cut off.
func redactBody(r redactor, body []byte, limit int) (string, bool) {
	whole := len(body)
	// What is cut must not leave the first half of a key behind, so a little more is searched than is kept.
	body = r.bytes(redactPasswords(body[:min(whole, limit+r.longestNeedle())]))
	body = body[:min(len(body), limit)]
	for len(body) > 0 && whole > limit && !utf8.Valid(body[max(0, len(body)-utf8.UTFMax):]) {
		body = body[:len(body)-1]
	}
	return string(body), whole > limit
}

// redactPasswords takes the value of every member named password out: workers have one until they choose their own.
// A body that was cut is handled up to the cut.
func redactPasswords(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"password"`)) {
		return body
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var out []byte
	copied := 0
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return append(out, body[copied:]...)
		}
		if !isMemberName(decoder) || token.Kind() != jsontext.KindString || token.String() != "password" {
			continue
		}
		out = append(append(out, body[copied:decoder.InputOffset()]...), `:"`+redacted+`"`...)
		if decoder.SkipValue() != nil {
			return out
		}
		copied = int(decoder.InputOffset())
	}
}

// isMemberName reports whether the token just read is the name of a member.
func isMemberName(decoder *jsontext.Decoder) bool {
	kind, count := decoder.StackIndex(decoder.StackDepth())
	return kind == jsontext.KindBeginObject && count%2 == 1
}

// Log keeps the last requests of a client. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	base    string
	entries []Entry // a ring once it is full
	total   int
}

func newLog(base string, size int) *Log {
	return &Log{base: base, entries: make([]Entry, 0, max(1, size))}
}

func (l *Log) add(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	e.Number, e.base = l.total, l.base
	if len(l.entries) < cap(l.entries) {
		l.entries = append(l.entries, e)
		return
	}
	l.entries[(l.total-1)%len(l.entries)] = e
}

// Entries are the requests that are kept, the oldest first.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) < cap(l.entries) {
		return slices.Clone(l.entries)
	}
	oldest := l.total % len(l.entries)
	return append(slices.Clone(l.entries[oldest:]), l.entries[:oldest]...)
}

// Total is how many requests were made, kept or not; it changes exactly when the log does.
func (l *Log) Total() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Curl is a shell line that makes the request again. The key comes from $WAYBILL_API_KEY.
func (e Entry) Curl() string {
	var line strings.Builder
	line.WriteString(`curl --globoff --user "$WAYBILL_API_KEY:" --request ` + e.Method)
	switch {
	case e.RequestCut:
		// Half a body would be worse than none.
		line.WriteString(" --header 'Content-Type: application/json' --data-binary @body.json")
	case e.RequestBody != "":
		line.WriteString(" --header 'Content-Type: application/json' --data-raw " + ShellQuote(e.RequestBody))
	}
	line.WriteString(" -- " + ShellQuote(e.base+e.Path))
	if e.RequestCut {
		line.WriteString(" # the body is too long for the log: put it into body.json")
	}
	return line.String()
}

// ShellQuote makes a text one word of a POSIX shell.
func ShellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
