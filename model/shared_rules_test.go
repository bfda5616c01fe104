package model

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProfileNames(t *testing.T) {
	for _, name := range []string{"acme", "7", "a.b-c_d", strings.Repeat("a", MaxProfileNameLength)} {
		require.NoError(t, CheckProfileName(name), name)
	}
	for _, name := range []string{"", "-a", ".a", "a/b", "a b", "é", strings.Repeat("a", MaxProfileNameLength+1)} {
		require.Error(t, CheckProfileName(name), name)
	}
}

func TestKeyCharacters(t *testing.T) {
	require.NoError(t, CheckKeyCharacters("0123abc!~"))
	require.EqualError(t, CheckKeyCharacters("ab:"), "character 3 is a colon, which a key cannot contain")
	require.EqualError(t, CheckKeyCharacters("éa"), "character 1 is U+00E9, which is not plain ASCII; copy the key again")
	require.EqualError(t, CheckKeyCharacters("a\x7f"), "character 2 is the control character U+007F; copy the key again")
}

func TestTriggersByNameAndID(t *testing.T) {
	for _, text := range []string{"taskFailed", "TASKFAILED", "4"} {
		trigger, ok := ParseTrigger(text)
		require.True(t, ok, text)
		require.Equal(t, "taskFailed", trigger.Name(), text)
	}
	for _, text := range []string{"", "taskFaile", "-1", "999", "+4", "4.0"} {
		_, ok := ParseTrigger(text)
		require.False(t, ok, text)
	}
	require.Len(t, TriggerNames(), len(Triggers()))
	require.Contains(t, TriggerNames(), "taskFailed")
}

func TestRequirementsText(t *testing.T) {
	require.Empty(t, Requirements{Photo: Some(false)}.Text())
	require.Equal(t, "signature, notes, age 18", Requirements{Notes: Some(true), Signature: Some(true), MinimumAge: Some(Int(18))}.Text())
}

func TestLocationText(t *testing.T) {
	require.Equal(t, "37.78830, -122.39650", Location{Lon: -122.3965, Lat: 37.7883}.Text())
}

func TestWindows(t *testing.T) {
	at := func(day, hour int) Millis { return MillisOf(time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC)) }
	clock := func(dst []byte, at Millis) []byte { return at.Time().UTC().AppendFormat(dst, "Mon 15:04") }
	for text, w := range map[string][2]Millis{
		"":                    {},
		"from Fri 14:00":      {at(20, 14), 0},
		"until Fri 14:00":     {0, at(20, 14)},
		"Fri 14:00-16:00":     {at(20, 14), at(20, 16)},
		"Fri 14:00-Sat 16:00": {at(20, 14), at(21, 16)},
	} {
		require.Equal(t, text, string(AppendWindow(nil, w[0], w[1], time.UTC, "-", clock)))
	}
}
