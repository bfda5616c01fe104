// Package planrun is what `waybill plan` does: read a problem, plan it, verify the plan, and write it out. Bench measures the
// planner over a folder of problems.
package planrun

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
	// File is the problem, "-" or nothing for the standard input.
	File string
	// Format is solomon, lilim or json; nothing means json for a file that begins with a brace, lilim for one that begins with
	// three numbers, and solomon otherwise.
	Format string
	// Rounding is dimacs or double, for the benchmark formats.
	Rounding string
	// Objective is distance or vehicles; nothing means the file's own, which is distance unless a JSON file says otherwise, and
	// vehicles for lilim.
	Objective  string
	Time       time.Duration
	Iterations int64
	Threads    int
	Seed       uint64
	// Progress tells of each better plan on stderr.
	Progress bool
	// Out is a file for the routes; without it they go to stdout.
	Out string
	// Draw adds a picture of the routes.
	Draw bool
}

// Summary is the closing line.
type Summary struct {
	Vehicles   int         `json:"vehicles"`
	Cost       json.Number `json:"cost"`
	Unassigned int         `json:"unassigned"`
	Late       json.Number `json:"late"`
	Seconds    float64     `json:"seconds"`
	Iterations int64       `json:"iterations"`
}

// ErrUsage is a flag that makes no sense.
var ErrUsage = errors.New("flag is not understood")

// Run plans one problem. An interrupted context is no error: what was found by then is written.
func Run(ctx context.Context, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	doc, err := o.read(stdin)
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
	sol, err := planner.Solve(ctx, doc.Problem, options)
	if err != nil {
		return err
	}
	if err := planner.Verify(doc.Problem, sol); err != nil {
		return fmt.Errorf("the plan was not written: %w; this is a fault of the planner, please report it with the file", err)
	}
	return o.write(doc, sol, stdout)
}

func (o *Options) read(stdin io.Reader) (*format.Document, error) {
	text, err := o.text(stdin)
	if err != nil {
		return nil, err
	}
	rounding := format.DIMACS
	switch o.Rounding {
	case "", "dimacs":
	case "double":
		rounding = format.Double
	default:
		return nil, fmt.Errorf("rounding %q: %w; use dimacs or double", o.Rounding, ErrUsage)
	}
	f := format.Format(o.Format)
	if f == "" {
		f = guess(text)
	}
	return format.Read(strings.NewReader(text), f, rounding)
}

func (o *Options) text(stdin io.Reader) (string, error) {
	if o.File == "" || o.File == "-" {
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	text, err := os.ReadFile(o.File)
	return string(text), err
}

// guess tells the formats apart by how a file begins.
func guess(text string) format.Format {
	text = strings.TrimSpace(text)
	head, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(text, "{"):
		return format.JSON
	case len(strings.Fields(head)) == 3:
		return format.LiLim
	default:
		return format.Solomon
	}
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
		return fmt.Errorf("objective %q: %w; use distance or vehicles", o.Objective, ErrUsage)
	}
	return nil
}

func printProgress(stderr io.Writer, doc *format.Document, p planner.Progress, elapsed time.Duration) {
	fmt.Fprintf(stderr, "%7.2fs  %3.0f%%  %d vehicles  cost %s  %d unassigned  %s late\n", elapsed.Seconds(), 100*p.Fraction,
		p.Plan.Cost.Workers, format.Cost(doc, p.Plan), p.Plan.Cost.LeftOut, units(doc, p.Plan.Cost.Lateness))
}

// units writes a time in the units of the file.
func units(doc *format.Document, amount int64) string {
	if doc.Scale == 1 {
		return fmt.Sprint(amount)
	}
	return fmt.Sprintf("%g", float64(amount)/float64(doc.Scale))
}

// write puts the routes into their file or on stdout, then the picture, what was left out, and the summary.
func (o *Options) write(doc *format.Document, sol *planner.Plan, stdout io.Writer) error {
	var routes strings.Builder
	if err := format.WriteRoutes(&routes, doc, sol); err != nil {
		return err
	}
	if o.Out == "" {
		fmt.Fprint(stdout, routes.String())
	} else if err := writeFile(o.Out, routes.String()); err != nil {
		return err
	}
	if doc.Format == format.JSON {
		printTimetable(stdout, sol)
	}
	if o.Draw {
		fmt.Fprint(stdout, draw.Routes(doc.Problem, sol, 0, 0))
	}
	for _, l := range sol.LeftOut {
		fmt.Fprintf(stdout, "Left out %s: %s\n", l.Task, l.Reason)
	}
	line, err := json.Marshal(Summary{
		Vehicles: sol.Cost.Workers, Cost: json.Number(format.Cost(doc, sol)), Unassigned: sol.Cost.LeftOut,
		Late: json.Number(units(doc, sol.Cost.Lateness)), Seconds: sol.Elapsed.Seconds(), Iterations: sol.Iterations,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, string(line))
	return err
}

// printTimetable says who is where when.
func printTimetable(out io.Writer, sol *planner.Plan) {
	clock := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	for i := range sol.Routes {
		r := &sol.Routes[i]
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

// writeFile replaces a file as a whole, so that nobody reads half a plan.
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
