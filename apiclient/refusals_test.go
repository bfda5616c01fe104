package apiclient_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

const requestID = "7e2d1c9a-1f0b-4b5e-9c37-2a6d8f3b4c5e"

type refusal struct {
	kinds []error
	call  use
	// retried says that the client tries again by itself.
	retried bool
}

func refusals() map[string]refusal {
	is := func(kinds ...error) []error { return kinds }
	auth := uses()["TestAuth"]
	recipient, worker := uses()["Recipient"], uses()["CreateWorker"]
	dispatch := func(ctx context.Context, c *apiclient.Client) (any, error) {
		return got(c.DispatchTeam(ctx, teamID, model.DispatchRequest{}))
	}
	create := func(task string) use {
		return func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateTask(ctx, in[model.TaskInput](task)))
		}
	}
	createWorker := func(w string) use {
		return func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.CreateWorker(ctx, in[model.WorkerInput](w)))
		}
	}
	update := func(task model.TaskInput) use {
		return func(ctx context.Context, c *apiclient.Client) (any, error) {
			return got(c.UpdateTask(ctx, taskID, task))
		}
	}
	return map[string]refusal{
		"1102-key":         {kinds: is(apiclient.ErrInvalidKey), call: auth},
		"1100-service":     {kinds: is(apiclient.ErrInvalidKey), call: auth},
		"1103-destination": {kinds: is(apiclient.ErrOtherOrganization), call: uses()["Destination"]},
		"1103-recipient":   {kinds: is(apiclient.ErrOtherOrganization), call: recipient},
		"1103-task":        {kinds: is(apiclient.ErrOtherOrganization), call: uses()["Task"]},
		"1402-recipient":   {kinds: is(apiclient.ErrNotFound), call: recipient},
		"1402-container":   {kinds: is(apiclient.ErrNotFound), call: uses()["Container"]},
		"1402-estimate": {
			kinds: is(apiclient.ErrNotFound),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.EstimateDelivery(ctx, teamID, apiclient.EstimateQuery{
					Dropoff: model.Some(model.Location{Lon: -122.4, Lat: 37.8}),
				}))
			},
		},
		"1004-worker-phone": {kinds: is(apiclient.ErrDuplicate), call: worker},
		"1900-worker-teams": {
			kinds: is(apiclient.ErrMissing), call: createWorker(`{"name":"A Swartz","phone":"617-342-8853"}`),
		},
		"1000-worker-phone": {
			kinds: is(apiclient.ErrInvalid),
			call:  createWorker(`{"name":"A Swartz","phone":"12","teams":["` + string(teamID) + `"]}`),
		},
		"1901-team-name": {
			kinds: is(apiclient.ErrDuplicate),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.CreateTeam(ctx, model.TeamInput{Name: model.Some("Team One")}))
			},
		},
		"1001-ambiguous": {kinds: is(apiclient.ErrInvalid), call: create(`{"recipients":[]}`)},
		"1002-unchanged": {kinds: is(apiclient.ErrUnchanged, apiclient.ErrInvalid), call: update(model.TaskInput{})},
		"1003-gone":      {kinds: is(apiclient.ErrNotFound), call: update(model.TaskInput{Notes: model.Some("x")})},
		"1005-malformed-id": {
			kinds: is(apiclient.ErrInvalid),
			call:  func(ctx context.Context, c *apiclient.Client) (any, error) { return got(c.Task(ctx, "short")) },
		},
		"1008-webhook": {
			kinds: is(apiclient.ErrInvalid),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.CreateWebhook(ctx, in[model.WebhookInput](`{"url":"https://hooks.example/","trigger":0}`)))
			},
		},
		"1009-time": {kinds: is(apiclient.ErrInvalid), call: create(`{"completeAfter":2,"completeBefore":1}`)},
		"1010-phone": {
			kinds: is(apiclient.ErrInvalid),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.CreateRecipient(ctx, in[model.RecipientInput](`{"name":"B","phone":"1"}`)))
			},
		},
		"1011-geocoding": {
			kinds: is(apiclient.ErrInvalid),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.CreateDestination(ctx, in[model.DestinationInput](`{"address":{"unparsed":"nowhere"}}`)))
			},
		},
		"1300-forbidden":         {kinds: is(apiclient.ErrForbidden), call: uses()["RejectOrder"]},
		"1405-method":            {kinds: is(apiclient.ErrUnsupportedRoute), call: uses()["DeleteTeam"]},
		"2218-dispatch-active":   {kinds: is(apiclient.ErrDispatchActive), call: dispatch},
		"2218-dispatch-distance": {kinds: is(apiclient.ErrPrecondition), call: dispatch},
		"dispatch-active-without-code": {
			kinds: is(apiclient.ErrDispatchActive), call: dispatch,
		},
		"412-lock": {
			kinds: is(apiclient.ErrBusy), retried: true,
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.UpdateContainer(ctx, model.WorkerContainer(workerID), model.ContainerUpdate{
					Tasks: model.ContainerTasks{IDs: []model.ID{taskID}},
				}))
			},
		},
		"2300-rate":     {kinds: is(apiclient.ErrRateLimited), retried: true, call: uses()["Teams"]},
		"2500-internal": {kinds: is(apiclient.ErrServer), call: create(`{"recipients":[]}`)},
		"batch": {
			kinds: is(apiclient.ErrInvalid),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.CreateBatch(ctx, []model.TaskInput{}))
			},
		},
		"router-404": {
			kinds: is(apiclient.ErrUnsupportedRoute),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.RoutePlans(ctx, apiclient.RoutePlansQuery{}))
			},
		},
		"router-405": {
			kinds: is(apiclient.ErrUnsupportedRoute),
			call: func(ctx context.Context, c *apiclient.Client) (any, error) {
				return got(c.UpdateTeam(ctx, teamID, model.TeamInput{}))
			},
		},
	}
}

