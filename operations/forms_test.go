package operations

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations/form"
)

// everyForm makes each operation that has a form.
func everyForm(t *testing.T, st *fixture) []Operation {
	t.Helper()
	full := st.inputWithCustomFields()
	full.WorkDir = t.TempDir()
	task := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true); in.CustomFields = pickupDock() })
	one := st.inputWithTask(task.ID)
	active := st.input(st.startedTask("+14155550120").ID)
	worker, _ := st.worker("Ada Okafor", "+14155550121")
	assigned := st.input(st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) }).ID)
	special := map[string]Input{"task.complete": active, "task.fail": active, "route.transfer": assigned, "route.dispatch": full}
	withoutForm := []string{"task.delete", "route.unassign", "route.later", "route.earlier", "order.cancel", "webhook.delete"}
	var all []Operation
	for _, d := range Definitions() {
		if slices.Contains(withoutForm, d.ID) {
			continue
		}
		input, ok := special[d.ID]
		switch {
		case ok:
		case strings.HasPrefix(d.ID, "create."):
			input = full
		default:
			input = one
		}
		input.Board = st.refresh()
		v, err := d.New(input)
		require.NoError(t, err, d.ID)
		require.Equal(t, d.ID, v.ID)
		require.NotEmpty(t, v.Form.Fields, d.ID)
		all = append(all, v)
	}
	return all
}

// pickupDock fills in the custom field that pickups need.
func pickupDock() model.Opt[[]model.CustomFieldInput] {
	return model.Some([]model.CustomFieldInput{{Key: "dock", Value: model.Some(model.Raw(`"4"`))}})
}

// longestTitle is what fits beside a field on the smallest screen.
const longestTitle = 26

func TestFormsAreWellMade(t *testing.T) {
	for _, v := range everyForm(t, newFixture(t)) {
		require.NotEmpty(t, v.ID)
		require.NotEmpty(t, v.Form.Title, v.ID)
		seen := map[string]bool{}
		for _, f := range v.Form.Fields {
			where := v.ID + " " + f.Name
			require.NotEmpty(t, f.Name, v.ID)
			require.False(t, seen[f.Name], where)
			seen[f.Name] = true
			require.NotEmpty(t, f.Title, where)
			if f.Check != nil && f.Hint != "" && f.Suggest == nil { // an example is one that would be taken
				require.NoError(t, f.Check(f.Hint), where)
			}
			require.NotRegexp(t, "^(type|choose) ", f.Hint, where)
			require.NotRegexp(t, "^[A-Z][a-z]", f.About, "%s: an About is part of a line", where)
			require.NotEqual(t, strings.ToLower(f.Title), strings.TrimPrefix(f.About, "the "), "%s says the same twice", where)
			require.LessOrEqual(t, len(f.Title), longestTitle, "%s is cut off at 80 columns", where)
			require.Equal(t, f.Kind == form.Choice, len(f.Options) > 0, where)
			if f.Check != nil {
				require.NoError(t, f.Check(""), "%s: whether a field may be empty is for Prepare to say", where)
				require.NoError(t, f.Check("  "), where)
				_ = f.Check("☎ nonsense")
			}
			for _, text := range []string{"", "x", "☎,=:;", "-"} {
				if f.Echo != nil {
					_ = f.Echo(text, nil)
				}
				if f.Suggest != nil {
					require.LessOrEqual(t, len(f.Suggest(text, nil)), maxSuggestions, where)
				}
			}
			if f.Show != nil {
				_ = f.Show(nil)
			}
		}
		for name := range v.Form.Start {
			require.True(t, seen[name], "%s starts with %s, which it does not ask for", v.ID, name)
		}
		// A draft may be from an older version: what it holds must not break anything.
		_, _ = v.Prepare(nil)
		_, _ = v.Prepare(form.Values{"unknown": "x", "where": "x", "assign": "x", "trigger": "x", "for": "x", "vehicle": "x"})
	}
}

