package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The world that rules are tested in.
const (
	ruleNow     Millis = 1_795_183_200_000 // 2026-11-20T14:00:00Z
	ruleID             = "11z1BbsQUZFHD1XAd~emDDeK"
	otherRuleID        = "tPMO~h03sOIqFbnhqaOXgUsd"
)

var ruleContext = CheckContext{Now: ruleNow, Country: "US"}

// ruleCase is an input as it is sent, and the problems it has as "field:subcode" in order.
type ruleCase struct {
	name string
	body string
	want []string
}

func checkRules[T any](t *testing.T, check func(T) Problems, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var input T
			require.NoError(t, Unmarshal([]byte(fill(c.body)), &input))
			requireProblems(t, check(input), c.want...)
		})
	}
}

// fill writes ids and times into a body: ID, OTHER, and {+5m} for a time from now in milliseconds, {s+5m} in seconds.
func fill(body string) string {
	body = strings.ReplaceAll(body, "OTHER", otherRuleID)
	body = strings.ReplaceAll(body, "ID", ruleID)
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(body, "<")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		offset, after, _ := strings.Cut(rest, ">")
		seconds := strings.HasPrefix(offset, "s")
		length, err := time.ParseDuration(strings.TrimPrefix(offset, "s"))
		if err != nil {
			panic(err)
		}
		at := ruleNow.Add(length)
		if seconds {
			fmt.Fprint(&out, int64(at.UnixSeconds()))
		} else {
			fmt.Fprint(&out, int64(at))
		}
		body = after
	}
}

func requireProblems(t *testing.T, got Problems, want ...string) {
	t.Helper()
	found := make([]string, len(got))
	for i, p := range got {
		found[i] = fmt.Sprintf("%s:%d", p.Field, p.Subcode)
		require.NotEmpty(t, p.Text)
		require.Equal(t, Clean(p.Text), p.Text, "texts are shown as they are")
	}
	if len(want) == 0 {
		want = []string{}
	}
	require.Equal(t, want, found, "%s", got.Error())
}

func TestDestinationRules(t *testing.T) {
	checkRules(t, DestinationInput.Check, []ruleCase{
		{"nothing", `{}`, []string{"address:1900"}},
		{"null address", `{"address":null}`, []string{"address:1900"}},
		{"parsed", `{"address":{"number":"543","street":"Howard St","city":"San Francisco","country":"USA"}}`, nil},
		{
			"required parts", `{"address":{}}`,
			[]string{"address.number:1900", "address.street:1900", "address.city:1900", "address.country:1900"},
		},
		{"blank part", `{"address":{"number":" ","street":"S","city":"C","country":"D"}}`, []string{"address.number:1900"}},
		{"number with letters", `{"address":{"number":"12b","street":"S","city":"C","country":"D"}}`, nil},
		{"rule 1: unparsed ignores the rest", `{"address":{"unparsed":"543 Howard St, San Francisco","number":""}}`, nil},
		{"rule 2: unparsed may omit city", `{"address":{"unparsed":"543 Howard St, 94105"}}`, nil},
		{"rule 3: unparsed with location", `{"address":{"unparsed":"x"},"location":[1,2]}`, []string{"address.unparsed:1000"}},
		{"rule 4: location with city and country", `{"address":{"city":"C","country":"D"},"location":[1,2]}`, nil},
		{"rule 4: location without them", `{"address":{"number":"1"},"location":[1,2]}`, []string{"address.city:1900", "address.country:1900"}},
		{"location without address", `{"location":[1,2]}`, []string{"address:1900"}},
		{"longitude out of range", `{"address":{"unparsed":"x"},"location":[181,2]}`, []string{"address.unparsed:1000", "location:1000"}},
		{"swapped", `{"address":{"city":"C","country":"D"},"location":[37.7,-122.4]}`, []string{"location:1000"}},
		{"latitude at the edge", `{"address":{"city":"C","country":"D"},"location":[-180,90]}`, nil},
		{"language", `{"address":{"unparsed":"x"},"options":{"language":"DE"}}`, nil},
		{"language too long", `{"address":{"unparsed":"x"},"options":{"language":"deu"}}`, []string{"options.language:1000"}},
		{"language of digits", `{"address":{"unparsed":"x"},"options":{"language":"d1"}}`, []string{"options.language:1000"}},
		{"metadata", `{"address":{"unparsed":"x"},"metadata":[{"name":"a","type":"number","value":"1"}]}`, []string{"metadata[0].value:1000"}},
	})
}

func TestUnparsedAddressKeepsNameAndApartment(t *testing.T) {
	address := AddressInput{Name: "N", Number: "1", Apartment: "4", City: "C", Unparsed: "1 S, C"}
	require.Equal(t, AddressInput{Name: "N", Apartment: "4", Unparsed: "1 S, C"}, EffectiveAddress(address))
	parsed := AddressInput{Number: "1", City: "C"}
	require.Equal(t, parsed, EffectiveAddress(parsed))
}

