package form

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"waybill/model"
)

// Flag describes a field as a flag of a command. The zero value is a flag with the field's name and texts.
type Flag struct {
	// Name is the flag's name where it is not the field's with dashes.
	Name string
	// Usage is the help text where it is not made from About and Hint.
	Usage string
	// None marks fields that commands have no flag for, such as a choice that other flags imply.
	None bool
	// Join makes the flag repeatable: it joins the given values, with a newline or a comma.
	Join string
	// Implies are values of other fields that come with the flag: --worker implies assign=worker.
	Implies Values
}

// FlagName is the name of the field's flag; empty when it has none.
func (f *Field) FlagName() string {
	if f.Flag.None || f.Kind == Secret {
		return ""
	}
	return cmp.Or(f.Flag.Name, strings.ReplaceAll(f.Name, "_", "-"))
}

// FlagUsage is the help text of the field's flag.
func (f *Field) FlagUsage() string {
	if f.Flag.Usage != "" {
		return f.Flag.Usage
	}
	usage := cmp.Or(f.About, strings.ToLower(f.Title))
	if names := f.OptionNames(); len(names) > 0 {
		usage += ": " + strings.Join(names, ", ")
	}
	if f.Hint != "" {
		usage += "; such as " + f.Hint
	}
	return usage
}

// OptionNames are the words that a Choice accepts: values, or labels where values are ids or empty.
func (f *Field) OptionNames() []string {
	var names []string
	for _, o := range f.Options {
		if o.Value == "" || model.ID(o.Value).Valid() {
			names = append(names, o.Label)
		} else {
			names = append(names, o.Value)
		}
	}
	return names
}

// Parse turns a text from the command line into a value: options by value, label or alias, switches by yes and no, and a
// part of a name where only one suggestion fits.
func (f *Field) Parse(text string, values Values) (string, error) {
	switch f.Kind {
	case Secret:
		return "", errors.New("a secret must not be given on the command line, where others can read it; answer the question instead")
	case Yes:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "yes", "y", "true":
			return "yes", nil
		case "", "no", "n", "false":
			return "", nil
		}
		return "", fmt.Errorf("%.60q is neither yes nor no", model.Clean(text))
	case Choice:
		return f.parseChoice(text)
	case Line, Text:
	}
	if f.Check == nil {
		return text, nil
	}
	err := f.Check(text)
	if err != nil && f.Suggest != nil {
		if options := f.Suggest(text, values); len(options) == 1 {
			return options[0].Value, nil
		}
	}
	return text, err
}

func (f *Field) parseChoice(text string) (string, error) {
	wanted := strings.TrimSpace(text)
	for _, o := range f.Options {
		names := append([]string{o.Value, o.Label}, o.Aliases...)
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, wanted) }) {
			return o.Value, nil
		}
	}
	return "", fmt.Errorf("%.60q is not one of %s", model.Clean(text), strings.Join(f.OptionNames(), ", "))
}

// FlagError is a flag whose value cannot be used.
type FlagError struct {
	Flag string // without dashes
	Err  error
}

func (e *FlagError) Error() string { return "--" + e.Flag + ": " + e.Err.Error() }

func (e *FlagError) Unwrap() error { return e.Err }

// ParseFlags turns the given flags, by name, into values. It does not start from [Form.Start]: a command sends only what
// was given.
func (f *Form) ParseFlags(given map[string][]string) (Values, error) {
	values := Values{}
	for i := range f.Fields {
		field := &f.Fields[i]
		texts := given[field.FlagName()]
		if len(texts) == 0 || field.FlagName() == "" {
			continue
		}
		if field.Flag.Join == "" {
			texts = texts[len(texts)-1:]
		}
		value, err := field.Parse(strings.Join(texts, field.Flag.Join), values)
		if err != nil {
			return nil, &FlagError{field.FlagName(), err}
		}
		if value == "" {
			continue
		}
		values[field.Name] = value
		for name, implied := range field.Flag.Implies {
			if values[name] == "" {
				values[name] = implied
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if field, ok := f.Field(name); ok && len(given[field.FlagName()]) > 0 && !field.Shown(values) {
			return nil, &FlagError{field.FlagName(), errors.New("this cannot be combined with the other flags")}
		}
	}
	return values, nil
}
