// Package planfile does the work of `waybill plan`: it reads a problem from a file, plans it, verifies the plan and writes it.
package planfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"waybill/planner"
	"waybill/planner/draw"
	"waybill/planner/format"
)

// Options are the flags of `waybill plan`.
type Options struct {
	// File is the file with the problem; "-" or nothing is the standard input.
	File string
	// Format is solomon, lilim or json; if empty, the format is guessed from the file.
	Format string
	// Rounding is dimacs or double, for the benchmark formats.
	Rounding string
	// Objective is distance or vehicles. If empty, the objective of the file counts: vehicles for lilim, what a JSON file says,
	// otherwise distance.
	Objective  string
	Time       time.Duration
	Iterations int64
	Threads    int
	Seed       uint64
	// Progress prints every better plan to stderr.
	Progress bool
	// Out is the file for the routes; if empty, they are printed to stdout.
	Out string
	// Draw prints a drawing of the routes.
	Draw bool
}

// Summary is the last line of the output.
type Summary struct {
	Vehicles   int         `json:"vehicles"`
	Cost       json.Number `json:"cost"`
	Unassigned int         `json:"unassigned"`
	Late       json.Number `json:"late"`
	Seconds    float64     `json:"seconds"`
	Iterations int64       `json:"iterations"`
}

// ErrUsage is the error for a flag with an unknown value.
var ErrUsage = errors.New("unknown value")

// Run plans one problem. When the context ends early, it writes the best plan found so far.
func Run(ctx context.Context, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	doc, err := o.readDocument(stdin)
	if err != nil {
		return err
	}
	if err := o.setObjective(doc); err != nil {
		return err
	}
	started := time.Now()
	options := planner.Options{TimeLimit: o.Time, Iterations: o.Iterations, Threads: o.Threads, Seed: o.Seed}
	if o.Progress {
		options.OnImprovement = func(p planner.Progress) { printProgress(stderr, doc, p, time.Since(started)) }
	}
	plan, err := planner.Solve(ctx, doc.Problem, options)
	if err != nil {
		return err
	}
	if err := planner.Verify(doc.Problem, plan); err != nil {
		return fmt.Errorf("the plan was not written: %w; this is a bug in the planner, please report it with the file", err)
	}
	return o.writePlan(doc, plan, stdout)
}

func (o *Options) readDocument(stdin io.Reader) (*format.Document, error) {
	text, err := o.readText(stdin)
	if err != nil {
		return nil, err
	}
	rounding := format.DIMACS
	switch o.Rounding {
	case "", "dimacs":
	case "double":
		rounding = format.Double
	default:
		return nil, fmt.Errorf("rounding: %w %q; use dimacs or double", ErrUsage, o.Rounding)
	}
	f := format.Format(o.Format)
	if f == "" {
		f = format.Guess(text)
	}
	return format.Read(strings.NewReader(text), f, rounding)
}

func (o *Options) readText(stdin io.Reader) (string, error) {
	if o.File == "" || o.File == "-" {
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	text, err := os.ReadFile(o.File)
	return string(text), err
}

func (o *Options) setObjective(doc *format.Document) error {
	switch o.Objective {
	case "":
		if doc.Format == format.LiLim {
			doc.Problem.Objective = planner.FewestWorkers
		}
	case "distance":
		doc.Problem.Objective = planner.LeastTravel
	case "vehicles":
		doc.Problem.Objective = planner.FewestWorkers
	default:
		return fmt.Errorf("objective: %w %q; use distance or vehicles", ErrUsage, o.Objective)
	}
	return nil
}

func printProgress(stderr io.Writer, doc *format.Document, p planner.Progress, elapsed time.Duration) {
	fmt.Fprintf(stderr, "%7.2fs  %3.0f%%  %d vehicles  cost %s  %d unassigned  %s late\n", elapsed.Seconds(), 100*p.Fraction,
		p.Plan.Cost.Workers, format.Cost(doc, p.Plan), p.Plan.Cost.LeftOut, formatUnits(doc, p.Plan.Cost.Lateness))
}

// formatUnits returns a time in the units of the file.
func formatUnits(doc *format.Document, amount int64) string {
	if doc.Scale == 1 {
		return fmt.Sprint(amount)
	}
	return fmt.Sprintf("%g", float64(amount)/float64(doc.Scale))
}

// writePlan writes the routes to their file or to stdout, then prints the drawing, the tasks left out and the summary.
func (o *Options) writePlan(doc *format.Document, plan *planner.Plan, stdout io.Writer) error {
	var routes strings.Builder
	if err := format.WriteRoutes(&routes, doc, plan); err != nil {
		return err
	}
	if o.Out == "" {
		fmt.Fprint(stdout, routes.String())
	} else if err := writeFile(o.Out, routes.String()); err != nil {
		return err
	}
	if doc.Format == format.JSON {
		printTimetable(stdout, plan)
	}
	if o.Draw {
		fmt.Fprint(stdout, draw.Routes(doc.Problem, plan, 0, 0))
	}
	for _, l := range plan.LeftOut {
		fmt.Fprintf(stdout, "Left out %s: %s\n", l.Task, l.Reason)
	}
	line, err := json.Marshal(Summary{
		Vehicles: plan.Cost.Workers, Cost: json.Number(format.Cost(doc, plan)), Unassigned: plan.Cost.LeftOut,
		Late: json.Number(formatUnits(doc, plan.Cost.Lateness)), Seconds: plan.Elapsed.Seconds(), Iterations: plan.Iterations,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, string(line))
	return err
}

// printTimetable prints the stops of every worker with their times.
func printTimetable(out io.Writer, plan *planner.Plan) {
	clock := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	for i := range plan.Routes {
		r := &plan.Routes[i]
		if len(r.Stops) == 0 {
			fmt.Fprintf(out, "%s: nothing to do\n", r.Worker)
			continue
		}
		fmt.Fprintf(out, "%s: leaves %s, ends %s, %d min on the road", r.Worker, clock(r.Depart), clock(r.End), (r.Travel+30)/60)
		if r.Kept {
			fmt.Fprint(out, ", kept as it was")
		}
		fmt.Fprintln(out)
		for _, s := range r.Stops {
			fmt.Fprintf(out, "  %s  %s to %s", s.Task, clock(s.Start), clock(s.End))
			if s.Late > 0 {
				fmt.Fprintf(out, "  %d min late", (s.Late+59)/60)
			}
			fmt.Fprintln(out)
		}
	}
}

// writeFile replaces a file atomically, so that nobody reads half a plan. The file is readable by everyone.
func writeFile(name, text string) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
