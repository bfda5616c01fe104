package service_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service"
	"waybill/service/store"
	"waybill/service/world"
)

// The benchmarks also measure the bare store or HTTP server in the same run, because only the ratio can be compared between
// machines.

const benchClients = 16

// cost is the rate of calls and the CPU time of each, clients included, which is comparable on a shared machine.
type cost struct{ perSecond, cpuMicros float64 }

// measure runs n calls over the benchmark's clients.
func measure(n int, call func(i int)) cost {
	cpu := cpuSeconds()
	reached := perSecond(n, call)
	return cost{reached, (cpuSeconds() - cpu) / float64(n) * 1e6}
}

// perSecond runs n calls over the benchmark's clients and returns their rate.
func perSecond(n int, call func(i int)) float64 {
	var next atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for range benchClients {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				call(i)
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(start).Seconds()
}

// inTurns measures two functions alternately, so that other load slows down both, and returns their total costs.
func inTurns(n int, first, second func(i int)) (cost, cost) {
	const turns = 10
	n = max(n/turns, benchClients)
	var slow, cpu [2]float64
	for turn := range turns {
		for i, call := range []func(int){first, second} {
			reached := measure(n, func(i int) { call(turn*n + i) })
			slow[i] += 1 / reached.perSecond
			cpu[i] += reached.cpuMicros
		}
	}
	return cost{turns / slow[0], cpu[0] / turns}, cost{turns / slow[1], cpu[1] / turns}
}

// benchTask returns a task with a new destination and recipient; each has another phone number.
func benchTask(i int) []byte {
	return fmt.Appendf(nil, `{"destination":{"address":{"number":"543","street":"Howard St","apartment":"5th Floor","city":"San Francisco","state":"CA",
		"country":"USA"},"location":[-122.39%04d,37.78%04d],"notes":"Ring twice"},"recipients":[{"name":"Recipient %d","phone":"+1415%07d","notes":"side door"}],
		"completeAfter":1772470800000,"notes":"Handle with care","quantity":2,"serviceTime":4}`, i%10000, i%10000, i, 2_000_000+i%7_000_000)
}

// benchTasks returns n tasks from a number on.
func benchTasks(from, n int) [][]byte {
	bodies := make([][]byte, n)
	for i := range bodies {
		bodies[i] = benchTask(from + i)
	}
	return bodies
}

// fillTasks stores n tasks for several workers, because a container holds at most 10,000.
func fillTasks(b *testing.B, s *servicetest.Server, n int) {
	b.Helper()
	var workers []string
	for range n/5000 + 1 {
		workers = append(workers, fmt.Sprintf(`,"container":{"type":"WORKER","worker":%q}}`, addWorker(b, s, s.Org, model.Location{})))
	}
	actor := world.Actor{Type: world.ActorAPI, ID: model.NewID(), Org: s.Org}
	perSecond(n, func(i int) {
		var in model.TaskInput
		body := strings.TrimSuffix(string(benchTask(i)), "}") + workers[i%len(workers)]
		if err := model.Unmarshal([]byte(body), &in); err != nil {
			b.Error(err)
			return
		}
		if _, err := s.World.CreateTask(context.Background(), actor, in); err != nil {
			b.Error(err)
		}
	})
}

// bareInserts runs transactions of two rows on one connection with the service's pragmas.
func bareInserts(b *testing.B) func(int) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "bare.db")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	require.NoError(b, err)
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(b.Context(), "CREATE TABLE a (id TEXT PRIMARY KEY, doc TEXT); CREATE TABLE b (id TEXT PRIMARY KEY, doc TEXT)")
	require.NoError(b, err)
	insertA, err := db.PrepareContext(b.Context(), "INSERT INTO a (id, doc) VALUES ($1, $2)")
	require.NoError(b, err)
	insertB, err := db.PrepareContext(b.Context(), "INSERT INTO b (id, doc) VALUES ($1, $2)")
	require.NoError(b, err)
	doc := strings.Repeat("x", 600)
	return func(int) {
		tx, err := db.BeginTx(context.Background(), nil)
		if err != nil {
			b.Error(err)
			return
		}
		_, errA := tx.Stmt(insertA).Exec( //nolint:sqlclosecheck // closed with the transaction
			string(model.NewID()), doc)
		_, errB := tx.Stmt(insertB).Exec( //nolint:sqlclosecheck // closed with the transaction
			string(model.NewID()), doc)
		if err := tx.Commit(); err != nil || errA != nil || errB != nil {
			b.Error(err, errA, errB)
		}
	}
}

