package operations

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// recipientFieldNames are the fields of a recipient that drafts know by the same name.
func recipientFieldNames() []string {
	return []string{"recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "recipient_id"}
}

// recipientFields ask who is at the place.
func recipientFields(s Input, page string) []form.Field {
	name := taskField(s, "recipient_name", "Name", page)
	name.Suggest = func(text string, _ form.Values) []form.Option {
		var options []form.Option
		for _, known := range s.Board.KnownRecipients(strings.TrimSpace(text), maxSuggestions) {
			if known.Name != "" {
				options = append(options, form.Option{Value: known.Name, Label: known.Name, Note: known.Phone})
			}
		}
		return options
	}
	phone := taskField(s, "recipient_phone", "Phone", page)
	phone.About = "a known number stands for the recipient who has it"
	phone.Check = unlessEmpty(func(value string) error {
		_, problems := model.NormalizePhone(value, s.Organization.Country)
		return problems.Err()
	})
	phone.Suggest = func(text string, values form.Values) []form.Option { return suggestPhones(s, text, values) }
	phone.Echo = func(value string, _ form.Values) string {
		number, problems := model.NormalizePhone(value, s.Organization.Country)
		if len(problems) > 0 {
			return ""
		}
		if name := boardRecipientName(s, number); name != "" {
			return number + ", known as " + name
		}
		return number
	}
	keep := form.Field{
		Name: "keep_recipient", Title: "For this task only", Page: page, Kind: form.Yes,
		About: "a known recipient keeps the stored name and notes; these count for this task alone",
		Show:  func(v form.Values) bool { return v.Get("recipient_phone") != "" },
	}
	id := taskField(s, "recipient_id", "Recipient's id", page)
	return []form.Field{
		name, phone, taskField(s, "recipient_notes", "Notes on the recipient", page), keep,
		taskField(s, "skip_sms", "No SMS", page), id,
	}
}

func suggestPhones(s Input, text string, values form.Values) []form.Option {
	asked := strings.TrimSpace(text)
	if asked == "" {
		asked = values.Get("recipient_name")
	}
	var options []form.Option
	for _, known := range s.Board.KnownRecipients(asked, maxSuggestions) {
		if known.Phone != "" {
			options = append(options, form.Option{Value: known.Phone, Label: known.Phone, Note: known.Name})
		}
	}
	return options
}

// boardRecipientName is the name under which the board has met a number.
func boardRecipientName(s Input, phone string) string {
	for _, known := range s.Board.KnownRecipients(phone, 1) {
		if known.Phone == phone {
			return known.Name
		}
	}
	return ""
}

// recipientCache remember whom the service knows by which number. Looks run aside, so they are locked.
type recipientCache struct {
	// hasOverrides says that the form can give name and notes for this task only.
	hasOverrides bool

	mu      sync.Mutex
	byPhone map[string]model.Recipient // without an id: the service knows nobody
}

func (a *recipientCache) get(phone string) (model.Recipient, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known, asked := a.byPhone[phone]
	return known, asked
}

func (a *recipientCache) put(phone string, known model.Recipient) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byPhone == nil {
		a.byPhone = map[string]model.Recipient{}
	}
	a.byPhone[phone] = known
}

// loadNotes asks whose a number is, once each, and warns of what would be overwritten.
func (a *recipientCache) loadNotes(s Input) func(context.Context, *apiclient.Client, form.Values) map[string]string {
	return func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		phone, problems := model.NormalizePhone(values.Get("recipient_phone"), s.Organization.Country)
		if len(problems) > 0 {
			return nil
		}
		known, asked := a.get(phone)
		if !asked {
			var err error
			known, err = c.RecipientByPhone(ctx, phone, false)
			if err != nil && !errors.Is(err, apiclient.ErrNotFound) {
				return map[string]string{"recipient_phone": "It could not be found out whether the number is known: " + errorText(err)}
			}
			a.put(phone, known)
		}
		if known.ID == "" {
			return map[string]string{"recipient_phone": "The number is new."}
		}
		if values.Yes("keep_recipient") {
			return map[string]string{"recipient_phone": fmt.Sprintf("Known as %s, and stays so.", known.Name)}
		}
		text, _ := a.describeOverwrite(known, values)
		return map[string]string{"recipient_phone": text}
	}
}

