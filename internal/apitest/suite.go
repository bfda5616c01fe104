package apitest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

// Subject is a service under test, seen through clients.
type Subject struct {
	// Client speaks for an organization in the United States. What the suite makes, it names so that nothing collides,
	// so the organization need not be empty.
	Client *apiclient.Client
	// OtherOrganization speaks for another organization of the same service; nil skips what needs one.
	OtherOrganization *apiclient.Client
	// WrongKey speaks with a key that the service does not know; nil skips what needs one.
	WrongKey *apiclient.Client
	// StartTask makes a worker begin a task, as the driver's app does; nil skips what needs it.
	StartTask func(ctx context.Context, worker, task model.ID) error
	// WebhookURL is an address that passes the service's check; empty skips what needs one.
	WebhookURL string
	// BatchTimeout is how long a batch may take; 0 means 10 s.
	BatchTimeout time.Duration
}

// RunSuite checks what every service of the interface must do, through nothing but the interface. It can run against
// a service in the same process and against one far away.
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
	client     *apiclient.Client
	run   string
	count int
}

// uniqueName makes a name that no other run has used.
func (s *suite) uniqueName(what string) string {
	s.count++
	return fmt.Sprintf("%s %s-%d", what, s.run, s.count)
}

// newPhone makes a number that no other run has used, valid in the United States, and its normal form.
func (s *suite) newPhone() (local, normal string) {
	digits := fmt.Sprintf("415%03d%04d", 200+rand.N(800), rand.N(10_000))
	return fmt.Sprintf("(%s) %s-%s", digits[:3], digits[3:6], digits[6:]), "+1" + digits
}

// requireRefused checks the kind of an error and that it is the service's own.
func requireRefused(t *testing.T, err error, kinds ...error) {
	t.Helper()
	_ = requireError(t, err, kinds...)
}

// requireError is refused with the error in hand.
func requireError(t *testing.T, err error, kinds ...error) *apiclient.Error {
	t.Helper()
	require.Error(t, err)
	matched := false
	for _, kind := range kinds {
		matched = matched || errors.Is(err, kind)
	}
	require.True(t, matched, "%v is none of %v", err, kinds)
	failure, ok := errors.AsType[*apiclient.Error](err)
	require.True(t, ok)
	require.NotZero(t, failure.Subcode, "%v", err)
	return failure
}

// requireSameJSON checks that two answers are the same on the wire.
func requireSameJSON(t *testing.T, want, got any) {
	t.Helper()
	wanted, err := model.Marshal(want)
	require.NoError(t, err)
	gotten, err := model.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(wanted), string(gotten))
}

func unknownID() model.ID { return model.NewID() }

func (s *suite) testAuth(t *testing.T) {
	greeting, err := s.client.TestAuth(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, greeting.Message)
	budget := s.client.Limiter().Snapshot()
	require.GreaterOrEqual(t, budget.Remaining, 0, "X-RateLimit-Remaining is missing")
	organization, err := s.client.Organization(t.Context())
	require.NoError(t, err)
	require.True(t, organization.ID.Valid())
	if s.WrongKey == nil {
		t.Skip("no client with a wrong key")
	}
	_, err = s.WrongKey.TestAuth(t.Context())
	failure := requireError(t, err, apiclient.ErrInvalidKey)
	require.Equal(t, model.ErrorKey, failure.Subcode)
	require.Equal(t, 401, failure.HTTPStatus)
	require.Equal(t, model.CodeInvalidCredentials, failure.Code)
	require.NotEmpty(t, failure.RequestID)
}

