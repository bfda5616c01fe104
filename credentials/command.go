package credentials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// CommandError says how a key_command failed. It holds what the command said on standard error, never what it printed.
type CommandError struct {
	// Program is the program that was run, without its arguments: those may hold secrets.
	Program string
	// Reason is what happened.
	Reason string
	// Stderr is the command's standard error on one line.
	Stderr string
	// Err is the error of running it, if there was one.
	Err error
}

func (e *CommandError) Error() string {
	text := fmt.Sprintf("the key command %q %s", e.Program, e.Reason)
	if e.Stderr != "" {
		text += "; it said: " + e.Stderr
	}
	return text
}

// Is makes errors.Is(err, ErrCommand) true.
func (e *CommandError) Is(target error) bool { return target == ErrCommand }

// Unwrap returns the error of running the command.
func (e *CommandError) Unwrap() error { return e.Err }

// runCommand runs a profile's key command and returns the first line it prints, as is the custom of password stores that
// keep notes below the secret. No shell is involved. said is its standard error.
func runCommand(ctx context.Context, argv, environment []string, profile string, limit time.Duration) (key Key, said string, err error) {
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
	// A child of the command may hold the pipes open after it was stopped.
	command.WaitDelay = time.Second
	runErr := command.Run()

	said = redactPrinted(stderr.text.String(), stdout.text.String())
	failure := &CommandError{Program: argv[0], Stderr: said}
	if failure.Reason, failure.Err = describeRunError(ctx, runErr, limit); failure.Reason != "" {
		return Key{}, said, failure
	}
	line, _, _ := strings.Cut(strings.TrimLeft(stdout.text.String(), "\r\n"), "\n")
	if key, failure.Err = NewKey(line); failure.Err != nil {
		var invalid *InvalidKeyError
		errors.As(failure.Err, &invalid)
		failure.Reason = "printed no usable key: " + invalid.Reason
		return Key{}, said, failure
	}
	return key, said, nil
}

// describeRunError says in words how running a command failed; "" when it did not.
func describeRunError(ctx context.Context, runErr error, limit time.Duration) (string, error) {
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("took longer than %s and was stopped; if it asks for a password, unlock its store first", limit),
			ctx.Err()
	case ctx.Err() != nil:
		return "was interrupted", ctx.Err()
	case errors.Is(runErr, exec.ErrNotFound):
		return "was not found; check its spelling and PATH", runErr
	case errors.As(runErr, &exit):
		return fmt.Sprintf("failed (%s)", exit.ProcessState), runErr
	case runErr != nil:
		return "could not be run: " + singleLine(runErr.Error()), runErr
	}
	return "", nil
}

// withoutVariable keeps an unrelated key that is in the environment away from the command.
func withoutVariable(environment []string, name string) []string {
	kept := make([]string, 0, len(environment)+1)
	for _, variable := range environment {
		if !strings.HasPrefix(variable, name+"=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// redactPrinted takes every line the command printed out of what it said: a script run with tracing echoes the secret.
func redactPrinted(said, printed string) string {
	const shortestSecret = 4
	for line := range strings.Lines(printed) {
		if line = strings.TrimSpace(line); len(line) >= shortestSecret {
			said = strings.ReplaceAll(said, line, redacted)
		}
	}
	return singleLine(said)
}

// cappedBuffer keeps the beginning of what is written to it and drops the rest, so that a runaway command cannot fill memory.
// It does not embed its buffer: the buffer's ReadFrom would be found and used in place of Write.
type cappedBuffer struct {
	text  bytes.Buffer
	limit int
}

func (b *cappedBuffer) Write(data []byte) (int, error) {
	room := max(0, b.limit-b.text.Len())
	b.text.Write(data[:min(room, len(data))])
	return len(data), nil
}
