package operations

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

func delivery() form.Values {
	return form.Values{
		"pickup_address": "1 Ferry Building, San Francisco, CA 94111, USA", "dropoff_address": someAddress,
		"quantity": "2", "weight": "3.5", "weight_units": "kg",
	}
}

func with(values form.Values, more ...string) form.Values {
	values = values.Clone()
	for i := 0; i < len(more); i += 2 {
		values[more[i]] = more[i+1]
	}
	return values
}

// asClient makes the fixture act for a client of its courier.
func (st *fixture) asClient() model.ID {
	st.t.Helper()
	client, key := st.server.AddOrganization("Bakery", st.server.Org)
	st.client = st.clientFor(key)
	var err error
	st.org, err = st.client.Organization(st.t.Context())
	require.NoError(st.t, err)
	return client
}

func TestQuotesAreShownWithTheirPrices(t *testing.T) {
	st := newFixture(t)
	client := st.asClient()
	v, err := NewQuote(st.input())
	require.NoError(t, err)
	proposal, problems := v.Prepare(with(delivery(), "ready", "+30m", "due", "17:00"))
	require.Empty(t, problems)
	require.True(t, proposal.Direct)
	done, err := proposal.Steps[0].Do(t.Context(), st.client)
	require.NoError(t, err)
	require.Equal(t, "create.order", done.Next)
	require.Contains(t, lineTexts(done.Report), "$")
	require.Contains(t, lineTexts(done.Report), "Base rate")

	// A courier asks for its client.
	courier := st.clientFor(st.server.Key)
	proposal, problems = v.Prepare(with(delivery(), "ready", "now", "client", string(client)))
	require.Empty(t, problems)
	_, err = proposal.Steps[0].Do(t.Context(), courier)
	require.NoError(t, err)

	requireProblems(t, v, []problemCase{
		{with(delivery()), "ready"},
		{with(delivery(), "ready", "soon"), "ready"},
		{with(delivery(), "ready", "+2h", "due", "+1h"), "due"},
		{with(delivery(), "ready", "-2h", "due", "-1h"), "due"},
		{with(delivery(), "ready", "now", "quantity", "0"), "quantity"},
		{with(delivery(), "ready", "now", "quantity", "1.5"), "quantity"},
		{with(delivery(), "ready", "now", "weight", ""), "weight"},
		{with(delivery(), "ready", "now", "weight", "-1"), "weight"},
		{with(delivery(), "ready", "now", "weight_units", "stone"), "weight_units"},
		{with(delivery(), "ready", "now", "pickup_address", ""), "pickup_address"},
		{with(delivery(), "ready", "now", "dropoff_where", "parts"), "dropoff_street"},
		{with(delivery(), "ready", "now", "dropoff_where", "known", "dropoff_destination", string(model.NewID())), "dropoff_destination"},
		{with(delivery(), "ready", "now", "client", "x"), "client"},
	})
	st.requireField(v, with(delivery(), "ready", "now", "dropoff_address", "1 Nowhere, Xyzzyville, Neverland"), "dropoff_address")
}

