package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/operations/form"
	"waybill/operations/journal"
)

func orderForm() *form.Form {
	return &form.Form{Fields: []form.Field{{Name: "notes", Kind: form.Text}, {Name: "phone"}, {Name: "password", Kind: form.Secret}}}
}

func load(t *testing.T, d *journal.Drafts, key journal.DraftKey) form.Values {
	t.Helper()
	draft, ok, err := d.Load(key)
	require.NoError(t, err)
	require.Equal(t, ok, draft.Values != nil)
	return draft.Values
}

func TestDraftsAreKeptByKey(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	drafts := journal.NewDrafts(dir, at)
	one := journal.DraftKey{Account: "north", Operation: "task.notes", Object: "t1"}
	require.Nil(t, load(t, drafts, one))
	require.NoError(t, drafts.Delete(one), "nothing to delete")

	values := form.Values{"notes": "ring twice\n", "phone": "", "password": "hunter2", "stranger": "x"}
	require.NoError(t, drafts.Save(one, orderForm(), values))
	for _, other := range []journal.DraftKey{
		{Account: "south", Operation: "task.notes", Object: "t1"},
		{Account: "north", Operation: "task.clone", Object: "t1"},
		{Account: "north", Operation: "task.notes", Object: "t2"},
	} {
		require.Nil(t, load(t, drafts, other))
	}
	again := journal.NewDrafts(dir, at)
	draft, ok, err := again.Load(one)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, form.Values{"notes": "ring twice\n"}, draft.Values)
	require.True(t, draft.Saved.Equal(at()))

	text, err := os.ReadFile(filepath.Join(dir, "drafts.json"))
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
	require.NotContains(t, string(text), "stranger")

	require.NoError(t, again.Save(one, orderForm(), form.Values{"password": "hunter2"}))
	require.Nil(t, load(t, drafts, one), "an emptied form is no draft")
	require.NoError(t, again.Save(one, orderForm(), values))
	require.NoError(t, again.Delete(one))
	require.Nil(t, load(t, drafts, one))
}

func TestOldDraftsAreDropped(t *testing.T) {
	t.Parallel()
	now := at()
	drafts := journal.NewDrafts(t.TempDir(), func() time.Time { return now })
	old, fresh := journal.DraftKey{Operation: "old"}, journal.DraftKey{Operation: "fresh"}
	require.NoError(t, drafts.Save(old, orderForm(), form.Values{"notes": "a"}))
	now = now.Add(7*24*time.Hour - time.Minute)
	require.NotNil(t, load(t, drafts, old))
	require.NoError(t, drafts.Save(fresh, orderForm(), form.Values{"notes": "b"}))
	now = now.Add(2 * time.Minute)
	require.Nil(t, load(t, drafts, old))
	require.NotNil(t, load(t, drafts, fresh))

	for i := range 150 {
		require.NoError(t, drafts.Save(journal.DraftKey{Operation: fmt.Sprint(i)}, orderForm(), form.Values{"notes": "c"}))
	}
	require.Nil(t, load(t, drafts, journal.DraftKey{Operation: "49"}), "only the newest hundred are kept")
	require.NotNil(t, load(t, drafts, journal.DraftKey{Operation: "50"}))
}

func TestDamagedDraftsFileIsRenamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "drafts.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"drafts":[{"acc`), 0o600))
	drafts := journal.NewDrafts(dir, at)
	key := journal.DraftKey{Operation: "task.create"}
	require.Nil(t, load(t, drafts, key))
	require.NoError(t, drafts.Save(key, orderForm(), form.Values{"notes": "a"}))
	require.NotNil(t, load(t, drafts, key))
	aside, err := os.ReadFile(path + ".damaged")
	require.NoError(t, err)
	require.Equal(t, `{"drafts":[{"acc`, string(aside))
}

// Two consoles that save at the same time keep each other's drafts.
func TestConsolesShareDrafts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var group sync.WaitGroup
	for c := range 3 {
		drafts := journal.NewDrafts(dir, at)
		group.Go(func() {
			for i := range 8 {
				key := journal.DraftKey{Account: "north", Operation: fmt.Sprintf("%d-%d", c, i)}
				if err := drafts.Save(key, orderForm(), form.Values{"notes": key.Operation}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	drafts := journal.NewDrafts(dir, at)
	for c := range 3 {
		for i := range 8 {
			name := fmt.Sprintf("%d-%d", c, i)
			require.Equal(t, form.Values{"notes": name}, load(t, drafts, journal.DraftKey{Account: "north", Operation: name}))
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".drafts*"))
	require.NoError(t, err)
	require.Empty(t, left, "no temporary files stay")
}
