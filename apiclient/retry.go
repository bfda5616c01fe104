package apiclient

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxAttempts limits how often a request is sent. maxAttemptsOffline is lower, so that the user soon learns that
	// the network is down.
	maxAttempts        = 4
	maxAttemptsOffline = 2
	// maxRetryWait is the longest wait before a retry; if the service asks for more, the caller decides.
	maxRetryWait = 30 * time.Second
	// slowFailure is the duration of a failed attempt above which a retry would only add load to a slow service.
	slowFailure = 10 * time.Second
)

// sendWithRetries sends the request until it succeeds or a retry makes no sense.
func (c *Client) sendWithRetries(ctx context.Context, a *attempt) *Error {
	for {
		failure := a.sendOnce(ctx)
		if failure == nil {
			return nil
		}
		wait, again := a.waitBeforeRetry(failure)
		if failure.hasKind(ErrRateLimited) {
			c.limiter.RecordRefusal(wait)
		}
		if !again || !sleep(ctx, wait) {
			return failure
		}
	}
}

// waitBeforeRetry returns whether to retry, and after how long.
func (a *attempt) waitBeforeRetry(e *Error) (time.Duration, bool) {
	wait := backoff(250*time.Millisecond, a.number)
	if e.hasKind(ErrRateLimited) {
		wait = backoff(time.Second, a.number)
	}
	if e.RetryAfter > 0 {
		wait = e.RetryAfter + rand.N(e.RetryAfter/10+time.Millisecond)
	}
	return wait, a.number < maxAttempts && wait <= maxRetryWait && a.retryable(e)
}

// retryable reports whether a retry can help and is safe. A write is retried only if it certainly was not carried out:
// it was refused because of its rate or a lock, or never sent.
func (a *attempt) retryable(e *Error) bool {
	switch {
	case e.hasKind(context.Canceled), e.hasKind(context.DeadlineExceeded), e.hasKind(ErrUnknownOutcome):
		return false
	case e.hasKind(ErrRateLimited), e.hasKind(ErrBusy):
		return true
	case a.took > slowFailure:
		return false
	case e.hasKind(ErrOffline):
		return a.number < maxAttemptsOffline
	}
	if !a.request.isRead() {
		return false
	}
	switch e.HTTPStatus {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return e.hasKind(ErrConnectionLost)
}

// backoff returns a random wait that grows with every attempt, so that programs do not retry at the same time.
func backoff(first time.Duration, attempt int) time.Duration {
	full := first << min(attempt, 6)
	return full/2 + rand.N(full/2)
}

// sleep waits and reports whether the context still lives. It returns at once if the context would end first, because
// the last error says more than a timeout.
func sleep(ctx context.Context, wait time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter reads the Retry-After header, which contains seconds or a date.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.Atoi(text); err == nil {
		const atMost = 24 * 60 * 60
		return time.Duration(min(max(seconds, 0), atMost)) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// neverSent reports whether an error can only happen before a connection exists. It is needed for round trippers that do
// not report connections.
func neverSent(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	return isCertificate(err)
}
