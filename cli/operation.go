package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
)

// operationCall is one call of an operation by a command.
type operationCall struct {
	operation string
	noun      string
	selection operations.Selection
	flags     map[string][]string // values of the set flags
	body      []byte
	yes       bool // confirmed beforehand
	readsOnly bool // nothing is sent, so read-only accounts allow it
	maySkip   bool // objects that cannot be changed are left out
}

// preparedOperation is an operation with its values and its proposal.
type preparedOperation struct {
	operations.Operation
	input    operations.Input
	values   form.Values
	proposal operations.Proposal
	// cancellable steps may be abandoned, because they can be continued later.
	cancellable bool
}

// prepare loads what an operation needs and prepares its proposal.
func (s *session) prepare(ctx context.Context, call operationCall) (preparedOperation, error) {
	definition, err := operations.FindDefinition(call.operation)
	if err == nil && !call.readsOnly && writes(call.operation) {
		err = s.checkWritable()
	}
	if err != nil {
		return preparedOperation{}, err
	}
	input := s.newInput(ctx)
	input.Body = call.body
	if definition.CommandNeeds.Organization || needsOrganization(&call) {
		input.Organization, err = s.organization(ctx)
		if err != nil && !s.flags.dryRun && !errors.Is(err, apiclient.ErrUnsupportedRoute) {
			return preparedOperation{}, err
		}
	}
	if !call.yes && s.stderr.terminal && len(call.selection.Tasks) > 0 {
		definition.CommandNeeds.Rows = true // for the preview before the question
	}
	p, err := s.createOperation(ctx, definition, input, call.selection, call.flags)
	if err != nil {
		return p, err
	}
	if p.values, err = p.Form.ParseFlags(call.flags); err != nil {
		return p, asUsage(err)
	}
	s.printEchoes(&p.Form, p.values)
	var problems form.Problems
	if p.proposal, problems = p.Prepare(p.values); len(problems) > 0 {
		return p, p.flagProblems(call.noun, problems)
	}
	return p, nil
}

// newInput returns the input of an operation without objects and organization.
func (s *session) newInput(ctx context.Context) operations.Input {
	return operations.Input{Now: s.nowMillis(), Zone: s.loadTimeZone(ctx), WorkDir: workingDirectory()}
}

// createOperation finds the selected objects, reads what the operation needs and creates it.
func (s *session) createOperation(
	ctx context.Context, d operations.Definition, input operations.Input, selected operations.Selection, flags map[string][]string,
) (p preparedOperation, err error) {
	if p.input, err = operations.Load(ctx, s.client, d, input, selected, flags); err != nil {
		return p, asUsage(err)
	}
	p.Operation, err = d.New(p.input)
	return p, err
}

// checkWritable returns an error if changes are refused. A dry run changes nothing.
func (s *session) checkWritable() error {
	switch {
	case s.flags.dryRun:
		return nil
	case s.flags.readOnly:
		return fmt.Errorf("%w, because of --readonly", apiclient.ErrReadOnly)
	case s.account.profile.ReadOnly:
		return fmt.Errorf("%w, because the profile %s is read-only", apiclient.ErrReadOnly, model.Clean(s.account.profile.Name))
	}
	return nil
}

// writes reports whether an operation changes something. Operations without an action do.
func writes(operation string) bool {
	entry, err := findDoable(operation)
	return err != nil || entry.action.Writes
}

// needsOrganization reports whether the values of a call depend on the organization: phone numbers without a country code
// depend on its country.
func needsOrganization(call *operationCall) bool {
	for _, name := range []string{"phone", "recipient-phone"} {
		for _, phone := range call.flags[name] {
			if phone = strings.TrimSpace(phone); phone != "" && !strings.HasPrefix(phone, "+") {
				return true
			}
		}
	}
	return call.body != nil
}

// asUsage marks errors of flags and arguments as usage errors. Errors of the service and unknown objects keep their codes.
func asUsage(err error) error {
	_, isID := errors.AsType[*operations.IDError](err)
	_, isName := errors.AsType[*operations.NameError](err)
	_, isFlag := errors.AsType[*form.FlagError](err)
	if (isID || isName || isFlag) && exitCode(err) == exitFailure {
		return usageError{err}
	}
	return err
}

// flagProblems returns the problems of the form as an error that names flags instead of fields.
func (p *preparedOperation) flagProblems(what string, problems form.Problems) error {
	return problemsError(what, problems, func(name string) string {
		if field, ok := p.Form.Field(name); ok && field.FlagName() != "" {
			return "--" + field.FlagName()
		}
		return name
	})
}

// problemsError returns the problems of a form as an error. flag returns how the command line names a field.
func problemsError(what string, problems form.Problems, flag func(field string) string) error {
	var all model.Problems
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		all = append(all, model.Problem{Field: flag(name), Text: problems[name]})
	}
	return inputError{what, all}
}

// printEchoes prints on standard error how values such as times were understood.
func (s *session) printEchoes(f *form.Form, values form.Values) {
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Echo == nil || field.Object != "" || values[field.Name] == "" {
			continue
		}
		if text := field.Echo(values[field.Name], values); text != "" && text != values[field.Name] {
			s.printNote("%s: %s", cmp.Or(field.FlagName(), field.Name), text)
		}
	}
}
