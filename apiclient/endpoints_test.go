package apiclient_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

const (
	taskID     = model.ID("11z1BbsQUZFHD1XAd~emDDeK")
	taskID2    = model.ID("6Fe3qqFZ0DDwsM86zBlDJtlJ")
	workerID   = model.ID("h*wSb*apKlDkUFnuLTtjPke7")
	teamID     = model.ID("nz1nG1Hpx9EHjQCJsT2VAs~o")
	destID     = model.ID("JLn6ZoYGZWn2wB2HaR9glsqB")
	recID      = model.ID("7O4jwqgoZ*6XQmtlkJzyKrLm")
	hubID      = model.ID("E4s6bwGpOZp6pSU3Hz*2ngFA")
	adminID    = model.ID("8AxaiKwMd~np7I*YP2NfukBE")
	hookID     = model.ID("9zqMxI79mRcHpXE111nILiPn")
	jobID      = model.ID("xUhlLC6RDxoxR5B8DFnl5xw3")
	orderID    = model.ID("vEdGMVbNkCWGQGZYVMqSpkLn")
	planID     = model.ID("mBZ~mrKVJ3PtHxXqhBqBhiVN")
	quoteID    = model.ID("SQ3gQ8iLhb7k~VCJ3xJIs9zT")
	clientID   = model.ID("cBrUjKvQQgdRp~s1qvQNLpK*")
	contID     = model.ID("2Fwp6wS5wLNjDn36r1LJPscA")
	orderShort = model.ShortID("a1b2c3d4")
	newYear    = model.Millis(1767225600000)
)

// use calls one method and returns what it got, in the shape of the recorded answer.
type use func(ctx context.Context, c *apiclient.Client) (any, error)

func uses() map[string]use {
	all := map[string]use{}
	for _, group := range []map[string]use{
		accountUses(), placeUses(), workerUses(), taskUses(), teamUses(), orderUses(), otherUses(), planUses(),
	} {
		for name, call := range group {
			all[name] = call
		}
	}
	return all
}

// got forgets the type of an answer.
func got[T any](answer T, err error) (any, error) { return answer, err }

// done is the use of a method that answers with nothing.
func done(err error) (any, error) { return nil, err }

func match() []model.Metadata {
	return []model.Metadata{{Name: "isVip", Type: "boolean", Value: model.Raw("true")}}
}

// in decodes an input from the recorded request itself where spelling it out in Go would add nothing.
func in[T any](text string) T {
	var v T
	if err := model.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	return v
}

func accountUses() map[string]use {
	return map[string]use{
		"TestAuth":     func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.TestAuth(ctx)) },
		"Organization": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Organization(ctx)) },
		"ConnectedOrganization": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.ConnectedOrganization(ctx, clientID))
		},
		"Admins": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Admins(ctx)) },
		"CreateAdmin": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateAdmin(ctx, model.AdminInput{
				Name: model.Some("Admin Dispatcher"), Email: model.Some("boss@example.com"), IsReadOnly: model.Some(false),
			}))
		},
		"UpdateAdmin": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateAdmin(ctx, adminID, model.AdminInput{Name: model.Some("Admin Dispatcher")}))
		},
		"DeleteAdmin": func(ctx context.Context, c *apiclient.Client) (any, error) { return done(c.DeleteAdmin(ctx, adminID)) },
		"FindAdmins":  func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.FindAdmins(ctx, match())) },
	}
}

func placeUses() map[string]use {
	return map[string]use{
		"CreateDestination": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateDestination(ctx, model.DestinationInput{
				Address: model.Some(model.AddressInput{
					Number: "543", Street: "Howard St", Apartment: "5th Floor", City: "San Francisco", State: "CA",
					PostalCode: "94105", Country: "USA",
				}),
				Notes:   "Don't forget to check out the epic rooftop.",
				Options: model.Some(model.DestinationOptions{Language: "US"}),
			}))
		},
		"Destination": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Destination(ctx, destID)) },
		"FindDestinations": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.FindDestinations(ctx, match()))
		},
		"CreateRecipient": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateRecipient(ctx, model.RecipientInput{
				Name: model.Some("Boris Foster"), Phone: model.Some("650-555-1133"),
				Notes: model.Some("Always orders our GSC special"), SkipSMSNotifications: model.Some(false),
			}))
		},
		"Recipient": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Recipient(ctx, recID)) },
		"RecipientByName": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.RecipientByName(ctx, "Boris Foster/Sons"))
		},
		"RecipientByPhone": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.RecipientByPhone(ctx, "+16505551133", true))
		},
		"UpdateRecipient": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateRecipient(ctx, recID, model.RecipientInput{Notes: model.Some("Always orders our GSC special")}))
		},
		"FindRecipients": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.FindRecipients(ctx, match()))
		},
	}
}

