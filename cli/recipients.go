package cli

import (
	"context"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
)

func newRecipientsCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "recipients", Aliases: []string{"recipient"}, Short: "People at destinations"},
		&cobra.Command{
			Use: "get ID", Short: "Show a recipient", Args: cobra.ExactArgs(1),
			RunE: showObject(a, idOf("recipient"), (*apiclient.Client).Recipient, (*session).printRecipient),
		},
		newRecipientsFindCommand(a),
		a.newOperationCommand(&cobra.Command{
			Use: "create", Short: "Create a recipient", Args: cobra.NoArgs,
			Example: "waybill recipients create --name 'Ada Okafor' --phone '(415) 555-0123'",
		}, operationCommand{
			operation: "create.recipient", noun: "the recipient", fromJSON: true, print: printResponse((*session).printRecipient),
		}),
	)
}

func newRecipientsFindCommand(a *app) *cobra.Command {
	var phone, name string
	var asTyped bool
	var metadata []string
	cmd := &cobra.Command{
		Use: "find", Short: "Find a recipient by phone, full name or metadata", Args: cobra.NoArgs,
		Example: "waybill recipients find --phone '(415) 555-0123'\nwaybill recipients find --name 'Ada Okafor'",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			switch {
			case phone != "":
				recipient, err := s.client.RecipientByPhone(ctx, phone, asTyped)
				return showRead(ctx, s, recipient, err, (*session).printRecipient)
			case name != "":
				recipient, err := s.client.RecipientByName(ctx, name)
				return showRead(ctx, s, recipient, err, (*session).printRecipient)
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
	cmd.Flags().StringVar(&phone, "phone", "", "phone number, local or starting with +")
	cmd.Flags().StringVar(&name, "name", "", "full name; case is ignored")
	cmd.Flags().StringArrayVar(&metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; all entries must match")
	cmd.Flags().BoolVar(&asTyped, "skip-phone-check", false, "do not normalise the number; it must start with +")
	cmd.MarkFlagsOneRequired("phone", "name", "meta")
	cmd.MarkFlagsMutuallyExclusive("phone", "name", "meta")
	return cmd
}

func (s *session) printRecipient(ctx context.Context, r model.Recipient) {
	s.printField("recipient", r.Name)
	s.printField("id", string(r.ID))
	s.printField("phone", r.Phone)
	s.printMultiline("notes", r.Notes)
	if r.SkipSMSNotifications {
		s.printField("", "gets no SMS")
	}
	s.printField("created", s.formatTime(ctx, r.TimeCreated))
	s.printMetadata(r.Metadata)
}
