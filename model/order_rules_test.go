package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	orderPlace   = `"destination":{"address":{"number":"1","street":"S","city":"C","state":"X","postalCode":"9","country":"D"}}`
	orderUnknown = `"destination":{"address":{"number":"1","street":"S","city":"C","country":"D"}}`
)

func TestOrderRules(t *testing.T) {
	check := func(in OrderInput) Problems { return in.Check(ruleContext) }
	both := func(pickup, dropoff string) string {
		return `{"pickupTask":{` + pickup + `},"dropoffTask":{` + dropoff + `}}`
	}
	checkRules(t, check, []ruleCase{
		{"least", both(orderPlace, orderPlace), nil},
		{"with a service", `{"pickupTask":{` + orderPlace + `},"dropoffTask":{` + orderPlace + `},"deliveryServiceId":"ID","clientId":"ID"}`, nil},
		{"malformed ids", `{"pickupTask":{` + orderPlace + `},"dropoffTask":{` + orderPlace + `},"deliveryServiceId":"x","clientId":"y"}`, []string{"deliveryServiceId:1005", "clientId:1005"}},
		{"nothing", `{}`, []string{"pickupTask:1900", "dropoffTask:1900"}},
		{"one task", `{"pickupTask":{` + orderPlace + `}}`, []string{"dropoffTask:1900"}},
		{"no destination", both("", orderPlace), []string{"pickupTask.destination:1900"}},
		{"in one line", both(`"destination":{"address":{"unparsed":"x"}}`, orderPlace), nil},
		{"by id", both(`"destination":"ID"`, orderPlace), nil},
		{"no state and postal code", both(orderUnknown, orderPlace), []string{"pickupTask.destination.address.state:1900", "pickupTask.destination.address.postalCode:1900"}},
		{"recipient without phone", both(orderPlace+`,"recipient":{"name":"A"}`, orderPlace), nil},
		{"recipient with bad phone", both(orderPlace, orderPlace+`,"recipients":[{"phone":"1"}]`), []string{"dropoffTask.recipients[0].phone:1000"}},
		{"recipient by malformed id", both(orderPlace+`,"recipient":"x"`, orderPlace), []string{"pickupTask.recipient:1005"}},
		{"recipient twice", both(orderPlace+`,"recipient":"ID","recipients":["ID"]`, orderPlace), []string{"pickupTask.recipients:1001"}},
		{"two recipients", both(orderPlace+`,"recipients":["ID","OTHER"]`, orderPlace), []string{"pickupTask.recipients:1000"}},
		{"times reversed", both(orderPlace+`,"completeAfter":<2h>,"completeBefore":<1h>`, orderPlace), []string{"pickupTask.completeBefore:1009"}},
		{"numbers", both(orderPlace+`,"quantity":-1,"serviceTime":-1,"requirements":{"minimumAge":-1}`, orderPlace), []string{"pickupTask.requirements.minimumAge:1000", "pickupTask.quantity:1000", "pickupTask.serviceTime:1000"}},
	})
	update := func(in OrderInput) Problems { return in.CheckUpdate(ruleContext) }
	checkRules(t, update, []ruleCase{
		{"both, unchanged", both("", ""), nil},
		{"one missing", `{"dropoffTask":{"notes":"n"}}`, []string{"pickupTask:1900"}},
		{"destination with location", both(`"destination":{"location":[1,2],"address":{"city":"C","country":"D"}}`, ""), nil},
		{"destination cleared", both(`"destination":null`, ""), []string{"pickupTask.destination:1900"}},
	})
	checkRules(t, CancelOrders.Check, []ruleCase{
		{"one", `{"orderIds":["ID"]}`, nil},
		{"none", `{"orderIds":[]}`, []string{"orderIds:1900"}},
		{"malformed", `{"orderIds":["ID","x"]}`, []string{"orderIds[1]:1005"}},
	})
}

