package credentials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// CommandError says how a key_command failed. It contains the standard error of the command, never its output.
type CommandError struct {
	// Program is the program without its arguments, which may contain secrets.
	Program string
	// Reason is what happened.
	Reason string
	// Stderr is the command's standard error on one line.
	Stderr string
	// Err is the error of running the command. It may be nil.
	Err error
}

func (e *CommandError) Error() string {
	text := fmt.Sprintf("the key command %q %s", e.Program, e.Reason)
	if e.Stderr != "" {
		text += "; its error output: " + e.Stderr
	}
	return text
}

// Is makes errors.Is(err, ErrCommand) true.
func (e *CommandError) Is(target error) bool { return target == ErrCommand }

// Unwrap returns the error of running the command.
func (e *CommandError) Unwrap() error { return e.Err }

// runCommand runs the key command of a profile without a shell and returns the first line of its output, because password
// stores print notes below the secret. stderr is its standard error.
func runCommand(ctx context.Context, argv, environment []string, profile string, limit time.Duration) (key Key, stderrText string, err error) {
	if len(argv) == 0 {
		return Key{}, "", &CommandError{Reason: "is empty; name a program in key_command"}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stdout, stderr := &cappedBuffer{limit: maxKeyFile}, &cappedBuffer{limit: maxKeyFile}
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	if environment == nil {
		environment = os.Environ()
	}
	command.Env = append(withoutVariable(environment, DefaultVariable), "WAYBILL_PROFILE="+profile)
	command.Stdout, command.Stderr = stdout, stderr
	// A child of the command may keep the pipes open after it was stopped.
	command.WaitDelay = time.Second
	runErr := command.Run()

	stderrText = redactPrinted(stderr.text.String(), stdout.text.String())
	failure := &CommandError{Program: argv[0], Stderr: stderrText}
	if failure.Reason, failure.Err = describeRunError(ctx, runErr, limit); failure.Reason != "" {
		return Key{}, stderrText, failure
	}
	line, _, _ := strings.Cut(strings.TrimLeft(stdout.text.String(), "\r\n"), "\n")
	if key, failure.Err = NewKey(line); failure.Err != nil {
		var invalid *InvalidKeyError
		errors.As(failure.Err, &invalid)
		failure.Reason = "printed no valid key: " + invalid.Reason
		return Key{}, stderrText, failure
	}
	return key, stderrText, nil
}

// describeRunError describes why running a command failed, or returns "".
func describeRunError(ctx context.Context, runErr error, limit time.Duration) (string, error) {
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("took longer than %s and was stopped; if it asks for a password, unlock its store first", limit),
			ctx.Err()
	case ctx.Err() != nil:
		return "was interrupted", ctx.Err()
	case errors.Is(runErr, exec.ErrNotFound):
		return "was not found; check the spelling and PATH", runErr
	case errors.As(runErr, &exit):
		return fmt.Sprintf("failed (%s)", exit.ProcessState), runErr
	case runErr != nil:
		return "could not be run: " + singleLine(runErr.Error()), runErr
	}
	return "", nil
}

// withoutVariable removes a variable from an environment.
func withoutVariable(environment []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		return strings.HasPrefix(variable, name+"=")
	})
}

// redactPrinted removes the output of a command from its standard error: a script with tracing prints the secret there.
func redactPrinted(stderrText, printed string) string {
	const shortestSecret = 4
	for line := range strings.Lines(printed) {
		if line = strings.TrimSpace(line); len(line) >= shortestSecret {
			stderrText = strings.ReplaceAll(stderrText, line, redacted)
		}
	}
	return singleLine(stderrText)
}

// cappedBuffer keeps the first limit bytes and drops the rest, so that a command cannot fill memory. It does not embed its
// buffer, because io.Copy would use the ReadFrom method of the buffer instead of Write.
type cappedBuffer struct {
	text  bytes.Buffer
	limit int
}

func (b *cappedBuffer) Write(data []byte) (int, error) {
	room := max(0, b.limit-b.text.Len())
	b.text.Write(data[:min(room, len(data))])
	return len(data), nil
}
