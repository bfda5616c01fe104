package world

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"

	"waybill/model"
	"waybill/service/store"
)

// Limits of a permanent password. Short ones can be guessed, and the hash uses at most 72 bytes.
const (
	minPassword = 8
	maxPassword = 72
	// minDistinct is how many different characters a password needs.
	minDistinct = 4
)

// hashTemporary hashes a temporary password. A low cost is enough, because the password is random: it has 49 bits.
func hashTemporary(password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		return "", fmt.Errorf("hash the temporary password: %w", err)
	}
	return string(hash), nil
}

// checkPassword refuses a password that is easily guessed.
func checkPassword(password, phone string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || len(password) > maxPassword {
		return Invalid("The password must have at least %d characters and at most %d bytes.", minPassword, maxPassword)
	}
	folded := strings.ToLower(password)
	if isCommonPassword(folded) || isSequence(folded) || countDistinct(folded) < minDistinct || strings.Contains(phone, strings.TrimPrefix(folded, "+")) {
		return Invalid("This password is easily guessed. Use several words, and not your phone number.")
	}
	return nil
}

func isCommonPassword(folded string) bool {
	return slices.Contains([]string{
		"password", "password1", "password12", "password123", "passw0rd", "p@ssw0rd", "qwertyui", "qwertyuiop", "qwerty12", "qwerty123",
		"1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "qazwsxedc", "asdfghjk", "asdfghjkl", "zxcvbnm1", "iloveyou", "sunshine", "princess", "football",
		"baseball", "superman", "trustno1", "welcome1", "letmein1", "starwars", "computer", "whatever", "michelle", "jennifer", "12341234",
		"123123123", "1234567890", "abcd1234", "abc12345", "a1b2c3d4", "changeme", "waybill1", "driver123",
	}, folded)
}

// isSequence reports whether every character follows the one before, up or down, such as 12345678.
func isSequence(text string) bool {
	up, down := true, true
	previous := rune(-1)
	for _, r := range text {
		if previous >= 0 {
			up, down = up && r == previous+1, down && r == previous-1
		}
		previous = r
	}
	return up || down
}

func countDistinct(text string) int {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
}

// The password of an invitation is between these texts.
const beforePassword, afterPassword = "temporary password ", ", then choose your own."

// waitingPassword returns the password in an invitation that was not sent yet.
func waitingPassword(invitation string) model.Opt[string] {
	_, rest, _ := strings.Cut(invitation, beforePassword)
	password, _, found := strings.Cut(rest, afterPassword)
	if !found {
		return model.Opt[string]{}
	}
	return model.Some(password)
}

// eraseInvitations removes the texts with the temporary password of a driver who has an own password.
func eraseInvitations(ctx context.Context, tx *store.Tx, worker model.ID) {
	tx.Write(ctx, "erase invitation", "UPDATE outbox SET body = '' WHERE worker = $1 AND kind = $2", worker, MessageInvitation)
}
