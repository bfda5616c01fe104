//nolint:bodyclose // the client closes what a script answers
package apiclient_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

// script is a network that answers in order; the last answer is given for ever.
type script struct {
	steps []func(*http.Request) (*http.Response, error)
	times []time.Time
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	step := s.steps[min(len(s.times), len(s.steps)-1)]
	s.times = append(s.times, time.Now())
	return step(r)
}

func status(code int, header ...string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return answer(code, `{"code":"X","message":{"error":9999,"message":"scripted"}}`, header...), nil
	}
}

func breaks(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func ok(*http.Request) (*http.Response, error) {
	return answer(200, `{"message":"hello","id":"a"}`), nil
}

func scripted(t *testing.T, steps ...func(*http.Request) (*http.Response, error)) (*apiclient.Client, *script) {
	network := &script{steps: steps}
	return newClient(t, nil, func(o *apiclient.Options) { o.RoundTripper = network }), network
}

var (
	errDial  = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	errReset = &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")}
)

func TestReadsAreRetried(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]func(*http.Request) (*http.Response, error){
		"429":   status(429),
		"502":   status(502),
		"503":   status(503),
		"504":   status(504),
		"412":   status(412),
		"reset": breaks(errReset),
		"truncated": func(*http.Request) (*http.Response, error) {
			r := answer(200, "")
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"mess`), errorReader{io.ErrUnexpectedEOF}))
			return r, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, step, step, ok)
				greeting, err := client.TestAuth(t.Context())
				require.NoError(t, err)
				require.Equal(t, "hello", greeting.Message)
				require.Len(t, network.times, 3)
				require.Equal(t, 3, client.Log().Entries()[0].Attempts)
			})
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, step)
				_, err := client.TestAuth(t.Context())
				failure, isError := errors.AsType[*apiclient.Error](err)
				require.True(t, isError)
				require.Equal(t, 4, failure.Attempts)
				require.Len(t, network.times, 4)
			})
		})
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestRefusalsAreNotRetried(t *testing.T) {
	t.Parallel()
	for _, code := range []int{301, 400, 401, 403, 404, 405, 409, 500, 501} {
		synctest.Test(t, func(t *testing.T) {
			client, network := scripted(t, status(code))
			_, err := client.TestAuth(t.Context())
			require.Error(t, err)
			require.Len(t, network.times, 1, "%d", code)
		})
	}
}

// write is a change; what it is does not matter.
func write(ctx context.Context, c *apiclient.Client) error {
	_, err := c.CreateTeam(ctx, model.TeamInput{Name: model.Some("x")})
	return err
}

func TestWritesThatWereNotMadeAreRetried(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]func(*http.Request) (*http.Response, error){
		"429": status(429), "412": status(412), "dial": breaks(errDial),
		"dns": breaks(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "service.example"}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, step, ok)
				require.NoError(t, write(t.Context(), client))
				require.Len(t, network.times, 2)
			})
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, step)
				err := write(t.Context(), client)
				require.Error(t, err)
				require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome)
				if errors.Is(err, apiclient.ErrOffline) {
					require.Len(t, network.times, 2)
				} else {
					require.Len(t, network.times, 4)
				}
			})
		})
	}
}

func TestUnknownWritesAreNotRetried(t *testing.T) {
	t.Parallel()
	foreign := func(code int) func(*http.Request) (*http.Response, error) {
		return func(*http.Request) (*http.Response, error) {
			return answer(code, "<html><title>upstream error</title>", "Content-Type", "text/html"), nil
		}
	}
	for name, test := range map[string]struct {
		step func(*http.Request) (*http.Response, error)
		also error
	}{
		"reset":             {breaks(errReset), apiclient.ErrConnectionLost},
		"timeout":           {breaks(context.DeadlineExceeded), apiclient.ErrTimeout},
		"502 of service":    {status(502), apiclient.ErrServer},
		"504 of service":    {status(504), apiclient.ErrTimeout},
		"502 of proxy":      {foreign(502), apiclient.ErrNotJSON},
		"503 of proxy":      {foreign(503), apiclient.ErrNotJSON},
		"524 of proxy":      {foreign(524), apiclient.ErrServer},
		"page with 200":     {foreign(200), apiclient.ErrNotJSON},
		"nothing with 200":  {func(*http.Request) (*http.Response, error) { return answer(200, ""), nil }, apiclient.ErrBadResponse},
		"nonsense with 200": {func(*http.Request) (*http.Response, error) { return answer(200, `{"id":[}`), nil }, apiclient.ErrBadResponse},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, test.step, ok)
				err := write(t.Context(), client)
				require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
				require.ErrorIs(t, err, test.also)
				require.ErrorContains(t, err, "check whether it happened before sending it again")
				require.Len(t, network.times, 1)
			})
		})
	}
}

