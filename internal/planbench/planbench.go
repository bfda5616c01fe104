// Package planbench measures the planner over a folder of benchmark problems.
package planbench

import (
	"bytes"
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

// Options say what to measure.
type Options struct {
	// Dir holds the problem files; each folder below it is a set of the table. Match, if not empty, is a pattern for file names.
	Dir, Match string
	// Best lists CSV files of best known values: set, instance, objective, vehicles, distance; further columns are ignored.
	Best []string
	// Times are the time limits to measure.
	Times []time.Duration
	// Iterations, if not zero, also limits each run, for comparisons that do not depend on the load of the machine.
	Iterations int64
	Threads    int
	Seed       uint64
	// Save, if not empty, is a file to which the results are appended in the format of Best, so that a long run can be the
	// reference for short ones.
	Save string
	// Each also prints one line per file.
	Each bool
	// Objective and Rounding apply to all files except those of Li & Lim, which are always compared by vehicles first and in
	// floating point.
	Objective planner.Objective
	Rounding  format.Rounding
}

// measurement is the result of planning one file with one time limit.
type measurement struct {
	set, name     string
	budget        time.Duration
	first         time.Duration
	over          time.Duration
	vehicles      int
	distance      float64
	leftOut       int
	iterations    int64
	best          reference
	hasBest       bool
	vehiclesFirst bool
}

// gap returns how far the distance is above the best known one, in percent.
func (m *measurement) gap() float64 { return 100 * (m.distance/m.best.distance - 1) }

// Run plans every file of a folder with every time limit and prints a table: one line per set and time limit, with the mean and
// the worst gap to the best known values. It verifies every plan and stops at the first invalid one.
func Run(ctx context.Context, o Options, out io.Writer) error {
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
			m.best, m.hasBest = best[m.key()]
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

// instanceFiles returns the matching .txt files below a folder, sorted.
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
		err = fmt.Errorf("no .txt file in %s; name the folder with the problem files", dir)
	}
	slices.Sort(files)
	return files, err
}

// measure plans one file with one time limit.
func measure(ctx context.Context, file string, budget time.Duration, o Options) (measurement, error) {
	m := measurement{
		set: filepath.Base(filepath.Dir(file)), budget: budget,
		name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)),
	}
	doc, err := readInstance(file, o.Rounding)
	if err != nil {
		return m, err
	}
	doc.Problem.Objective = o.Objective
	m.vehiclesFirst = o.Objective == planner.FewestWorkers || doc.Format == format.LiLim
	if m.vehiclesFirst {
		doc.Problem.Objective = planner.FewestWorkers
	}
	begin := time.Now()
	plan, err := planner.Solve(ctx, doc.Problem, planner.Options{
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
	if err := planner.Verify(doc.Problem, plan); err != nil {
		return m, err
	}
	m.vehicles, m.leftOut, m.iterations = plan.Cost.Workers, plan.Cost.LeftOut, plan.Iterations
	m.distance = float64(plan.Cost.Travel) / float64(doc.Scale)
	return m, nil
}

// readInstance reads a benchmark file.
func readInstance(file string, rounding format.Rounding) (*format.Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := format.Guess(string(text))
	if f == format.LiLim {
		rounding = format.Double
	}
	return format.Read(bytes.NewReader(text), f, rounding)
}

func (m *measurement) print(out io.Writer) {
	fmt.Fprintf(out, "%-16s %-10s %5.1fs  first %4dms  over %4dms  %3d vehicles  %10.1f", m.set, m.name, m.budget.Seconds(),
		m.first.Milliseconds(), m.over.Milliseconds(), m.vehicles, m.distance)
	if m.hasBest {
		fmt.Fprintf(out, "  best %3d %10.1f  gap %6.2f%%", m.best.vehicles, m.best.distance, m.gap())
	}
	if m.leftOut > 0 {
		fmt.Fprintf(out, "  %d left out", m.leftOut)
	}
	fmt.Fprintf(out, "  %d iterations\n", m.iterations)
}

// printTable prints one line per set and time limit.
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
		if m.hasBest {
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
