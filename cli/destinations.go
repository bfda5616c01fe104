package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations/taskimport"
)

func newDestinationsCommand(a *app) *cobra.Command {
	destinations := &cobra.Command{Use: "destinations", Aliases: []string{"destination"}, Short: "Places where tasks happen"}
	var metadata []string
	find := &cobra.Command{
		Use: "find", Short: "Find destinations by metadata", Args: cobra.NoArgs,
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			match, err := parseMetadata(metadata)
			if err != nil {
				return err
			}
			found, err := s.client.FindDestinations(ctx, match)
			if err != nil {
				return err
			}
			return printList(a, found, "No matching destinations.", func(d model.Destination) []string {
				return []string{string(d.ID), formatAddress(d.Address), formatLocation(d.Location)}
			}, "ID", "ADDRESS", "LOCATION")
		}),
	}
	find.Flags().StringArrayVar(&metadata, "meta", nil, "metadata they have, as NAME=VALUE or NAME:TYPE=VALUE; all must match")
	_ = find.MarkFlagRequired("meta")
	destinations.AddCommand(
		&cobra.Command{
			Use: "get ID", Short: "Show a destination", Args: cobra.ExactArgs(1),
			RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
				id, err := parseID(args[0], "destination")
				if err != nil {
					return err
				}
				destination, err := s.client.Destination(ctx, id)
				if err != nil {
					return err
				}
				return a.printResult(destination, func() { s.printDestination(ctx, destination) })
			}),
		},
		newDestinationsCreateCommand(a), find,
	)
	return destinations
}

func newDestinationsCreateCommand(a *app) *cobra.Command {
	var fromJSON string
	cmd := &cobra.Command{
		Use: "create", Short: "Create a destination", Args: cobra.NoArgs,
		Example: "waybill destinations create --address '543 Howard St, San Francisco, CA 94105, USA'\n" +
			"waybill destinations create --location=-122.3965,37.7883 --city 'San Francisco' --country 'United States'",
	}
	fields := addFieldFlags(cmd.Flags(), taskimport.PlaceFields(), func(name string) bool { return name != "destination" && name != "destination_notes" })
	notes := cmd.Flags().String("notes", "", "notes on the place, such as a gate code")
	cmd.Flags().StringArrayVar(&fields.metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; may be given several times")
	addFromJSON(cmd, &fromJSON, "destination")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, _ []string) error {
		in, err := s.newDestination(ctx, fields, fromJSON, *notes)
		if err != nil {
			return err
		}
		created, err := s.client.CreateDestination(ctx, in)
		if err != nil {
			return err
		}
		return a.printResult(created, func() { s.printDestination(ctx, created) })
	})
	return cmd
}

func (s *session) newDestination(ctx context.Context, fields *fieldFlags, fromJSON, notes string) (model.DestinationInput, error) {
	var in model.DestinationInput
	if fromJSON != "" {
		if fields.isSet() || notes != "" {
			return in, errJSONAndFlags
		}
		if err := s.readJSON(fromJSON, &in); err != nil {
			return in, err
		}
		return in, checkProblems("the destination", in.Check())
	}
	draft, err := fields.draft(ctx, s)
	if err != nil {
		return in, err
	}
	if in, err = draft.Destination(); err != nil {
		return in, usageError{err}
	}
	in.Notes = notes
	if len(fields.metadata) > 0 {
		if in.Metadata, err = parseMetadata(fields.metadata); err != nil {
			return in, err
		}
	}
	problems := in.Check()
	for i := range problems {
		problems[i].Field = "destination." + problems[i].Field
	}
	return in, checkProblems("the destination", inFlagWords(problems))
}

func (s *session) printDestination(ctx context.Context, d model.Destination) {
	s.printField("id", string(d.ID))
	s.printField("address", formatAddress(d.Address))
	s.printField("location", formatLocation(d.Location))
	s.printMultiline("notes", d.Notes)
	s.printField("warnings", strings.Join(d.Warnings.Value(), "; "))
	s.printField("created", s.formatTime(ctx, d.TimeCreated))
	for _, m := range d.Metadata {
		s.printField("metadata", m.Name+": "+formatRawValue(m.Value))
	}
}

func newRecipientsCommand(a *app) *cobra.Command {
	recipients := &cobra.Command{Use: "recipients", Aliases: []string{"recipient"}, Short: "People at destinations"}
	recipients.AddCommand(
		&cobra.Command{
			Use: "get ID", Short: "Show a recipient", Args: cobra.ExactArgs(1),
			RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
				id, err := parseID(args[0], "recipient")
				if err != nil {
					return err
				}
				return s.printRecipient(ctx)(s.client.Recipient(ctx, id))
			}),
		},
		newRecipientsFindCommand(a), newRecipientsCreateCommand(a),
	)
	return recipients
}

