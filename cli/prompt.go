package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

var errNobodyToAsk = errors.New("there is no terminal to ask on")

// readSecret reads a secret from a hidden prompt, or the first line of a pipe.
func (a *app) readSecret(prompt string) (string, error) {
	if !isTerminal(a.stdin) {
		line, err := bufio.NewReader(io.LimitReader(a.stdin, 4096)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read from standard input: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	fmt.Fprint(a.stderr, prompt)
	typed, err := term.ReadPassword(int(a.stdin.(*os.File).Fd()))
	fmt.Fprintln(a.stderr)
	if err != nil {
		return "", fmt.Errorf("read without showing it: %w", err)
	}
	return string(typed), nil
}

// askPassphrase asks for the passphrase of an encrypted key.
func (a *app) askPassphrase(_ context.Context, profile string, choose bool) (string, error) {
	if !isTerminal(a.stdin) {
		return "", errNobodyToAsk
	}
	passphrase, err := a.readSecret(fmt.Sprintf("Passphrase for the key of %s: ", profile))
	if err != nil || !choose {
		return passphrase, err
	}
	again, err := a.readSecret("The same passphrase again: ")
	if err != nil {
		return "", err
	}
	if passphrase != again {
		return "", errors.New("the two passphrases differ")
	}
	return passphrase, nil
}
