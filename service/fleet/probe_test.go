package fleet

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/service/events"
	"waybill/service/jobs"
	"waybill/service/store"
	"waybill/service/world"
)

func TestProbe(t *testing.T) {
	ctx := context.Background()
	st, err := store.Open(ctx, t.TempDir())
	require.NoError(t, err)
	defer st.Close()
	queue, err := jobs.NewQueue(st)
	require.NoError(t, err)
	now := time.Date(2026, 3, 2, 18, 30, 0, 0, time.UTC)
	clock := world.NewManualClock(now)
	broker, err := events.New(events.Options{Store: st, Clock: clock, Objects: world.EventObjects{Clock: clock}, Jobs: queue})
	require.NoError(t, err)
	opts := world.Options{Store: st, Clock: clock, Jobs: queue, Events: broker}
	w := world.New(opts)
	o := Options{}
	o.Tasks, _ = strconv.Atoi(os.Getenv("TASKS"))
	o.Workers, _ = strconv.Atoi(os.Getenv("WORKERS"))
	began := time.Now()
	s, err := Open(ctx, Config{Options: o, World: opts, Now: now, Progress: func(a, b int) {
		if os.Getenv("V") != "" {
			fmt.Println(a, b, time.Since(began))
		}
	}})
	require.NoError(t, err)
	fmt.Println("fill", time.Since(began))
	r := world.NewRefresher(w)
	show := func() {
		start := time.Now()
		ref, err := r.Refresh(ctx)
		require.NoError(t, err)
		var a [4]int
		for i := range a {
			st.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE state = $1", i).Scan(&a[i])
		}
		var failed, late, lateOpen, onduty, lateW, silent, orders, maxd int
		st.QueryRow(ctx, `SELECT count(*) FROM tasks WHERE state = 3 AND doc LIKE '%"success":false%'`).Scan(&failed)
		st.QueryRow(ctx, `SELECT count(*), coalesce(max(delay),0) FROM tasks WHERE state in (1,2) AND delay > 0`).Scan(&late, &maxd)
		st.QueryRow(ctx, `SELECT count(*) FROM tasks WHERE state =0 AND delay > 0`).Scan(&lateOpen)
		st.QueryRow(ctx, `SELECT count(*) FROM workers WHERE on_duty=1`).Scan(&onduty)
		st.QueryRow(ctx, `SELECT count(*) FROM workers WHERE delay>0`).Scan(&lateW)
		st.QueryRow(ctx, `SELECT count(*) FROM workers WHERE on_duty=1 AND last_seen < $1`, s.state.Now.Add(-5*time.Minute)).Scan(&silent)
		st.QueryRow(ctx, `SELECT count(*) FROM orders`).Scan(&orders)
		rows, _ := st.Query(ctx, `SELECT o.status || ' ' || coalesce(p.state,-1) || ' ' || coalesce(q.state,-1), count(*) FROM orders o LEFT JOIN tasks p ON p.id=o.pickup LEFT JOIN tasks q ON q.id=o.dropoff GROUP BY 1`)
		os := ""
		for rows.Next() {
			var k string
			var n int
			rows.Scan(&k, &n)
			os += fmt.Sprintf("[%s]:%d ", k, n)
		}
		rows.Close()
		fmt.Printf("%s states %v failed %d late %d (max %d s) lateOpen %d onDuty %d lateWorkers %d silent %d orders %d %s | refresh %+v %v\n",
			s.Now().Format("15:04"), a, failed, late, maxd, lateOpen, onduty, lateW, silent, orders, os, ref, time.Since(start))
	}
	show()
	hours, _ := strconv.Atoi(os.Getenv("HOURS"))
	for range hours * 6 {
		b := time.Now()
		for range 10 {
			clock.Advance(time.Minute)
			require.NoError(t, s.Step(ctx, clock.Now()))
		}
		fmt.Print(time.Since(b), " ")
		show()
	}
}
