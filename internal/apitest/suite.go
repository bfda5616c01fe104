package apitest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

// Subject is a service under test.
type Subject struct {
	// Client is a client of an organization in the United States. The suite uses unique names, so the organization need
	// not be empty.
	Client *apiclient.Client
	// OtherOrganization is a client of another organization; nil skips the tests that need one.
	OtherOrganization *apiclient.Client
	// WrongKey is a client with an unknown key; nil skips the tests that need one.
	WrongKey *apiclient.Client
	// StartTask starts a task as the driver's app does; nil skips the tests that need it.
	StartTask func(ctx context.Context, worker, task model.ID) error
	// WebhookURL is a URL that passes validation; empty skips the tests that need one.
	WebhookURL string
	// BatchTimeout is how long a batch may take; 0 means 10 s.
	BatchTimeout time.Duration
}

// RunSuite tests what every service must do. It uses only the interface, so the service can be in the same process or
// remote.
func RunSuite(t *testing.T, subject Subject) {
	t.Helper()
	s := &suite{Subject: subject, client: subject.Client, run: fmt.Sprintf("%06d", rand.N(1_000_000))}
	for _, group := range []struct {
		name  string
		check func(*testing.T)
	}{
		{"auth", s.testAuth},
		{"destinations", s.testDestinations},
		{"recipients", s.testRecipients},
		{"teams", s.testTeams},
		{"workers", s.testWorkers},
		{"tasks", s.testTasks},
		{"assignment", s.testAssignment},
		{"clones", s.testClones},
		{"route plans", s.testRoutePlans},
		{"batches", s.testBatches},
		{"lists", s.testLists},
		{"templates", s.testTemplates},
		{"webhooks", s.testWebhooks},
		{"dispatch", s.testDispatch},
		{"completion", s.testCompletion},
	} {
		t.Run(group.name, group.check)
	}
}

type suite struct {
	Subject
	client *apiclient.Client
	run    string
	count  int
}

// uniqueName returns a name that no other run uses.
func (s *suite) uniqueName(what string) string {
	s.count++
	return fmt.Sprintf("%s %s-%d", what, s.run, s.count)
}

// newPhone returns a random valid number of the United States and its normal form.
func (s *suite) newPhone() (local, normal string) {
	digits := fmt.Sprintf("415%03d%04d", 200+rand.N(800), rand.N(10_000))
	return fmt.Sprintf("(%s) %s-%s", digits[:3], digits[3:6], digits[6:]), "+1" + digits
}

// requireAnswer requires a call without an error and returns its answer: requireAnswer(client.Task(ctx, id))(t).
func requireAnswer[T any](answer T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		require.NoError(t, err)
		return answer
	}
}

// requireRefusal requires that the service refused a call with an error of one of the kinds, and returns the error.
func requireRefusal[T any](_ T, err error) func(t *testing.T, kinds ...error) apiclient.Error {
	return func(t *testing.T, kinds ...error) apiclient.Error {
		t.Helper()
		require.Error(t, err)
		require.True(t, slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }), "%v is none of %v", err, kinds)
		failure, ok := errors.AsType[*apiclient.Error](err)
		require.True(t, ok)
		require.NotZero(t, failure.Subcode, "%v", err)
		return *failure
	}
}

// requireSameJSON requires that two answers have the same JSON.
func requireSameJSON(t *testing.T, want, got any) {
	t.Helper()
	require.JSONEq(t, string(requireAnswer(model.Marshal(want))(t)), string(requireAnswer(model.Marshal(got))(t)))
}

func unknownID() model.ID { return model.NewID() }

func (s *suite) testAuth(t *testing.T) {
	greeting := requireAnswer(s.client.TestAuth(t.Context()))(t)
	require.NotEmpty(t, greeting.Message)
	budget := s.client.Limiter().Snapshot()
	require.GreaterOrEqual(t, budget.Remaining, 0, "X-RateLimit-Remaining is missing")
	organization := requireAnswer(s.client.Organization(t.Context()))(t)
	require.True(t, organization.ID.Valid())
	if s.WrongKey == nil {
		t.Skip("no client with a wrong key")
	}
	failure := requireRefusal(s.WrongKey.TestAuth(t.Context()))(t, apiclient.ErrInvalidKey)
	require.Equal(t, model.ErrorKey, failure.Subcode)
	require.Equal(t, 401, failure.HTTPStatus)
	require.Equal(t, model.CodeInvalidCredentials, failure.Code)
	require.NotEmpty(t, failure.RequestID)
}