func TestQuoteRules(t *testing.T) {
	quote := func(readyBy, quantity, weight, place string) string {
		return `{"readyBy":` + readyBy + `,"quantity":` + quantity + `,"weight":` + weight + `,"pickup":` + place + `,"dropoff":{"unparsed":"x"}}`
	}
	const weight, place = `{"value":1.5,"units":"kg"}`, `{"number":"1","street":"S","city":"C","country":"D"}`
	checkRules(t, QuoteRequest.Check, []ruleCase{
		{"fine", quote("<1h>", "2", weight, place), nil},
		{"pounds", quote("<1h>", "2", `{"value":1,"units":"lbs"}`, place), nil},
		{"address under its name", quote("<1h>", "2", weight, `{"address":{"unparsed":"x"}}`), nil},
		{"address with location", quote("<1h>", "2", weight, `{"address":{"city":"C","country":"D"},"location":[1,2]}`), nil},
		{"nothing", `{}`, []string{"readyBy:1900", "quantity:1900", "weight:1900", "pickup:1900", "dropoff:1900"}},
		{"due before ready", `{"readyBy":<2h>,"dueBy":<1h>,"quantity":1,"weight":{"value":1,"units":"kg"},"pickup":{"unparsed":"x"},"dropoff":{"unparsed":"y"}}`, []string{"dueBy:1009"}},
		{"ready in seconds", quote("<s1h>", "2", weight, place), []string{"readyBy:1009"}},
		{"half a piece", quote("<1h>", "1.5", weight, place), []string{"quantity:1000"}},
		{"no piece", quote("<1h>", "0", weight, place), []string{"quantity:1000"}},
		{"weight without value", quote("<1h>", "1", `{"units":"kg"}`, place), []string{"weight.value:1900"}},
		{"weight without units", quote("<1h>", "1", `{"value":1}`, place), []string{"weight.units:1900"}},
		{"weight in stones", quote("<1h>", "1", `{"value":1,"units":"st"}`, place), []string{"weight.units:1000"}},
		{"negative weight", quote("<1h>", "1", `{"value":-1,"units":"kg"}`, place), []string{"weight.value:1000"}},
		{"spread address broken", quote("<1h>", "1", weight, `{"number":"1","street":"S","country":"D"}`), []string{"pickup.city:1900"}},
		{"named address broken", quote("<1h>", "1", weight, `{"address":{"unparsed":"x"},"location":[0,95]}`), []string{"pickup.address.unparsed:1000", "pickup.location:1000"}},
	})
}

func testFields() []CustomField {
	return []CustomField{
		{Key: "any", Type: FieldSingleLine},
		{Key: "both", Type: FieldBoolean, Contexts: []FieldContext{{Name: "save", IsRequired: true, Conditions: []Condition{}}}},
		{Key: "pickup", Type: FieldInteger, Contexts: []FieldContext{{Name: "save", IsRequired: true, Conditions: ForPickups.Conditions()}}},
		{Key: "dropoff", Type: FieldDate, Contexts: []FieldContext{{Name: "save", Conditions: ForDropoffs.Conditions()}}},
		{Key: "list", Type: FieldDecimal, AsArray: true},
		{Key: "link", Type: FieldURL},
		{Key: "text", Type: FieldMultiLine},
	}
}

