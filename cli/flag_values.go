package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// checkedValue is the value of a flag that must also pass a check.
type checkedValue struct {
	pflag.Value
	check func() error
}

// Set implements pflag.Value.
func (v checkedValue) Set(text string) error {
	if err := v.Value.Set(text); err != nil {
		return err
	}
	return v.check()
}

// checkFlag adds a check to the value of a flag.
func checkFlag(set *pflag.FlagSet, name string, check func() error) {
	flag := set.Lookup(name)
	flag.Value = checkedValue{flag.Value, check}
}

// minIntVar defines an int flag with a minimum.
func minIntVar(set *pflag.FlagSet, to *int, name string, value, least int, usage string) {
	set.IntVar(to, name, value, usage)
	checkFlag(set, name, func() error {
		if *to < least {
			return fmt.Errorf("must be at least %d", least)
		}
		return nil
	})
}

// positiveDurationVar defines a duration flag that must be greater than zero.
func positiveDurationVar(set *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	set.DurationVar(to, name, value, usage)
	if value == 0 {
		set.Lookup(name).DefValue = "0" // the help hides this default
	}
	checkFlag(set, name, func() error {
		if *to <= 0 {
			return errors.New("must be greater than 0, such as 30s")
		}
		return nil
	})
}

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