func workerUses() map[string]use {
	return map[string]use{
		"Workers": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Workers(ctx, apiclient.WorkersQuery{
				Fields: []string{"id", "name", "phone"}, Teams: []model.ID{teamID},
				States: []model.DutyState{model.WorkerIdle, model.WorkerActive},
				Phones: []string{"+16173420000", "+16173420001"}, Passwords: true,
			}))
		},
		"Worker": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Worker(ctx, workerID, apiclient.WorkerQuery{
				Fields: []string{"id", "name"}, Analytics: true, From: 1455072000000, To: 1455156600000,
			}))
		},
		"WorkersNear": func(ctx context.Context, c *apiclient.Client) (any, error) {
			workers, err := c.WorkersNear(ctx, model.Location{Lon: -122.41275, Lat: 37.78998}, 6000)
			return model.WorkersNear{Workers: workers}, err
		},
		"WorkerTaskPage": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.WorkerTaskPage(ctx, workerID, apiclient.OwnTasksQuery{
				From: 1455072000000, To: 1455156600000, LastID: taskID2, PickupTask: model.Some(false),
			}))
		},
		"WorkerTasks": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return collect(c.WorkerTasks(ctx, workerID, apiclient.OwnTasksQuery{From: 1455072000000}))
		},
		"CreateWorker": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateWorker(ctx, newWorker()))
		},
		"UpdateWorker": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateWorker(ctx, workerID, model.WorkerInput{
				DisplayName: model.Some("AS"), Capacity: model.Some(0.0),
			}))
		},
		"DeleteWorker": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.DeleteWorker(ctx, workerID))
		},
		"WorkerSchedule": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.WorkerSchedule(ctx, workerID))
		},
		"SetWorkerSchedule": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.SetWorkerSchedule(ctx, workerID, model.Schedule{Entries: []model.ScheduleEntry{{
				Date: "2026-01-05", Shifts: [][2]model.Millis{{1767625200000, 1767654000000}}, Timezone: "America/Los_Angeles",
			}}}))
		},
		"FindWorkers": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.FindWorkers(ctx, match())) },
	}
}

func newWorker() model.WorkerInput {
	return model.WorkerInput{
		Name: model.Some("A Swartz"), Phone: model.Some("617-342-8853"), Teams: model.Some([]model.ID{teamID}),
		Vehicle: model.Some(model.Vehicle{
			Type: model.VehicleCar, Description: model.Some("Tesla Model 3"), LicensePlate: model.Some("FKNS9A"),
			Color: model.Some("purple"),
		}),
		Capacity: model.Some(0.0), DisplayName: model.Some("AS"),
		Addresses: model.Some(model.WorkerAddressesInput{Routing: model.Some(model.ByID[model.DestinationInput](destID))}),
	}
}

func newTask() model.TaskInput {
	return model.TaskInput{
		Destination: model.Some(model.ByID[model.DestinationInput](destID)),
		Recipients: model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(model.RecipientInput{
			Name: model.Some("Boris Foster"), Phone: model.Some("650-555-1133"),
		})}),
		CompleteAfter: model.Some(model.Millis(1455151071727)), CompleteBefore: model.Some(model.Millis(1455172671727)),
		PickupTask: model.Some(false), Notes: model.Some("Order 332: 24oz Stumptown Finca El Puente"),
		AutoAssign: model.Some(model.AutoAssign{Mode: model.AutoAssignDistance}), Quantity: model.Some(2.0),
		ServiceTime: model.Some(model.Minutes(5)), RecipientName: model.Some("Reception"),
		Appearance: model.Some(model.Appearance{TriangleColor: model.Some(model.Int(1))}),
	}
}

func batchTask() model.TaskInput {
	return model.TaskInput{
		Destination: model.Some(model.ByID[model.DestinationInput](destID)),
		Recipients:  model.Some([]model.IDOr[model.RecipientInput]{}), Notes: model.Some("one of many"),
	}
}

