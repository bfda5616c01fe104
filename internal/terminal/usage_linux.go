package terminal

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the processor time that the program has used, or 0 if it cannot be measured.
func (t *Terminal) CPU() time.Duration {
	// The clock of another process has a number made from its id; see clock_getcpuclockid(3).
	const scheduled = 2
	var spent unix.Timespec
	if unix.ClockGettime(int32(^t.program.Process.Pid<<3|scheduled), &spent) != nil { //nolint:gosec // ids are 22 bits at most
		return 0
	}
	return time.Duration(spent.Nano())
}

// Memory returns how many bytes of memory the program uses, or 0 if it cannot be measured.
func (t *Terminal) Memory() int {
	file, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", t.program.Process.Pid))
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var kilobytes int
		if n, _ := fmt.Sscanf(lines.Text(), "Rss: %d", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}
