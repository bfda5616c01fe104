package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/internal/docpictures"
	"waybill/internal/screenbench"
)

// newBenchCommand returns the commands for developers of Waybill, which are hidden from the help.
func newBenchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure Waybill", Hidden: true}
	cmd.AddCommand(newBenchScreenCommand(a), newBenchEmptyCommand(), newBenchPicturesCommand(a))
	return cmd
}

func newBenchScreenCommand(a *app) *cobra.Command {
	o := screenbench.Options{Sandbox: true}
	var size, empty string
	cmd := &cobra.Command{
		Use: "screen", Short: "Measure the console on a pseudo-terminal", Args: cobra.NoArgs,
		Long: "Runs the console on a pseudo-terminal with boards of several sizes, presses keys in every pane, and prints the time,\n" +
			"CPU and output of each frame, compared with an empty Bubble Tea program in the same run.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if _, err := fmt.Sscanf(size, "%dx%d", &o.Width, &o.Height); err != nil || o.Width < 100 || o.Height < 28 {
				return usageError{errors.New("--size must be COLUMNSxROWS such as 200x60, at least 100x28 so that all panes are visible")}
			}
			if o.Program, err = os.Executable(); err != nil {
				return err
			}
			o.Empty = []string{o.Program, "bench", "empty"}
			if empty != "" {
				o.Empty = strings.Fields(empty)
			}
			o.Note = func(text string) { fmt.Fprintln(a.stderr, "Measuring: "+text+"…") }
			reports, err := screenbench.Run(cmd.Context(), o)
			return errors.Join(screenbench.Print(a.stdout, reports), err)
		},
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.Tasks, "tasks", []int{500, 50_000}, "number of tasks on the boards")
	f.IntVar(&o.Workers, "workers", 1000, "number of workers on the boards")
	f.IntVar(&o.Keys, "keys", 60, "number of presses of each key")
	f.StringVar(&o.Only, "only", "", "only exercises whose name contains this text")
	f.DurationVar(&o.Idle, "idle", 30*time.Second, "how long to measure the idle screen")
	f.BoolVar(&o.Sandbox, "with-sandbox", true, "also measure the console with the sandbox")
	f.BoolVar(&o.Remote, "ssh", false, "run the console as over SSH")
	f.StringVar(&size, "size", "200x60", "size of the terminal as COLUMNSxROWS")
	f.StringVar(&empty, "empty", "", "command of another program to compare with")
	return cmd
}

func newBenchEmptyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "empty", Short: "Run the empty program that the console is compared with", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := screenbench.Empty(cmd.Context()); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		},
	}
}

func newBenchPicturesCommand(a *app) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use: "pictures [NAME…]", Short: "Make the pictures of the documentation",
		Long: "Runs the console on a pseudo-terminal with a new sandbox for each scene of scenes.txt, presses the keys of the scene\n" +
			"and writes the screen as SVG.",
		RunE: func(cmd *cobra.Command, names []string) error {
			return docpictures.Make(cmd.Context(), folder, names, func(name string) { a.printNote("Making %s…", name) })
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "docs/pictures", "folder of scenes.txt and the pictures")
	return cmd
}
