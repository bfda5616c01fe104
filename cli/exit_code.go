package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
)

// Exit codes. Scripts rely on them: never change one.
const (
	exitOK             = 0
	exitFailure        = 1
	exitUsage          = 2
	exitNotFound       = 3
	exitRefused        = 4
	exitRateLimited    = 5
	exitUnknownOutcome = 6
	exitInterrupted    = 130
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitError ends the program with a code when everything has been printed already.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// inputError is data that violates rules of the interface.
type inputError struct {
	what     string
	problems model.Problems
}

func (e inputError) Error() string {
	var text strings.Builder
	text.WriteString(e.what + " is not valid:")
	for _, p := range e.problems {
		text.WriteString("\n  " + p.Error())
	}
	return text.String()
}

func (e inputError) Unwrap() error { return e.problems }

// checkProblems returns an inputError, or nil without problems.
func checkProblems(what string, problems model.Problems) error {
	if len(problems) == 0 {
		return nil
	}
	return inputError{what, problems}
}

// exitCode returns the exit code of an error. Of several causes the most important one counts: an unknown outcome comes
// before a failure.
func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if exit, ok := errors.AsType[exitError](err); ok {
		return exit.code
	}
	for _, c := range []struct {
		code  int
		kinds []error
	}{
		{exitUnknownOutcome, []error{apiclient.ErrUnknownOutcome}},
		{exitInterrupted, []error{context.Canceled}},
		{exitRefused, []error{
			apiclient.ErrInvalidKey, apiclient.ErrNoKey, apiclient.ErrOtherOrganization, apiclient.ErrForbidden,
			apiclient.ErrReadOnly, credentials.ErrNoKey,
		}},
		{exitRateLimited, []error{apiclient.ErrRateLimited}},
		{exitNotFound, []error{apiclient.ErrNotFound}},
	} {
		if slices.ContainsFunc(c.kinds, func(kind error) bool { return errors.Is(err, kind) }) {
			return c.code
		}
	}
	if errors.Is(err, apiclient.ErrDryRun) {
		return exitOK
	}
	if isUsageError(err) {
		return exitUsage
	}
	return exitFailure
}

func isUsageError(err error) bool {
	if _, ok := errors.AsType[usageError](err); ok {
		return true
	}
	_, ok := errors.AsType[inputError](err)
	return ok || isCobraUsageError(err)
}

// isCobraUsageError recognises usage errors of cobra, which have no type, by their text.
func isCobraUsageError(err error) bool {
	return slices.ContainsFunc([]string{
		"unknown command", "unknown flag", "accepts ", "requires at least", "required flag", flagsTogether, flagsOneOf, "invalid argument",
	}, func(start string) bool { return strings.HasPrefix(err.Error(), start) })
}

// Beginnings of cobra's usage errors.
const (
	flagsTogether = "if any flags in the group ["
	flagsOneOf    = "at least one of the flags in the group ["
	flagsRequired = "required flag(s) "
)

// rewordUsageError replaces cobra's usage errors by plain sentences.
func rewordUsageError(text string) string {
	if rest, ok := strings.CutPrefix(text, flagsTogether); ok {
		if _, given, ok := strings.Cut(rest, "; ["); ok {
			given, _, _ = strings.Cut(given, "]")
			return joinFlags(strings.Fields(given), "and") + " cannot be used together"
		}
	}
	if rest, ok := strings.CutPrefix(text, flagsOneOf); ok {
		names, _, _ := strings.Cut(rest, "]")
		return "use one of " + joinFlags(strings.Fields(names), "or")
	}
	if rest, ok := strings.CutPrefix(text, flagsRequired); ok {
		names := strings.Split(strings.TrimSuffix(rest, " not set"), ", ")
		for i := range names {
			names[i] = strings.Trim(names[i], `"`)
		}
		return joinFlags(names, "and") + " must be set"
	}
	return text
}

func joinFlags(names []string, last string) string {
	for i := range names {
		names[i] = "--" + names[i]
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}

// printError prints an error on standard error, made safe for a terminal.
func (a *app) printError(err error) {
	if _, ok := errors.AsType[exitError](err); ok {
		return
	}
	if many, ok := errors.AsType[failures](err); ok {
		for _, one := range many {
			a.printError(one)
		}
		return
	}
	code := exitCode(err)
	switch {
	case errors.Is(err, apiclient.ErrDryRun) && code == exitOK:
		return
	case code == exitInterrupted:
		fmt.Fprintln(a.stderr, "waybill: stopped")
		return
	}
	text := rewordUsageError(err.Error())
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		text = describeFlagError(wrong)
	}
	if failure, ok := errors.AsType[*apiclient.Error](err); ok {
		// The request and the hint get their own lines.
		text = strings.Replace(text, failure.Error(), failure.Description(), 1)
		text += "\n  " + failure.RequestSummary()
		if hint := failure.Hint(); hint != "" {
			text += "\n  " + model.Capitalize(hint) + "."
		}
	}
	fmt.Fprintln(a.stderr, "waybill: "+model.CleanMultiline(text))
	if _, ok := errors.AsType[inputError](err); code == exitUsage && !ok {
		fmt.Fprintf(a.stderr, "  Usage: %s --help\n", a.commandPath)
	}
}

// failures is a list of errors that are printed one per line.
type failures []error

func (f failures) Error() string { return errors.Join(f...).Error() }

func (f failures) Unwrap() []error { return f }

// err returns the failures, or nil if there are none.
func (f failures) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}
