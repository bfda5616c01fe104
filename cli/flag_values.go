package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// wholeNumber is the value of a flag that counts something. What is too small is refused where every other slip of the
// command line is, before anything is asked for.
type wholeNumber struct {
	to    *int
	least int
}

// wholeNumberVar defines a flag for a number that is at least so much.
func wholeNumberVar(set *pflag.FlagSet, to *int, name string, value, least int, usage string) {
	*to = value
	set.Var(&wholeNumber{to: to, least: least}, name, usage)
}

// Set reads the number.
func (w *wholeNumber) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	if n < w.least {
		return fmt.Errorf("it must be at least %d", w.least)
	}
	*w.to = n
	return nil
}

// String is the number as it stands.
func (w *wholeNumber) String() string {
	if w.to == nil {
		return "0"
	}
	return strconv.Itoa(*w.to)
}

// Type is the word for it in the help.
func (w *wholeNumber) Type() string { return "int" }

// span is the value of a flag that is a length of time; none at all and less are slips.
type span struct{ to *time.Duration }

// spanVar defines a flag for a length of time.
func spanVar(set *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	set.Var(&span{to: to}, name, usage)
}

// Set reads the length.
func (s *span) Set(text string) error {
	length, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	if length <= 0 {
		return errors.New("it must be longer than nothing, such as 30s")
	}
	*s.to = length
	return nil
}

// String is the length as it stands.
func (s *span) String() string {
	if s.to == nil || *s.to == 0 {
		return "0"
	}
	return s.to.String()
}

// Type is the word for it in the help.
func (s *span) Type() string { return "duration" }

// wrongValue says what is wrong with the value of a flag, without the words of the library that read it.
func wrongValue(e *pflag.InvalidValueError) string {
	flag := e.GetFlag()
	reason := e.Unwrap().Error()
	if _, ok := errors.AsType[*strconv.NumError](e); ok || flag.Value.Type() == "duration" && isTimeError(reason) {
		reason = "write " + wantedValue(flag.Value.Type())
	}
	return fmt.Sprintf("--%s: %.40q is no good; %s", flag.Name, e.GetValue(), reason)
}

func isTimeError(reason string) bool { return strings.HasPrefix(reason, "time: ") }

// wantedValue says what a flag of a type takes.
func wantedValue(kind string) string {
	switch kind {
	case "duration":
		return "a length of time such as 30s or 5m"
	case "bool":
		return "true or false"
	case "float64":
		return "a number such as 2.5"
	}
	return "a whole number such as 20"
}