func newRecipientsFindCommand(a *app) *cobra.Command {
	var phone, name string
	var asTyped bool
	var metadata []string
	cmd := &cobra.Command{
		Use: "find", Short: "Find a recipient by phone, whole name or metadata", Args: cobra.NoArgs,
		Example: "waybill recipients find --phone '(415) 555-0123'\nwaybill recipients find --name 'Ada Okafor'",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			switch {
			case phone != "":
				return s.printRecipient(ctx)(s.client.RecipientByPhone(ctx, phone, asTyped))
			case name != "":
				return s.printRecipient(ctx)(s.client.RecipientByName(ctx, name))
			}
			match, err := parseMetadata(metadata)
			if err != nil {
				return err
			}
			found, err := s.client.FindRecipients(ctx, match)
			if err != nil {
				return err
			}
			return printList(a, found, "No matching recipients.", func(r model.Recipient) []string {
				return []string{r.Name, r.Phone, string(r.ID)}
			}, "RECIPIENT", "PHONE", "ID")
		}),
	}
	cmd.Flags().StringVar(&phone, "phone", "", "the phone number, as people write it or starting with +")
	cmd.Flags().StringVar(&name, "name", "", "the whole name; upper and lower case are the same")
	cmd.Flags().StringArrayVar(&metadata, "meta", nil, "metadata they have, as NAME=VALUE or NAME:TYPE=VALUE; all must match")
	cmd.Flags().BoolVar(&asTyped, "skip-phone-check", false, "look the number up as it is, starting with +")
	cmd.MarkFlagsOneRequired("phone", "name", "meta")
	cmd.MarkFlagsMutuallyExclusive("phone", "name", "meta")
	return cmd
}

func newRecipientsCreateCommand(a *app) *cobra.Command {
	var name, phone, notes, fromJSON string
	var skipSMS, asTyped, longCode bool
	var metadata []string
	cmd := &cobra.Command{
		Use: "create", Short: "Create a recipient", Args: cobra.NoArgs,
		Example: "waybill recipients create --name 'Ada Okafor' --phone '(415) 555-0123'",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			in := model.RecipientInput{Name: optionalText(name), Phone: optionalText(phone), Notes: optionalText(notes)}
			for _, flag := range []struct {
				on bool
				to *model.Opt[bool]
			}{{skipSMS, &in.SkipSMSNotifications}, {asTyped, &in.SkipPhoneNumberValidation}, {longCode, &in.UseLongCodeForText}} {
				if flag.on {
					*flag.to = model.Some(true)
				}
			}
			if len(metadata) > 0 {
				entries, err := parseMetadata(metadata)
				if err != nil {
					return err
				}
				in.Metadata = model.Some(entries)
			}
			if fromJSON != "" {
				if err := a.readJSON(fromJSON, &in); err != nil {
					return err
				}
			}
			if err := checkProblems("the recipient", in.Check(s.checkContext(ctx, in.Phone.Value()))); err != nil {
				return err
			}
			return s.printRecipient(ctx)(s.client.CreateRecipient(ctx, in))
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "the name")
	cmd.Flags().StringVar(&phone, "phone", "", "the phone number, which no other recipient may have")
	cmd.Flags().StringVar(&notes, "notes", "", "notes on the recipient")
	cmd.Flags().BoolVar(&skipSMS, "skip-sms", false, "send them no SMS")
	cmd.Flags().BoolVar(&asTyped, "skip-phone-check", false, "take the phone number as it is, starting with +")
	cmd.Flags().BoolVar(&longCode, "long-code", false, "send SMS from a number of usual length")
	cmd.Flags().StringArrayVar(&metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; may be given several times")
	addFromJSON(cmd, &fromJSON, "recipient")
	return cmd
}

// printRecipient prints a recipient, or passes on why there is none.
func (s *session) printRecipient(ctx context.Context) func(model.Recipient, error) error {
	return func(r model.Recipient, err error) error {
		if err != nil {
			return err
		}
		return s.printResult(r, func() {
			s.printField("recipient", r.Name)
			s.printField("id", string(r.ID))
			s.printField("phone", r.Phone)
			s.printMultiline("notes", r.Notes)
			if r.SkipSMSNotifications {
				s.printField("", "gets no SMS")
			}
			s.printField("created", s.formatTime(ctx, r.TimeCreated))
			for _, m := range r.Metadata {
				s.printField("metadata", m.Name+": "+formatRawValue(m.Value))
			}
		})
	}
}

var errNeedsJSON = usageError{errors.New("give the whole body with --from-json FILE, or - for standard input")}

func parseOrderShortID(text string) (model.ShortID, error) {
	if id := model.ShortID(strings.ToLower(text)); id.Valid() {
		return id, nil
	}
	return "", usageError{fmt.Errorf("invalid short id of an order %.60q: short ids have %d hex digits", model.Clean(text), model.ShortIDLength)}
}
