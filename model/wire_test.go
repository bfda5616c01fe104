package model

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOptKeepsAbsentNullAndValueApart(t *testing.T) {
	type holder struct {
		N Opt[Int] `json:"n,omitzero"`
	}
	for _, c := range []struct {
		body              string
		has, null, absent bool
	}{
		{`{}`, false, false, true},
		{`{"n":null}`, false, true, false},
		{`{"n":0}`, true, false, false},
		{`{"n":5}`, true, false, false},
	} {
		var h holder
		require.NoError(t, Unmarshal([]byte(c.body), &h))
		require.Equal(t, c.has, h.N.Has(), c.body)
		require.Equal(t, c.null, h.N.IsNull(), c.body)
		require.Equal(t, c.absent, h.N.IsZero(), c.body)
		require.Equal(t, !c.absent, h.N.Present(), c.body)
		encoded, err := Marshal(h)
		require.NoError(t, err)
		require.Equal(t, c.body, string(encoded))
	}
	value, ok := Some(7).Get()
	require.True(t, ok)
	require.Equal(t, 7, value)
	require.Equal(t, 3, Null[int]().Or(3))
	require.Equal(t, 7, Some(7).Or(3))
	require.Zero(t, Null[int]().Value())
	require.Equal(t, Null[string](), NullIfZero(""))
	require.Equal(t, Some("x"), NullIfZero("x"))
	require.Equal(t, Some(1), SomeIf(1, true))
	require.Equal(t, Null[int](), SomeIf(1, false))
}

func TestOptDecodedTwiceForgetsTheFirst(t *testing.T) {
	opt := Some[Int](5)
	require.NoError(t, Unmarshal([]byte(`null`), &opt))
	require.Equal(t, Null[Int](), opt)
	require.Error(t, Unmarshal([]byte(`"x"`), &opt))
	list := Some([]Int{1, 2, 3})
	require.NoError(t, Unmarshal([]byte(`[4]`), &list))
	require.Equal(t, Some([]Int{4}), list)
}

func TestIDOrIsAnIDOrAnObject(t *testing.T) {
	var ref IDOr[DestinationInput]
	require.True(t, ref.IsZero())
	require.NoError(t, Unmarshal([]byte(`"`+ruleID+`"`), &ref))
	require.Equal(t, ByID[DestinationInput](ruleID), ref)
	require.NoError(t, Unmarshal([]byte(`{"notes":"n"}`), &ref))
	require.Equal(t, Embedded(DestinationInput{Notes: "n"}), ref)
	require.NoError(t, Unmarshal([]byte(`"`+ruleID+`"`), &ref), "the object is forgotten")
	require.Equal(t, ByID[DestinationInput](ruleID), ref)
	for _, wrong := range []string{`5`, `null`, `[]`, `true`, ``, `{`} {
		require.Error(t, Unmarshal([]byte(wrong), &ref), wrong)
	}
}

func TestIDs(t *testing.T) {
	for _, valid := range []ID{ruleID, otherRuleID, "aaaaaaaaaaaaaaaaaaaaaaaa", "******~~~~~~000000ZZZZZZ"} {
		require.True(t, valid.Valid(), valid)
	}
	for _, invalid := range []ID{
		"", "short", ruleID + "a", ID(ruleID[:23]), "11z1BbsQUZFHD1XAd-emDDeK", "11z1BbsQUZFHD1XAd emDDeK", "11z1BbsQUZFHD1XAd/emDDeK",
		"ääääääääääää",
	} {
		require.False(t, invalid.Valid(), invalid)
	}
	seen := map[ID]bool{}
	for range 1000 {
		id := NewID()
		require.True(t, id.Valid())
		require.False(t, seen[id])
		seen[id] = true
	}
	var random [IDLength]byte
	for i := range random {
		random[i] = byte(i * 11)
	}
	require.Equal(t, IDFrom(random), IDFrom(random))
	require.True(t, IDFrom(random).Valid())
}

func TestShortIDs(t *testing.T) {
	require.True(t, ShortID("c77ff497").Valid())
	require.True(t, NewShortID().Valid())
	for _, invalid := range []ShortID{"", "c77ff49", "c77ff4971", "C77FF497", "c77ff49g"} {
		require.False(t, invalid.Valid(), invalid)
	}
}

func TestNumbersOnTheWire(t *testing.T) {
	var i Int
	for body, want := range map[string]Int{`5`: 5, `5.0`: 5, `5e0`: 5, `-3`: -3, `9007199254740993`: 9007199254740993} {
		require.NoError(t, Unmarshal([]byte(body), &i))
		require.Equal(t, want, i, body)
	}
	for _, wrong := range []string{`5.5`, `"5"`, `null`, `1e30`, `true`} {
		require.Error(t, Unmarshal([]byte(wrong), &i), wrong)
	}
	encoded, err := Marshal([]any{Int(5), Millis(1455151071727), UnixSeconds(1455151071), Seconds(60), Minutes(2.5), TaskActive, TriggerTaskETA})
	require.NoError(t, err)
	require.JSONEq(t, `[5,1455151071727,1455151071,60,2.5,2,1]`, string(encoded))
	require.NotContains(t, string(encoded), "e")
}