func TestAnOrderIsMadeFromAQuoteAndUndone(t *testing.T) {
	st := newFixture(t)
	st.asClient()
	v, err := NewOrder(st.input())
	require.NoError(t, err)
	require.Equal(t, []string{"Pickup", "Drop-off", "Parcel", "Service"}, v.Form.Pages())
	values := with(delivery(),
		"pickup_recipient_name", "Baker", "pickup_recipient_phone", "415 555 0100", "pickup_notes", "Ring twice", "pickup_after", "+30m",
		"dropoff_recipient_name", "Ana", "dropoff_before", "17:00", "dropoff_require_signature", "yes", "dropoff_service_time", "5")
	quote, ok := v.Form.Field("quote")
	require.True(t, ok)
	require.Empty(t, quote.Suggest("", nil))
	require.NotContains(t, v.LoadNotes(t.Context(), st.client, with(values, "weight", "")), "quote")
	notes := v.LoadNotes(t.Context(), st.client, values)
	require.Contains(t, notes["quote"], "$")
	require.Contains(t, notes["pickup_recipient_phone"], "New number")
	options := quote.Suggest("", nil)
	require.NotEmpty(t, options)
	require.Contains(t, quote.Echo(options[0].Value, nil), "$")
	requests := len(st.client.Log().Entries())
	v.LoadNotes(t.Context(), st.client, values)
	require.Len(t, st.client.Log().Entries(), requests, "the same question is not asked twice")

	proposal, _ := st.preview(v, values)
	require.Contains(t, lineTexts(proposal.Lines), "no price")
	proposal, shown := st.preview(v, with(values, "quote", options[0].Value))
	require.Equal(t, "/taskOrders", shown[0].Path)
	require.Contains(t, lineTexts(proposal.Lines), options[0].Label)
	require.Equal(t, "pickup_address", v.Form.First, "what is typed at once is an address")
	open := with(values, "quote", options[0].Value, "dropoff_before", "", "promise", "yes")
	promised, shownPromise := st.preview(v, open)
	require.NotContains(t, lineTexts(promised.Lines), "at any time", "the promise beside it says otherwise")
	require.Contains(t, string(shownPromise[0].Body), `"completeBefore"`)
	_, shownPromise = st.preview(v, with(open, "promise", ""))
	require.NotContains(t, string(shownPromise[0].Body), `"completeBefore"`)
	done := st.do(proposal)[0]
	row := st.board.Snapshot().Orders.Get(done.Object)
	require.NotNil(t, row)
	order, err := st.client.Order(t.Context(), row.ShortID)
	require.NoError(t, err)
	require.Equal(t, options[0].Value, order.DeliveryService.Value())
	require.Equal(t, "Ring twice", order.PickupTask.Notes)
	require.Equal(t, 2.0, order.DropoffTask.Quantity)
	require.True(t, order.DropoffTask.Requirements.Value().Signature.Value())
	require.Equal(t, "Ana", order.DropoffTask.Overrides.RecipientName.Value())
	require.Equal(t, model.Minutes(5), order.DropoffTask.ServiceTime)
	st.undo(done)
	order, err = st.client.Order(t.Context(), row.ShortID)
	require.NoError(t, err)
	require.Equal(t, model.OrderCancelled, order.Status)

	requireProblems(t, v, []problemCase{
		{with(values, "pickup_address", ""), "pickup_address"},
		{with(values, "dropoff_where", "parts", "dropoff_number", "1", "dropoff_street", "A St", "dropoff_city", "San Francisco", "dropoff_country", "USA"), "dropoff_state"},
		{with(values, "dropoff_recipient_phone", "12"), "dropoff_recipient_phone"},
		{with(values, "pickup_window", "14:00-16:00"), "pickup_window"},
		{with(values, "dropoff_after", "18:00"), "dropoff_before"},
		{with(values, "dropoff_service_time", "-1"), "dropoff_service_time"},
		{with(values, "dropoff_minimum_age", "-1"), "dropoff_minimum_age"},
		{with(values, "quantity", "-1"), "quantity"},
		{with(values, "quote", "x"), "quote"},
		{with(values, "client", "x"), "client"},
	})
	st.requireField(v, with(values, "dropoff_address", "1 Nowhere, Xyzzyville, Neverland"), "dropoff_address")
	for _, happened := range []bool{false, true} {
		v, err := NewOrder(st.input())
		require.NoError(t, err)
		proposal, _ := st.preview(v, values)
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestOrdersAreCancelled(t *testing.T) {
	st := newFixture(t)
	place := func() model.Order {
		v, err := NewOrder(st.input())
		require.NoError(t, err)
		proposal, _ := st.preview(v, delivery())
		done := st.do(proposal)[0]
		return done.Change.Orders[0]
	}
	first, second, begun := place(), place(), place()
	worker, _ := st.worker("Ada", "+14155550130")
	_, err := st.client.UpdateContainer(t.Context(), model.WorkerContainer(worker), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(model.Int(-1)), IDs: []model.ID{begun.PickupTask.ID}},
	})
	require.NoError(t, err)
	require.NoError(t, st.server.World.GoOnDuty(t.Context(), worker))
	require.NoError(t, st.server.World.StartTask(t.Context(), worker, begun.PickupTask.ID))

	// Of a task that belongs to an order only the order can be cancelled.
	_, err = NewDelete(st.input(first.PickupTask.ID))
	require.ErrorContains(t, err, "Cancel the order")

	s := st.input()
	_, err = NewOrderCancel(s)
	require.Error(t, err)
	s.Orders = []model.ID{begun.ID}
	_, err = NewOrderCancel(s)
	require.EqualError(t, err, model.CancelOrderForbidden(model.OrderActive))
	s.Orders = []model.ID{first.ID, second.ID, begun.ID}
	v, err := NewOrderCancel(s)
	require.NoError(t, err)
	proposal, shown := st.preview(v, nil)
	require.Len(t, shown, 2)
	require.Contains(t, proposal.Irreversible, "Cancel 2 orders of Bay Couriers")
	require.Len(t, proposal.Skipped, 1)
	st.requireLookup(proposal.Steps[1], false)
	st.requireLookup(proposal.Steps[1], true)
	done, err := proposal.Steps[0].Do(t.Context(), st.client)
	require.NoError(t, err)
	snapshot, _ := st.board.Apply(done.Change)
	require.Equal(t, model.OrderCancelled, snapshot.Orders.Get(first.ID).Status)
	require.Nil(t, snapshot.Tasks.Get(first.PickupTask.ID))
	_, err = NewOrderCancel(Input{Board: snapshot, Orders: []model.ID{first.ID, begun.ID}})
	require.ErrorContains(t, err, "none of the 2")
}