// TestPagesFollowEachOther keeps the fields of a page together: a form that jumps back and forth confuses.
func TestPagesFollowEachOther(t *testing.T) {
	for _, v := range everyForm(t, newFixture(t)) {
		if v.ID == "create.worker" || v.ID == "create.task" || v.ID == "create.order" || v.ID == "create.quote" || v.ID == "task.clone" {
			require.Greater(t, len(v.Form.Pages()), 2, v.ID)
		}
		last, done := "", map[string]bool{}
		for _, f := range v.Form.Fields {
			if f.Page != last {
				require.False(t, done[f.Page], "%s comes back to the page %s with %s", v.ID, f.Page, f.Name)
				done[last], last = true, f.Page
			}
		}
	}
}

func TestPickersNeedNoRequest(t *testing.T) {
	st := newFixture(t)
	ada, north := st.worker("Ada Okafor", "+14155550110")
	st.worker("Badar", "+14155550111")
	twin, _ := st.worker("Twin", "+14155550112")
	_, err := st.client.CreateWorker(t.Context(), model.WorkerInput{
		Name: model.Some("twin"), Phone: model.Some("+14155550113"), Teams: model.Some([]model.ID{north}),
	})
	require.NoError(t, err)
	pickup := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	st.task(func(in *model.TaskInput) {
		in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(model.RecipientInput{
			Name: model.Some("Grace Hopper"), Phone: model.Some("+14155550123"),
		})})
	})
	v, err := NewTask(st.input())
	require.NoError(t, err)
	requests := len(st.client.Log().Entries())
	suggest := func(name, text string, values form.Values) []form.Option {
		f, ok := v.Form.Field(name)
		require.True(t, ok)
		return f.Suggest(text, values)
	}
	options := suggest("worker", "ada", nil)
	require.Len(t, options, 2)
	require.Equal(t, "Ada Okafor", options[0].Value, "those that begin with the text come first")
	require.Contains(t, options[0].Note, "Team of Ada Okafor")
	namesakes := suggest("worker", "Twin", nil)
	require.Len(t, namesakes, 2)
	require.Contains(t, []string{namesakes[0].Value, namesakes[1].Value}, string(twin), "namesakes are told apart by id")
	require.Equal(t, "Badar, Ada Okafor", suggest("auto_exclude", "Badar, ada o", nil)[0].Value)
	require.Len(t, suggest("team", "team", nil), 3)
	require.Equal(t, "+14155550123", suggest("recipient_phone", "", form.Values{"recipient_name": "grace"})[0].Value)
	require.Equal(t, "+14155550123", suggest("recipient_name", "0123", nil)[0].Note)
	linked := suggest("depends_on", "", form.Values{"kind": "dropoff"})
	require.Len(t, linked, 1, "a drop-off waits for pickups")
	require.Equal(t, string(pickup.ShortID), linked[0].Value)
	require.Len(t, suggest("depends_on", "", form.Values{"kind": "pickup"}), 2)
	require.Len(t, suggest("address", "howard", nil), 1)
	require.Len(t, st.client.Log().Entries(), requests)

	worker, ok := v.Form.Field("worker")
	require.True(t, ok)
	require.Contains(t, worker.Echo(string(ada), nil), "Ada Okafor")
	require.ErrorContains(t, worker.Check("twin"), "fits 2 drivers")
	before, ok := v.Form.Field("before")
	require.True(t, ok)
	require.Equal(t, "tomorrow 09:00 PST, in 1d", before.Echo("tomorrow 9am", nil))
}

func TestMembersOfCauses(t *testing.T) {
	t.Parallel()
	for cause, members := range map[string][]string{
		"destination.address.city: The city is needed.; notes: It has 2 characters.": {"destination.address.city", "destination.address.city", "notes", "notes"},
		"Invalid phone number format":                        {"phone", "phone"},
		"pickupTask: Geocoding errors found. no place":       {"pickupTask", "pickupTask", "pickupTask.destination", "destination"},
		"destination q5WYEgmU8mqPALIU43DajPwJ":               {"destination"},
		"Name is not unique within org":                      {"name", "name"},
		"Something else: that says nothing of any parameter": nil,
	} {
		require.Equal(t, members, membersInCause(cause), cause)
	}
}
