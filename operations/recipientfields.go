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

// recipientFields ask for the recipient.
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
	phone.About = "a known number means the recipient who has it"
	phone.Check = checkText(s.parsePhone)
	phone.Suggest = func(text string, values form.Values) []form.Option { return suggestPhones(s, text, values) }
	phone.Echo = echoText(s.parsePhone, func(number string) string {
		if name := boardRecipientName(s, number); name != "" {
			return number + ", known as " + name
		}
		return number
	})
	keep := form.Field{
		Name: "keep_recipient", Title: "For this task only", Page: page, Kind: form.Yes,
		About: "a known recipient keeps the stored name and notes",
		Show:  func(v form.Values) bool { return v.Get("recipient_phone") != "" },
	}
	id := taskField(s, "recipient_id", "Recipient id", page)
	return []form.Field{
		name, phone, taskField(s, "recipient_notes", "Recipient notes", page), keep,
		taskField(s, "skip_sms", "No SMS", page), id,
	}
}

// parsePhone reads a phone number, which may lack the country code of the organization.
func (s Input) parsePhone(text string) (string, error) {
	number, problems := model.NormalizePhone(text, s.Organization.Country)
	return number, problems.Err()
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

// boardRecipientName is the name that the board knows for a phone number.
func boardRecipientName(s Input, phone string) string {
	for _, known := range s.Board.KnownRecipients(phone, 1) {
		if known.Phone == phone {
			return known.Name
		}
	}
	return ""
}

// recipientCache keeps the recipients that were looked up by phone number. It is safe for concurrent use, because notes
// are loaded in the background.
type recipientCache struct {
	// hasOverrides says that the form has a name and notes for this task only.
	hasOverrides bool

	byPhone sync.Map // of model.Recipient, without an id when the number is unknown
}

func (a *recipientCache) get(phone string) (model.Recipient, bool) {
	known, asked := a.byPhone.Load(phone)
	recipient, _ := known.(model.Recipient)
	return recipient, asked
}

func (a *recipientCache) put(phone string, known model.Recipient) { a.byPhone.Store(phone, known) }

// loadNotes looks up who has the phone number, once each, and warns of what would be overwritten.
func (a *recipientCache) loadNotes(s Input) notesLoader {
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
				return map[string]string{"recipient_phone": "Cannot look up the number: " + apiclient.ErrorText(err)}
			}
			a.put(phone, known)
		}
		if known.ID == "" {
			return map[string]string{"recipient_phone": "New number."}
		}
		if values.Yes("keep_recipient") {
			return map[string]string{"recipient_phone": fmt.Sprintf("Known as %s; the name stays.", known.Name)}
		}
		text, _ := a.describeOverwrite(known, values)
		return map[string]string{"recipient_phone": text}
	}
}

// describeOverwrite says what the values would change of a known recipient, and whether they change anything.
func (a *recipientCache) describeOverwrite(known model.Recipient, values form.Values) (text string, changes bool) {
	var lost []string
	if name := values.Get("recipient_name"); name != "" && name != known.Name {
		lost = append(lost, fmt.Sprintf("the name %q becomes %q", shortenText(known.Name), shortenText(name)))
	}
	if notes := values.Get("recipient_notes"); notes != "" && notes != known.Notes && known.Notes != "" {
		lost = append(lost, fmt.Sprintf("the notes %q are overwritten", shortenText(known.Notes)))
	}
	text = fmt.Sprintf("The number belongs to %s.", known.Name)
	if len(lost) == 0 {
		return text, false
	}
	remedy := "switch on “For this task only”"
	if !a.hasOverrides {
		remedy = strings.TrimSpace("use the recipient id " + string(known.ID))
	}
	return fmt.Sprintf("%s On all of their tasks, %s. To keep it, %s.", text, strings.Join(lost, " and "), remedy), true
}

// recipientLines describe the recipient, and warn when a known recipient would change.
func (a *recipientCache) recipientLines(s Input, values form.Values) []Line {
	phone, problems := model.NormalizePhone(values.Get("recipient_phone"), s.Organization.Country)
	if len(problems) > 0 {
		if id := values.Get("recipient_id"); id != "" {
			return []Line{plainLine("For recipient %s.", model.Clean(id))}
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
		lines = append(lines, plainLine("If the number is known, its recipient keeps name and notes. These are for this task only."))
	case known.Name != "":
		text, changes := a.describeOverwrite(known, values)
		lines = append(lines, Line{Text: text, Warning: changes})
	}
	return lines
}

// keepKnownRecipient replaces a recipient whose number is known by overrides for this task. A new one is created as typed.
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

// withKnownRecipient makes the task for a known recipient. The typed name and notes apply to this task only.
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
