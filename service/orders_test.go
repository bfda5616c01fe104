package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/rates"
	"waybill/service/world"
)

const (
	pickupAddress  = `{"number":"543","street":"Howard St","city":"San Francisco","state":"CA","postalCode":"94105","country":"USA"}`
	dropoffAddress = `{"number":"2829","street":"Vallejo St","city":"San Francisco","state":"CA","postalCode":"94123","country":"USA"}`
)

// quoteBody returns a quote request for two pieces of 5 kg, with members replaced.
func quoteBody(s *servicetest.Server, replace map[string]string) string {
	members := map[string]string{
		"readyBy": fmt.Sprint(s.World.Now().Add(time.Hour)), "quantity": "2", "weight": `{"value":5,"units":"kg"}`,
		"pickup":  `{"address":` + pickupAddress + `,"location":[-122.3965,37.7875]}`,
		"dropoff": `{"address":` + dropoffAddress + `,"location":[-122.4430,37.7940]}`,
	}
	for name, value := range replace {
		members[name] = value
	}
	body := "{"
	for name, value := range members {
		if value == "" {
			continue
		}
		if len(body) > 1 {
			body += ","
		}
		body += fmt.Sprintf("%q:%s", name, value)
	}
	return body + "}"
}

func orderBody(more string) string {
	return `{"pickupTask":{"destination":{"address":` + pickupAddress + `,"location":[-122.3965,37.7875]},"notes":"Ring twice",
		"recipient":{"name":"Baker","phone":"+14155550100"}},
		"dropoffTask":{"destination":{"address":` + dropoffAddress + `,"location":[-122.4430,37.7940]},
		"recipients":[{"name":"Ana","phone":"415 555 0101"}],"requirements":{"signature":true}}` + more + `}`
}

