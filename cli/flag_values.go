package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// minInt is the value of a flag that counts something. What is too small is refused where every other slip of the
// command line is, before anything is asked for.
type minInt struct {
	target    *int
	min int
}

// minIntVar defines a flag for a number that is at least so much.
func minIntVar(set *pflag.FlagSet, to *int, name string, value, least int, usage string) {
	*to = value
	set.Var(&minInt{target: to, min: least}, name, usage)
}

// Set reads the number.
func (w *minInt) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	if n < w.min {
		return fmt.Errorf("it must be at least %d", w.min)
	}
	*w.target = n
	return nil
}

// String is the number as it stands.
func (w *minInt) String() string {
	if w.target == nil {
		return "0"
	}
	return strconv.Itoa(*w.target)
}

// Type is the word for it in the help.
func (w *minInt) Type() string { return "int" }

// positiveDuration is the value of a flag that is a length of time; none at all and less are slips.
type positiveDuration struct{ target *time.Duration }

// positiveDurationVar defines a flag for a length of time.
func positiveDurationVar(set *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	set.Var(&positiveDuration{target: to}, name, usage)
}

// Set reads the length.
func (s *positiveDuration) Set(text string) error {
	length, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	if length <= 0 {
		return errors.New("it must be longer than nothing, such as 30s")
	}
	*s.target = length
	return nil
}

// String is the length as it stands.
func (s *positiveDuration) String() string {
	if s.target == nil || *s.target == 0 {
		return "0"
	}
	return s.target.String()
}

// Type is the word for it in the help.
func (s *positiveDuration) Type() string { return "duration" }

// describeFlagError says what is wrong with the value of a flag, without the words of the library that read it.
func describeFlagError(e *pflag.InvalidValueError) string {
	flag := e.GetFlag()
	reason := e.Unwrap().Error()
	if _, ok := errors.AsType[*strconv.NumError](e); ok || flag.Value.Type() == "duration" && isTimeError(reason) {
		reason = "write " + describeFlagType(flag.Value.Type())
	}
	return fmt.Sprintf("--%s: %.40q is no good; %s", flag.Name, e.GetValue(), reason)
}

func isTimeError(reason string) bool { return strings.HasPrefix(reason, "time: ") }

// describeFlagType says what a flag of a type takes.
func describeFlagType(kind string) string {
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
