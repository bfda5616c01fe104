package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"waybill/model"
	"waybill/service/world"
)

const (
	// maxBody is the largest body: 38,000 ids fit, the order of a very long list of tasks.
	maxBody = 1 << 20
	// maxBatchBody is the largest body of a batch: 500 tasks with the longest notes fit.
	maxBatchBody = 32 << 20
	// maxValues and maxBatchValues limit the members and elements in a body, because small ones take much more memory
	// decoded than as text. A batch of 500 tasks may have 400 per task.
	maxValues, maxBatchValues = 50_000, 200_000
	// maxDepth is how many lists and objects may be inside each other.
	maxDepth = 64
	// bodiesInFlight and batchesInFlight limit the bytes of all bodies that are read or used at the same time. Batches
	// have their own budget, so that they do not delay the short requests of drivers and dispatchers.
	bodiesInFlight, batchesInFlight = 32 << 20, 64 << 20
	// bytesPerValue is about how much memory a small value takes when decoded.
	bytesPerValue = 256
	// bodyWait is how long a request waits until there is memory for its body.
	bodyWait = 2 * time.Second
)

// bodyLimits limits the bodies of some routes: each one and all together.
type bodyLimits struct {
	bytes, values int64
	// reading is the budget of bytes, decoding that of values. A request takes from reading first, and whoever has taken
	// from decoding takes nothing more, so that requests cannot block each other.
	reading, decoding *semaphore.Weighted
	wait              time.Duration
}

// newBodyLimits makes limits. Together the bodies take at most an eighth of the memory limit (GOMEMLIMIT).
func newBodyLimits(bytes, values, inFlight int64) *bodyLimits {
	inFlight = min(inFlight, debug.SetMemoryLimit(-1)/8)
	valuesInFlight := inFlight / bytesPerValue
	return &bodyLimits{
		bytes: min(bytes, inFlight), values: min(values, valuesInFlight), wait: bodyWait,
		reading: semaphore.NewWeighted(inFlight), decoding: semaphore.NewWeighted(valuesInFlight),
	}
}

// reserve takes n from a budget until the end of the request.
func (c *call) reserve(budget *semaphore.Weighted, n int64) error {
	if !budget.TryAcquire(n) {
		ctx, cancel := context.WithTimeout(c.ctx(), c.limits.wait)
		defer cancel()
		if err := budget.Acquire(ctx, n); err != nil {
			if c.ctx().Err() != nil {
				return c.ctx().Err()
			}
			c.answer.Set("Retry-After", "5")
			return world.NewError(http.StatusServiceUnavailable, model.CodeInternal, model.ErrorUnavailable,
				"The service is busy with other large requests. Nothing was changed. Send the request again in a few seconds.")
		}
	}
	c.reserved = append(c.reserved, func() { budget.Release(n) })
	return nil
}

// release gives back what the request has reserved.
func (c *call) release() {
	for _, release := range c.reserved {
		release()
	}
}

// readBody reads a body of at most limit bytes and reserves the memory for it and for its values.
func (c *call) readBody(limit int64) ([]byte, error) {
	limit = min(limit, c.limits.bytes)
	size := c.ContentLength
	if size > limit {
		return nil, c.refuseTooLarge(limit)
	}
	if size < 0 {
		size = limit
	}
	if err := c.reserve(c.limits.reading, size); err != nil {
		return nil, err
	}
	body, err := readAll(c.Request, limit)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, c.refuseTooLarge(limit)
	}
	if err != nil {
		return nil, world.Invalid("Cannot read the body: %v.", err)
	}
	values, depth := countValues(body)
	switch {
	case depth > maxDepth:
		return nil, invalidJSON(fmt.Sprintf("Invalid JSON: more than %d lists and objects are inside each other.", maxDepth))
	case values > c.limits.values:
		return nil, tooLargeError(fmt.Sprintf("The body has %d values; at most %d are allowed. Send less per request.", values, c.limits.values))
	}
	return body, c.reserve(c.limits.decoding, values)
}

// readAll reads the body of a request, whose length may be known.
func readAll(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength < 0 {
		return io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}

// refuseTooLarge reads the rest of the body and drops it. Otherwise the connection would break while the client still
// sends, and the client would not see the answer.
func (c *call) refuseTooLarge(limit int64) error {
	io.CopyN(io.Discard, c.Body, maxBatchBody) //nolint:errcheck // the request is refused anyway
	return tooLargeError("The body is larger than " + sizeText(limit) + ".")
}

func tooLargeError(text string) *world.Error {
	return world.NewError(http.StatusRequestEntityTooLarge, model.CodeInvalidContent, model.ErrorInvalid, text)
}

// countValues counts the members and elements of a JSON text and how deep they are. It does not check the text.
func countValues(body []byte) (values int64, depth int) {
	level := 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			i += textLength(body[i+1:])
		case '[', '{':
			level++
			depth = max(depth, level)
			values++
		case ',':
			values++
		case ']', '}':
			level--
		}
	}
	return values, depth
}

// textLength returns the length of a JSON text after its opening quote, including the closing one.
func textLength(rest []byte) int {
	for i := 0; i < len(rest); i++ {
		next := bytes.IndexAny(rest[i:], `"\`)
		if next < 0 {
			break
		}
		i += next
		if rest[i] == '"' {
			return i + 1
		}
		i++ // the escaped character
	}
	return len(rest)
}