func TestTemplateRules(t *testing.T) {
	check := func(in TemplateInput) Problems { return in.Check(testFields()) }
	template := func(conditions, fields string) string {
		return `{"name":"T","contextSaveConditions":` + conditions + `,"fields":` + fields + `}`
	}
	const (
		both    = `[]`
		pickup  = `[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true}]`
		dropoff = `[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":false}]`
	)
	checkRules(t, check, []ruleCase{
		{"both kinds", template(both, `["any","both"]`), nil},
		{"pickups", template(pickup, `["any","both","pickup"]`), nil},
		{"drop-offs", template(dropoff, `["any","both","dropoff"]`), nil},
		{"pickups with a drop-off field", template(pickup, `["any","dropoff"]`), []string{"fields[1]:1000"}},
		{"drop-offs with a pickup field", template(dropoff, `["pickup"]`), []string{"fields[0]:1000"}},
		{"both with single-kind fields", template(both, `["pickup","any","dropoff"]`), []string{"fields[0]:1000", "fields[2]:1000"}},
		{"unknown field", template(both, `["Any"]`), []string{"fields[0]:1000"}},
		{"nothing", `{}`, []string{"name:1900", "contextSaveConditions:1900", "fields:1900"}},
		{"two conditions", template(`[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":true},{"fieldName":"pickupTask","comparison":"equal_to","targetValue":false}]`, `["pickup"]`), []string{"contextSaveConditions:1000"}},
		{"other field", template(`[{"fieldName":"state","comparison":"equal_to","targetValue":true}]`, `[]`), []string{"contextSaveConditions:1000"}},
		{"other comparison", template(`[{"fieldName":"pickupTask","comparison":"not_equal_to","targetValue":true}]`, `[]`), []string{"contextSaveConditions:1000"}},
		{"target that is a text", template(`[{"fieldName":"pickupTask","comparison":"equal_to","targetValue":"true"}]`, `[]`), []string{"contextSaveConditions:1000"}},
		{"no target", template(`[{"fieldName":"pickupTask","comparison":"equal_to"}]`, `[]`), []string{"contextSaveConditions:1000"}},
	})
}

func TestTaskKindsAndConditionsAreTheSame(t *testing.T) {
	for _, kinds := range []TaskKinds{ForBoth, ForPickups, ForDropoffs} {
		got, ok := KindsOf(kinds.Conditions())
		require.True(t, ok)
		require.Equal(t, kinds, got, kinds.String())
	}
	require.Equal(t, ForBoth, CustomField{Contexts: []FieldContext{
		{Conditions: ForPickups.Conditions()}, {Conditions: ForDropoffs.Conditions()},
	}}.Kinds())
}

func TestCustomFieldRules(t *testing.T) {
	check := func(kind TaskKinds) func([]CustomFieldInput) Problems {
		return func(values []CustomFieldInput) Problems { return CheckCustomFields(values, testFields(), kind) }
	}
	checkRules(t, check(ForDropoffs), []ruleCase{
		{"fine", `[{"key":"both","value":true},{"key":"any","value":"x"},{"key":"dropoff","value":"2026-11-20"},{"key":"list","value":[1,2.5]},{"key":"link","value":"https://x.y"},{"key":"text","value":"a\nb"}]`, nil},
		{"unknown key is dropped", `[{"key":"both","value":true},{"key":"nope","value":1}]`, nil},
		{"required missing", `[]`, []string{"customFields:1900"}},
		{"required must be true", `[{"key":"both","value":false}]`, []string{"customFields:1900"}},
		{"null clears", `[{"key":"both","value":true},{"key":"any","value":null}]`, nil},
		{
			"wrong kinds", `[{"key":"both","value":true},{"key":"any","value":1},{"key":"dropoff","value":"tomorrow"},{"key":"list","value":["x",1]},{"key":"link","value":"nowhere"},{"key":"text","value":{}},{"key":"pickup","value":1.5}]`,
			[]string{"customFields[1].value:1000", "customFields[2].value:1000", "customFields[3].value[0]:1000", "customFields[4].value:1000", "customFields[5].value:1000", "customFields[6].value:1000"},
		},
		{"not a list", `[{"key":"both","value":true},{"key":"list","value":1}]`, []string{"customFields[1].value:1000"}},
		{"date in milliseconds", `[{"key":"both","value":true},{"key":"dropoff","value":<1h>}]`, nil},
	})
	checkRules(t, check(ForPickups), []ruleCase{
		{"pickup field required", `[{"key":"both","value":true}]`, []string{"customFields:1900"}},
		{"pickup field given", `[{"key":"both","value":true},{"key":"pickup","value":3}]`, nil},
		{"not a boolean", `[{"key":"both","value":"yes"},{"key":"pickup","value":3}]`, []string{"customFields[0].value:1000", "customFields:1900"}},
	})
}