// groupedInserts measures changes of two rows through the store's writer, which commits waiting ones together.
func groupedInserts(b *testing.B, s *servicetest.Server, n int) float64 {
	b.Helper()
	const insert = "INSERT INTO geocodes (query, created, result) VALUES ($1, 0, $2)"
	doc := strings.Repeat("x", 600)
	return perSecond(n, func(int) {
		err := s.Store.Write(context.Background(), func(tx *store.Tx) error {
			if _, err := tx.Exec(context.Background(), insert, string(model.NewID()), doc); err != nil {
				return err
			}
			_, err := tx.Exec(context.Background(), insert, string(model.NewID()), doc)
			return err
		})
		if err != nil {
			b.Error(err)
		}
	})
}

// BenchmarkCreateTask: POST /tasks with an embedded destination and recipient, 16 clients, against bare transactions
// of two rows on the same disk.
func BenchmarkCreateTask(b *testing.B) {
	s := servicetest.Start(b)
	clients := newLoad(b, s.URL, s.Key)
	fillTasks(b, s, 100) // statements are prepared
	n := max(b.N, 3000)
	bodies := benchTasks(1000, n)
	reached, bare := inTurns(n, func(i int) { clients.send("POST", "/tasks", bodies[i]) }, bareInserts(b))
	b.ReportMetric(reached.perSecond, "creates/s")
	b.ReportMetric(bare.perSecond, "bare-tx/s")
	b.ReportMetric(groupedInserts(b, s, n), "bare-grouped-tx/s")
	b.ReportMetric(reached.perSecond/bare.perSecond, "of-bare")
	b.ReportMetric(reached.cpuMicros, "cpu-µs/create")
	b.ReportMetric(bare.cpuMicros, "cpu-µs/bare-tx")
}

// BenchmarkGetTask: GET /tasks/{id} with 16 clients against an empty handler that answers the same bytes.
func BenchmarkGetTask(b *testing.B) {
	s := servicetest.Start(b)
	fillTasks(b, s, 1000)
	var page model.TaskPage
	s.Do("GET", "/tasks/all?from=0", nil).OK(&page)
	body := s.Do("GET", "/tasks/"+string(page.Tasks[0].ID), nil).Body
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body) //nolint:errcheck // a client that has gone away needs no answer
	}))
	defer empty.Close()
	clients, emptyClients := newLoad(b, s.URL, s.Key), newLoad(b, empty.URL+service.BasePath, s.Key)
	var paths []string
	for _, task := range page.Tasks {
		paths = append(paths, "/tasks/"+string(task.ID))
	}
	n := max(b.N, 20000)
	reached, bare := inTurns(n, func(i int) { clients.send("GET", paths[i%len(paths)], nil) },
		func(i int) { emptyClients.send("GET", paths[i%len(paths)], nil) })
	b.ReportMetric(reached.perSecond, "gets/s")
	b.ReportMetric(bare.perSecond, "bare-http/s")
	b.ReportMetric(reached.perSecond/bare.perSecond, "of-bare")
}

