package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// minInt is the value of an int flag with a minimum.
type minInt struct {
	target *int
	min    int
}

// minIntVar defines an int flag with a minimum.
func minIntVar(set *pflag.FlagSet, to *int, name string, value, least int, usage string) {
	*to = value
	set.Var(&minInt{target: to, min: least}, name, usage)
}

// Set implements pflag.Value.
func (w *minInt) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	if n < w.min {
		return fmt.Errorf("must be at least %d", w.min)
	}
	*w.target = n
	return nil
}

// String implements pflag.Value.
func (w *minInt) String() string {
	if w.target == nil {
		return "0"
	}
	return strconv.Itoa(*w.target)
}

// Type implements pflag.Value.
func (w *minInt) Type() string { return "int" }

// positiveDuration is the value of a duration flag that must be greater than zero.
type positiveDuration struct{ target *time.Duration }

// positiveDurationVar defines a duration flag that must be greater than zero.
func positiveDurationVar(set *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	set.Var(&positiveDuration{target: to}, name, usage)
}

// Set implements pflag.Value.
func (s *positiveDuration) Set(text string) error {
	length, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	if length <= 0 {
		return errors.New("must be greater than 0, such as 30s")
	}
	*s.target = length
	return nil
}

// String implements pflag.Value.
func (s *positiveDuration) String() string {
	if s.target == nil || *s.target == 0 {
		return "0"
	}
	return s.target.String()
}

// Type implements pflag.Value.
func (s *positiveDuration) Type() string { return "duration" }

// describeFlagError describes an invalid value of a flag without the wording of the parser.
func describeFlagError(e *pflag.InvalidValueError) string {
	flag := e.GetFlag()
	reason := e.Unwrap().Error()
	if _, ok := errors.AsType[*strconv.NumError](e); ok || flag.Value.Type() == "duration" && isTimeError(reason) {
		reason = "use " + describeFlagType(flag.Value.Type())
	}
	return fmt.Sprintf("--%s: invalid value %.40q: %s", flag.Name, e.GetValue(), reason)
}

func isTimeError(reason string) bool { return strings.HasPrefix(reason, "time: ") }

// describeFlagType describes the values of a flag type.
func describeFlagType(kind string) string {
	switch kind {
	case "duration":
		return "a duration such as 30s or 5m"
	case "bool":
		return "true or false"
	case "float64":
		return "a number such as 2.5"
	}
	return "a whole number such as 20"
}
