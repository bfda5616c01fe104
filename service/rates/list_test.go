package rates

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestListsAreReadAsTheyAreWritten(t *testing.T) {
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency")
		amount := rapid.Map(rapid.Int64Range(0, int64(MaxAmount)), func(n int64) Amount { return Amount(n) })
		rate := func(name string, most uint64) Rate {
			price := amount.Draw(t, name)
			if price == 0 {
				return Rate{}
			}
			return Rate{price, rapid.Uint64Range(1, most).Draw(t, name+" per"), rapid.Uint64Range(0, most).Draw(t, name+" included")}
		}
		minutes := rapid.Map(rapid.IntRange(1, 24*60), func(n int) time.Duration { return time.Duration(n) * time.Minute })
		promise := Promise{Zone: zone, Within: time.Duration(rapid.Int64Range(1, int64(100*time.Hour)).Draw(t, "within"))}
		if rapid.Bool().Draw(t, "by day") {
			promise.Within, promise.Days, promise.At = 0, rapid.IntRange(0, 9).Draw(t, "days"), minutes.Draw(t, "by")
		}
		if rapid.Bool().Draw(t, "working day") {
			promise.Opens, promise.Closes = minutes.Draw(t, "opens"), minutes.Draw(t, "closes")
		}
		services := []Service{{
			DisplayName: rapid.StringMatching(`[A-Z][a-z ]{0,8}[a-z]`).Draw(t, "name"),
			Vehicle:     rapid.SampledFrom([]string{"", "CAR", "MOTORCYCLE", "BICYCLE", "TRUCK"}).Draw(t, "vehicle"),
			Promise:     promise, MaxPieces: rapid.IntRange(0, 900).Draw(t, "pieces"),
			MaxMass:   Mass(rapid.Uint64Range(0, uint64(maxMass)).Draw(t, "mass")),
			MaxLength: Length(rapid.Uint64Range(0, uint64(maxLength)).Draw(t, "length")),
			Card: Card{
				Currency: currency, Base: amount.Draw(t, "base"), Minimum: amount.Draw(t, "minimum"),
				Distance: rate("distance", uint64(maxLength)), Weight: rate("weight", uint64(maxMass)),
				Pieces: rate("pieces", 1<<31-1), Time: rate("time", uint64(100*time.Hour)),
			},
		}}
		text, err := FormatList(services)
		require.NoError(t, err)
		read, err := ParseList(text, zone)
		require.NoError(t, err, "%s", text)
		require.Equal(t, services, read, "%s", text)
	})
	text, err := FormatList(DefaultServices(zone))
	require.NoError(t, err)
	read, err := ParseList(text, zone)
	require.NoError(t, err)
	require.Equal(t, DefaultServices(zone), read)
	require.Contains(t, string(text), `"within":"1h","opens":"07:00","closes":"21:00","maxWeight":"50 lbs","maxPieces":6,"maxDistance":"15 mi"`)
	require.Contains(t, string(text), `"distance":{"price":"2.75","per":"1 mi","included":"1 mi"}`)
}

func TestListsThatCannotBeSayWhy(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "not a list",
		`[{"name":" ","currency":"USD","within":"1h"}]`:                                                 `name: a service needs one`,
		`[{"name":"A","currency":"USD"}]`:                                                               `say when it arrives`,
		`[{"name":"A","currency":"USD","within":"1h","days":1}]`:                                        `either a time within`,
		`[{"name":"A","currency":"USD","within":"an hour"}]`:                                            `"an hour" is not a time`,
		`[{"name":"A","currency":"USD","within":"1h","base":"12.345"}]`:                                 `such as 12.50`,
		`[{"name":"A","currency":"USD","within":"1h","base":"-1"}]`:                                     `"-1" is not an amount of USD`,
		`[{"name":"A","currency":"USD","within":"1h","distance":{"price":"1"}}]`:                        `distance.per: say what the price is for`,
		`[{"name":"A","currency":"USD","within":"1h","distance":{"price":"1","per":"1 furlong"}}]`:      `"1 furlong" is not a distance`,
		`[{"name":"A","currency":"USD","within":"1h","weight":{"price":"1","per":"1 kg","each":true}}]`: `each`,
		`[{"name":"A","currency":"USD","within":"1h","prize":"1"}]`:                                     `prize`,
		`[{"name":"A","currency":"USD","by":"25:00"}]`:                                                  `"25:00" is not a time of day`,
		`[{"name":"A","currency":"USD","within":"1h","opens":"07:00"}]`:                                 `both opens and closes`,
		`[{"name":"A","currency":"USD","within":"1h","vehicle":"TANK"}]`:                                `"TANK" is none of`,
	} {
		_, err := ParseList([]byte(text), time.UTC)
		require.ErrorContains(t, err, want, text)
	}
}
