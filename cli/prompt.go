package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"

	"waybill/views/formview"
)

var errNoTerminalToAsk = errors.New("no terminal to prompt on")

// maxSecret is the maximum length of a line that is typed.
const maxSecret = 4096

// readSecret reads a secret from a hidden prompt, or from the first line of a pipe.
func (a *app) readSecret(prompt string) (string, error) {
	if !isTerminal(a.stdin) {
		line, err := readLine(a.stdin)
		if err != nil && !errors.Is(err, formview.ErrInputEnded) {
			return "", fmt.Errorf("read from standard input: %w", err)
		}
		return strings.TrimRight(line, "\r"), nil
	}
	return a.askHidden(a.stdin.(*os.File), prompt)
}

func (a *app) askHidden(terminal *os.File, prompt string) (string, error) {
	fmt.Fprint(a.stderr, prompt)
	typed, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(a.stderr)
	if err != nil {
		return "", fmt.Errorf("read from the hidden prompt: %w", err)
	}
	return string(typed), nil
}

// askPassphrase asks for the passphrase of an encrypted key. It asks on the terminal even if standard input is a pipe,
// because the pipe then contains the key or a file.
func (a *app) askPassphrase(_ context.Context, profile string, choose bool) (string, error) {
	terminal, done, err := a.openTerminal()
	if err != nil {
		return "", err
	}
	defer done()
	passphrase, err := a.askHidden(terminal, fmt.Sprintf("Passphrase for the key of %s: ", profile))
	if err != nil || !choose {
		return passphrase, err
	}
	again, err := a.askHidden(terminal, "Repeat the passphrase: ")
	if err != nil {
		return "", err
	}
	if passphrase != again {
		return "", errors.New("the passphrases do not match")
	}
	return passphrase, nil
}

// openTerminal returns the terminal and a function that closes it.
func (a *app) openTerminal() (*os.File, func(), error) {
	if file, ok := a.stdin.(*os.File); ok && isTerminal(file) {
		return file, func() {}, nil
	}
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil || !isTerminal(file) {
		return nil, nil, errNoTerminalToAsk
	}
	return file, func() { file.Close() }, nil
}

// confirmIrreversible asks before a change that cannot be undone. Without a terminal it requires --yes.
func (a *app) confirmIrreversible(yes bool, question string) error {
	if err := a.requireConfirmation(yes); err != nil || yes || a.flags.dryRun {
		return err
	}
	fmt.Fprintf(a.stderr, "%s Type yes to continue: ", question)
	answer, err := readLine(a.stdin)
	if err != nil && !errors.Is(err, formview.ErrInputEnded) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(strings.ToLower(answer)) != "yes" {
		a.printNote("Cancelled.")
		return exitError{exitFailure}
	}
	return nil
}

// requireConfirmation returns a usage error if a change is not confirmed and nobody can be asked.
func (a *app) requireConfirmation(yes bool) error {
	if !yes && !a.flags.dryRun && (!isTerminal(a.stdin) || !a.stderr.terminal) {
		return usageError{errors.New("this cannot be undone: use --yes to confirm")}
	}
	return nil
}
