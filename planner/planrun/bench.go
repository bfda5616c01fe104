package planrun

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"waybill/planner"
	"waybill/planner/format"
)

// BenchOptions say what to measure.
type BenchOptions struct {
	// Dir holds instance files; its folders are the sets of the table. Match, when set, is a pattern for file names.
	Dir, Match string
	// Best are files of best known values, a line each: set, instance, objective, vehicles, distance and anything more.
	Best []string
	// Times are the budgets to measure, one after another.
	Times []time.Duration
	// Iterations, when set, bounds each run as well, for comparisons that do not depend on the machine's load.
	Iterations int64
	Threads    int
	Seed       uint64
	// Save, when set, is a file to which the values found are added in the format of Best, so that a long run can be the reference
	// for short ones.
	Save string
	// Each prints a line for each file as well.
	Each bool
	// Objective and Rounding are those of Options. Files of Li & Lim are always compared by vehicles first, in floating point.
	Objective planner.Objective
	Rounding  format.Rounding
}

// measurement is one file planned once.
type measurement struct {
	set, name string
	budget    time.Duration
	first     time.Duration
	over      time.Duration
	vehicles  int
	distance  float64
	leftOut   int
	iteration int64
	best      reference
	known     bool
	fewest    bool
}

// gap is how far the distance is above the best known, in percent.
func (m *measurement) gap() float64 { return 100 * (m.distance/m.best.distance - 1) }

// Bench plans every file of a folder with every budget and prints a table: one line a set, with the mean and the worst gap to the
// best known values. Every plan is verified; one that is not a plan ends the run.
func Bench(ctx context.Context, o BenchOptions, out io.Writer) error {
	best, err := readReferences(o.Best)
	if err != nil {
		return err
	}
	files, err := instanceFiles(o.Dir, o.Match)
	if err != nil {
		return err
	}
	var all []measurement
	for _, file := range files {
		for _, budget := range o.Times {
			if ctx.Err() != nil {
				break
			}
			m, err := measure(ctx, file, budget, o)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			m.best, m.known = best[m.key()]
			all = append(all, m)
			if o.Each {
				m.print(out)
			}
		}
	}
	printTable(out, all, o.Times)
	if o.Save != "" {
		return saveReferences(o.Save, all)
	}
	return nil
}

// instanceFiles lists the text files under a folder, sorted.
func instanceFiles(dir, match string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txt" {
			return err
		}
		if match != "" {
			if ok, err := filepath.Match(match, filepath.Base(path)); err != nil || !ok {
				return err
			}
		}
		files = append(files, path)
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no .txt file of a problem in %s: give the folder that holds them", dir)
	}
	slices.Sort(files)
	return files, err
}

// measure plans one file.
func measure(ctx context.Context, file string, budget time.Duration, o BenchOptions) (measurement, error) {
	m := measurement{
		set: filepath.Base(filepath.Dir(file)), budget: budget,
		name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)),
	}
	doc, err := readInstance(file, o.Rounding)
	if err != nil {
		return m, err
	}
	doc.Problem.Objective = o.Objective
	m.fewest = o.Objective == planner.FewestWorkers || doc.Format == format.LiLim
	if m.fewest {
		doc.Problem.Objective = planner.FewestWorkers
	}
	begin := time.Now()
	sol, err := planner.Solve(ctx, doc.Problem, planner.Options{
		TimeLimit: budget, Iterations: o.Iterations, Threads: o.Threads, Seed: o.Seed,
		OnImprovement: func(planner.Progress) {
			if m.first == 0 {
				m.first = time.Since(begin)
			}
		},
	})
	if err != nil {
		return m, err
	}
	m.over = time.Since(begin) - budget
	if err := planner.Verify(doc.Problem, sol); err != nil {
		return m, err
	}
	m.vehicles, m.leftOut, m.iteration = sol.Cost.Workers, sol.Cost.LeftOut, sol.Iterations
	m.distance = float64(sol.Cost.Travel) / float64(doc.Scale)
	return m, nil
}

// readInstance tells the two benchmark formats apart by their first line: Li & Lim begin with three numbers.
func readInstance(file string, rounding format.Rounding) (*format.Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if head, _, _ := strings.Cut(string(text), "\n"); len(strings.Fields(head)) == 3 {
		return format.Read(strings.NewReader(string(text)), format.LiLim, format.Double)
	}
	return format.Read(strings.NewReader(string(text)), format.Solomon, rounding)
}

func (m *measurement) print(out io.Writer) {
	fmt.Fprintf(out, "%-16s %-10s %5.1fs  first %4dms  over %4dms  %3d vehicles  %10.1f", m.set, m.name, m.budget.Seconds(),
		m.first.Milliseconds(), m.over.Milliseconds(), m.vehicles, m.distance)
	if m.known {
		fmt.Fprintf(out, "  best %3d %10.1f  gap %6.2f%%", m.best.vehicles, m.best.distance, m.gap())
	}
	if m.leftOut > 0 {
		fmt.Fprintf(out, "  %d left out", m.leftOut)
	}
	fmt.Fprintf(out, "  %d iterations\n", m.iteration)
}

// printTable prints a line for each set and budget.
func printTable(out io.Writer, all []measurement, times []time.Duration) {
	var sets []string
	for i := range all {
		if !slices.Contains(sets, all[i].set) {
			sets = append(sets, all[i].set)
		}
	}
	fmt.Fprintln(out, "| set | files | time | first answer | mean gap | worst gap | vehicles | overrun | left out |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	for _, set := range sets {
		for _, budget := range times {
			printSet(out, set, budget, all)
		}
	}
}

func printSet(out io.Writer, set string, budget time.Duration, all []measurement) {
	var files, known, vehicles, bestVehicles, leftOut int
	var gaps, worst float64
	var first, over time.Duration
	for i := range all {
		m := &all[i]
		if m.set != set || m.budget != budget {
			continue
		}
		files++
		leftOut += m.leftOut
		first, over = max(first, m.first), max(over, m.over)
		if m.known {
			known++
			gaps += m.gap()
			worst = max(worst, m.gap())
			vehicles += m.vehicles
			bestVehicles += max(m.best.vehicles, 0)
		}
	}
	gap, fleet := "unknown", "-"
	if known > 0 {
		gap = fmt.Sprintf("%.2f %%", gaps/float64(known))
		if bestVehicles > 0 {
			fleet = fmt.Sprintf("%d of %d", vehicles, bestVehicles)
		}
	}
	fmt.Fprintf(out, "| %s | %d | %g s | %d ms | %s | %.2f %% | %s | %d ms | %d |\n", set, files, budget.Seconds(),
		first.Milliseconds(), gap, worst, fleet, over.Milliseconds(), leftOut)
}
