package world

import (
	"context"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// IncomingSMS is an SMS from a recipient.
type IncomingSMS struct {
	From, To, Body string
}

// optsOut reports whether the sender wants no more SMS. Carriers use these words.
func (t IncomingSMS) optsOut() bool {
	word := strings.ToUpper(strings.Trim(t.Body, " .!\t\r\n"))
	return slices.Contains([]string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"}, word)
}

// ReceiveSMS processes the answer of a recipient to an SMS of the organization. An opt-out is stored. Everything else is
// only recorded as an event, because the service has nobody to read it.
func (w *World) ReceiveSMS(ctx context.Context, org model.ID, text IncomingSMS) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		var recipient model.Recipient
		row := tx.QueryRow(ctx, "SELECT doc FROM recipients WHERE org = $1 AND phone = $2", org, text.From)
		if err := scanRow(row, fromDoc(&recipient)); err != nil {
			return err
		}
		event := Event{Trigger: model.TriggerSMSMissed, Time: w.Now(), Fill: func(e *model.Event) {
			e.From, e.To, e.Body = model.Some(text.From), model.Some(text.To), model.Some(text.Body)
		}}
		if text.optsOut() {
			recipient.SkipSMSNotifications, recipient.TimeLastModified = true, w.Now()
			saveRecipient(ctx, tx, recipient)
			event.Trigger = model.TriggerSMSOptOut
			event.Fill = fillOptOutEvent(recipient, text, event.Time)
		}
		w.record(ctx, tx, org, event)
		return nil
	})
}

func fillOptOutEvent(r model.Recipient, text IncomingSMS, now model.Millis) func(*model.Event) {
	return func(e *model.Event) {
		e.Recipient = model.Some(model.EventRecipient{ID: r.ID, Name: r.Name, Phone: r.Phone})
		e.Timestamp, e.Body, e.Data = model.Some(now), model.Some(text.Body), model.Some(model.EventData{})
	}
}