// describeOverwrite says what of a known recipient would not be as before, and whether anything.
func (a *recipientCache) describeOverwrite(known model.Recipient, values form.Values) (text string, any bool) {
	var lost []string
	if name := values.Get("recipient_name"); name != "" && name != known.Name {
		lost = append(lost, fmt.Sprintf("the name %q would become %q", shortenText(known.Name), shortenText(name)))
	}
	if notes := values.Get("recipient_notes"); notes != "" && notes != known.Notes && known.Notes != "" {
		lost = append(lost, fmt.Sprintf("the notes %q would be overwritten", shortenText(known.Notes)))
	}
	text = fmt.Sprintf("The number is known as %s.", known.Name)
	if len(lost) == 0 {
		return text, false
	}
	remedy := "switch on “For this task only”"
	if !a.hasOverrides {
		remedy = strings.TrimSpace("give the recipient by id in place of name and phone " + string(known.ID))
	}
	return fmt.Sprintf("%s For all of their tasks %s; to keep it, %s.", text, strings.Join(lost, " and "), remedy), true
}

// recipientLines tell who gets it, and warn where a known recipient would change.
func (a *recipientCache) recipientLines(s Input, values form.Values) []Line {
	phone, problems := model.NormalizePhone(values.Get("recipient_phone"), s.Organization.Country)
	if len(problems) > 0 {
		if id := values.Get("recipient_id"); id != "" {
			return []Line{plainLine("For the recipient %s.", model.Clean(id))}
		}
		if name := values.Get("recipient_name"); name != "" {
			return []Line{plainLine("For %s, without a phone number.", model.Clean(name))}
		}
		return []Line{plainLine("Without a recipient.")}
	}
	name := values.Get("recipient_name")
	lines := []Line{plainLine("For %s, %s.", model.Clean(name), phone)}
	known, asked := a.get(phone)
	if !asked {
		known.Name = boardRecipientName(s, phone)
	}
	switch {
	case values.Yes("keep_recipient"):
		lines = append(lines, plainLine("If the number is known, its recipient keeps name and notes; these are for this task only."))
	case known.Name != "":
		text, changes := a.describeOverwrite(known, values)
		lines = append(lines, Line{Text: text, Warning: changes})
	}
	return lines
}

// keepKnownRecipient turns the recipient of a task into overrides of the one who has the number; someone new is made as typed.
func keepKnownRecipient(ctx context.Context, c *apiclient.Client, in model.TaskInput, country string) (model.TaskInput, error) {
	list := in.Recipients.Value()
	if len(list) == 0 || list[0].Object == nil {
		return in, nil
	}
	person := *list[0].Object
	phone, problems := person.NormalizedPhone(country)
	if len(problems) > 0 {
		return in, problems
	}
	known, err := c.RecipientByPhone(ctx, phone, false)
	switch {
	case errors.Is(err, apiclient.ErrNotFound):
		return in, nil
	case err != nil:
		return in, err
	}
	return withKnownRecipient(in, person, known), nil
}

// withKnownRecipient makes a task for a recipient who stays as they are: what was typed of them is for this task only.
func withKnownRecipient(in model.TaskInput, person model.RecipientInput, known model.Recipient) model.TaskInput {
	in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.ByID[model.RecipientInput](known.ID)})
	if name := person.Name.Value(); !in.RecipientName.Has() && name != known.Name {
		in.RecipientName = model.Some(name)
	}
	if notes := person.Notes.Value(); !in.RecipientNotes.Has() && notes != "" && notes != known.Notes {
		in.RecipientNotes = model.Some(notes)
	}
	if skips := person.SkipSMSNotifications; !in.RecipientSkipSMSNotifications.Has() && skips.Has() {
		in.RecipientSkipSMSNotifications = skips
	}
	return in
}
