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
	// mostAttempts bounds how often one call is tried; without a connection fewer will do, so that a person soon
	// learns that the network is down.
	mostAttempts        = 4
	mostAttemptsOffline = 2
	// longestWait is the longest that a call waits before it is tried again; beyond it the caller decides.
	longestWait = 30 * time.Second
	// slowFailure is an attempt so long that trying again would only load a service that is in trouble.
	slowFailure = 10 * time.Second
)

// sendWithRetries sends the request until it succeeds or trying again is no use.
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

// waitBeforeRetry says whether to try again, and after how long.
func (a *attempt) waitBeforeRetry(e *Error) (time.Duration, bool) {
	wait := backoff(250*time.Millisecond, a.number)
	if e.hasKind(ErrRateLimited) {
		wait = backoff(time.Second, a.number)
	}
	if e.RetryAfter > 0 {
		wait = e.RetryAfter + rand.N(e.RetryAfter/10+time.Millisecond)
	}
	return wait, a.number < mostAttempts && wait <= longestWait && a.retryable(e)
}

// retryable reports whether a second attempt can help and cannot do harm. A write is tried again only when the first
// was surely not carried out: it was refused for its rate or a lock, or never left.
func (a *attempt) retryable(e *Error) bool {
	switch {
	case e.hasKind(context.Canceled), e.hasKind(context.DeadlineExceeded), e.hasKind(ErrUnknownOutcome):
		return false
	case e.hasKind(ErrRateLimited), e.hasKind(ErrBusy):
		return true
	case a.took > slowFailure:
		return false
	case e.hasKind(ErrOffline):
		return a.number < mostAttemptsOffline
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

// backoff grows with every attempt and is random, so that programs that failed together do not come back together.
func backoff(first time.Duration, attempt int) time.Duration {
	full := first << min(attempt, 6)
	return full/2 + rand.N(full/2)
}

// sleep waits and reports whether it could. It does not begin a wait that the context would not outlive: the failure
// at hand says more than that time ran out.
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

// retryAfter reads the header in both its forms, seconds and date.
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

// neverSent recognises errors that can only come before a connection stands, also behind a replaced network that
// reports no connections.
func neverSent(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	return isCertificate(err)
}
