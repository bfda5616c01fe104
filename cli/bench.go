package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/internal/screenbench"
)

// newBenchCommand measures this program; it is for those who work on it, and not in the help.
func newBenchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure this program", Hidden: true}
	cmd.AddCommand(newBenchScreenCommand(a), newBenchEmptyCommand(), newBenchPicturesCommand(a))
	return cmd
}

func newBenchScreenCommand(a *app) *cobra.Command {
	o := screenbench.Options{Sandbox: true}
	var size, empty string
	cmd := &cobra.Command{
		Use: "screen", Short: "Measure the console on a pseudo-terminal", Args: cobra.NoArgs,
		Long: "Starts the console on a pseudo-terminal with boards of several sizes, plays keys in every pane, and prints how long\n" +
			"a frame takes, what it costs and what it sends, beside an empty Bubble Tea program measured in the same run.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if _, err := fmt.Sscanf(size, "%dx%d", &o.Width, &o.Height); err != nil || o.Width < 100 || o.Height < 28 {
				return usageError{errors.New("--size is columns x rows such as 200x60, and at least 100x28 so that all panes are seen")}
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
	f.IntSliceVar(&o.Tasks, "tasks", []int{500, 50_000}, "how many tasks the boards have")
	f.IntVar(&o.Workers, "workers", 1000, "how many workers they have")
	f.IntVar(&o.Keys, "keys", 60, "how often each key is pressed")
	f.StringVar(&o.Only, "only", "", "only exercises whose name holds this text")
	f.DurationVar(&o.Idle, "idle", 30*time.Second, "how long the untouched screen is watched")
	f.BoolVar(&o.Sandbox, "with-sandbox", true, "also measure the console with the sandbox inside")
	f.BoolVar(&o.Remote, "ssh", false, "let the console believe it is used over SSH")
	f.StringVar(&size, "size", "200x60", "columns x rows of the terminal")
	f.StringVar(&empty, "empty", "", "another empty program to compare with, with its arguments")
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
