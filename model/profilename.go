package model

import (
	"errors"
	"fmt"
	"regexp"
)

// MaxProfileNameLength is the maximum length of a profile's name in bytes.
const MaxProfileNameLength = 64

// CheckProfileName returns why a text cannot be the name of a profile. The name is also a file name and an argument of
// the keyring tool of the system, so few characters are allowed.
func CheckProfileName(name string) error {
	switch {
	case name == "":
		return errors.New("it is empty")
	case len(name) > MaxProfileNameLength:
		return fmt.Errorf("it is longer than %d characters", MaxProfileNameLength)
	case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name):
		return errors.New("use letters, digits, dots, dashes and underscores, and begin with a letter or digit")
	}
	return nil
}