// BenchmarkTaskPages: the first and the last page of 100,000 tasks, the first of those created lately, the first when 5,000
// of the old ones have been completed lately, and what a create costs among them against what it costs among 1,000.
func BenchmarkTaskPages(b *testing.B) {
	const total = 100_000
	s := servicetest.Start(b)
	small := servicetest.Start(b)
	clients, smallClients := newLoad(b, s.URL, s.Key), newLoad(b, small.URL, small.Key)
	fillTasks(b, small, 1000)
	fillTasks(b, s, total)
	s.Clock.Advance(time.Hour)
	const creates = 2000
	bodies := benchTasks(200_000, creates)
	few, many := inTurns(creates, func(i int) { smallClients.send("POST", "/tasks", bodies[i]) },
		func(i int) { clients.send("POST", "/tasks", bodies[i]) })
	var lastPage model.ID
	require.NoError(b, s.Store.QueryRow(b.Context(), "SELECT id FROM tasks ORDER BY seq DESC LIMIT 1 OFFSET 64").Scan(&lastPage))
	read := func(query string) float64 {
		const n = 200
		start := time.Now()
		for range n {
			clients.send("GET", "/tasks/all?"+query, nil)
		}
		return time.Since(start).Seconds() / n * 1000
	}
	read("from=0")
	b.ReportMetric(read("from=0"), "first-page-ms")
	b.ReportMetric(read("from=0&lastId="+string(lastPage)), "last-page-ms")
	recent := fmt.Sprintf("from=%d", s.World.Now()-60_000)
	b.ReportMetric(read(recent), "recent-page-ms")
	require.NoError(b, s.Store.Write(b.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(b.Context(), "UPDATE tasks SET completed = $1, list_time = $1 WHERE seq <= 5000", int64(s.World.Now()))
		return err
	}))
	b.ReportMetric(read(recent), "completed-page-ms")
	b.ReportMetric(few.perSecond, "creates/s-at-1000")
	b.ReportMetric(many.perSecond, "creates/s-at-100000")
	b.ReportMetric(few.cpuMicros, "cpu-µs/create-at-1000")
	b.ReportMetric(many.cpuMicros, "cpu-µs/create-at-100000")
}

// BenchmarkBatch: a batch of 500 tasks against the bare insert of its rows.
func BenchmarkBatch(b *testing.B) {
	s := servicetest.Start(b)
	clients := newLoad(b, s.URL, s.Key)
	batch := func(from int) []byte {
		body := []byte(`{"tasks":[`)
		for i := range model.MaxBatchTasks {
			if i > 0 {
				body = append(body, ',')
			}
			body = append(body, benchTask(from+i)...)
		}
		return append(body, "]}"...)
	}
	var reached, bare time.Duration
	const rounds = 6
	for i := range rounds {
		body := batch(i * 1000)
		start := time.Now()
		clients.send("POST", "/tasks/batch", body)
		half := time.Now()
		bareRows(b, s)
		if i > 0 { // the first round prepared the statements
			reached += half.Sub(start)
			bare += time.Since(half)
		}
	}
	b.ReportMetric(reached.Seconds()*1000/(rounds-1), "batch-ms")
	b.ReportMetric(bare.Seconds()*1000/(rounds-1), "bare-rows-ms")
	b.ReportMetric(reached.Seconds()/bare.Seconds(), "times-bare")
}

// bareRows inserts the rows of a batch in one transaction.
func bareRows(b *testing.B, s *servicetest.Server) {
	b.Helper()
	ctx := context.Background()
	require.NoError(b, s.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range model.MaxBatchTasks {
			if err := bareTask(ctx, tx, s.Org, i); err != nil {
				return err
			}
		}
		return nil
	}))
}

func bareTask(ctx context.Context, tx *store.Tx, org model.ID, i int) error {
	id, doc := string(model.NewID()), strings.Repeat("x", 600)
	const insertTask = `INSERT INTO tasks (id, org, executor, short_id, state, container, container_owner, position, pickup, destination,
		recipient, service_minutes, list_time, created, modified, doc)
		VALUES ($1, $2, $2, $1, 0, 'ORGANIZATION', $2, $3, 0, $1, $1, 0, 3, 3, 3, $4)`
	for _, insert := range []struct {
		query string
		args  []any
	}{
		{"INSERT INTO destinations (id, org, lon, lat, created, modified, doc) VALUES ($1, $2, 1, 2, 3, 3, $3)", []any{id, org, doc}},
		{"INSERT INTO recipients (id, org, phone, name_fold, created, modified, doc) VALUES ($1, $2, $1, 'r', 3, 3, $3)", []any{id, org, doc}},
		{insertTask, []any{id, org, i, doc + doc}},
	} {
		if _, err := tx.Exec(ctx, insert.query, insert.args...); err != nil {
			return err
		}
	}
	return nil
}