// newDestination is an input for a destination whose coordinates are known, so that nothing has to be looked up.
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
	created, err := s.client.CreateDestination(ctx, input)
	require.NoError(t, err)
	require.True(t, created.ID.Valid())
	require.Equal(t, input.Location.Value(), created.Location)
	require.Equal(t, "Ring twice", created.Notes)
	require.Equal(t, "Howard St", created.Address.Street)
	require.Empty(t, created.Address.Apartment)
	read, err := s.client.Destination(ctx, created.ID)
	require.NoError(t, err)
	requireSameJSON(t, created, read)

	both := newDestination()
	both.Address = model.Some(model.AddressInput{Unparsed: "543 Howard St, San Francisco, CA, USA"})
	_, err = s.client.CreateDestination(ctx, both)
	requireRefused(t, err, apiclient.ErrInvalid, apiclient.ErrMissing)
	cityless := model.DestinationInput{Address: model.Some(model.AddressInput{Number: "1", Street: "Main St", Country: "USA"})}
	_, err = s.client.CreateDestination(ctx, cityless)
	requireRefused(t, err, apiclient.ErrInvalid, apiclient.ErrMissing)
	_, err = s.client.Destination(ctx, unknownID())
	requireRefused(t, err, apiclient.ErrNotFound)
	if s.OtherOrganization != nil {
		_, err = s.OtherOrganization.Destination(ctx, created.ID)
		require.Equal(t, model.ErrorScope, requireError(t, err, apiclient.ErrOtherOrganization).Subcode)
	}
}

func (s *suite) testRecipients(t *testing.T) {
	ctx := t.Context()
	local, normal := s.newPhone()
	name := s.uniqueName("Ana Ruiz")
	tag := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"` + name + `"`)}
	created, err := s.client.CreateRecipient(ctx, model.RecipientInput{
		Name: model.Some(name), Phone: model.Some(local), Metadata: model.Some([]model.Metadata{tag}),
	})
	require.NoError(t, err)
	require.Equal(t, normal, created.Phone)
	require.False(t, created.SkipSMSNotifications)
	read, err := s.client.Recipient(ctx, created.ID)
	require.NoError(t, err)
	requireSameJSON(t, created, read)
	found, err := s.client.RecipientByName(ctx, strings.ToUpper(name))
	require.NoError(t, err)
	require.Equal(t, created.ID, found.ID)
	found, err = s.client.RecipientByPhone(ctx, local, false)
	require.NoError(t, err)
	require.Equal(t, created.ID, found.ID)

	tagged, err := s.client.FindRecipients(ctx, []model.Metadata{tag})
	require.NoError(t, err)
	require.Len(t, tagged, 1)
	other := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"nothing"`)}
	tagged, err = s.client.FindRecipients(ctx, []model.Metadata{tag, other})
	require.NoError(t, err)
	require.Empty(t, tagged, "all entries must match")

	updated, err := s.client.UpdateRecipient(ctx, created.ID, model.RecipientInput{Notes: model.Some("Side door")})
	require.NoError(t, err)
	require.Equal(t, "Side door", updated.Notes)
	require.Equal(t, normal, updated.Phone)

	_, err = s.client.CreateRecipient(ctx, model.RecipientInput{Name: model.Some(s.uniqueName("Twin")), Phone: model.Some(normal)})
	requireRefused(t, err, apiclient.ErrDuplicate)
	_, err = s.client.Recipient(ctx, unknownID())
	require.Equal(t, model.ErrorNotFound, requireError(t, err, apiclient.ErrNotFound).Subcode)
	if s.OtherOrganization != nil {
		_, err = s.OtherOrganization.Recipient(ctx, created.ID)
		requireRefused(t, err, apiclient.ErrOtherOrganization)
	}
}

