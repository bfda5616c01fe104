package service_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// TestSchemasHaveTheMembersOfTheirTypes compares the schemas of the document with the Go types.
func TestSchemasHaveTheMembersOfTheirTypes(t *testing.T) {
	_, doc := documented(t)
	for name, value := range map[string]any{
		"ActionContext": model.ActionContext{}, "Address": model.Address{}, "AddressInput": model.AddressInput{}, "Admin": model.Admin{},
		"AdminFields": model.AdminInput{}, "AssignmentEntry": model.AssignmentEntry{}, "BatchJob": model.BatchJob{},
		"BatchRefusal": model.BatchErrorBody{}, "CloneOptions": model.CloneOptions{}, "CloneRequest": model.CloneRequest{},
		"CompletionDetails": model.CompletionDetails{}, "Container": model.Container{}, "ContainerRef": model.ContainerRef{},
		"ContainerUpdate": model.ContainerUpdate{}, "CustomField": model.CustomField{}, "CustomFieldList": model.CustomFieldList{},
		"CustomFieldValue": model.CustomFieldValue{}, "CustomFieldsInput": model.CustomFieldChange{}, "Destination": model.Destination{},
		"DestinationInput": model.DestinationInput{}, "Dispatch": model.Dispatch{}, "DispatchJob": model.DispatchJob{},
		"DispatchRequest": model.DispatchRequest{}, "Error": model.ErrorBody{}, "Hub": model.Hub{}, "HubFields": model.HubInput{},
		"LoggedEvent": model.LoggedEvent{}, "Metadata": model.Metadata{}, "Order": model.Order{}, "OrderInput": model.OrderInput{},
		"OrderTaskInput": model.OrderTaskInput{}, "PricePart": model.PricePart{}, "Quote": model.Quote{}, "QuoteRequest": model.QuoteRequest{},
		"Recipient": model.Recipient{}, "RecipientInput": model.RecipientInput{}, "RequirementsInput": model.Requirements{},
		"RoutePlan": model.RoutePlan{}, "RoutePlanFields": model.RoutePlanInput{},
		"Schedule": model.Schedule{}, "Task": model.Task{}, "TaskInput": model.TaskInput{}, "TaskUpdate": model.TaskInput{},
		"TaskPage": model.TaskPage{}, "Team": model.Team{}, "TeamEstimate": model.TeamEstimate{}, "TeamInput": model.TeamInput{},
		"Template": model.Template{}, "Vehicle": model.Vehicle{}, "Worker": model.Worker{}, "WorkerAnalytics": model.WorkerAnalytics{},
		"WorkerInput": model.WorkerInput{},
	} {
		schema := doc.Components.Schemas[name]
		require.NotNil(t, schema, name)
		properties, required := members(schema.Value)
		documented := slices.Sorted(maps.Keys(properties))
		encoded := jsonMembers(reflect.TypeOf(value))
		if name == "Address" { // sent in one line, it comes back in parts
			encoded = slices.DeleteFunc(encoded, func(member string) bool { return member == "unparsed" })
		}
		require.Equal(t, encoded, documented, name)
		for _, member := range required {
			require.Contains(t, documented, member, name)
		}
	}
}

// jsonMembers returns the JSON names of a struct's fields, including embedded structs.
func jsonMembers(t reflect.Type) []string {
	var names []string
	for field := range t.Fields() {
		tag, tagged := field.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case field.Anonymous && !tagged:
			names = append(names, jsonMembers(field.Type)...)
		case name != "":
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