func TestTimesConvert(t *testing.T) {
	require.Equal(t, UnixSeconds(1_795_183_200), ruleNow.UnixSeconds())
	require.Equal(t, UnixSeconds(-1), Millis(-1).UnixSeconds(), "rounds down, not to zero")
	require.Equal(t, ruleNow, ruleNow.UnixSeconds().Millis())
	require.Equal(t, ruleNow, (ruleNow + 999).WholeSecond())
	require.Equal(t, ruleNow, MillisOf(ruleNow.Time()))
	require.Equal(t, UnixSeconds(1_795_183_200), UnixSecondsOf(ruleNow.Time()))
	require.Equal(t, time.Hour, ruleNow.Add(time.Hour).Sub(ruleNow))
	require.Positive(t, Millis(1<<62).Sub(0), "a length too great to hold stays positive")
	require.Negative(t, Millis(0).Sub(1<<62))
	require.Equal(t, Seconds(3600), SecondsOf(time.Hour))
	require.Equal(t, Minutes(60), MinutesOf(time.Hour))
	require.Equal(t, time.Hour, Seconds(3600).Duration())
	require.Equal(t, time.Hour, Minutes(60).Duration())
}

func TestStrictAndLenientDecoding(t *testing.T) {
	var team Team
	require.Error(t, Unmarshal([]byte(`{"name":"a","name":"b"}`), &team), "two readers could disagree")
	require.NoError(t, UnmarshalLenient([]byte(`{"name":"a","name":"b"}`), &team))
	require.Equal(t, "b", team.Name)
	require.Error(t, Unmarshal([]byte("{\"name\":\"a\xff\"}"), &team))
	require.NoError(t, UnmarshalLenient([]byte("{\"name\":\"a\xff\"}"), &team))
	require.Equal(t, "a\ufffd", team.Name)
}

func TestDeepNestingIsRefusedNotOverflowed(t *testing.T) {
	deep := `{"metadata":[{"name":"a","type":"array","value":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}]}`
	var task Task
	require.Error(t, Unmarshal([]byte(deep), &task))
	require.Equal(t, deep, string(CleanJSON([]byte(deep))))
}

func TestUnknownStatesAreCarried(t *testing.T) {
	var state TaskState
	require.NoError(t, Unmarshal([]byte(`9`), &state))
	require.False(t, state.Known())
	require.Equal(t, "state 9", state.String())
	for state, word := range map[TaskState]string{0: "unassigned", 1: "assigned", 2: "active", 3: "completed"} {
		require.True(t, state.Known())
		require.Equal(t, word, state.String())
	}
	require.Empty(t, Trigger(11).Name())
}

func TestWorkerDutyState(t *testing.T) {
	require.Equal(t, WorkerOffDuty, (&Worker{ActiveTask: Some[ID](ruleID)}).DutyState())
	require.Equal(t, WorkerIdle, (&Worker{OnDuty: true, ActiveTask: Null[ID]()}).DutyState())
	require.Equal(t, WorkerActive, (&Worker{OnDuty: true, ActiveTask: Some[ID](ruleID)}).DutyState())
}

func TestCompletedTasksSucceedOrFail(t *testing.T) {
	succeeded := Task{State: TaskCompleted, CompletionDetails: CompletionDetails{Success: Some(true)}}
	require.True(t, succeeded.Succeeded())
	require.False(t, succeeded.Failed())
	failed := Task{State: TaskCompleted}
	require.True(t, failed.Failed())
	open := Task{State: TaskActive, CompletionDetails: CompletionDetails{Success: Some(true)}}
	require.False(t, open.Succeeded())
	require.False(t, open.Failed())
}

func TestCausesReadAsText(t *testing.T) {
	require.Equal(t, "no such thing", CauseText("no such thing").String())
	require.Equal(t, "phone +1 is already taken", DuplicateCause("phone", "+1").String())
	var cause Cause
	require.NoError(t, Unmarshal([]byte(`{"type":"other"}`), &cause))
	require.Equal(t, "other", cause.String())
	require.NoError(t, Unmarshal([]byte(`["x",1]`), &cause))
	require.Equal(t, `["x",1]`, cause.String())
}

func TestProblems(t *testing.T) {
	var none Problems
	require.NoError(t, none.Err())
	some := Problems{{Field: "a", Subcode: ErrorInvalid, Text: "Wrong."}, {Text: "All wrong."}}
	require.EqualError(t, some.Err(), "a: Wrong.; All wrong.")
	found, ok := some.Field("a")
	require.True(t, ok)
	require.Equal(t, "Wrong.", found.Text)
	_, ok = some.Field("b")
	require.False(t, ok)
}

func TestLengthsOfTimeSaturate(t *testing.T) {
	for _, n := range []float64{1e12, 1e15, 1e300, math.Inf(1)} {
		require.Positive(t, Minutes(n).Duration()+Minutes(n).Duration())
		require.Positive(t, Seconds(n).Duration())
		require.Negative(t, Minutes(-n).Duration())
	}
	require.Zero(t, Minutes(math.NaN()).Duration())
}
