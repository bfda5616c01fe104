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

// Faults makes some requests fail, to test clients. The zero value makes none fail.
type Faults struct {
	// Latency is added to every answer.
	Latency time.Duration
	// Errors is the fraction of requests that are answered with a server error, Drop that of requests whose connection
	// is closed without an answer, both from 0 to 1. Half of them are carried out nevertheless, because clients must
	// handle that too.
	Errors, Drop float64
	// Seed makes the faults repeatable.
	Seed uint64
}

// ParseFaults parses faults such as latency=200ms,errors=2%,drop=1%.
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
			err = errors.New("known faults are latency, errors and drop")
		}
		if err != nil {
			return Faults{}, fmt.Errorf("bad fault %q: %w; example: latency=200ms,errors=2%%,drop=1%%", part, err)
		}
	}
	return f, nil
}

func parseLatency(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > time.Minute {
		return 0, errors.New("give a time up to 1m, such as 200ms")
	}
	return d, nil
}

// parseFraction parses 2% or 0.02.
func parseFraction(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	fraction, err := strconv.ParseFloat(number, 64)
	if percent {
		fraction /= 100
	}
	if err != nil || !(fraction >= 0 && fraction <= 1) {
		return 0, errors.New("give a percentage of requests, such as 2%")
	}
	return fraction, nil
}

// wrap adds the faults to a handler.
func (f Faults) wrap(next http.Handler) http.Handler {
	if f.Latency == 0 && f.Errors == 0 && f.Drop == 0 {
		return next
	}
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(f.Seed, 1))
	random := func() (number float64, carryOut bool) {
		mu.Lock()
		defer mu.Unlock()
		return rng.Float64(), rng.IntN(2) == 0
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.Latency > 0 {
			select {
			case <-time.After(f.Latency):
			case <-r.Context().Done():
				panic(http.ErrAbortHandler) // returning would send 200 although nothing was done
			}
		}
		number, carryOut := random()
		if number >= f.Drop+f.Errors {
			next.ServeHTTP(w, r)
			return
		}
		if carryOut {
			next.ServeHTTP(&discardedResponse{header: http.Header{}}, r)
		}
		if number < f.Drop {
			panic(http.ErrAbortHandler) // net/http closes the connection
		}
		writeFault(w)
	})
}

func writeFault(w http.ResponseWriter) {
	body, err := model.Marshal(model.ErrorBody{Code: model.CodeInternal, Message: model.ErrorMessage{
		Error: model.ErrorInternal, Message: "This error was requested with --faults.", Request: "00000000-0000-0000-0000-000000000000",
	}})
	if err != nil {
		body = nil
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	w.Write(body) //nolint:errcheck // the client may have left
}

// discardedResponse is a response that is never sent.
type discardedResponse struct{ header http.Header }

func (l *discardedResponse) Header() http.Header         { return l.header }
func (l *discardedResponse) Write(b []byte) (int, error) { return len(b), nil }
func (l *discardedResponse) WriteHeader(int)             {}