func taskUses() map[string]use {
	return map[string]use{
		"TaskPage": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.TaskPage(ctx, apiclient.TaskQuery{
				From: 1455072000000, To: 1455156600000, LastID: taskID,
				States: []model.TaskState{model.TaskUnassigned, model.TaskAssigned}, Worker: workerID,
				CompleteBeforeBefore: 1455172671728, CompleteAfterAfter: 1455151071726,
				Dependencies: []model.ID{taskID, taskID2}, Containers: []model.ID{contID},
			}))
		},
		"Tasks": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return collect(c.Tasks(ctx, apiclient.TaskQuery{}))
		},
		"Task": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Task(ctx, taskID)) },
		"TaskWithHistory": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.TaskWithHistory(ctx, taskID))
		},
		"TaskByShortID": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.TaskByShortID(ctx, "c77ff497"))
		},
		"CreateTask": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.CreateTask(ctx, newTask())) },
		"UpdateTask": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateTask(ctx, taskID, model.TaskInput{Container: model.Some(model.WorkerContainer(workerID))}))
		},
		"DeleteTask": func(ctx context.Context, c *apiclient.Client) (any, error) { return done(c.DeleteTask(ctx, taskID)) },
		"CompleteTask": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.CompleteTask(ctx, taskID, model.CompleteDetails{
				Success: model.Some(true), Notes: model.Some("Left at the door"),
			}))
		},
		"CloneTask": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CloneTask(ctx, taskID, model.CloneOptions{
				IncludeMetadata: model.Some(true), IncludeBarcodes: model.Some(true), IncludeDependencies: model.Some(true),
				Overrides: model.Some(model.CloneOverrides{
					Destination: model.Some(model.ByID[model.DestinationInput](destID)),
					Recipients:  model.Some([]model.IDOr[model.RecipientInput]{model.ByID[model.RecipientInput](recID)}),
					Notes:       model.Some("again"), PickupTask: model.Some(true), ServiceTime: model.Some(model.Minutes(3)),
					Metadata: model.Some(match()), CompleteAfter: model.Some(newYear),
					CompleteBefore: model.Some(newYear + 3600000),
				}),
			}))
		},
		"AutoAssignTasks": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.AutoAssignTasks(ctx, model.AutoAssignRequest{
				Tasks: []model.ID{taskID, taskID2},
				Options: model.AutoAssignOptions{
					Mode: model.AutoAssignLoad, Teams: []model.ID{teamID}, MaxAssignedTaskCount: model.Some(model.Int(5)),
					ConsiderDependencies: model.Some(true),
				},
			}))
		},
		"FindTasks": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.FindTasks(ctx, match())) },
		"CreateBatch": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateBatch(ctx, []model.TaskInput{batchTask()}))
		},
		"BatchJob": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.BatchJob(ctx, jobID)) },
		"CreateTasksNow": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateTasksSync(ctx, []model.TaskInput{batchTask(), batchTask()}))
		},
		"Container": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Container(ctx, model.WorkerContainer(workerID)))
		},
		"UpdateContainer": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateContainer(ctx, model.TeamContainer(teamID), model.ContainerUpdate{
				Tasks: model.ContainerTasks{
					Index: model.Some(model.Int(model.AppendTasks)), IDs: []model.ID{taskID, taskID2},
				},
				ConsiderDependencies: model.Some(true),
			}))
		},
	}
}

