package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/internal/planbench"
	"waybill/planner"
	"waybill/planner/format"
	"waybill/planner/planfile"
)

func newPlanCommand(a *app) *cobra.Command {
	var o planfile.Options
	plan := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "Plan routes from a file",
		Long: "Reads a planning problem, searches for the best routes and prints them, followed by a summary as one line of JSON.\n" +
			"FILE is a working day in JSON, or a benchmark file of Solomon, Gehring & Homberger or Li & Lim; - is standard input.\n" +
			"--json prints only the summary; --out writes the routes to a file.\n" +
			"Without --time and --iterations the search time depends on the size of the problem. Ctrl-C stops it and keeps the best plan.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.File = args[0]
			}
			return a.runPlan(cmd.Context(), o)
		},
	}
	f := plan.Flags()
	f.StringVar(&o.Format, "format", "", "solomon, lilim or json; detected from the file by default")
	positiveDurationVar(f, &o.Time, "time", 0, "search time, such as 5s")
	minIntVar(f, &o.Threads, "threads", 0, 0, "number of cores to use; 0 for all")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the search")
	f.Int64Var(&o.Iterations, "iterations", 0, "stop after this many iterations, which makes the result reproducible")
	f.StringVar(&o.Rounding, "rounding", "dimacs", "distances of benchmark files: dimacs (truncated to one decimal) or double")
	f.StringVar(&o.Objective, "objective", "", "what to minimise: distance, or vehicles first")
	f.BoolVar(&o.Progress, "progress", false, "print each improvement")
	f.StringVar(&o.Out, "out", "", "write the routes to this file, one per line")
	f.BoolVar(&o.Draw, "draw", false, "draw the routes")
	plan.AddCommand(newPlanBenchCommand())
	return plan
}

// runPlan plans one problem. With --json it prints only the summary line.
func (a *app) runPlan(ctx context.Context, o planfile.Options) error {
	if o.Iterations < 0 {
		return usageError{errors.New("--iterations must be 0 or greater; 0 means no limit")}
	}
	in, err := openPlanInput(a.stdin, o.File)
	if err != nil {
		return err
	}
	var printed bytes.Buffer
	out := a.stdout
	if a.flags.json {
		out = &printed
	}
	err = planfile.Run(ctx, o, in, out, a.stderr)
	switch {
	case errors.Is(err, planfile.ErrUsage):
		return usageError{err}
	case err != nil || !a.flags.json:
		return err
	}
	lines := strings.Split(strings.TrimSpace(printed.String()), "\n")
	_, err = fmt.Fprintln(a.stdout, lines[len(lines)-1])
	return err
}

// openPlanInput returns the reader of the problem. Empty standard input means that the user forgot the file, so it is a
// usage error and not an unknown format.
func openPlanInput(stdin io.Reader, file string) (io.Reader, error) {
	forgotten := usageError{errors.New("no problem to plan: name a file or pipe one in")}
	switch {
	case file == "" && isTerminal(stdin):
		return nil, forgotten
	case file != "" && file != "-":
		return stdin, nil
	}
	text, err := io.ReadAll(stdin)
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		err = forgotten
	}
	return bytes.NewReader(text), err
}

func newPlanBenchCommand() *cobra.Command {
	var o planbench.Options
	var vehicles, double bool
	bench := &cobra.Command{
		Use:   "bench DIR",
		Short: "Measure the planner over a folder of benchmark files",
		Long: "Plans every .txt file under DIR with each --time, verifies every plan and prints a table with one line per folder\n" +
			"and time: the mean and the worst distance to the best known values.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir = args[0]
			for _, length := range o.Times {
				if length <= 0 {
					return usageError{fmt.Errorf("--time: %s must be greater than 0, such as 5s", length)}
				}
			}
			if vehicles {
				o.Objective = planner.FewestWorkers
			}
			if double {
				o.Rounding = format.Double
			}
			return planbench.Run(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	f := bench.Flags()
	f.StringSliceVar(&o.Best, "best", nil, "CSV files of best known values: set,instance,objective,vehicles,distance")
	f.DurationSliceVar(&o.Times, "time", []time.Duration{time.Second, 5 * time.Second, 10 * time.Second}, "search times to measure")
	f.Int64Var(&o.Iterations, "iterations", 0, "stop each run after this many iterations")
	minIntVar(f, &o.Threads, "threads", 2, 1, "number of cores to use")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the search")
	f.StringVar(&o.Match, "match", "", "only files whose name matches this pattern")
	f.StringVar(&o.Save, "save", "", "append the results to this file, for --best of another run")
	f.BoolVar(&o.Each, "each", false, "print one line per file")
	f.BoolVar(&vehicles, "vehicles", false, "compare by vehicles first")
	f.BoolVar(&double, "double", false, "do not truncate distances")
	return bench
}