// newDestination returns a destination with coordinates, so that no geocoder is needed.
func newDestination() model.DestinationInput {
	return model.DestinationInput{
		Address: model.Some(model.AddressInput{
			Number: "543", Street: "Howard St", City: "San Francisco", State: "CA", PostalCode: "94105",
			Country: "United States",
		}),
		Location: model.Some(model.Location{Lon: -122.3965731, Lat: 37.7875728}),
	}
}

func (s *suite) testDestinations(t *testing.T) {
	ctx := t.Context()
	input := newDestination()
	input.Notes = "Ring twice"
	created := requireAnswer(s.client.CreateDestination(ctx, input))(t)
	require.True(t, created.ID.Valid())
	require.Equal(t, input.Location.Value(), created.Location)
	require.Equal(t, "Ring twice", created.Notes)
	require.Equal(t, "Howard St", created.Address.Street)
	require.Empty(t, created.Address.Apartment)
	read := requireAnswer(s.client.Destination(ctx, created.ID))(t)
	requireSameJSON(t, created, read)

	both := newDestination()
	both.Address = model.Some(model.AddressInput{Unparsed: "543 Howard St, San Francisco, CA, USA"})
	requireRefusal(s.client.CreateDestination(ctx, both))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
	cityless := model.DestinationInput{Address: model.Some(model.AddressInput{Number: "1", Street: "Main St", Country: "USA"})}
	requireRefusal(s.client.CreateDestination(ctx, cityless))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
	requireRefusal(s.client.Destination(ctx, unknownID()))(t, apiclient.ErrNotFound)
	if s.OtherOrganization != nil {
		require.Equal(t, model.ErrorScope, requireRefusal(s.OtherOrganization.Destination(ctx, created.ID))(t, apiclient.ErrOtherOrganization).Subcode)
	}
}

func (s *suite) testRecipients(t *testing.T) {
	ctx := t.Context()
	local, normal := s.newPhone()
	name := s.uniqueName("Ana Ruiz")
	tag := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"` + name + `"`)}
	created := requireAnswer(s.client.CreateRecipient(ctx, model.RecipientInput{
		Name: model.Some(name), Phone: model.Some(local), Metadata: model.Some([]model.Metadata{tag}),
	}))(t)
	require.Equal(t, normal, created.Phone)
	require.False(t, created.SkipSMSNotifications)
	read := requireAnswer(s.client.Recipient(ctx, created.ID))(t)
	requireSameJSON(t, created, read)
	found := requireAnswer(s.client.RecipientByName(ctx, strings.ToUpper(name)))(t)
	require.Equal(t, created.ID, found.ID)
	found = requireAnswer(s.client.RecipientByPhone(ctx, local, false))(t)
	require.Equal(t, created.ID, found.ID)

	tagged := requireAnswer(s.client.FindRecipients(ctx, []model.Metadata{tag}))(t)
	require.Len(t, tagged, 1)
	other := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"nothing"`)}
	tagged = requireAnswer(s.client.FindRecipients(ctx, []model.Metadata{tag, other}))(t)
	require.Empty(t, tagged, "all entries must match")

	updated := requireAnswer(s.client.UpdateRecipient(ctx, created.ID, model.RecipientInput{Notes: model.Some("Side door")}))(t)
	require.Equal(t, "Side door", updated.Notes)
	require.Equal(t, normal, updated.Phone)

	requireRefusal(s.client.CreateRecipient(ctx, model.RecipientInput{Name: model.Some(s.uniqueName("Twin")), Phone: model.Some(normal)}))(t, apiclient.ErrDuplicate)
	require.Equal(t, model.ErrorNotFound, requireRefusal(s.client.Recipient(ctx, unknownID()))(t, apiclient.ErrNotFound).Subcode)
	if s.OtherOrganization != nil {
		requireRefusal(s.OtherOrganization.Recipient(ctx, created.ID))(t, apiclient.ErrOtherOrganization)
	}
}

func (s *suite) newTeam(t *testing.T) model.Team {
	t.Helper()
	team := requireAnswer(s.client.CreateTeam(t.Context(), model.TeamInput{
		Name: model.Some(s.uniqueName("Team")), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	}))(t)
	return team
}

