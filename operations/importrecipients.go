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

// importRecipients are the numbers of a file and whom they belong to already. A task made with a known number renames its
// recipient for all of their tasks, which nobody expects of a file of deliveries.
type importRecipients struct {
	input Input
	known *recipientCache
	// names are what the file calls the owner of each number, in the order of the file.
	phones []string
	names  map[string]string
	board  map[string]string // the names under which the board has met the numbers
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

// recipientOf is the recipient of a row with their number; no number when there is none, or when they are given by id.
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

// renamed are the numbers that belong to someone of another name, as far as anyone has told.
func (p *importRecipients) renamed() []string {
	return slices.DeleteFunc(slices.Clone(p.phones), func(phone string) bool {
		name := p.knownName(phone)
		return name == "" || p.names[phone] == "" || name == p.names[phone]
	})
}

// knownName is whose a number is: by the service's word, else by the board's.
func (p *importRecipients) knownName(phone string) string {
	if known, asked := p.known.get(phone); asked {
		return known.Name
	}
	return p.board[phone]
}

// lines say what becomes of known recipients.
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
		return []Line{{Text: fmt.Sprintf("%s known under other names (%s). Their recipients keep their names; those of the file are for these tasks only.",
			numbersText(len(renamed)), strings.Join(examples, ", "))}, p.lookupLine()}
	case keep:
		return []Line{{Text: "Recipients who are known keep their names; those of the file are for these tasks only."}, p.lookupLine()}
	case len(renamed) > 0:
		return []Line{{Text: fmt.Sprintf("%s would be renamed for all of their tasks: %s. More may be known to the service.",
			routeCountNoun(len(renamed), "known number"), strings.Join(examples, ", ")), Warning: true}}
	}
	return []Line{{Text: "Numbers that the service knows would take the names of the file, for all of their tasks.", Warning: true}}
}

func numbersText(n int) string { return routeCountNoun(n, "number") + plural(n, " is", " are") }

// lookupLine says that keeping names takes a look at each number.
func (p *importRecipients) lookupLine() Line {
	return Line{Text: fmt.Sprintf("Before anything is sent, %s looked up.", routeCountNoun(len(p.phones), "number")+plural(len(p.phones), " is", " are"))}
}

// parallelLookups is how many numbers are asked for at a time; the request budget is the limit.
const parallelLookups = 4

// readRecipients finds out whose the numbers are, each once. It stops at the first that cannot be asked.
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
		reportProgress(ctx, StepProgress{Done: i, Total: len(phones), Text: fmt.Sprintf("%d of %d numbers looked up, nothing sent yet", i, len(phones))})
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
		return fmt.Errorf("nothing was sent, because it could not be found out whether %s is known: %w", phone, err)
	}
	p.known.put(phone, known)
	return nil
}

// renamedSample are the numbers that the board has met under another name: worth a look before anyone decides.
func (p *importRecipients) renamedSample() []string {
	const most = 100
	renamed := p.renamed()
	return renamed[:min(most, len(renamed))]
}

// keepNames is the file with known recipients as they are. Rows stay the rows that they were for the journal.
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
