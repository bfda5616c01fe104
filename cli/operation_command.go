package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// operationCommand describes a command that runs one operation: its flags are the fields of the operation's form.
type operationCommand struct {
	operation string
	noun      string // what is sent, for errors: "the task"
	// argument is the field that the argument of the command sets; it gets no flag.
	argument string
	// defaults are values of flags that are not set.
	defaults map[string]string
	// fromJSON adds --from-json, which replaces the form by a whole request body.
	fromJSON bool
	required []string // flags
	print    func(ctx context.Context, s *session, result operations.Result) error
}

// newOperationCommand adds the flags of an operation to a command and makes the command run it.
func (a *app) newOperationCommand(cmd *cobra.Command, o operationCommand) *cobra.Command {
	fields := addOperationFlags(cmd.Flags(), o.operation, o.argument)
	var path string
	if o.fromJSON {
		cmd.Flags().StringVar(&path, "from-json", "", "read the whole request body from this JSON file, or from standard input with -")
	}
	for _, name := range o.required {
		_ = cmd.MarkFlagRequired(name)
	}
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{operation: o.operation, noun: o.noun, flags: setFlags(cmd.Flags(), fields)}
		if path != "" {
			if len(call.flags) > 0 {
				return usageError{errors.New("--from-json reads the whole body; it cannot be combined with other fields")}
			}
			var err error
			if call.body, err = a.readFile(path, taskimport.MaxFileBytes); err != nil {
				return err
			}
		} else {
			for name, value := range o.defaults {
				if call.flags[name] == nil {
					call.flags[name] = []string{value}
				}
			}
		}
		if o.argument != "" {
			call.flags[o.argument] = args
		} else {
			call.selection.Tasks = args // of tasks clone and tasks update; the other commands take no arguments
		}
		result, err := s.runSingle(ctx, call)
		if err != nil {
			return describeBodyError(err, path)
		}
		return o.print(ctx, s, result)
	})
	return cmd
}

func describeBodyError(err error, path string) error {
	if body, ok := errors.AsType[*operations.BodyError](err); ok {
		return usageError{fmt.Errorf("%s: %s", displayPath(path), describeJSONError(body.Err))}
	}
	return err
}

// addYesFlag adds the flag that confirms a change that cannot be undone.
func addYesFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().BoolP("yes", "y", false, "do not ask for confirmation")
}

// readFile reads a whole file, or standard input for "-".
func (a *app) readFile(path string, limit int64) ([]byte, error) {
	in := a.stdin
	if path != "-" {
		file, err := os.Open(a.env.Expand(path))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	} else if isTerminal(a.stdin) {
		a.printNote("Reading from the terminal; end with Ctrl-D.")
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB", displayPath(path), limit>>20)
	}
	return data, err
}

func displayPath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// addOperationFlags defines a flag for each field of an operation except the named one. It returns the fields.
func addOperationFlags(set *pflag.FlagSet, operation, except string) []form.Field {
	definition, err := operations.FindDefinition(operation)
	if err != nil {
		panic(err) // a mistake in the table of commands
	}
	fields := definition.FlagFields()
	for i := range fields {
		f := &fields[i]
		name, usage := f.FlagName(), f.FlagUsage()
		switch {
		case name == "" || name == except || set.Lookup(name) != nil:
		case f.Kind == form.Yes:
			set.Bool(name, false, usage)
		case f.Flag.Join == ",":
			set.StringSlice(name, nil, usage)
		case f.Flag.Join != "":
			set.StringArray(name, nil, usage)
		default:
			set.String(name, "", usage)
		}
	}
	return fields
}

// setFlags returns the values of the flags of fields that are set on the command line.
func setFlags(set *pflag.FlagSet, fields []form.Field) map[string][]string {
	values := map[string][]string{}
	for i := range fields {
		flag := set.Lookup(fields[i].FlagName())
		if flag == nil || !flag.Changed {
			continue
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values[flag.Name] = list.GetSlice()
		} else {
			values[flag.Name] = []string{flag.Value.String()}
		}
	}
	return values
}
