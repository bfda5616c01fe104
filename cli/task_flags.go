package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// fieldFlags are flags made from the table of a task's fields, so that the command line and files name things alike.
type fieldFlags struct {
	texts    map[string]*string
	switches map[string]*bool
	order    []taskimport.Field
	metadata []string
	custom   []string
	set      *pflag.FlagSet
}

// addFieldFlags defines a flag for each field that want lets through.
func addFieldFlags(set *pflag.FlagSet, fields []taskimport.Field, want func(name string) bool) *fieldFlags {
	f := &fieldFlags{texts: map[string]*string{}, switches: map[string]*bool{}, set: set}
	for _, field := range fields {
		// A location is one flag; longitude and latitude alone are for columns of files.
		if field.Name == "longitude" || field.Name == "latitude" || !want(field.Name) {
			continue
		}
		about := field.About
		if field.Switch {
			f.switches[field.Name] = set.Bool(field.FlagName(), false, strings.TrimSuffix(about, ", yes or no"))
		} else {
			f.texts[field.Name] = set.String(field.FlagName(), "", about+"; such as "+field.Example)
		}
		f.order = append(f.order, field)
	}
	return f
}

// addDataFlags defines the flags for what organizations add to tasks.
func (f *fieldFlags) addDataFlags() {
	f.set.StringArrayVar(&f.metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; may be given several times")
	f.set.StringArrayVar(&f.custom, "field", nil, "a custom field as KEY=VALUE or KEY:TYPE=VALUE; may be given several times")
}

func anyField(string) bool { return true }

// isSet reports whether any of the flags was given.
func (f *fieldFlags) isSet() bool {
	for _, field := range f.order {
		if f.set.Changed(field.FlagName()) {
			return true
		}
	}
	return len(f.metadata)+len(f.custom) > 0
}

// value is the text of a flag.
func (f *fieldFlags) value(name string) string {
	if text, ok := f.texts[name]; ok {
		return *text
	}
	return ""
}

// draft collects what the flags say.
func (f *fieldFlags) draft(ctx context.Context, s *session) (*taskimport.Draft, error) {
	d := taskimport.NewDraft(taskimport.Options{
		Now: s.nowMillis(), Zone: s.loadTimeZone(ctx), Team: func(name string) (model.ID, error) { return s.teamID(ctx, name) },
	})
	for _, field := range f.order {
		if !f.set.Changed(field.FlagName()) {
			continue
		}
		value := f.value(field.Name)
		if on, ok := f.switches[field.Name]; ok {
			value = fmt.Sprint(*on)
		}
		if err := d.Set(field.Name, value); err != nil {
			return nil, flagError(field.FlagName(), err)
		}
	}
	for _, list := range []struct {
		flag, prefix string
		texts        []string
	}{{"meta", "meta:", f.metadata}, {"field", "field:", f.custom}} {
		for _, text := range list.texts {
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				return nil, flagError(list.flag, fmt.Errorf("%.60q has no value; use NAME=VALUE or NAME:TYPE=VALUE", model.Clean(text)))
			}
			if err := d.Set(list.prefix+name, value); err != nil {
				return nil, flagError(list.flag, err)
			}
		}
	}
	for _, t := range d.Times() {
		s.printParsedTime(ctx, t.Field, t.At)
	}
	return d, nil
}

// flagError says which flag is wrong; failures of the service stay what they are.
func flagError(flag string, err error) error {
	if _, ok := errors.AsType[*apiclient.Error](err); ok || exitCode(err) != exitFailure {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return usageError{fmt.Errorf("--%s: %w", flag, err)}
}

// inFlagWords addresses problems by the flags that cause them.
func inFlagWords(problems model.Problems) model.Problems {
	fields := taskimport.Fields()
	renamed := slices.Clone(problems)
	members := strings.NewReplacer("completeAfter", "--after", "completeBefore", "--before")
	for i, p := range renamed {
		renamed[i].Text = members.Replace(p.Text)
		column := taskimport.ColumnOf(p.Field)
		for _, field := range fields {
			if field.Name == column {
				renamed[i].Field = "--" + field.FlagName()
			}
		}
	}
	return renamed
}

// readJSON reads one JSON document from a file or from standard input.
func (a *app) readJSON(path string, into any) error {
	data, err := a.readFile(path, taskimport.MaxFileBytes)
	if err != nil {
		return err
	}
	if err := model.Unmarshal(data, into); err != nil {
		return usageError{fmt.Errorf("%s: %s", displayPath(path), describeJSONError(err))}
	}
	return nil
}

func displayPath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
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

// addFromJSON defines the flag that takes the whole body from a file.
func addFromJSON(cmd *cobra.Command, path *string, what string) {
	cmd.Flags().StringVar(path, "from-json", "", "take the whole "+what+" from a JSON file, or from standard input with -")
}

var errJSONAndFlags = usageError{errors.New("--from-json takes the whole body from the file; give no other fields beside it")}