func (s *suite) testTeams(t *testing.T) {
	ctx := t.Context()
	team := s.newTeam(t)
	read := requireAnswer(s.client.Team(ctx, team.ID))(t)
	requireSameJSON(t, team, read)
	all := requireAnswer(s.client.Teams(ctx))(t)
	require.True(t, slices.ContainsFunc(all, func(t model.Team) bool { return t.ID == team.ID }))
	require.Equal(t, model.ErrorNotUnique, requireRefusal(s.client.CreateTeam(ctx, model.TeamInput{
		Name: model.Some(team.Name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	}))(t, apiclient.ErrDuplicate).Subcode)
	renamed := s.uniqueName("Renamed")
	updated := requireAnswer(s.client.UpdateTeam(ctx, team.ID, model.TeamInput{Name: model.Some(renamed)}))(t)
	require.Equal(t, renamed, updated.Name)
	tag := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"` + renamed + `"`)}
	requireAnswer(s.client.UpdateTeam(ctx, team.ID, model.TeamInput{Metadata: model.Some([]model.Metadata{tag})}))(t)
	tagged := requireAnswer(s.client.FindTeams(ctx, []model.Metadata{tag}))(t)
	require.Len(t, tagged, 1)
	require.Equal(t, renamed, tagged[0].Name)
	require.NoError(t, s.client.DeleteTeam(ctx, team.ID))
	requireRefusal(s.client.Team(ctx, team.ID))(t, apiclient.ErrNotFound)
	tagged = requireAnswer(s.client.FindTeams(ctx, []model.Metadata{tag}))(t)
	require.Empty(t, tagged)
}

func (s *suite) newWorker(t *testing.T, team model.ID) model.Worker {
	t.Helper()
	local, _ := s.newPhone()
	worker := requireAnswer(s.client.CreateWorker(t.Context(), model.WorkerInput{
		Name: model.Some(s.uniqueName("Worker")), Phone: model.Some(local), Teams: model.Some([]model.ID{team}),
		Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar, LicensePlate: model.Some("FKNS9A")}),
	}))(t)
	return worker
}

func (s *suite) testWorkers(t *testing.T) {
	ctx := t.Context()
	team := s.newTeam(t)
	worker := s.newWorker(t, team.ID)
	require.True(t, worker.ID.Valid())
	require.True(t, strings.HasPrefix(worker.Phone, "+1415"), worker.Phone)
	require.Equal(t, []model.ID{team.ID}, worker.Teams)
	require.Equal(t, model.VehicleCar, worker.Vehicle.Value().Type)
	require.False(t, worker.OnDuty)
	read := requireAnswer(s.client.Worker(ctx, worker.ID, apiclient.WorkerQuery{}))(t)
	require.Equal(t, worker.Name, read.Name)
	listed := requireAnswer(s.client.Workers(ctx, apiclient.WorkersQuery{Teams: []model.ID{team.ID}}))(t)
	require.Len(t, listed, 1)

	twin := model.WorkerInput{
		Name: model.Some("Twin"), Phone: model.Some(worker.Phone), Teams: model.Some([]model.ID{team.ID}),
	}
	failure := requireRefusal(s.client.CreateWorker(ctx, twin))(t, apiclient.ErrDuplicate)
	require.Equal(t, model.ErrorDuplicate, failure.Subcode)
	key, value, ok := failure.Duplicate()
	require.True(t, ok)
	require.Equal(t, "phone", key)
	require.Equal(t, worker.Phone, value)

	local, _ := s.newPhone()
	require.Equal(t, model.ErrorMissing, requireRefusal(s.client.CreateWorker(ctx, model.WorkerInput{Name: model.Some("No team"), Phone: model.Some(local)}))(t, apiclient.ErrMissing).Subcode)
	twin.Phone = model.Some("12")
	require.Equal(t, model.ErrorInvalid, requireRefusal(s.client.CreateWorker(ctx, twin))(t, apiclient.ErrInvalid).Subcode)

	updated := requireAnswer(s.client.UpdateWorker(ctx, worker.ID, model.WorkerInput{DisplayName: model.Some("W")}))(t)
	require.Equal(t, "W", updated.DisplayName.Value())
	require.NoError(t, s.client.DeleteWorker(ctx, worker.ID))
	requireRefusal(s.client.Worker(ctx, worker.ID, apiclient.WorkerQuery{}))(t, apiclient.ErrNotFound)
}
