//go:build windows || darwin

package credentials

import (
	"errors"
	"os/exec"
	"slices"
	"syscall"
)

// checkSession has nothing to check: the credential stores of these systems need no session bus.
func checkSession(func(string) string) error { return nil }

func platformCause(err error) Cause {
	// macOS: the security tool exits with 36 if it may not ask (over SSH), and with 51 or 128 if the user did not unlock.
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains([]int{36, 51, 128}, exit.ExitCode()) {
		return CauseLocked
	}
	// Windows: ERROR_NO_SUCH_LOGON_SESSION, for example over SSH with a key, means that there is no credential store.
	const noSuchLogonSession = syscall.Errno(1312)
	if errors.Is(err, noSuchLogonSession) {
		return CauseNoSession
	}
	return CauseOther
}