func teamUses() map[string]use {
	return map[string]use{
		"Teams": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Teams(ctx)) },
		"Team":  func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Team(ctx, teamID)) },
		"CreateTeam": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateTeam(ctx, model.TeamInput{
				Name: model.Some("Team One"), Workers: model.Some([]model.ID{workerID}),
				Managers: model.Some([]model.ID{adminID}), Hub: model.Some(hubID),
			}))
		},
		"UpdateTeam": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateTeam(ctx, teamID, model.TeamInput{Hub: model.Null[model.ID]()}))
		},
		"DeleteTeam": func(ctx context.Context, c *apiclient.Client) (any, error) { return done(c.DeleteTeam(ctx, teamID)) },
		"TeamTaskPage": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.TeamTaskPage(ctx, teamID, apiclient.OwnTasksQuery{PickupTask: model.Some(true)}))
		},
		"TeamTasks": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return collect(c.TeamTasks(ctx, teamID, apiclient.OwnTasksQuery{}))
		},
		"EstimateDelivery": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.EstimateDelivery(ctx, teamID, apiclient.EstimateQuery{
				Dropoff: model.Some(model.Location{Lon: -122.4, Lat: 37.8}),
				Pickup:  model.Some(model.Location{Lon: -122.5, Lat: 37.7}), PickupTime: 1620965000,
				ExcludedVehicles: []model.VehicleType{model.VehicleBicycle, model.VehicleTruck}, ServiceTime: 120,
			}))
		},
		"EventLog": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.EventLog(ctx, 0)) },
		"EventsSince": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.EventsSince(ctx, 6))
		},
		"LoggedEvent": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.LoggedEvent(ctx, 7))
		},
		"ReplayEvent": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.ReplayEvent(ctx, 7))
		},
		"SampleEvent": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.SampleEvent(ctx, model.SampleEventInput{Trigger: model.Some(model.Raw(`"taskCreated"`))}))
		},
		"WebhookSecret": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.WebhookSecret(ctx)) },
		"Dispatch": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Dispatch(ctx, "gZnA*9ITlFLYqjbJz5v~xGQM"))
		},
		"TeamDispatches": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.TeamDispatches(ctx, teamID))
		},
		"DispatchTeam": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.DispatchTeam(ctx, teamID, model.DispatchRequest{
				MaxTasksPerRoute:   model.Some(model.Int(50)),
				TaskTimeWindow:     model.Some([]model.UnixSeconds{1620950400, 1620979200}),
				ScheduleTimeWindow: model.Some([]model.UnixSeconds{1620964800, 1620986400}),
				ServiceTime:        model.Some(model.Int(2)), RouteEnd: model.Null[string](),
				MaxAllowedDelay: model.Some(model.Int(10)),
				Filters: model.Some(model.DispatchFilters{Workers: model.Some(model.WorkerFilters{
					MaxContainerSize: model.Some(model.Int(40)), VehicleType: model.Some(model.VehicleCar),
				})}),
			}))
		},
		"FindTeams": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.FindTeams(ctx, match())) },
		"Hubs":      func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Hubs(ctx)) },
		"CreateHub": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateHub(ctx, model.HubInput{
				Name: model.Some("VNM hub"), Teams: model.Some([]model.ID{teamID}), Address: model.Some(model.AddressInput{
					Number: "2829", Street: "Vallejo Street", City: "SF", State: "CA", PostalCode: "94123", Country: "USA",
				}),
			}))
		},
		"UpdateHub": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateHub(ctx, hubID, model.HubInput{Phone: model.Some("+14155550100")}))
		},
	}
}

func newOrder() model.OrderInput {
	return in[model.OrderInput](`{
		"pickupTask": {"destination": {"address": {"unparsed": "2829 Vallejo St, SF, CA, USA"}}, "notes": "Back door"},
		"dropoffTask": {
			"destination": {"address": {"unparsed": "543 Howard St, SF, CA, USA"}},
			"recipient": {"name": "Boris Foster", "phone": "650-555-1133"}
		},
		"deliveryServiceId": "` + string(quoteID) + `"
	}`)
}

func orderUses() map[string]use {
	place := func(unparsed string) model.Opt[model.QuotePlace] {
		return model.Some(model.QuotePlace{Address: model.Some(model.AddressInput{Unparsed: unparsed})})
	}
	return map[string]use{
		"Quote": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Quote(ctx, clientID, model.QuoteRequest{
				ReadyBy: model.Some(newYear), DueBy: model.Some(newYear + 7200000), Quantity: model.Some(2.0),
				Weight: model.Some(model.Weight{Value: model.Some(3.5), Units: model.UnitsKilograms}),
				Pickup: place("2829 Vallejo St, SF, CA, USA"), Dropoff: place("543 Howard St, SF, CA, USA"),
			}))
		},
		"Order": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Order(ctx, orderShort)) },
		"CreateOrder": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateOrder(ctx, newOrder()))
		},
		"UpdateOrder": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateOrder(ctx, string(orderShort), newOrder()))
		},
		"CancelOrders": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CancelOrders(ctx, []model.ID{orderID}))
		},
		"CloneOrder": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.CloneOrder(ctx, orderID)) },
		"RejectOrder": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.RejectOrder(ctx, orderShort))
		},
	}
}

