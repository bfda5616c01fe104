//go:build unix

package ui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopTimeout is how long the process waits to be stopped. The system stops it at once or not at all.
const stopTimeout = 300 * time.Millisecond

// stopProcess stops the process with its group, as the terminal would, and returns when it is continued.
func stopProcess() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-continued:
	case <-time.After(stopTimeout):
	}
}