func TestRecipientRules(t *testing.T) {
	checkRules(t, func(in RecipientInput) Problems { return in.Check(ruleContext) }, []ruleCase{
		{"fine", `{"name":"Ann","phone":"(650) 253-0000"}`, nil},
		{"nothing", `{}`, []string{"name:1900", "phone:1900"}},
		{"null phone", `{"name":"Ann","phone":null}`, []string{"phone:1900"}},
		{"bad phone", `{"name":"Ann","phone":"12"}`, []string{"phone:1000"}},
		{"unchecked phone", `{"name":"Ann","phone":"+999 12","skipPhoneNumberValidation":true}`, nil},
		{"unchecked phone without plus", `{"name":"Ann","phone":"6502530000","skipPhoneNumberValidation":true}`, []string{"phone:1000"}},
		{"metadata", `{"name":"A","phone":"+16502530000","metadata":[{}]}`, []string{"metadata[0].name:1900", "metadata[0].type:1900"}},
	})
	checkRules(t, RecipientInput.CheckUpdate, []ruleCase{
		{"notes only", `{"notes":"new"}`, nil},
		{"cleared notes", `{"notes":null}`, nil},
		{"empty name", `{"name":""}`, []string{"name:1900"}},
		{"null name", `{"name":null}`, []string{"name:1900"}},
		{"phone", `{"phone":"+16502530000"}`, []string{"phone:1000"}},
	})
}

func TestSMSOverrideNeverOptsBackIn(t *testing.T) {
	for _, c := range []struct {
		recipient bool
		override  Opt[bool]
		want      bool
	}{
		{false, Opt[bool]{}, false},
		{false, Null[bool](), false},
		{false, Some(false), false},
		{false, Some(true), true},
		{true, Some(false), true},
		{true, Null[bool](), true},
		{true, Some(true), true},
	} {
		require.Equal(t, c.want, SkipsSMS(c.recipient, c.override), "%+v", c)
	}
}

func TestMetadataRules(t *testing.T) {
	checkRules(t, Metadata.Check, []ruleCase{
		{"boolean", `{"name":"a","type":"boolean","value":false}`, nil},
		{"number", `{"name":"a","type":"number","value":1.5}`, nil},
		{"string", `{"name":"a","type":"string","value":""}`, nil},
		{"object", `{"name":"a","type":"object","value":{}}`, nil},
		{"array", `{"name":"a","type":"array","subtype":"number","value":[1],"visibility":["api","dashboard","worker"]}`, nil},
		{"no name", `{"type":"string","value":"x"}`, []string{"name:1900"}},
		{"no type", `{"name":"a","value":"x"}`, []string{"type:1900"}},
		{"no value", `{"name":"a","type":"string"}`, []string{"value:1900"}},
		{"null value", `{"name":"a","type":"string","value":null}`, []string{"value:1000"}},
		{"unknown type", `{"name":"a","type":"text","value":"x"}`, []string{"type:1000"}},
		{"wrong kind", `{"name":"a","type":"string","value":1}`, []string{"value:1000"}},
		{"wrong subtype", `{"name":"a","type":"array","subtype":"int","value":[]}`, []string{"subtype:1000"}},
		{"wrong visibility", `{"name":"a","type":"array","value":[],"visibility":["api","all"]}`, []string{"visibility[1]:1000"}},
	})
	checkRules(t, CheckMetadataQuery, []ruleCase{
		{"fine", `[{"name":"a","type":"string","value":"x"}]`, nil},
		{"empty", `[]`, []string{":1900"}},
		{"bad entry", `[{"name":"a","type":"string","value":"x"},{"name":"b","type":"string","value":2}]`, []string{"[1].value:1000"}},
	})
}

func TestMetadataMatching(t *testing.T) {
	decode := func(text string) (entries []Metadata) {
		require.NoError(t, Unmarshal([]byte(text), &entries))
		return entries
	}
	have := decode(`[{"name":"a","type":"string","value":"x"},{"name":"o","type":"object","value":{"p":1,"q":[1,2]}},
		{"name":"l","type":"array","value":[1,2]},{"name":"n","type":"number","value":1.0}]`)
	for query, want := range map[string]bool{
		`[{"name":"a","type":"string","value":"x"}]`:                                           true,
		`[{"name":"l","type":"array","value":[1,2]},{"name":"a","type":"string","value":"x"}]`: true,
		`[{"name":"a","type":"string","value":"x"},{"name":"b","type":"string","value":"x"}]`:  false,
		`[{"name":"a","type":"string","value":"X"}]`:                                           false,
		`[{"name":"o","type":"object","value":{"q":[1,2],"p":1}}]`:                             true,
		`[{"name":"o","type":"object","value":{"q":[2,1],"p":1}}]`:                             false,
		`[{"name":"o","type":"object","value":{"p":1}}]`:                                       false,
		`[{"name":"l","type":"array","value":[2,1]}]`:                                          false,
		`[{"name":"n","type":"number","value":1}]`:                                             true,
		`[{"name":"n","type":"string","value":1}]`:                                             false,
	} {
		require.Equal(t, want, MatchesMetadata(decode(query), have), query)
	}
}
