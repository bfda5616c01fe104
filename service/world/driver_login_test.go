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
		require.Equal(t, 1, compared, name)
	}
	login, ok := matchPassword([]account{{worker: "a", temporary: text("invited")}, {worker: "b", hash: text("hash")}}, "own",
		func(hash, password []byte) error {
			require.Equal(t, "hash own", string(hash)+" "+string(password))
			return nil
		})
	require.True(t, ok)
	require.Equal(t, WorkerLogin{Worker: "b"}, login)
}

func TestTheHashOfNobodyCostsAsMuchAsAnyOther(t *testing.T) {
	cost, err := bcrypt.Cost([]byte(dummyHash))
	require.NoError(t, err)
	require.Equal(t, bcrypt.DefaultCost, cost)
}
