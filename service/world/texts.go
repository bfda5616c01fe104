package world

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// IncomingSMS is an SMS that came in.
type IncomingSMS struct {
	From, To, Body string
}

// optsOut reports whether a text asks for no more texts. Carriers know these words.
func (t IncomingSMS) optsOut() bool {
	word := strings.ToUpper(strings.Trim(t.Body, " .!\t\r\n"))
	return slices.Contains([]string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"}, word)
}

// ReceiveSMS takes a recipient's answer to a text of the organization. One who asks for no more texts gets none from
// then on. Anything else is for a person to read, and the service has nobody who does: the event hands it on.
func (w *World) ReceiveSMS(ctx context.Context, org model.ID, text IncomingSMS) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		var recipient model.Recipient
		if err := readDoc(tx.QueryRow(ctx, "SELECT doc FROM recipients WHERE org = $1 AND phone = $2", org, text.From), &recipient); err != nil {
			return err
		}
		event := Event{Trigger: model.TriggerSMSMissed, Time: w.Now(), Fill: func(e *model.Event) {
			e.From, e.To, e.Body = model.Some(text.From), model.Some(text.To), model.Some(text.Body)
		}}
		if text.optsOut() {
			recipient.SkipSMSNotifications, recipient.TimeLastModified = true, w.Now()
			if err := saveRecipient(ctx, tx, recipient); err != nil {
				return err
			}
			event.Trigger = model.TriggerSMSOptOut
			event.Fill = optOut(recipient, text, event.Time)
		}
		if err := w.events.Record(ctx, tx, org, event); err != nil {
			return fmt.Errorf("record event: %w", err)
		}
		return nil
	})
}

func optOut(r model.Recipient, text IncomingSMS, now model.Millis) func(*model.Event) {
	return func(e *model.Event) {
		e.Recipient = model.Some(model.EventRecipient{ID: r.ID, Name: r.Name, Phone: r.Phone})
		e.Timestamp, e.Body, e.Data = model.Some(now), model.Some(text.Body), model.Some(model.EventData{})
	}
}
