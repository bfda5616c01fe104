package inbox_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/ui/inbox"
)

func noon() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }

func event(trigger model.Trigger, delivery string) inbox.Event {
	return inbox.Event{
		Event:    model.Event{TriggerID: trigger, TriggerName: "as it was sent", TaskID: model.Some(model.ID("t"))},
		Delivery: model.ID(delivery), Body: model.Raw(`{}`),
	}
}

func TestEventsWaitInOrderAndOnce(t *testing.T) {
	box := inbox.New(noon)
	box.Add(event(model.TriggerTaskCreated, "a"))
	box.Add(event(model.TriggerTaskDeleted, "b"))
	box.Add(event(model.TriggerTaskCreated, "a"))
	box.Add(event(99, "c"))
	box.Add(inbox.Event{Event: model.Event{}})
	box.CountForged()
	box.CountUnreadable()
	news, err := box.Wait(t.Context())
	require.NoError(t, err)
	require.Len(t, news.Events, 2)
	require.Equal(t, "taskCreated", news.Events[0].TriggerName, "the name that is shown is ours")
	require.Equal(t, "taskDeleted", news.Events[1].TriggerName)
	require.False(t, news.Lost)
	require.Equal(t, inbox.State{Received: 2, Repeated: 1, Unknown: 2, Forged: 1, Unreadable: 1, Last: noon()}, news.State)

	// Deliveries without an id cannot be told apart and all count.
	box.Add(event(model.TriggerTaskCreated, ""))
	box.Add(event(model.TriggerTaskCreated, ""))
	news, err = box.Wait(t.Context())
	require.NoError(t, err)
	require.Len(t, news.Events, 2)
}

func TestWhatIsTooMuchIsSaidAndNotKept(t *testing.T) {
	box := inbox.New(noon)
	const many = 5000 // more than wait, and more than are remembered
	for i := range many {
		e := event(model.TriggerTaskUpdated, fmt.Sprint(i))
		if i == many-1 {
			e.Body = make(model.Raw, inbox.MaxBody+1)
		}
		box.Add(e)
	}
	news, err := box.Wait(t.Context())
	require.NoError(t, err)
	require.True(t, news.Lost)
	require.Equal(t, many, news.State.Received)
	require.Equal(t, many-len(news.Events), news.State.Lost)
	require.Equal(t, model.ID(fmt.Sprint(many-1)), news.Events[len(news.Events)-1].Delivery, "the newest stay")
	require.Nil(t, news.Events[len(news.Events)-1].Body)
	require.NotNil(t, news.Events[0].Body)

	box.Add(event(model.TriggerTaskUpdated, fmt.Sprint(many-1)))
	news, err = box.Wait(t.Context())
	require.NoError(t, err)
	require.Empty(t, news.Events)
	require.False(t, news.Lost)
}

func TestWaitingEndsWithTheAccount(t *testing.T) {
	box := inbox.New(noon)
	box.SetState(inbox.State{Phase: inbox.Failing, Problem: "no", Received: 7})
	news, err := box.Wait(t.Context())
	require.NoError(t, err)
	require.Equal(t, inbox.State{Phase: inbox.Failing, Problem: "no"}, news.State, "the counts are the inbox's own")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = box.Wait(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