func (s *suite) newTeam(t *testing.T) model.Team {
	t.Helper()
	team, err := s.client.CreateTeam(t.Context(), model.TeamInput{
		Name: model.Some(s.uniqueName("Team")), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(t, err)
	return team
}

func (s *suite) testTeams(t *testing.T) {
	ctx := t.Context()
	team := s.newTeam(t)
	read, err := s.client.Team(ctx, team.ID)
	require.NoError(t, err)
	requireSameJSON(t, team, read)
	all, err := s.client.Teams(ctx)
	require.NoError(t, err)
	require.True(t, containsID(all, team.ID, func(t model.Team) model.ID { return t.ID }))
	_, err = s.client.CreateTeam(ctx, model.TeamInput{
		Name: model.Some(team.Name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.Equal(t, model.ErrorNotUnique, requireError(t, err, apiclient.ErrDuplicate).Subcode)
	renamed := s.uniqueName("Renamed")
	updated, err := s.client.UpdateTeam(ctx, team.ID, model.TeamInput{Name: model.Some(renamed)})
	require.NoError(t, err)
	require.Equal(t, renamed, updated.Name)
	tag := model.Metadata{Name: "run", Type: "string", Value: model.Raw(`"` + renamed + `"`)}
	_, err = s.client.UpdateTeam(ctx, team.ID, model.TeamInput{Metadata: model.Some([]model.Metadata{tag})})
	require.NoError(t, err)
	tagged, err := s.client.FindTeams(ctx, []model.Metadata{tag})
	require.NoError(t, err)
	require.Len(t, tagged, 1)
	require.Equal(t, renamed, tagged[0].Name)
	require.NoError(t, s.client.DeleteTeam(ctx, team.ID))
	_, err = s.client.Team(ctx, team.ID)
	requireRefused(t, err, apiclient.ErrNotFound)
	tagged, err = s.client.FindTeams(ctx, []model.Metadata{tag})
	require.NoError(t, err)
	require.Empty(t, tagged)
}

func containsID[T any](list []T, id model.ID, idOf func(T) model.ID) bool {
	for _, entry := range list {
		if idOf(entry) == id {
			return true
		}
	}
	return false
}

func (s *suite) newWorker(t *testing.T, team model.ID) model.Worker {
	t.Helper()
	local, _ := s.newPhone()
	worker, err := s.client.CreateWorker(t.Context(), model.WorkerInput{
		Name: model.Some(s.uniqueName("Worker")), Phone: model.Some(local), Teams: model.Some([]model.ID{team}),
		Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar, LicensePlate: model.Some("FKNS9A")}),
	})
	require.NoError(t, err)
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
	read, err := s.client.Worker(ctx, worker.ID, apiclient.WorkerQuery{})
	require.NoError(t, err)
	require.Equal(t, worker.Name, read.Name)
	listed, err := s.client.Workers(ctx, apiclient.WorkersQuery{Teams: []model.ID{team.ID}})
	require.NoError(t, err)
	require.Len(t, listed, 1)

	twin := model.WorkerInput{
		Name: model.Some("Twin"), Phone: model.Some(worker.Phone), Teams: model.Some([]model.ID{team.ID}),
	}
	_, err = s.client.CreateWorker(ctx, twin)
	failure := requireError(t, err, apiclient.ErrDuplicate)
	require.Equal(t, model.ErrorDuplicate, failure.Subcode)
	key, value, ok := failure.Duplicate()
	require.True(t, ok)
	require.Equal(t, "phone", key)
	require.Equal(t, worker.Phone, value)

	local, _ := s.newPhone()
	_, err = s.client.CreateWorker(ctx, model.WorkerInput{Name: model.Some("No team"), Phone: model.Some(local)})
	require.Equal(t, model.ErrorMissing, requireError(t, err, apiclient.ErrMissing).Subcode)
	twin.Phone = model.Some("12")
	_, err = s.client.CreateWorker(ctx, twin)
	require.Equal(t, model.ErrorInvalid, requireError(t, err, apiclient.ErrInvalid).Subcode)

	updated, err := s.client.UpdateWorker(ctx, worker.ID, model.WorkerInput{DisplayName: model.Some("W")})
	require.NoError(t, err)
	require.Equal(t, "W", updated.DisplayName.Value())
	require.NoError(t, s.client.DeleteWorker(ctx, worker.ID))
	_, err = s.client.Worker(ctx, worker.ID, apiclient.WorkerQuery{})
	requireRefused(t, err, apiclient.ErrNotFound)
}