// A courier names its client as people do; ids are for what the board has never seen.
func TestAClientIsNamed(t *testing.T) {
	st := newFixture(t)
	courier, courierOrg := st.client, st.org
	id := st.asClient()
	order, err := st.client.CreateOrder(t.Context(), model.OrderInput{
		PickupTask:  model.Some(model.OrderTaskInput{Destination: place("1 Ferry Building, San Francisco, CA 94111, USA")}),
		DropoffTask: model.Some(model.OrderTaskInput{Destination: place(someAddress)}),
	})
	require.NoError(t, err)
	st.client, st.org = courier, courierOrg
	order, err = courier.Order(t.Context(), order.ShortID)
	require.NoError(t, err)
	s := st.input()
	s.Board, _ = st.board.Apply(board.Change{ReceivedAt: s.Now, Orders: []model.Order{order}})
	v, err := NewQuote(s)
	require.NoError(t, err)
	f, _ := v.Form.Field("client")
	require.Equal(t, []form.Option{{Value: "Bakery", Label: "Bakery", Note: "1 order on the board"}}, f.Suggest("bak", nil))
	require.Error(t, f.Check("x"))
	proposal, problems := v.Prepare(with(delivery(), "ready", "now", "client", "bakery"))
	require.Empty(t, problems)
	done, err := proposal.Steps[0].Do(t.Context(), st.client)
	require.NoError(t, err)
	require.Equal(t, "bakery", done.NextValues["client"])
	v, err = NewOrder(s)
	require.NoError(t, err)
	proposal, shown := st.preview(v, done.NextValues)
	require.Contains(t, string(shown[0].Body), string(id))
	require.Contains(t, lineTexts(proposal.Lines), "For client Bakery.")
	_, problems = v.Prepare(with(delivery(), "weight", ""))
	require.Empty(t, problems)
}

func place(address string) model.Opt[model.IDOr[model.DestinationInput]] {
	return model.Some(model.Embedded(model.DestinationInput{Address: model.Some(model.AddressInput{Unparsed: address})}))
}

// An order without a short id is read again by its id.
func TestCancelledOrderWithoutAShortIDIsReadAgain(t *testing.T) {
	st := newFixture(t)
	v, err := NewOrder(st.input())
	require.NoError(t, err)
	proposal, _ := st.preview(v, delivery())
	order := st.do(proposal)[0].Change.Orders[0]
	done, err := cancelStep(order.ID, &board.OrderRow{ID: order.ID}).Do(t.Context(), st.client)
	require.NoError(t, err)
	require.Len(t, done.Change.Orders, 1)
	require.Equal(t, model.OrderCancelled, done.Change.Orders[0].Status)
}
