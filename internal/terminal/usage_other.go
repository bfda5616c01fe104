//go:build !linux

package terminal

import "time"

// CPU returns the processor time that the program has used, or 0 if it cannot be measured.
func (t *Terminal) CPU() time.Duration { return 0 }

// Memory returns how many bytes of memory the program uses, or 0 if it cannot be measured.
func (t *Terminal) Memory() int { return 0 }
