package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// importRecipients are the phone numbers of a file and who has them already. Creating a task with a known number renames
// its recipient on all tasks.
type importRecipients struct {
	input Input
	known *recipientCache
	// phones are in the order of the file, names are the file's.
	phones []string
	names  map[string]string
	board  map[string]string // names on the board by number
}

func newImportRecipients(s Input, known *recipientCache, file *taskimport.File) *importRecipients {
	p := &importRecipients{input: s, known: known, names: map[string]string{}, board: map[string]string{}}
	for _, row := range file.Valid() {
		person, phone := p.recipientOf(row.Task)
		if _, seen := p.names[phone]; phone != "" && !seen {
			p.phones = append(p.phones, phone)
			p.names[phone] = person.Name.Value()
		}
	}
	for task := range s.Board.Tasks.All() {
		if _, asked := p.names[task.Phone]; asked && task.RecipientName != "" {
			p.board[task.Phone] = task.RecipientName
		}
	}
	return p
}

// recipientOf is the recipient of a row and the phone number; empty without one or for a recipient given by id.
func (p *importRecipients) recipientOf(in model.TaskInput) (model.RecipientInput, string) {
	list := in.Recipients.Value()
	if len(list) == 0 || list[0].Object == nil {
		return model.RecipientInput{}, ""
	}
	phone, problems := list[0].Object.NormalizedPhone(p.input.Organization.Country)
	if len(problems) > 0 {
		return model.RecipientInput{}, ""
	}
	return *list[0].Object, phone
}

// renamed are the numbers that belong to another name, as far as that is known.
func (p *importRecipients) renamed() []string {
	return slices.DeleteFunc(slices.Clone(p.phones), func(phone string) bool {
		name := p.knownName(phone)
		return name == "" || p.names[phone] == "" || name == p.names[phone]
	})
}

// knownName is the name for a number at the service, or else on the board.
func (p *importRecipients) knownName(phone string) string {
	if known, asked := p.known.get(phone); asked {
		return known.Name
	}
	return p.board[phone]
}

// lines describe what happens to known recipients.
func (p *importRecipients) lines(keep bool) []Line {
	if len(p.phones) == 0 {
		return nil
	}
	renamed := p.renamed()
	var examples []string
	for _, phone := range renamed[:min(3, len(renamed))] {
		examples = append(examples, fmt.Sprintf("%s as %s", model.Clean(p.knownName(phone)), model.Clean(p.names[phone])))
	}
	if more := len(renamed) - len(examples); more > 0 {
		examples = append(examples, fmt.Sprintf("%d more", more))
	}
	switch {
	case keep && len(renamed) > 0:
		return []Line{{Text: fmt.Sprintf("%s known under other names (%s). The recipients keep their names; the file's names are for these tasks only.",
			numbersText(len(renamed)), strings.Join(examples, ", "))}, p.lookupLine()}
	case keep:
		return []Line{{Text: "Known recipients keep their names; the file's names are for these tasks only."}, p.lookupLine()}
	case len(renamed) > 0:
		return []Line{{Text: fmt.Sprintf("%s would be renamed on all tasks: %s. The service may know more.",
			model.FormatCount(len(renamed), "known number"), strings.Join(examples, ", ")), Warning: true}}
	}
	return []Line{{Text: "Known numbers would get the names of the file, on all of their tasks.", Warning: true}}
}

func numbersText(n int) string { return model.FormatCount(n, "number") + plural(n, " is", " are") }

// lookupLine says that each number is looked up first.
func (p *importRecipients) lookupLine() Line {
	return Line{Text: fmt.Sprintf("Before sending, %s looked up.", model.FormatCount(len(p.phones), "number")+plural(len(p.phones), " is", " are"))}
}

// parallelLookups is how many numbers are looked up at once.
const parallelLookups = 4

// readRecipients looks up who has the numbers, each once. It stops at the first error.
func (p *importRecipients) readRecipients(ctx context.Context, c *apiclient.Client, phones []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan string)
	var group sync.WaitGroup
	for range parallelLookups {
		group.Go(func() {
			for phone := range queue {
				if err := p.readRecipient(ctx, c, phone); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i, phone := range phones {
		if ctx.Err() != nil {
			break
		}
		reportProgress(ctx, StepProgress{
			Done: i, Total: len(phones),
			Text: fmt.Sprintf("%d of %d numbers looked up, nothing sent yet", i, len(phones)),
		})
		queue <- phone
	}
	close(queue)
	group.Wait()
	return context.Cause(ctx)
}

func (p *importRecipients) readRecipient(ctx context.Context, c *apiclient.Client, phone string) error {
	if _, asked := p.known.get(phone); asked {
		return nil
	}
	known, err := c.RecipientByPhone(ctx, phone, false)
	if err != nil && !errors.Is(err, apiclient.ErrNotFound) {
		return fmt.Errorf("nothing was sent: cannot look up %s: %w", phone, err)
	}
	p.known.put(phone, known)
	return nil
}

// renamedSample are numbers with another name on the board, to be looked up for the note.
func (p *importRecipients) renamedSample() []string {
	const most = 100
	renamed := p.renamed()
	return renamed[:min(most, len(renamed))]
}

// keepNames is the file with known recipients unchanged. The hashes of rows stay, for the journal.
func (p *importRecipients) keepNames(file *taskimport.File) *taskimport.File {
	kept := *file
	kept.Rows = slices.Clone(file.Rows)
	for i := range kept.Rows {
		person, phone := p.recipientOf(kept.Rows[i].Task)
		if known, _ := p.known.get(phone); phone != "" && known.ID != "" {
			kept.Rows[i].Task = withKnownRecipient(kept.Rows[i].Task, person, known)
		}
	}
	return &kept
}