func TestQuoteAnswersEveryCompatibleService(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	var quotes, onBehalf []model.Quote
	s.DoAs(clientKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	require.Len(t, quotes, 3)
	for _, quote := range quotes {
		require.True(t, quote.ID.Valid())
		require.True(t, quote.RateID.Valid())
		require.Equal(t, s.Org, quote.Organization)
		require.NotEmpty(t, quote.DisplayName)
		require.Greater(t, quote.DueBy, s.World.Now())
		require.Equal(t, "USD", quote.Currency)
		total := 0.0
		bases := 0
		for _, part := range quote.EstimatedCostBreakdown {
			require.NotEmpty(t, part.Name)
			require.NotEmpty(t, part.RatingType)
			total += part.Cost
			if part.IsBaseRate {
				bases++
			}
		}
		require.Equal(t, 1, bases)
		require.InDelta(t, quote.EstimatedCost, total, 1e-9)
	}
	s.Do("POST", "/deliveryServices/quote?clientId="+string(client), quoteBody(s, nil)).OK(&onBehalf)
	require.Len(t, onBehalf, 3)
	require.InDelta(t, quotes[0].EstimatedCost, onBehalf[0].EstimatedCost, 0)
	require.NotEqual(t, quotes[0].ID, onBehalf[0].ID)

	tight := fmt.Sprint(s.World.Now().Add(150 * time.Minute))
	s.Do("POST", "/deliveryServices/quote", quoteBody(s, map[string]string{"dueBy": tight})).OK(&quotes)
	require.Len(t, quotes, 1, "only what arrives in time")
	s.Do("POST", "/deliveryServices/quote", quoteBody(s, map[string]string{"weight": `{"value":9000,"units":"lbs"}`})).OK(&quotes)
	require.Empty(t, quotes)
	spread := pickupAddress[:len(pickupAddress)-1] + `,"location":[-122.3965,37.7875]}`
	s.Do("POST", "/deliveryServices/quote", quoteBody(s, map[string]string{"pickup": spread})).OK(&quotes)
	require.Len(t, quotes, 3, "the address may be spread over the place itself")
	s.Do("POST", "/deliveryServices/quote", quoteBody(s, map[string]string{"pickup": pickupAddress, "dropoff": dropoffAddress})).OK(&quotes)
	require.Len(t, quotes, 3, "places without coordinates are geocoded")
}

func TestQuoteRules(t *testing.T) {
	s := servicetest.Start(t)
	stranger, _ := s.AddOrganization("Stranger", "")
	past := fmt.Sprint(s.World.Now().Add(-time.Hour))
	for _, row := range []struct {
		name    string
		replace map[string]string
		query   string
		status  int
		subcode model.Int
	}{
		{"no readyBy", map[string]string{"readyBy": ""}, "", 400, model.ErrorMissing},
		{"no quantity", map[string]string{"quantity": ""}, "", 400, model.ErrorMissing},
		{"half a piece", map[string]string{"quantity": "0.5"}, "", 400, model.ErrorInvalid},
		{"no pieces", map[string]string{"quantity": "0"}, "", 400, model.ErrorInvalid},
		{"no weight", map[string]string{"weight": ""}, "", 400, model.ErrorMissing},
		{"no weight value", map[string]string{"weight": `{"units":"kg"}`}, "", 400, model.ErrorMissing},
		{"no weight units", map[string]string{"weight": `{"value":1}`}, "", 400, model.ErrorMissing},
		{"odd units", map[string]string{"weight": `{"value":1,"units":"stone"}`}, "", 400, model.ErrorInvalid},
		{"impossible weight", map[string]string{"weight": `{"value":1e12,"units":"kg"}`}, "", 400, model.ErrorInvalid},
		{"impossible quantity", map[string]string{"quantity": "1e300"}, "", 400, model.ErrorInvalid},
		{"no pickup", map[string]string{"pickup": ""}, "", 400, model.ErrorMissing},
		{"no dropoff", map[string]string{"dropoff": ""}, "", 400, model.ErrorMissing},
		{"pickup without street", map[string]string{"pickup": `{"city":"San Francisco","country":"USA"}`}, "", 400, model.ErrorMissing},
		{"nowhere", map[string]string{"dropoff": `{"unparsed":"1 Void Rd, Nowhereville-on-Void, USA"}`}, "", 400, model.ErrorGeocoding},
		{"due before ready", map[string]string{"dueBy": fmt.Sprint(s.World.Now())}, "", 400, model.ErrorTimeConstraint},
		{"due in the past", map[string]string{"readyBy": fmt.Sprint(s.World.Now().Add(-2 * time.Hour)), "dueBy": past}, "", 400, model.ErrorTimeConstraint},
		{"seconds", map[string]string{"readyBy": fmt.Sprint(s.World.Now().UnixSeconds())}, "", 400, model.ErrorTimeConstraint},
		{"unknown client", nil, "?clientId=" + string(model.NewID()), 404, model.ErrorNotFound},
		{"foreign client", nil, "?clientId=" + string(stranger), 401, model.ErrorScope},
		{"no client id", nil, "?clientId=bakery", 400, model.ErrorWrongType},
	} {
		t.Run(row.name, func(*testing.T) {
			s.Do("POST", "/deliveryServices/quote"+row.query, quoteBody(s, row.replace)).Refused(row.status, row.subcode)
		})
	}
}

func TestRateCardsOfCourierAndClient(t *testing.T) {
	s := servicetest.Start(t)
	bakery, bakeryKey := s.AddOrganization("Bakery", s.Org)
	_, floristKey := s.AddOrganization("Florist", s.Org)
	flat := func(name string, base rates.Amount) []rates.Service {
		return []rates.Service{{
			DisplayName: name, Vehicle: "BICYCLE", Promise: rates.Promise{Within: 12 * time.Hour}, MaxPieces: 3,
			Card: rates.Card{Currency: "EUR", Base: base, Pieces: rates.Per(50, 1, 1)},
		}}
	}
	require.NoError(t, s.World.SetDeliveryServices(t.Context(), s.Org, "", flat("For all", 9_00)))
	require.NoError(t, s.World.SetDeliveryServices(t.Context(), s.Org, bakery, append(flat("For bakers", 5_00), flat("For bakers too", 6_00)...)))
	var quotes []model.Quote
	s.DoAs(bakeryKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	require.Len(t, quotes, 2)
	require.Equal(t, "For bakers", quotes[0].DisplayName)
	require.InDelta(t, 5.5, quotes[0].EstimatedCost, 0)
	require.Equal(t, "EUR", quotes[0].Currency)
	s.DoAs(floristKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	require.Len(t, quotes, 1)
	require.Equal(t, "For all", quotes[0].DisplayName)
	require.Error(t, s.World.SetDeliveryServices(t.Context(), s.Org, model.NewID(), flat("X", 1)))
	broken := flat("X", 1)
	broken[0].Card.Currency = "EURO"
	require.Error(t, s.World.SetDeliveryServices(t.Context(), s.Org, "", broken))
}

func TestOrderOfAClient(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	var quotes []model.Quote
	s.DoAs(clientKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	var created, read model.Order
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody(fmt.Sprintf(`,"deliveryServiceId":%q`, quotes[1].ID))).OK(&created)
	require.True(t, created.ID.Valid())
	require.True(t, created.ShortID.Valid())
	require.Equal(t, model.OrderUnassigned, created.Status)
	require.Equal(t, client, created.ClientID.Value())
	require.Equal(t, "Bakery", created.ClientName.Value())
	require.Equal(t, s.Org, created.CourierID.Value())
	require.Equal(t, string(quotes[1].ID), created.DeliveryService.Value())
	require.InDelta(t, quotes[1].EstimatedCost, created.Price.Value(), 0)
	require.Equal(t, "USD", created.Currency.Value())
	require.Len(t, created.PriceBreakdown, len(quotes[1].EstimatedCostBreakdown))
	for i, part := range created.PriceBreakdown {
		require.True(t, part.ID.Value().Valid())
		require.InDelta(t, quotes[1].EstimatedCostBreakdown[i].Cost, part.Cost, 0)
	}
	require.Len(t, created.Events, 1)
	pickup, dropoff := created.PickupTask, created.DropoffTask
	require.Equal(t, []model.ID{pickup.ID}, dropoff.Dependencies)
	require.Empty(t, pickup.Dependencies)
	require.True(t, pickup.PickupTask)
	require.False(t, dropoff.PickupTask)
	require.Equal(t, model.Int(0), pickup.Type.Value())
	require.Equal(t, model.Int(1), dropoff.Type.Value())
	for _, task := range []model.Task{pickup, dropoff} {
		require.Equal(t, client, task.Organization)
		require.Equal(t, client, task.Merchant)
		require.Equal(t, s.Org, task.Executor)
		require.Equal(t, created.ShortID, task.OrderShortID.Value())
		require.Equal(t, s.Org, task.Container.Value().Owner())
		require.True(t, task.CustomRequirements.Has())
		require.True(t, task.BulkTasks.Has())
		destination := task.Destination.Object
		require.Equal(t, client, destination.Organization.Value())
		require.True(t, destination.UseGPS.Has())
		require.False(t, destination.WasGeocoded.Value())
		require.True(t, destination.CreatedByLocation.Value())
	}
	require.Equal(t, "Ring twice", pickup.Notes)
	require.Equal(t, "+14155550101", dropoff.Recipients[0].Object.Phone)
	require.True(t, dropoff.Requirements.Value().Signature.Value())
	for _, key := range []string{clientKey, s.Key} {
		for _, ref := range []string{string(created.ShortID), string(created.ID)} {
			s.DoAs(key, "GET", "/taskOrders/"+ref, nil).OK(&read)
			require.Equal(t, created, read)
		}
	}
	s.Do("GET", "/taskOrders/"+string(pickup.ShortID), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("DELETE", "/tasks/"+string(pickup.ID), nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestOrderRules(t *testing.T) {
	s := servicetest.Start(t)
	_, clientKey := s.AddOrganization("Bakery", s.Org)
	_, floristKey := s.AddOrganization("Florist", s.Org)
	second, _ := s.AddOrganization("Second Courier", "")
	torn, tornKey := s.AddOrganization("Torn", s.Org)
	connectClient(t, s, second, torn)
	var quotes []model.Quote
	s.DoAs(clientKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	quoted := fmt.Sprintf(`,"deliveryServiceId":%q`, quotes[0].ID)
	task := `{"destination":{"address":` + pickupAddress + `}}`
	for _, row := range []struct {
		name, key, body string
		status          int
		subcode         model.Int
	}{
		{"no pickup", clientKey, `{"dropoffTask":` + task + `}`, 400, model.ErrorMissing},
		{"no dropoff", clientKey, `{"pickupTask":` + task + `}`, 400, model.ErrorMissing},
		{"no destination", clientKey, `{"pickupTask":{},"dropoffTask":` + task + `}`, 400, model.ErrorMissing},
		{"half an address", clientKey, `{"dropoffTask":` + task + `,"pickupTask":{"destination":{"address":{"number":"1","street":"A","city":"San Francisco","country":"USA"}}}}`, 400, model.ErrorMissing},
		{"unknown quote", clientKey, orderBody(fmt.Sprintf(`,"deliveryServiceId":%q`, model.NewID())), 404, model.ErrorNotFound},
		{"another client's quote", floristKey, orderBody(quoted), 401, model.ErrorScope},
		{"quote for another client", s.Key, orderBody(quoted + fmt.Sprintf(`,"clientId":%q`, torn)), 400, model.ErrorInvalid},
		{"quote for another way", clientKey, strings.Replace(orderBody(quoted), "[-122.4430,37.7940]", "[-122.4430,37.7990]", 1), 400, model.ErrorInvalid},
		{"two couriers", tornKey, orderBody(""), 400, model.ErrorAmbiguous},
		{"unknown client", s.Key, orderBody(fmt.Sprintf(`,"clientId":%q`, model.NewID())), 404, model.ErrorNotFound},
		{"foreign client", s.Key, orderBody(fmt.Sprintf(`,"clientId":%q`, second)), 401, model.ErrorScope},
		{"foreign destination", clientKey, `{"dropoffTask":` + task + fmt.Sprintf(`,"pickupTask":{"destination":%q}}`, foreignDestination(s)), 401, model.ErrorScope},
	} {
		t.Run(row.name, func(*testing.T) { s.DoAs(row.key, "POST", "/taskOrders", row.body).Refused(row.status, row.subcode) })
	}
	s.Clock.Advance(48 * time.Hour)
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody(quoted)).Refused(http.StatusBadRequest, model.ErrorTimeConstraint)
}

// foreignDestination creates a destination of the courier.
func foreignDestination(s *servicetest.Server) model.ID {
	var d model.Destination
	s.Do("POST", "/destinations", place(-122.4, 37.78)).OK(&d)
	return d.ID
}

func TestOrderWithoutQuoteHasNoPrice(t *testing.T) {
	s := servicetest.Start(t)
	client, _ := s.AddOrganization("Bakery", s.Org)
	var order model.Order
	s.Do("POST", "/taskOrders", orderBody(fmt.Sprintf(`,"clientId":%q`, client))).OK(&order)
	require.Equal(t, client, order.PickupTask.Organization)
	require.True(t, order.Price.IsNull())
	require.True(t, order.DeliveryService.IsNull())
	require.Empty(t, order.PriceBreakdown)
	var own model.Order
	s.Do("POST", "/taskOrders", orderBody("")).OK(&own)
	require.True(t, own.ClientID.IsNull())
	require.Equal(t, s.Org, own.PickupTask.Organization)
}

func TestOrderTasksHaveCustomFields(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("POST", "/customFields", `{"fields":[{"key":"floor","name":"Floor","type":"integer","contexts":[{"isRequired":true,"conditions":
		[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":false}]}]}]}`).OK(nil)
	s.Do("POST", "/taskOrders", orderBody("")).Refused(http.StatusBadRequest, model.ErrorMissing)
	body := `{"pickupTask":{"destination":{"address":` + pickupAddress + `}},
		"dropoffTask":{"destination":{"address":` + dropoffAddress + `},"customFields":[{"key":"floor","value":3}]}}`
	var order model.Order
	s.Do("POST", "/taskOrders", body).OK(&order)
	require.JSONEq(t, "3", string(order.DropoffTask.CustomFields.Value()[0].Value.Value()))
	s.Do("POST", "/taskOrders", strings.NewReplacer("[{", "{", "}]", "}").Replace(body)).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestOrderRecipientsWithoutNameOrPhone(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("POST", "/recipients", `{"name":"Known","phone":"+14155550100"}`).OK(nil)
	body := func(pickup, dropoff string) string {
		return `{"pickupTask":{"destination":{"address":` + pickupAddress + `},"recipient":` + pickup + `},
			"dropoffTask":{"destination":{"address":` + dropoffAddress + `},"recipients":[` + dropoff + `]}}`
	}
	var order model.Order
	s.Do("POST", "/taskOrders", body(`{"phone":"+14155550100"}`, `{"name":"No Phone","notes":"Back door"}`)).OK(&order)
	require.Equal(t, "Known", order.PickupTask.Recipients[0].Object.Name)
	require.Empty(t, order.DropoffTask.Recipients)
	require.Equal(t, "No Phone", order.DropoffTask.Overrides.RecipientName.Value())
	require.Equal(t, "Back door", order.DropoffTask.Overrides.RecipientNotes.Value())
	require.True(t, order.PickupTask.Destination.Object.WasGeocoded.Value())
	s.Do("POST", "/taskOrders", body(`{"phone":"+14155550199"}`, "")).OK(&order)
	require.Equal(t, "+14155550199", order.PickupTask.Recipients[0].Object.Name)
}

func TestOrderStatusFollowsItsTasks(t *testing.T) {
	for _, success := range []bool{true, false} {
		s := servicetest.Start(t)
		_, clientKey := s.AddOrganization("Bakery", s.Org)
		worker := newWorker(t, s, newTeam(t, s, "North").ID, "+14155550100", "")
		require.NoError(t, s.World.GoOnDuty(t.Context(), worker.ID))
		var order model.Order
		s.DoAs(clientKey, "POST", "/taskOrders", orderBody("")).OK(&order)
		status := func() model.OrderStatus {
			var read model.Order
			s.DoAs(clientKey, "GET", "/taskOrders/"+string(order.ShortID), nil).OK(&read)
			return read.Status
		}
		assign := func(id model.ID) {
			s.Do("PUT", "/tasks/"+string(id), fmt.Sprintf(`{"container":{"type":"WORKER","worker":%q}}`, worker.ID)).OK(nil)
		}
		require.Equal(t, model.OrderUnassigned, status())
		assign(order.PickupTask.ID)
		require.Equal(t, model.OrderUnassigned, status(), "half is still to be assigned")
		assign(order.DropoffTask.ID)
		require.Equal(t, model.OrderAssigned, status())
		require.Error(t, s.World.StartTask(t.Context(), worker.ID, order.DropoffTask.ID), "the pickup comes first")
		require.NoError(t, s.World.StartTask(t.Context(), worker.ID, order.PickupTask.ID))
		require.Equal(t, model.OrderActive, status())
		s.DoAs(clientKey, "PUT", "/taskOrders/"+string(order.ID), `{"pickupTask":{},"dropoffTask":{"notes":"x"}}`).
			Refused(http.StatusConflict, model.ErrorInvalid)
		s.Do("POST", "/taskOrders/cancel", fmt.Sprintf(`{"orderIds":[%q]}`, order.ID)).Refused(http.StatusConflict, model.ErrorInvalid)
		s.Do("POST", "/taskOrders/"+string(order.ShortID)+"/reject", nil).Refused(http.StatusConflict, model.ErrorInvalid)
		require.NoError(t, s.World.CompleteTask(t.Context(), worker.ID, order.PickupTask.ID, world.Completion{}))
		require.Equal(t, model.OrderActive, status())
		require.NoError(t, s.World.StartTask(t.Context(), worker.ID, order.DropoffTask.ID))
		if success {
			require.NoError(t, s.World.CompleteTask(t.Context(), worker.ID, order.DropoffTask.ID,
				world.Completion{SignatureUploadID: "0123456789abcdef01234567"}))
			require.Equal(t, model.OrderCompleted, status())
		} else {
			require.NoError(t, s.World.FailTask(t.Context(), worker.ID, order.DropoffTask.ID, world.Completion{}))
			require.Equal(t, model.OrderFailed, status())
		}
		s.Do("POST", "/taskOrders/cancel", fmt.Sprintf(`{"orderIds":[%q]}`, order.ID)).Refused(http.StatusConflict, model.ErrorInvalid)
	}
}

func TestUpdateOrder(t *testing.T) {
	s := servicetest.Start(t)
	client, clientKey := s.AddOrganization("Bakery", s.Org)
	var order, changed model.Order
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody("")).OK(&order)
	after := s.World.Now().Add(time.Hour)
	body := fmt.Sprintf(`{"pickupTask":{"notes":"Side door","completeAfter":%d,"completeBefore":%d,"quantity":3},
		"dropoffTask":{"destination":{"address":%s,"location":[-122.41,37.76]},"recipients":[{"name":"Bo","phone":"+14155550177"}],
		"requirements":{"photo":true}}}`, after, after.Add(time.Hour), pickupAddress)
	s.DoAs(clientKey, "PUT", "/taskOrders/"+string(order.ShortID), body).OK(&changed)
	require.Equal(t, "Side door", changed.PickupTask.Notes)
	require.Equal(t, after, changed.PickupTask.CompleteAfter.Value())
	require.InDelta(t, 3, changed.PickupTask.Quantity, 0)
	require.Equal(t, order.PickupTask.Recipients, changed.PickupTask.Recipients, "what is not sent stays")
	require.Equal(t, model.Location{Lon: -122.41, Lat: 37.76}, changed.DropoffTask.Destination.Object.Location)
	require.Equal(t, client, changed.DropoffTask.Destination.Object.Organization.Value())
	require.Equal(t, "Bo", changed.DropoffTask.Recipients[0].Object.Name)
	require.True(t, changed.DropoffTask.Requirements.Value().Photo.Value())
	require.Equal(t, []model.ID{order.PickupTask.ID}, changed.DropoffTask.Dependencies)
	require.Len(t, changed.Events, 2)
	s.Do("PUT", "/taskOrders/"+string(order.ID), `{"pickupTask":{"notes":"Courier was here"},"dropoffTask":{}}`).OK(&changed)
	require.Equal(t, "Courier was here", changed.PickupTask.Notes)
	s.DoAs(clientKey, "PUT", "/taskOrders/"+string(order.ID), `{"pickupTask":{}}`).Refused(http.StatusBadRequest, model.ErrorMissing)
	s.DoAs(clientKey, "PUT", "/taskOrders/"+string(order.ID), `{"pickupTask":{},"dropoffTask":{"destination":null}}`).
		Refused(http.StatusBadRequest, model.ErrorMissing)
}

func TestCancelOrders(t *testing.T) {
	s := servicetest.Start(t)
	_, clientKey := s.AddOrganization("Bakery", s.Org)
	var first, second, read model.Order
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody("")).OK(&first)
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody("")).OK(&second)
	cancel := func(ids ...model.ID) servicetest.Answer {
		return s.DoAs(clientKey, "POST", "/taskOrders/cancel", model.CancelOrders{OrderIDs: ids})
	}
	cancel().Refused(http.StatusBadRequest, model.ErrorMissing)
	cancel(first.ID, model.NewID()).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.DoAs(clientKey, "GET", "/taskOrders/"+string(first.ShortID), nil).OK(&read)
	require.Equal(t, model.OrderUnassigned, read.Status, "all or none")
	var cancelled model.OrdersCancelled
	cancel(first.ID, second.ID, first.ID).OK(&cancelled)
	require.Equal(t, "success", cancelled.Status)
	require.Equal(t, model.Int(2), cancelled.TotalOrdersRemoved)
	s.DoAs(clientKey, "GET", "/taskOrders/"+string(first.ShortID), nil).OK(&read)
	require.Equal(t, model.OrderCancelled, read.Status)
	require.Equal(t, first.PickupTask.ID, read.PickupTask.ID)
	require.Len(t, read.Events, 2)
	s.Do("GET", "/tasks/"+string(first.PickupTask.ID), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	cancel(first.ID).Refused(http.StatusConflict, model.ErrorInvalid)
	_, strangerKey := s.AddOrganization("Stranger", "")
	s.DoAs(strangerKey, "POST", "/taskOrders/cancel", model.CancelOrders{OrderIDs: []model.ID{first.ID}}).
		Refused(http.StatusUnauthorized, model.ErrorScope)
	var again model.Order
	s.DoAs(clientKey, "POST", "/taskOrders/"+string(first.ID)+"/clone", nil).OK(&again)
	require.Equal(t, model.OrderUnassigned, again.Status)
	require.NotEqual(t, first.ShortID, again.ShortID)
	require.Equal(t, first.PickupTask.Notes, again.PickupTask.Notes)
	require.Equal(t, first.DropoffTask.Destination.Object.ID, again.DropoffTask.Destination.Object.ID)
	require.Equal(t, first.DropoffTask.Recipients[0].Object.ID, again.DropoffTask.Recipients[0].Object.ID)
}

func TestRejectIsForCouriersAndCloneForClients(t *testing.T) {
	s := servicetest.Start(t)
	_, clientKey := s.AddOrganization("Bakery", s.Org)
	var order, own, read model.Order
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody("")).OK(&order)
	path := "/taskOrders/" + string(order.ShortID)
	s.DoAs(clientKey, "POST", path+"/reject", nil).Refused(http.StatusForbidden, model.ErrorForbidden)
	s.Do("POST", path+"/clone", nil).Refused(http.StatusForbidden, model.ErrorForbidden)
	s.Do("POST", path+"/reject", nil).OK(&read)
	require.Equal(t, model.OrderRejected, read.Status)
	s.DoAs(clientKey, "GET", path, nil).OK(&read)
	require.Equal(t, model.OrderRejected, read.Status)
	s.Do("POST", "/taskOrders", orderBody("")).OK(&own)
	s.Do("POST", "/taskOrders/"+string(own.ShortID)+"/reject", nil).Refused(http.StatusForbidden, model.ErrorForbidden)

	var quotes []model.Quote
	s.DoAs(clientKey, "POST", "/deliveryServices/quote", quoteBody(s, nil)).OK(&quotes)
	s.DoAs(clientKey, "POST", "/taskOrders", orderBody(fmt.Sprintf(`,"deliveryServiceId":%q`, quotes[0].ID))).OK(&order)
	s.DoAs(clientKey, "POST", "/taskOrders/"+string(order.ID)+"/clone", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
}
