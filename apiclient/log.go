package apiclient

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// DefaultLogSize is how many requests a log keeps by default.
const DefaultLogSize = 200

const (
	maxRequestBody  = 64 << 10
	maxResponseBody = 16 << 10
)

// Entry is a request in the log, without secrets.
type Entry struct {
	// Number counts the requests of a client from 1.
	Number int
	Time   time.Time
	Method string
	// Path is the path after the base URL, with the query.
	Path string
	// Status is 0 if there was no response.
	Status int
	// Duration is how long the last attempt took, Waited the time before it: request budget and earlier attempts.
	Duration, Waited time.Duration
	Attempts         int
	RequestID        string
	// Error is empty if the request succeeded.
	Error string
	// RequestBody and ResponseBody are the bodies, truncated if the Cut flag is set. The request body is as sent, the
	// response body is one line of printable text.
	RequestBody, ResponseBody string
	RequestCut, ResponseCut   bool

	base string
}

func (e *Entry) setBodies(r *request, answer []byte) {
	e.RequestBody, e.RequestCut = redactBody(r.redactor, r.payload, maxRequestBody)
	e.ResponseBody, e.ResponseCut = redactBody(r.redactor, answer, maxResponseBody)
	e.ResponseBody = model.Clean(e.ResponseBody)
	e.Path = r.redactor.string(e.Path)
}

// redactBody returns the first limit bytes of a body without secrets, and whether it was truncated.
func redactBody(r redactor, body []byte, limit int) (string, bool) {
	whole := len(body)
	// Search a little more than is kept, so that truncation leaves no part of a key.
	body = r.bytes(redactPasswords(body[:min(whole, limit+r.longestNeedle())]))
	body = body[:min(len(body), limit)]
	for len(body) > 0 && whole > limit && !utf8.Valid(body[max(0, len(body)-utf8.UTFMax):]) {
		body = body[:len(body)-1]
	}
	return string(body), whole > limit
}

// redactPasswords replaces the value of every member named password: new workers have a temporary one. A truncated body
// is handled up to its end.
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

// isMemberName reports whether the last token is the name of a member.
func isMemberName(decoder *jsontext.Decoder) bool {
	kind, count := decoder.StackIndex(decoder.StackDepth())
	return kind == jsontext.KindBeginObject && count%2 == 1
}

// Log keeps the latest requests of a client. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	base    string
	entries []Entry // a ring buffer once it is full
	total   int
	logged  func(Entry)
}

func newLog(base string, size int, logged func(Entry)) *Log {
	if logged == nil {
		logged = func(Entry) {}
	}
	return &Log{base: base, entries: make([]Entry, 0, max(1, size)), logged: logged}
}

func (l *Log) add(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	e.Number, e.base = l.total, l.base
	l.logged(e)
	if len(l.entries) < cap(l.entries) {
		l.entries = append(l.entries, e)
		return
	}
	l.entries[(l.total-1)%len(l.entries)] = e
}

// Entries returns the requests, oldest first.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) < cap(l.entries) {
		return slices.Clone(l.entries)
	}
	oldest := l.total % len(l.entries)
	return append(slices.Clone(l.entries[oldest:]), l.entries[:oldest]...)
}

// Total returns how many requests were logged so far, including those no longer kept.
func (l *Log) Total() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Curl returns a shell command that repeats the request. The API key comes from $WAYBILL_API_KEY.
func (e Entry) Curl() string {
	if e.RequestCut { // half a body would be worse than none
		return curlCommand(e.Method, e.base+e.Path, "--data-binary @body.json") + " # the body is too long for the log: put it into body.json"
	}
	return CurlCommand(e.Method, e.base+e.Path, e.RequestBody)
}

// CurlCommand is the shell command that sends a request. The key comes from the environment.
func CurlCommand(method, url, body string) string {
	if body == "" {
		return curlCommand(method, url, "")
	}
	return curlCommand(method, url, "--data-raw "+ShellQuote(body))
}

func curlCommand(method, url, data string) string {
	line := `curl --globoff --user "$WAYBILL_API_KEY:" --request ` + method
	if data != "" {
		line += " --header 'Content-Type: application/json' " + data
	}
	return line + " -- " + ShellQuote(url)
}

// ShellQuote quotes a text as one word of a POSIX shell.
func ShellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
