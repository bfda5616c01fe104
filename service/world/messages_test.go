package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/world"
)

func TestRecipientsAnswerTexts(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	var person model.Recipient
	s.Do("POST", "/recipients", `{"name":"Ada Okafor","phone":"+14155550123"}`).OK(&person)
	send := func(body string) { // what it leads to is read from the log
		t.Helper()
		require.NoError(t, s.World.ReceiveSMS(t.Context(), s.Org, world.IncomingSMS{From: person.Phone, To: "+14155550100", Body: body}))
	}
	for body, trigger := range map[string]string{
		"Leave it with the neighbor": "smsRecipientResponseMissed", "stop at the corner": "smsRecipientResponseMissed",
		"STOP": "SMSRecipientOptOut", " stop. ": "SMSRecipientOptOut", "Unsubscribe": "SMSRecipientOptOut",
	} {
		send(body)
		var log model.EventLog
		s.Do("GET", "/webhooks/events?limit=1", nil).OK(&log)
		require.Equal(t, trigger, log.Events[0].TriggerName, body)
	}
	s.Do("GET", "/recipients/"+string(person.ID), nil).OK(&person)
	require.True(t, person.SkipSMSNotifications, "who opted out gets no texts")
	require.ErrorIs(t, s.World.ReceiveSMS(t.Context(), s.Org, world.IncomingSMS{From: "+14155550999", Body: "STOP"}), world.NotFound())
}
