package server

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"waybill/model"
)

// Faults make some requests go wrong, so that clients can be tried. The zero value makes none.
type Faults struct {
	// Latency is added to every answer.
	Latency time.Duration
	// Errors is the part of requests that are answered with a server error, and Drop that of requests whose connection
	// ends without an answer; both from 0 to 1. Every other one of them has been carried out all the same, because
	// that is what a client has to reckon with.
	Errors, Drop float64
	// Seed makes the faults repeatable.
	Seed uint64
}

// ParseFaults reads faults as people write them: latency=200ms,errors=2%,drop=1%.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		var err error
		switch name {
		case "latency":
			f.Latency, err = parseLatency(value)
		case "errors":
			f.Errors, err = parseFraction(value)
		case "drop":
			f.Drop, err = parseFraction(value)
		default:
			err = errors.New("there are latency, errors and drop")
		}
		if err != nil {
			return Faults{}, fmt.Errorf("bad fault %q: %w; an example is latency=200ms,errors=2%%,drop=1%%", part, err)
		}
	}
	return f, nil
}

func parseLatency(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > time.Minute {
		return 0, errors.New("it takes a time up to a minute, such as 200ms")
	}
	return d, nil
}

// parseFraction reads 2% or 0.02.
func parseFraction(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, errors.New("it takes a part of the requests, such as 2%")
	}
	return share, nil
}

// wrap makes a handler's requests go wrong.
func (f Faults) wrap(next http.Handler) http.Handler {
	if f.Latency == 0 && f.Errors == 0 && f.Drop == 0 {
		return next
	}
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(f.Seed, 1))
	draw := func() (fate float64, carriedOut bool) {
		mu.Lock()
		defer mu.Unlock()
		return rng.Float64(), rng.IntN(2) == 0
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.Latency > 0 {
			select {
			case <-time.After(f.Latency):
			case <-r.Context().Done():
				panic(http.ErrAbortHandler) // to return would answer 200 for what was not done
			}
		}
		fate, carriedOut := draw()
		if fate >= f.Drop+f.Errors {
			next.ServeHTTP(w, r)
			return
		}
		if carriedOut {
			next.ServeHTTP(&discardedResponse{header: http.Header{}}, r)
		}
		if fate < f.Drop {
			panic(http.ErrAbortHandler) // net/http closes the connection and says nothing
		}
		writeFault(w)
	})
}

func writeFault(w http.ResponseWriter) {
	body, err := model.Marshal(model.ErrorBody{Code: model.CodeInternal, Message: model.ErrorMessage{
		Error: model.ErrorInternal, Message: "This failure was asked for with --faults.", Request: "00000000-0000-0000-0000-000000000000",
	}})
	if err != nil {
		body = nil
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	w.Write(body) //nolint:errcheck // a client that has gone away needs no answer
}

// discardedResponse is an answer that never arrives.
type discardedResponse struct{ header http.Header }

func (l *discardedResponse) Header() http.Header         { return l.header }
func (l *discardedResponse) Write(b []byte) (int, error) { return len(b), nil }
func (l *discardedResponse) WriteHeader(int)             {}