// sentinels are all kinds that a refusal can be, so that a test can say which ones it is not.
func sentinels() []error {
	return []error{
		apiclient.ErrInvalidKey, apiclient.ErrOtherOrganization, apiclient.ErrForbidden, apiclient.ErrNotFound,
		apiclient.ErrDuplicate, apiclient.ErrMissing, apiclient.ErrInvalid, apiclient.ErrRateLimited,
		apiclient.ErrBusy, apiclient.ErrUnsupportedRoute, apiclient.ErrUnknownOutcome, apiclient.ErrOffline,
		apiclient.ErrNotJSON, apiclient.ErrServer,
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	cases := refusals()
	for _, name := range apitest.Names(t, "refusals") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exchange := apitest.Load(t, name)
			test, ok := cases[name[len("refusals/"):]]
			require.True(t, ok, "no test uses this recorded refusal")
			// In a bubble the waits between attempts take no time.
			synctest.Test(t, func(t *testing.T) {
				client, served := pipedClient(t, exchange)
				_, err := test.call(t.Context(), client)
				checkRefusal(t, exchange, test, err)
				require.Equal(t, test.retried, *served > 1)
			})
		})
	}
}

func checkRefusal(t *testing.T, exchange apitest.Exchange, want refusal, err error) {
	t.Helper()
	failure, ok := errors.AsType[*apiclient.Error](err)
	require.True(t, ok, "%v", err)
	for _, kind := range want.kinds {
		require.ErrorIs(t, err, kind)
	}
	for _, kind := range sentinels() {
		expected := false
		for _, wanted := range want.kinds {
			expected = expected || errors.Is(wanted, kind)
		}
		require.Equal(t, expected, errors.Is(err, kind), "%v", kind)
	}
	require.Equal(t, exchange.Answer.Status, failure.HTTPStatus)
	require.Equal(t, exchange.Request.Method, failure.Method)
	require.Contains(t, err.Error(), exchange.Request.Method+" "+exchange.Request.Path)

	var body model.ErrorBody
	if model.Unmarshal(exchange.Answer.Body, &body) == nil {
		require.Equal(t, body.Code, failure.Code)
		require.Equal(t, body.Message.Error, failure.Subcode)
		require.Equal(t, body.Message.Message, failure.Message)
		require.Equal(t, body.Message.Cause, failure.Cause)
		require.Equal(t, requestID, failure.RequestID)
		require.Contains(t, err.Error(), requestID)
	}
}

func TestDuplicateNamesKeyAndValue(t *testing.T) {
	t.Parallel()
	server := apitest.NewServer(t, apitest.Load(t, "refusals/1004-worker-phone"))
	_, err := server.Client().CreateWorker(t.Context(), newWorker())
	failure, ok := errors.AsType[*apiclient.Error](err)
	require.True(t, ok)
	key, value, ok := failure.Duplicate()
	require.True(t, ok)
	require.Equal(t, "phone", key)
	require.Equal(t, "+16173420000", value)
	require.Equal(t, "this value is already taken (phone +16173420000): One or more parameters broke a uniqueness "+
		"constraint; use another value, or find the object that has it (POST /workers, HTTP 400, InvalidContent 1004, "+
		"request "+requestID+")", err.Error())
}

func TestBatchRefusalFormat(t *testing.T) {
	t.Parallel()
	server := apitest.NewServer(t, apitest.Load(t, "refusals/batch"))
	_, err := server.Client().CreateBatch(t.Context(), []model.TaskInput{})
	failure, ok := errors.AsType[*apiclient.Error](err)
	require.True(t, ok)
	require.Equal(t, model.Int(1000), failure.Subcode)
	require.Equal(t, "The values of one or more parameters are invalid.", failure.Message)
	require.Equal(t, "tasks holds more than 500 entries", failure.Cause.Value().Text)
}
