package world_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/storetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// invitations keeps what was sent.
type invitations struct{ sent []world.Message }

func (i *invitations) Send(_ context.Context, m world.Message) error {
	i.sent = append(i.sent, m)
	return nil
}

// inviteDriver creates a driver of a new organization and returns the texts in the two tables that may have the password.
func inviteDriver(t *testing.T, messenger world.Messenger) (w *world.World, opened *store.Store, worker model.Worker, org model.ID) {
	t.Helper()
	opened = storetest.Open(t)
	w = world.New(world.Options{Store: opened, Messenger: messenger})
	created, _, err := w.CreateOrganization(t.Context(), world.NewOrganization{Name: "A", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	actor := world.Actor{Type: world.ActorAPI, ID: created.ID, Org: created.ID}
	team, err := w.CreateTeam(t.Context(), actor, model.TeamInput{
		Name: model.Some("North"), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(t, err)
	worker, err = w.CreateWorker(t.Context(), actor, model.WorkerInput{
		Name: model.Some("Ana"), Phone: model.Some("+14155550100"), Teams: model.Some([]model.ID{team.ID}),
	})
	require.NoError(t, err)
	return w, opened, worker, created.ID
}

func storedTexts(t *testing.T, s *store.Store) (passwords, outbox string) {
	t.Helper()
	require.NoError(t, s.QueryRow(t.Context(), "SELECT coalesce(temporary, '') || ' ' || coalesce(hash, '') FROM worker_passwords").Scan(&passwords))
	require.NoError(t, s.QueryRow(t.Context(), "SELECT body FROM outbox").Scan(&outbox))
	return passwords, outbox
}

func TestASentPasswordIsNotStored(t *testing.T) {
	t.Parallel()
	box := &invitations{}
	w, opened, worker, org := inviteDriver(t, box)
	password := sentPassword(t, box.sent[0].Body)
	passwords, outbox := storedTexts(t, opened)
	require.NotContains(t, passwords, password)
	require.Empty(t, outbox, "the text was sent")
	login, err := w.LogInWorker(t.Context(), "+14155550100", password)
	require.NoError(t, err)
	require.Equal(t, world.WorkerLogin{Worker: worker.ID, Org: org, Temporary: true}, login)
	list, err := w.Workers(t.Context(), org, world.WorkersQuery{Passwords: true})
	require.NoError(t, err)
	require.Equal(t, model.PasswordDetails{}, list[0].Password.Value(), "nobody knows it any more")
}

// sentPassword reads the password from an invitation.
func sentPassword(t *testing.T, text string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "temporary password ")
	require.True(t, found, text)
	password, _, _ := strings.Cut(rest, ",")
	require.Len(t, password, 10)
	return password
}

func TestAWaitingPasswordIsErasedWhenTheDriverHasAnOwnOne(t *testing.T) {
	t.Parallel()
	w, opened, worker, org := inviteDriver(t, nil)
	passwords, outbox := storedTexts(t, opened)
	password := sentPassword(t, outbox)
	require.NotContains(t, passwords, password, "only the waiting text has it")
	list, err := w.Workers(t.Context(), org, world.WorkersQuery{Passwords: true})
	require.NoError(t, err)
	require.Equal(t, model.PasswordDetails{Value: model.Some(password)}, list[0].Password.Value())
	require.NoError(t, w.SetWorkerPassword(t.Context(), worker.ID, "correct horse", ""))
	_, outbox = storedTexts(t, opened)
	require.Empty(t, outbox)
	_, err = w.LogInWorker(t.Context(), "+14155550100", password)
	require.Error(t, err)
}

func TestCommonPasswordsAreRefused(t *testing.T) {
	t.Parallel()
	w, _, worker, _ := inviteDriver(t, nil)
	for _, password := range []string{"12345678", "87654321", "password", "Passw0rd", "aaaaaaaa", "abcabcabc", "qwertyuiop", "+14155550100", "4155550100"} {
		require.Error(t, w.SetWorkerPassword(t.Context(), worker.ID, password, ""), password)
	}
	require.NoError(t, w.SetWorkerPassword(t.Context(), worker.ID, "correct horse", ""))
}