func otherUses() map[string]use {
	return map[string]use{
		"CreateWebhook": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateWebhook(ctx, model.WebhookInput{
				Name: model.Some("near"), URL: model.Some("https://hooks.example/taskStarted"),
				Trigger: model.Some(model.TriggerTaskArrival), Threshold: model.Some(150.0),
			}))
		},
		"Webhooks":      func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Webhooks(ctx)) },
		"DeleteWebhook": func(ctx context.Context, c *apiclient.Client) (any, error) { return done(c.DeleteWebhook(ctx, hookID)) },
		"CreateTemplate": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateTemplate(ctx, model.TemplateInput{
				Name: model.Some("Pickups"), Fields: model.Some([]string{"gate"}),
				ContextSaveConditions: model.Some([]model.Condition{{
					FieldName: "pickupTask", Comparison: "equal_to", TargetValue: model.Some(model.Raw("true")),
				}}),
			}))
		},
		"Templates": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Templates(ctx)) },
		"CustomFields": func(ctx context.Context, c *apiclient.Client) (any, error) {
			fields, err := c.CustomFields(ctx)
			return model.CustomFieldList{Fields: fields}, err
		},
		"CreateCustomFields": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.CreateCustomFields(ctx, []model.CustomFieldPart{{
				Key: "gate", Name: model.Some("Gate"), Description: model.Some("Gate code"),
				Type: model.Some(model.FieldSingleLine), AsArray: model.Some(false),
				Visibility:  model.Some([]string{"admin", "api", "worker"}),
				Editability: model.Some([]string{"admin", "api"}),
				Contexts:    model.Some([]model.FieldContext{{Name: "save", Conditions: []model.Condition{}}}),
			}}))
		},
		"UpdateCustomFields": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.UpdateCustomFields(ctx, []model.CustomFieldPart{{Key: "gate", Name: model.Some("Gate code")}}))
		},
		"DeleteCustomFields": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.DeleteCustomFields(ctx, []string{"gate"}))
		},
		"Manifest": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.Manifest(ctx, hubID, workerID))
		},
	}
}

func planUses() map[string]use {
	return map[string]use{
		"RoutePlans": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.RoutePlans(ctx, apiclient.RoutePlansQuery{
				Worker: workerID, StartTimeFrom: newYear, StartTimeTo: newYear + 1, CreatedTimeFrom: 1455156663000,
				CreatedTimeTo: 1455156667234, HasTasks: model.Some(true), Limit: 50,
			}))
		},
		"RoutePlan": func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.RoutePlan(ctx, planID)) },
		"CreateRoutePlan": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateRoutePlan(ctx, model.RoutePlanInput{
				Name: model.Some("Monday round"), StartTime: model.Some(newYear), Tasks: model.Some([]model.ID{taskID}),
				Worker: model.Some(workerID), StartAt: model.Some("HUB"), StartingHubID: model.Some(hubID),
			}))
		},
		"UpdateRoutePlan": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateRoutePlan(ctx, planID, model.RoutePlanInput{Name: model.Some("Monday round")}))
		},
		"AddRoutePlanTasks": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.AddRoutePlanTasks(ctx, planID, []model.ID{taskID}))
		},
		"DeleteRoutePlan": func(ctx context.Context, c *apiclient.Client) (any, error) {
			return done(c.DeleteRoutePlan(ctx, planID))
		},
	}
}

// collect makes a list out of an iterator, in the shape of the page that it came from.
func collect(tasks func(yield func(model.Task, error) bool)) (any, error) {
	page := model.TaskPage{Tasks: []model.Task{}}
	for task, err := range tasks {
		if err != nil {
			return nil, err
		}
		page.Tasks = append(page.Tasks, task)
	}
	return page, nil
}

// TestEndpoints makes every request of the interface against its recorded exchange. The answer must come back from
// the client's types byte for byte the same in meaning: nothing dropped, null still null, absent still absent.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	for name, call := range uses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exchange := apitest.Load(t, name)
			server := apitest.NewServer(t, exchange)
			answer, err := call(t.Context(), server.Client())
			require.NoError(t, err)
			require.Equal(t, 1, server.Served())
			if exchange.Answer.Body == nil {
				require.Nil(t, answer)
				return
			}
			encoded, err := model.Marshal(answer)
			require.NoError(t, err)
			require.JSONEq(t, string(exchange.Answer.Body), string(encoded))
		})
	}
}

// TestEveryEndpointIsTested fails when a method is added without an exchange and a use, or a use without a method.
func TestEveryEndpointIsTested(t *testing.T) {
	t.Parallel()
	var methods []string
	client := reflect.TypeFor[*apiclient.Client]()
	for i := range client.NumMethod() {
		method := client.Method(i)
		if method.Type.NumIn() > 1 && method.Type.In(1) == reflect.TypeFor[context.Context]() {
			methods = append(methods, method.Name)
		}
	}
	var used []string
	for name := range uses() {
		used = append(used, name)
	}
	require.ElementsMatch(t, methods, used)
	require.ElementsMatch(t, methods, slices.DeleteFunc(apitest.Names(t, ""), func(name string) bool {
		return strings.Contains(name, "/")
	}))
}
