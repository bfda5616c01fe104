package service_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// TestLargeBodiesDoNotExhaustTheMemory sends many bodies at the same time whose small values take much more memory
// decoded than as text.
func TestLargeBodiesDoNotExhaustTheMemory(t *testing.T) {
	const clients = 20
	entry := `{"name":"a"},`
	metadata := func(size int) string { return strings.TrimSuffix(strings.Repeat(entry, size/len(entry)), ",") }
	for _, row := range []struct {
		path, body string
		limit      uint64 // of the memory in MiB
	}{
		{"/tasks/batch-async", `{"tasks":[{"metadata":[` + metadata(27<<20) + `]}]}`, 256},
		{"/tasks/batch-async", `{"tasks":[{"metadata":[` + metadata(95_000*len(entry)) + `]}]}`, 512},
		{"/tasks", `{"metadata":[` + metadata(27<<20) + `]}`, 256},
		{"/tasks", `{"metadata":[` + metadata(24_000*len(entry)) + `]}`, 512},
	} {
		s := servicetest.Start(t)
		var mu sync.Mutex
		answers := map[int]int{}
		peak := peakMemory(func() {
			var all sync.WaitGroup
			for range clients {
				all.Go(func() {
					status := post(t, s, row.path, row.body)
					mu.Lock()
					defer mu.Unlock()
					answers[status]++
				})
			}
			all.Wait()
		})
		t.Logf("%d bodies of %d KiB to %s: %d MiB, answers %v", clients, len(row.body)>>10, row.path, peak, answers)
		require.Less(t, peak, row.limit, row.path)
		require.Zero(t, answers[http.StatusInternalServerError])
	}
}

// post sends a body and requires an error to have the shape of the interface.
func post(t *testing.T, s *servicetest.Server, path, body string) int {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0
	}
	request.SetBasicAuth(s.Key, "")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || (response.StatusCode >= http.StatusBadRequest && !bytes.HasPrefix(answer, []byte("{"))) {
		t.Errorf("%v: %.200s", err, answer)
	}
	if response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "" {
		t.Error("a busy service must say when to try again")
	}
	return response.StatusCode
}

// peakMemory returns by how many MiB the heap grew at most while fn ran.
func peakMemory(fn func()) uint64 {
	runtime.GC()
	before, peak := heapBytes(), uint64(0)
	done := make(chan struct{})
	go func() { defer close(done); fn() }()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return (max(peak, before) - before) >> 20
		case <-ticker.C:
			peak = max(peak, heapBytes())
		}
	}
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func TestTheSizeOfBodiesIsLimited(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	s.Client = http.DefaultClient // some of these bodies are not what the document says
	list := func(n int) string { return `{"x":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]}` }
	s.Do("POST", "/hubs", list(60_000)).Refused(http.StatusRequestEntityTooLarge, model.ErrorInvalid)
	s.Do("POST", "/hubs", list(40_000)).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("POST", "/hubs", `{"name":"`+strings.Repeat(`\",[{`, 200_000)+`"}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("POST", "/hubs", `{"x":"`+strings.Repeat("a", 1<<20)+`"}`).Refused(http.StatusRequestEntityTooLarge, model.ErrorInvalid)
	for depth, status := range map[int]int{60: http.StatusBadRequest, 70: http.StatusBadRequest} {
		deep := fmt.Sprintf(`{"x":%s%s}`, strings.Repeat("[", depth), strings.Repeat("]", depth))
		answer := s.Do("POST", "/hubs", deep)
		require.Equal(t, status, answer.Status)
		require.Equal(t, depth == 70, strings.Contains(string(answer.Body), "inside each other"), "%s", answer.Body)
	}
	answer := s.Do("POST", "/tasks/batch", `{"tasks":[{"notes":"`+strings.Repeat("a", 2<<20)+`"}]}`)
	require.Equal(t, http.StatusOK, answer.Status, "a batch may be larger: %.300s", answer.Body)
}
