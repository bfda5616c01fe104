package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command whose output cannot be written does not report success.
func TestLostOutputIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, args := range []string{"version", "version --json", "--help", "tasks --help"} {
		var notes strings.Builder
		program := exec.CommandContext(t.Context(), "waybill", strings.Fields(args)...)
		program.Stdout, program.Stderr = full, &notes
		require.Error(t, program.Run(), args)
		require.Equal(t, exitFailure, program.ProcessState.ExitCode(), args)
		require.Contains(t, notes.String(), "no space left on device", args)
	}
}

// A reader that has enough ends the command quietly.
func TestBrokenPipeIsQuiet(t *testing.T) {
	script := exec.CommandContext(t.Context(), "sh", "-c", `(waybill --help; echo "exit code $?" >&3) 3>&2 | true`)
	var notes strings.Builder
	script.Stderr = &notes
	require.NoError(t, script.Run())
	require.Contains(t, []string{"exit code 141\n", "exit code 0\n"}, notes.String()) // 0 if it was written before the reader ended
}
