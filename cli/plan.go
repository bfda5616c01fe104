package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/planner"
	"waybill/planner/format"
	"waybill/planner/planrun"
)

func newPlanCommand() *cobra.Command {
	var o planrun.Options
	plan := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "Plan routes from a file",
		Long: "Reads a planning problem, searches for the best routes and prints them with a closing line of JSON.\n" +
			"FILE is a working day in JSON, or a benchmark file of Solomon, Gehring & Homberger or Li & Lim; - is the standard input.\n" +
			"With --json only that line is printed; --out keeps the routes.\n" +
			"Without --time and --iterations the search takes as long as the problem is worth. Ctrl-C ends it and keeps the best plan.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.File = args[0]
			}
			return runPlan(cmd, o)
		},
	}
	f := plan.Flags()
	f.StringVar(&o.Format, "format", "", "solomon, lilim or json; guessed from the file when left out")
	positiveDurationVar(f, &o.Time, "time", 0, "how long to search, such as 5s")
	minIntVar(f, &o.Threads, "threads", 0, 0, "cores to use; 0 for all")
	f.Uint64Var(&o.Seed, "seed", 0, "another number, another search")
	f.Int64Var(&o.Iterations, "iterations", 0, "end after this many iterations; the same routes every time")
	f.StringVar(&o.Rounding, "rounding", "dimacs", "distances of benchmark files: dimacs (one decimal, truncated) or double")
	f.StringVar(&o.Objective, "objective", "", "distance, or vehicles for as few as possible first")
	f.BoolVar(&o.Progress, "progress", false, "tell of each better plan on the way")
	f.StringVar(&o.Out, "out", "", "write the routes to this file, one line a route")
	f.BoolVar(&o.Draw, "draw", false, "draw the routes")
	plan.AddCommand(newPlanBenchCommand())
	return plan
}

// runPlan plans one problem. For scripts it prints the closing line alone.
func runPlan(cmd *cobra.Command, o planrun.Options) error {
	if o.Iterations < 0 {
		return usageError{errors.New("--iterations must be above 0, or 0 for as many as the time allows")}
	}
	in, err := openPlanInput(cmd.InOrStdin(), o.File)
	if err != nil {
		return err
	}
	asJSON, err := cmd.Flags().GetBool("json")
	if err != nil {
		return err
	}
	var said bytes.Buffer
	out := cmd.OutOrStdout()
	if asJSON {
		out = &said
	}
	err = planrun.Run(cmd.Context(), o, in, out, cmd.ErrOrStderr())
	switch {
	case errors.Is(err, planrun.ErrUsage):
		return usageError{err}
	case err != nil || !asJSON:
		return err
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	_, err = fmt.Fprintln(cmd.OutOrStdout(), lines[len(lines)-1])
	return err
}

// openPlanInput is the standard input where the problem comes from there. Nothing at all is no problem of another format, but
// a file that was forgotten.
func openPlanInput(stdin io.Reader, file string) (io.Reader, error) {
	forgotten := usageError{errors.New("name the file to plan, or pipe one in")}
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
	var o planrun.BenchOptions
	var vehicles, double bool
	bench := &cobra.Command{
		Use:   "bench DIR",
		Short: "Measure the planner over a folder of benchmark files",
		Long: "Plans every .txt file under DIR with each of the given times, verifies every plan, and prints a table:\n" +
			"one line for each folder and time, with the mean and the worst distance to the best known values.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir = args[0]
			for _, length := range o.Times {
				if length <= 0 {
					return usageError{fmt.Errorf("--time: %s is no time to measure; write such as 5s", length)}
				}
			}
			if vehicles {
				o.Objective = planner.FewestWorkers
			}
			if double {
				o.Rounding = format.Double
			}
			return planrun.Bench(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	f := bench.Flags()
	f.StringSliceVar(&o.Best, "best", nil, "files of best known values: set,instance,objective,vehicles,distance")
	f.DurationSliceVar(&o.Times, "time", []time.Duration{time.Second, 5 * time.Second, 10 * time.Second}, "times to measure")
	f.Int64Var(&o.Iterations, "iterations", 0, "end each run after this many iterations")
	minIntVar(f, &o.Threads, "threads", 2, 1, "cores to use")
	f.Uint64Var(&o.Seed, "seed", 1, "another number, another search")
	f.StringVar(&o.Match, "match", "", "only files whose name fits this pattern")
	f.StringVar(&o.Save, "save", "", "add the values found to this file, for --best of another run")
	f.BoolVar(&o.Each, "each", false, "print a line for each file")
	f.BoolVar(&vehicles, "vehicles", false, "compare by vehicles first")
	f.BoolVar(&double, "double", false, "do not truncate distances")
	return bench
}
