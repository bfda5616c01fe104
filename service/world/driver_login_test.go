package world

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
)

func TestARefusedLoginCostsTheSameWhoeverIsMeant(t *testing.T) {
	text := func(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }
	for name, accounts := range map[string][]account{
		"unknown number": nil, "temporary password": {{temporary: text("invited")}}, "own password": {{hash: text("hash")}},
		"no password": {{}},
	} {
		compared := 0
		_, ok := matchPassword(accounts, "wrong", func([]byte, []byte) error { compared++; return errors.New("no") })
		require.False(t, ok, name)
		require.Equal(t, 2, compared, "%s: one of each kind", name)
	}
	login, ok := matchPassword([]account{{worker: "a", temporary: text("invited")}, {worker: "b", hash: text("hash")}}, "own",
		func(hash, password []byte) error {
			if string(hash)+" "+string(password) == "hash own" {
				return nil
			}
			return errors.New("no")
		})
	require.True(t, ok)
	require.Equal(t, WorkerLogin{Worker: "b"}, login)
}

func TestTheHashOfNobodyCostsAsMuchAsAnyOther(t *testing.T) {
	for hash, want := range map[string]int{dummyHash: bcrypt.DefaultCost, dummyTemporary: bcrypt.MinCost} {
		cost, err := bcrypt.Cost([]byte(hash))
		require.NoError(t, err)
		require.Equal(t, want, cost)
	}
}
