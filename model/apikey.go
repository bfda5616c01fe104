package model

import (
	"fmt"
	"unicode/utf8"
)

// CheckKeyCharacters returns which character of a text cannot be part of an API key. It does not show the key.
func CheckKeyCharacters(key string) error {
	for position, char := range key {
		if reason := keyCharacterProblem(char); reason != "" {
			return fmt.Errorf("character %d is %s", utf8.RuneCountInString(key[:position])+1, reason)
		}
	}
	return nil
}

// keyCharacterProblem returns why a character cannot be part of a key. Basic authentication ends the user name at a colon.
func keyCharacterProblem(char rune) string {
	switch {
	case char == '\n' || char == '\r':
		return "a line break; copy only the key"
	case char == ' ' || char == '\t':
		return "a space; copy only the key"
	case char < ' ' || char == 0x7f:
		return fmt.Sprintf("the control character %U; copy the key again", char)
	case char > 0x7f:
		return fmt.Sprintf("%U, which is not plain ASCII; copy the key again", char)
	case char == ':':
		return "a colon, which a key cannot contain"
	}
	return ""
}
