package world

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Message is an SMS to send.
type Message struct {
	ID  int64
	Org model.ID
	// Worker is the driver that an invitation is for.
	Worker model.ID
	Phone  string
	Kind   string
	Body   string
}

// MessageInvitation is the kind of messages that invite a worker.
const MessageInvitation = "invitation"

// Messenger sends messages, for example through an SMS provider. It is called after the change that causes the message
// is committed, while the caller waits, so it should queue and return. A message for which it returns an error stays
// unsent in the outbox.
type Messenger interface {
	Send(ctx context.Context, m Message) error
}

// maskPhone keeps the last digits, enough to recognise a known number.
func maskPhone(phone string) string {
	const shown = 3
	if len(phone) <= shown {
		return "…"
	}
	return "…" + phone[len(phone)-shown:]
}

// insertMessage stores a message in the outbox, in the transaction of the change that causes it.
func (w *World) insertMessage(ctx context.Context, tx *store.Tx, m *Message) {
	if err := tx.QueryRow(ctx, "INSERT INTO outbox (org, worker, phone, kind, body, created) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
		m.Org, m.Worker, m.Phone, m.Kind, m.Body, w.Now()).Scan(&m.ID); err != nil {
		tx.Fail(fmt.Errorf("insert message: %w", err))
	}
}

// sendMessage sends a stored message, marks it as sent and erases its text. The change behind the message is already made, so a failure
// is logged and not returned. The text may contain a password and stays out of the log.
func (w *World) sendMessage(ctx context.Context, m Message) {
	log := w.log.With("kind", m.Kind, "message", m.ID, "phone", maskPhone(m.Phone))
	if w.messenger == nil {
		log.InfoContext(ctx, "SMS stays in the outbox: no SMS provider is configured")
		return
	}
	if err := w.messenger.Send(ctx, m); err != nil {
		log.ErrorContext(ctx, "cannot send SMS; it stays in the outbox", "error", err)
		return
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "mark message", "UPDATE outbox SET sent = $1, body = '' WHERE id = $2", w.Now(), m.ID)
		return nil
	})
	if err != nil {
		log.ErrorContext(ctx, "SMS was sent but cannot be marked as sent", "error", err)
	}
}

// temporaryPassword is easy to type from an SMS: it has no letters that look alike. Ten of 31 characters give 49 bits,
// for a password that the first login replaces.
func temporaryPassword() string {
	const alphabet, length = "abcdefghjkmnpqrstuvwxyz23456789", 10
	password := make([]byte, 0, length)
	for len(password) < length {
		var random [1]byte
		rand.Read(random[:]) //nolint:errcheck // crypto/rand.Read never fails
		if i := int(random[0]) & 31; i < len(alphabet) {
			password = append(password, alphabet[i])
		}
	}
	return string(password)
}

func newInvitation(org model.Organization, worker model.Worker, password string) Message {
	return Message{
		Org: org.ID, Worker: worker.ID, Phone: worker.Phone, Kind: MessageInvitation,
		Body: fmt.Sprintf("Hi %s, %s has added you as a driver. Get the driver app, log in with this phone number and the ",
			worker.Name, org.Name) + beforePassword + password + afterPassword,
	}
}

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