func TestRefusedWritesHaveAKnownOutcome(t *testing.T) {
	t.Parallel()
	for _, code := range []int{400, 401, 404, 409, 500, 503} {
		synctest.Test(t, func(t *testing.T) {
			client, network := scripted(t, status(code))
			err := write(t.Context(), client)
			require.Error(t, err)
			require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome, "%d", code)
			require.Len(t, network.times, 1, "%d", code)
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]func() string{
		"seconds": func() string { return "7" },
		"date":    func() string { return time.Now().Add(7 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, network := scripted(t, status(429, "Retry-After", header()), ok)
				require.NoError(t, write(t.Context(), client))
				waited := network.times[1].Sub(network.times[0])
				require.GreaterOrEqual(t, waited, 7*time.Second)
				require.Less(t, waited, 8*time.Second)
			})
		})
	}
}

func TestLongRetryAfterIsLeftToTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := scripted(t, status(429, "Retry-After", "600"))
		err := write(t.Context(), client)
		require.ErrorIs(t, err, apiclient.ErrRateLimited)
		failure, _ := errors.AsType[*apiclient.Error](err)
		require.Equal(t, 10*time.Minute, failure.RetryAfter)
		require.Len(t, network.times, 1)
		// The whole process keeps still, because going on can bring a ban.
		require.WithinDuration(t, time.Now().Add(10*time.Minute), client.Limiter().Snapshot().PausedUntil, 2*time.Minute)
	})
}

func TestBackoffGrowsAndVaries(t *testing.T) {
	t.Parallel()
	waits := map[time.Duration]bool{}
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			client, network := scripted(t, status(429))
			_, err := client.TestAuth(t.Context())
			require.ErrorIs(t, err, apiclient.ErrRateLimited)
			for i, bounds := range [][2]time.Duration{
				{time.Second, 2 * time.Second}, {2 * time.Second, 4 * time.Second}, {4 * time.Second, 8 * time.Second},
			} {
				wait := network.times[i+1].Sub(network.times[i])
				require.GreaterOrEqual(t, wait, bounds[0])
				require.Less(t, wait, bounds[1]+time.Second)
				waits[wait] = true
			}
		})
	}
	require.Greater(t, len(waits), 30, "the waits do not vary")
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := scripted(t, status(429, "Retry-After", "20"))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		started := time.Now()
		err := write(ctx, client)
		require.ErrorIs(t, err, apiclient.ErrRateLimited)
		require.Zero(t, time.Since(started))
		require.Len(t, network.times, 1)
	})
}

func TestSlowFailuresAreNotRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := scripted(t, func(r *http.Request) (*http.Response, error) {
			time.Sleep(70 * time.Second)
			return status(502)(r)
		})
		client.Limiter().RecordRefusal(3 * time.Second)
		_, err := client.TestAuth(t.Context())
		require.ErrorIs(t, err, apiclient.ErrServer)
		require.Equal(t, 70*time.Second, client.Log().Entries()[0].Duration)
		require.Equal(t, 3*time.Second, client.Log().Entries()[0].Waited)
		require.Len(t, network.times, 1)
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, _ := scripted(t, status(429, "Retry-After", "20"))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		started := time.Now()
		err := write(ctx, client)
		require.ErrorIs(t, err, apiclient.ErrRateLimited)
		require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome)
		require.Equal(t, 3*time.Second, time.Since(started))
	})
}

// hang is a network that never answers.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestCancelledRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := scripted(t, hang)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := client.TestAuth(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome)
		require.ErrorContains(t, err, "the request was cancelled (GET /auth/test)")

		err = write(ctx, client)
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, apiclient.ErrUnknownOutcome, "it was cancelled before it was sent")
		require.Len(t, network.times, 1)

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		err = write(ctx, client)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, apiclient.ErrUnknownOutcome, "it was cancelled after it was sent")
		require.Zero(t, client.Limiter().Snapshot().InFlight)
	})
}

func TestRequestsTimeOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, _ := scripted(t, hang)
		_, err := client.TestAuth(context.Background())
		require.ErrorIs(t, err, apiclient.ErrTimeout)
	})
}
