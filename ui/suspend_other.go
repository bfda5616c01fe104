//go:build !unix

package ui

// stopProcess does nothing: this system cannot stop a process and continue it.
func stopProcess() {}
