//go:build !linux

package terminal

import "time"

// CPU is the processor time the program has used so far, or zero where that cannot be told.
func (t *Terminal) CPU() time.Duration { return 0 }

// Memory is how many bytes the program holds, or zero where that cannot be told.
func (t *Terminal) Memory() int { return 0 }
