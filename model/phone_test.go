package model

import (
	"testing"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNormalizePhone(t *testing.T) {
	for _, c := range []struct{ raw, country, want string }{
		{"650-253-0000", "US", "+16502530000"},
		{" (650) 253 0000 ", "us", "+16502530000"},
		{"+1 650 253 0000", "", "+16502530000"},
		{"+16502530000", "DE", "+16502530000"},
		{"030 901820", "DE", "+4930901820"},
		{"020 7031 3000", "GB", "+442070313000"},
		{"06 12345678", "NL", "+31612345678"},
		{"+49 30 901820", "US", "+4930901820"},
	} {
		got, problems := NormalizePhone(c.raw, c.country)
		requireProblems(t, problems)
		require.Equal(t, c.want, got, c.raw)
		again, problems := NormalizePhone(got, c.country)
		requireProblems(t, problems)
		require.Equal(t, got, again)
	}
	for _, c := range []struct{ raw, country, want string }{
		{"", "US", ":1900"},
		{"   ", "US", ":1900"},
		{"12", "US", ":1000"},
		{"555-0100", "US", ":1000"},
		{"1234", "DE", ":1000"},
		{"650-253-0000", "", ":1000"},
		{"650-253-0000", "United States", ":1000"},
		{"+0 650 253 0000", "US", ":1000"},
		{"not a number", "US", ":1000"},
		{"\x1b[31m650", "US", ":1000"},
	} {
		_, problems := NormalizePhone(c.raw, c.country)
		requireProblems(t, problems, c.want)
	}
}

// What is recognised without being taken apart is what the library makes of it, wherever the organization is.
func TestNorthAmericanNumbersAreReadAsTheLibraryReadsThem(t *testing.T) {
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(
			rapid.StringMatching(`\+1[2-9][0-9]{9}`),
			rapid.StringMatching(`\+1(212|415|650|800|900|500|242|876|787|604|671)[2-9][0-9]{6}`),
			rapid.StringMatching(`\+1[0-9]{8,12}`),
			rapid.StringMatching(`\+?[0-9 ()-]{9,14}`),
		).Draw(t, "raw")
		if !isUSNumber(raw) {
			return
		}
		valid++
		country := rapid.SampledFrom([]string{"US", "CA", "JM", "DE", "GB", "MX", "IT", "RU", "", "nowhere"}).Draw(t, "country")
		number, err := phonenumbers.Parse(raw, country)
		require.NoError(t, err)
		require.True(t, phonenumbers.IsValidNumber(number))
		require.Equal(t, raw, phonenumbers.Format(number, phonenumbers.E164))
	})
	require.NotZero(t, valid)
	require.True(t, isUSNumber("+14155550100"))
	require.False(t, isUSNumber("+14151550100"), "an exchange does not begin with 1")
}

func BenchmarkNormalizePhone(b *testing.B) {
	for b.Loop() {
		NormalizePhone("+14152345678", "US") //nolint:errcheck // only its cost matters
	}
}

func TestUncheckedPhone(t *testing.T) {
	got, problems := ParseUncheckedPhone("+999 (12) 34-5")
	requireProblems(t, problems)
	require.Equal(t, "+99912345", got)
	for raw, want := range map[string]string{
		"":                       ":1900",
		"6502530000":             ":1000",
		"+":                      ":1000",
		"+12a":                   ":1000",
		"+123456789012345678901": ":1000",
	} {
		_, problems := ParseUncheckedPhone(raw)
		requireProblems(t, problems, want)
	}
}

func FuzzNormalizePhone(f *testing.F) {
	f.Add("650-253-0000", "US")
	f.Add("+4930901820", "")
	f.Add("(((", "GB")
	f.Fuzz(func(t *testing.T, raw, country string) {
		got, problems := NormalizePhone(raw, country)
		require.Equal(t, got == "", len(problems) > 0)
		if got != "" {
			require.Regexp(t, `^\+[0-9]+$`, got)
		}
	})
}
