package form_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/operations/form"
)

func sampleForm() form.Form {
	return form.Form{Fields: []form.Field{
		{Name: "assign", Flag: form.Flag{None: true}, Kind: form.Choice, Options: []form.Option{{Value: "none"}, {Value: "worker"}}},
		{
			Name: "worker", Flag: form.Flag{Implies: form.Values{"assign": "worker"}},
			Show: func(v form.Values) bool { return v.Get("assign") == "worker" },
		},
		{Name: "team_name", About: "the team", Hint: "North", Show: func(v form.Values) bool { return v.Get("assign") != "worker" }},
		{Name: "metadata", Kind: form.Text, Flag: form.Flag{Name: "meta", Join: "\n"}},
		{Name: "sms", Kind: form.Yes},
		{Name: "end", Kind: form.Choice, Options: []form.Option{{Value: "team", Label: "at the hub", Aliases: []string{"team-hub"}}}},
		{Name: "count", Check: func(value string) error {
			if value != "1" {
				return errors.New("not a number")
			}
			return nil
		}},
	}}
}

func TestParseFlags(t *testing.T) {
	t.Parallel()
	f := sampleForm()
	values, err := f.ParseFlags(map[string][]string{
		"worker": {"Ada"}, "meta": {"a=b", "c=d"}, "sms": {"true"}, "end": {"Team-Hub"}, "count": {"1"},
	})
	require.NoError(t, err)
	require.Equal(t, form.Values{
		"assign": "worker", "worker": "Ada", "metadata": "a=b\nc=d", "sms": "yes", "end": "team", "count": "1",
	}, values)

	for flag, text := range map[string]string{"sms": "maybe", "end": "moon", "count": "x"} {
		_, err := f.ParseFlags(map[string][]string{flag: {text}})
		var wrong *form.FlagError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, flag, wrong.Flag)
	}
	_, err = f.ParseFlags(map[string][]string{"worker": {"Ada"}, "team-name": {"North"}})
	require.EqualError(t, err, "--team-name: this cannot be combined with the other flags")
}

func TestFlagNamesAndUsage(t *testing.T) {
	t.Parallel()
	f := sampleForm()
	assign, _ := f.Field("assign")
	require.Empty(t, assign.FlagName())
	team, _ := f.Field("team_name")
	require.Equal(t, "team-name", team.FlagName())
	require.Equal(t, "the team; such as North", team.FlagUsage())
	meta, _ := f.Field("metadata")
	require.Equal(t, "meta", meta.FlagName())
}
