package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/ui"
	"waybill/views/formview"
)

// doCommand is one run of do.
type doCommand struct {
	*session
	preparedOperation
	flags *doFlags
	entry doableOperation
	in    io.Reader // answers
	out   io.Writer // questions and results

	preset     map[string]bool            // fields set with --set
	shownNotes map[string]string          // notes that were printed already, by field
	shortIDs   map[model.ID]model.ShortID // short ids of created objects
	result     doResult
}

func (s *session) runDo(ctx context.Context, f *doFlags, entry doableOperation, words []string) error {
	if s.account.file == nil {
		return errNoAccount // a dry run has to read the board too
	}
	if entry.action.Writes && !f.fields {
		// The client refuses changes anyway; this avoids asking all questions first.
		if err := s.checkWritable(); err != nil {
			return fmt.Errorf("%s: %w", entry.action.ID, err)
		}
	}
	d := &doCommand{
		session: s, flags: f, entry: entry, out: s.stdout,
		preset: map[string]bool{}, shownNotes: map[string]string{}, shortIDs: map[model.ID]model.ShortID{},
	}
	if s.app.flags.json {
		d.out = s.stderr // standard output is for the result
	}
	if err := d.createFor(ctx, words); err != nil {
		return err
	}
	if f.fields {
		return d.printFields()
	}
	d.in = d.newAnswerReader(ctx)
	err := d.runDialogue(ctx)
	if s.app.flags.json && d.result.isComplete {
		if failed := s.printJSON(d.result); failed != nil {
			return failed
		}
	}
	return err
}

// createFor creates the operation for the objects that the words name.
func (d *doCommand) createFor(ctx context.Context, words []string) error {
	if d.stderr.terminal && !d.app.flags.noProgress {
		d.printNote("Reading the board…")
	}
	reading, _ := d.readOptions(d.account.file.Settings, d.now)
	snapshot, organization, err := ui.Read(ctx, d.client, reading)
	if err != nil {
		return err
	}
	input := d.newInput(ctx)
	input.Board, input.Organization = snapshot, organization
	var selected operations.Selection
	if len(d.entry.action.Requires.Kinds) == 0 {
		input.Argument = strings.Join(words, " ")
		err = checkArgument(d.entry.definition, input)
	} else {
		selected, err = d.entry.selectObjects(snapshot.Workers.Has, words)
	}
	if err != nil {
		return err
	}
	if d.preparedOperation, err = d.createOperation(ctx, d.entry.definition, input, selected, nil); err != nil {
		return fmt.Errorf("%s: %w", d.entry.action.ID, err)
	}
	return d.applySetFlags()
}

// checkArgument refuses the name of an unknown team, which the form would ignore.
func checkArgument(definition operations.Definition, s operations.Input) error {
	if !definition.TeamArgument || s.Argument == "" {
		return nil
	}
	if _, err := operations.FindTeam(s.Board, s.Argument); err != nil {
		return usageError{errors.New(err.Error())} // not wrapped: an unknown name is a usage error here
	}
	return nil
}

// selectObjects sorts the words by the kinds of objects that the action needs. A word that cannot be the id of another
// object is the name of a worker.
func (v doableOperation) selectObjects(isWorker func(model.ID) bool, words []string) (operations.Selection, error) {
	var selected operations.Selection
	switch {
	case len(words) == 0:
		return selected, usageError{fmt.Errorf("%s needs %s: add their ids or short ids", v.action.ID, v.describeNeeds())}
	case len(words) > 1 && !v.action.Bulk:
		return selected, usageError{fmt.Errorf("%s takes only one object, got %d", v.action.ID, len(words))}
	}
	needs := func(kind keymaps.Kind) bool { return slices.Contains(v.action.Requires.Kinds, kind) }
	for _, word := range words {
		isID := model.ID(word).Valid() || model.ShortID(word).Valid()
		switch {
		case needs(keymaps.Worker) && (!isID || isWorker(model.ID(word))):
			selected.Workers = append(selected.Workers, word)
		case needs(keymaps.Task):
			selected.Tasks = append(selected.Tasks, word)
		case needs(keymaps.Order):
			selected.Orders = append(selected.Orders, word)
		case needs(keymaps.Webhook):
			selected.Webhooks = append(selected.Webhooks, word)
		}
	}
	return selected, nil
}

// runDialogue asks for the fields, previews and runs the proposal, and asks again if the service refuses a value.
func (d *doCommand) runDialogue(ctx context.Context) error {
	if err := d.askFields(d.Form.Title, d.unansweredFields()); err != nil {
		return err
	}
	for {
		if err := d.prepareProposal(ctx); err != nil {
			return err
		}
		if err := d.printProposal(ctx); err != nil || d.app.flags.dryRun {
			return err
		}
		change, err := d.confirmSend()
		switch {
		case err != nil:
			return err
		case change:
			if err := d.askFields(d.Form.Title, d.Form.Fields); err != nil {
				return err
			}
			continue
		}
		refused, failed := d.runProposal(ctx)
		if refused == nil {
			return failed
		}
		if err := d.askFields("Please correct", []form.Field{*refused}); errors.Is(err, formview.ErrInputEnded) {
			return failed
		} else if err != nil {
			return err
		}
	}
}
