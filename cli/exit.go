package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
)

// Exit codes. Scripts rely on them: never change one.
const (
	exitOK = iota
	exitFailure
	exitUsage
	exitNotFound
	exitRefused
	exitRateLimited
	exitUnknownOutcome
)

// usageError is a mistake in how the command was written.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitError ends the program with a code after everything has been said.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func exitCode(err error) int {
	var exit exitError
	var usage usageError
	switch {
	case err == nil, errors.Is(err, apiclient.ErrDryRun):
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &usage), isCobraUsage(err):
		return exitUsage
	case errors.Is(err, apiclient.ErrNotFound):
		return exitNotFound
	case errors.Is(err, apiclient.ErrInvalidKey), errors.Is(err, apiclient.ErrOtherOrganization),
		errors.Is(err, apiclient.ErrReadOnly), errors.Is(err, credentials.ErrNoKey):
		return exitRefused
	case errors.Is(err, apiclient.ErrRateLimited):
		return exitRateLimited
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		return exitUnknownOutcome
	}
	return exitFailure
}

// isCobraUsage recognises the mistakes that cobra reports as plain texts.
func isCobraUsage(err error) bool {
	text := err.Error()
	for _, start := range []string{"unknown command", "unknown flag", "accepts ", "requires at least", "required flag", "invalid argument"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// printError says what went wrong on the error stream, made safe for a terminal.
func (a *app) printError(err error) {
	var exit exitError
	if errors.As(err, &exit) || errors.Is(err, apiclient.ErrDryRun) {
		return
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.stderr, "waybill: stopped")
		return
	}
	fmt.Fprintln(a.stderr, "waybill: "+model.CleanMultiline(err.Error()))
	var failure *apiclient.Error
	if errors.As(err, &failure) {
		if hint := failure.Hint(); hint != "" && !strings.Contains(err.Error(), hint) {
			fmt.Fprintln(a.stderr, "  "+model.CleanMultiline(hint))
		}
	}
	if exitCode(err) == exitUsage {
		fmt.Fprintln(a.stderr, "  How to call it: waybill COMMAND --help")
	}
}
