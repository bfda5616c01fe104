package apiclient_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

const pageSize = 64

// template is a task as the service sends it, cut where its id stands.
func template(b testing.TB) []string {
	b.Helper()
	task := apitest.Load(b, "Task").Answer.Body
	require.NoError(b, task.Compact())
	return strings.Split(string(task), string(taskID))
}

// writePage writes tasks with ids of their own.
func writePage(w io.Writer, template []string, first, size int, lastID string) {
	fmt.Fprintf(w, `{"lastId":%s,"tasks":[`, lastID)
	for i := range size {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		id := fmt.Sprintf("%024d", first+i)
		for j, part := range template {
			if j > 0 {
				_, _ = io.WriteString(w, id)
			}
			_, _ = io.WriteString(w, part)
		}
	}
	fmt.Fprint(w, "]}")
}

// BenchmarkDecodePage decodes one page of 64 tasks with the model's codec, and with encoding/json into structs of the
// same fields as a measure: plain pointers for what may be null, nothing kept of what is unknown.
func BenchmarkDecodePage(b *testing.B) {
	var buffer bytes.Buffer
	writePage(&buffer, template(b), 0, pageSize, `"last"`)
	data := buffer.Bytes()
	b.Run("model", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var p model.TaskPage
			if err := model.UnmarshalLenient(data, &p); err != nil || len(p.Tasks) != pageSize {
				b.Fatal(err, len(p.Tasks))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pageSize, "ns/task")
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var p plainPage
			if err := stdjson.Unmarshal(data, &p); err != nil || len(p.Tasks) != pageSize {
				b.Fatal(err, len(p.Tasks))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pageSize, "ns/task")
	})
}

// BenchmarkIterate walks 50,000 tasks of a local server, which is a night's worth of a large courier. The budget is
// lifted: what is measured is the client.
func BenchmarkIterate(b *testing.B) {
	const total = 50_000
	task := template(b)
	var buffer bytes.Buffer // one request at a time
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		first, _ := strconv.Atoi(r.URL.Query().Get("lastId"))
		last, size := "null", min(pageSize, total-first)
		if first+size < total {
			last = fmt.Sprintf(`"%d"`, first+size)
		}
		buffer.Reset()
		writePage(&buffer, task, first, size, last)
		_, _ = w.Write(buffer.Bytes())
	}))
	defer server.Close()
	client := at(b, server.URL, fast)
	runtime.GC()
	before := heap()
	peak := watchHeap(b)
	for b.Loop() {
		n := 0
		for _, err := range client.Tasks(b.Context(), apiclient.TaskQuery{From: 1}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != total {
			b.Fatalf("%d tasks", n)
		}
	}
	b.ReportMetric(float64(peak.Load()-min(peak.Load(), before))/(1<<20), "peak-MiB")
	b.ReportMetric(float64(total)*float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}

// heap is the bytes of living and not yet swept objects; reading it does not stop the program.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watchHeap records the largest heap until the benchmark ends.
func watchHeap(b *testing.B) *atomic.Uint64 {
	var peak atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		for {
			peak.Store(max(peak.Load(), heap()))
			select {
			case <-ticker.C:
			case <-stop:
				return
			}
		}
	}()
	b.Cleanup(func() {
		close(stop)
		<-stopped
	})
	return &peak
}

// BenchmarkRequest is what one small request costs beside the network.
func BenchmarkRequest(b *testing.B) {
	client := newClient(b, func(*http.Request) (*http.Response, error) {
		return answer(200, `{"message":"hello"}`), nil
	}, fast)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.TestAuth(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
