// Package cli is the command line: one file a command, wiring only.
package cli

import (
	"fmt"
	"io"
)

// Main runs the program and returns its exit code.
func Main(_ []string, _ io.Reader, stdout, _ io.Writer) int {
	fmt.Fprintln(stdout, "waybill: the console is being built")
	return 0
}
