package rates

import (
	"math"
	"testing"
	"time"
	_ "time/tzdata" // the tests name a time zone, which a bare container may not have

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAmountText(t *testing.T) {
	for _, test := range []struct {
		amount   Amount
		currency string
		text     string
		number   float64
	}{
		{12_50, "USD", "12.50", 12.5},
		{5, "EUR", "0.05", 0.05},
		{0, "USD", "0.00", 0},
		{-12_34, "USD", "-12.34", -12.34},
		{-5, "USD", "-0.05", -0.05},
		{1250, "JPY", "1250", 1250},
		{1250, "KWD", "1.250", 1.25},
		{MaxAmount, "USD", "1000000000.00", 1e9},
	} {
		require.Equal(t, test.text, test.amount.Text(test.currency))
		require.InDelta(t, test.number, test.amount.Number(test.currency), 0)
	}
}

func TestMultiplyRoundsHalfUpWithoutOverflow(t *testing.T) {
	for _, test := range []struct {
		rate           Amount
		quantity, unit uint64
		want           Amount
	}{
		{275, uint64(Mile), uint64(Mile), 275},
		{1, 499, 1000, 0},
		{1, 500, 1000, 1},
		{1, 1499, 1000, 1},
		{1, 1500, 1000, 2},
		{0, 1 << 60, 1, 0},
		{100, 0, 7, 0},
		{MaxAmount, math.MaxUint64, math.MaxUint64, MaxAmount},
	} {
		got, err := multiply(test.rate, test.quantity, test.unit)
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
	for _, quantity := range []uint64{2, math.MaxUint64} {
		_, err := multiply(MaxAmount, quantity, 1)
		require.ErrorIs(t, err, errTooExpensive)
	}
}

func TestParseMass(t *testing.T) {
	for _, test := range []struct {
		value float64
		units string
		want  Mass
	}{
		{1, "kg", Kilogram}, {1, "lbs", Pound}, {2.2, "LBS", 99_790_321}, {0, "kg", 0}, {0.5, " kg ", Kilogram / 2},
	} {
		got, err := ParseMass(test.value, test.units)
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
	one, err := ParseMass(1, "kg")
	require.NoError(t, err)
	require.InDelta(t, 2.2046226, one.Pounds(), 1e-7)
	for _, bad := range []struct {
		value float64
		units string
	}{
		{1, "stone"}, {1, ""}, {-1, "kg"}, {math.NaN(), "kg"}, {math.Inf(1), "lbs"}, {1e12, "kg"},
	} {
		_, err := ParseMass(bad.value, bad.units)
		require.Error(t, err, bad)
	}
}

func testCard() Card {
	return Card{
		ID: "card", Currency: "USD", Base: 10_00, Minimum: 12_00,
		Distance: Per(2_00, Mile, Mile), Weight: Per(10, Pound, 10*Pound), Pieces: Per(1_00, 1, 1),
		Time: Per(50, time.Minute, 10*time.Minute),
	}
}

func TestPrice(t *testing.T) {
	card := testCard()
	require.NoError(t, card.Validate())
	price, err := card.Price(Trip{Length: 3*Mile + Mile/2, Time: 25 * time.Minute}, 15*Pound, 3)
	require.NoError(t, err)
	require.Equal(t, Price{
		Total: 10_00 + 5_00 + 50 + 2_00 + 7_50, Currency: "USD",
		Breakdown: []Entry{
			{"Base rate", RatingFlat, true, 10_00},
			{"Distance", RatingDistance, false, 5_00},
			{"Weight", RatingWeight, false, 50},
			{"Pieces", RatingPieces, false, 2_00},
			{"Time", RatingTime, false, 7_50},
		},
	}, price)

	price, err = card.Price(Trip{}, 0, 1)
	require.NoError(t, err)
	require.Equal(t, Price{Total: 12_00, Currency: "USD", Breakdown: []Entry{
		{"Base rate", RatingFlat, true, 10_00}, {"Minimum charge", RatingMinimum, false, 2_00},
	}}, price)

	_, err = card.Price(Trip{Length: math.MaxUint64}, 0, 1)
	require.ErrorIs(t, err, errTooExpensive)
}

func TestCardValidate(t *testing.T) {
	for _, spoil := range []func(*Card){
		func(c *Card) { c.Currency = "" },
		func(c *Card) { c.Base = -1 },
		func(c *Card) { c.Minimum = MaxAmount + 1 },
		func(c *Card) { c.Distance.Per = 0 },
		func(c *Card) { c.Weight.Price = -1 },
		func(c *Card) { c.Time.Price = MaxAmount + 1 },
	} {
		card := testCard()
		spoil(&card)
		require.Error(t, card.Validate())
	}
}

func anyRate(t *rapid.T, name string, unit uint64) Rate {
	return Rate{
		Price:    Amount(rapid.Int64Range(0, 5000).Draw(t, name+" price")),
		Per:      unit,
		Included: rapid.Uint64Range(0, 20*unit).Draw(t, name+" included"),
	}
}

func anyCard(t *rapid.T) Card {
	return Card{
		Currency: "USD",
		Base:     Amount(rapid.Int64Range(0, 10_000).Draw(t, "base")),
		Minimum:  Amount(rapid.Int64Range(0, 10_000).Draw(t, "minimum")),
		Distance: anyRate(t, "distance", uint64(rapid.SampledFrom([]Length{Mile, Kilometer}).Draw(t, "length unit"))),
		Weight:   anyRate(t, "weight", uint64(rapid.SampledFrom([]Mass{Pound, Kilogram}).Draw(t, "mass unit"))),
		Pieces:   anyRate(t, "pieces", 1),
		Time:     anyRate(t, "time", uint64(time.Minute)),
	}
}

func TestBreakdownAddsUpToThePrice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		card := anyCard(t)
		require.NoError(t, card.Validate())
		way := Trip{
			Length: Length(rapid.Uint64Range(0, uint64(300*Mile)).Draw(t, "length")),
			Time:   time.Duration(rapid.Int64Range(0, int64(10*time.Hour)).Draw(t, "time")),
		}
		mass := Mass(rapid.Uint64Range(0, uint64(1000*Kilogram)).Draw(t, "mass"))
		pieces := rapid.IntRange(1, 500).Draw(t, "pieces")
		price, err := card.Price(way, mass, pieces)
		require.NoError(t, err)
		sum, number, bases := Amount(0), 0.0, 0
		for _, entry := range price.Breakdown {
			sum += entry.Cost
			number += entry.Cost.Number("USD")
			require.GreaterOrEqual(t, entry.Cost, Amount(0))
			if entry.IsBaseRate {
				bases++
			}
		}
		require.Equal(t, price.Total, sum)
		require.Equal(t, 1, bases)
		require.GreaterOrEqual(t, price.Total, card.Minimum)
		require.InDelta(t, price.Total.Number("USD"), number, 1e-6)
	})
}

func TestMoreNeverCostsLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		card := anyCard(t)
		length := rapid.Uint64Range(0, uint64(300*Mile)).Draw(t, "length")
		duration := rapid.Int64Range(0, int64(10*time.Hour)).Draw(t, "time")
		mass := rapid.Uint64Range(0, uint64(1000*Kilogram)).Draw(t, "mass")
		pieces := rapid.IntRange(1, 500).Draw(t, "pieces")
		less, err := card.Price(Trip{Length(length), time.Duration(duration)}, Mass(mass), pieces)
		require.NoError(t, err)
		switch rapid.IntRange(0, 3).Draw(t, "which") {
		case 0:
			length += rapid.Uint64Range(0, uint64(50*Mile)).Draw(t, "more")
		case 1:
			duration += rapid.Int64Range(0, int64(time.Hour)).Draw(t, "more")
		case 2:
			mass += rapid.Uint64Range(0, uint64(50*Kilogram)).Draw(t, "more")
		case 3:
			pieces += rapid.IntRange(0, 50).Draw(t, "more")
		}
		more, err := card.Price(Trip{Length(length), time.Duration(duration)}, Mass(mass), pieces)
		require.NoError(t, err)
		require.GreaterOrEqual(t, more.Total, less.Total)
	})
}

func pacific(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	return zone
}

func sandboxInput(now time.Time) Input {
	return Input{
		Now: now, ReadyBy: now.Add(10 * time.Minute), Pieces: 1, Mass: 5 * Pound,
		Trips: map[string]Trip{
			"CAR":   {Length: 4 * Mile, Time: 18 * time.Minute},
			"TRUCK": {Length: 4 * Mile, Time: 22 * time.Minute},
		},
	}
}

func names(quoted []Quoted) []string {
	var all []string
	for _, q := range quoted {
		all = append(all, q.Service.DisplayName)
	}
	return all
}

func TestDefaultServicesQuotes(t *testing.T) {
	zone := pacific(t)
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, zone)
	services := DefaultServices(zone)
	for i := range services {
		require.NoError(t, services[i].Card.Validate())
	}
	quoted, refused, err := Quote(services, sandboxInput(now))
	require.NoError(t, err)
	require.Empty(t, refused)
	require.Len(t, quoted, 3)
	require.Equal(t, now.Add(70*time.Minute), quoted[0].DueBy)
	require.Equal(t, now.Add(4*time.Hour+10*time.Minute), quoted[1].DueBy)
	require.True(t, time.Date(2026, 3, 3, 18, 0, 0, 0, zone).Equal(quoted[2].DueBy))
	// 14.00 + 3 miles × 2.75 + 3 minutes × 0.25
	require.Equal(t, Amount(23_00), quoted[0].Price.Total)
	require.Equal(t, Amount(12_20), quoted[1].Price.Total)
	require.Equal(t, Amount(7_50), quoted[2].Price.Total)
}

func TestQuoteRefusesImpossibleServices(t *testing.T) {
	zone := pacific(t)
	morning := time.Date(2026, 3, 2, 10, 0, 0, 0, zone)
	const rush, same, economy = "Rush (1 hour)", "Same day (4 hours)", "Economy (next day)"
	for _, test := range []struct {
		what    string
		now     time.Time
		change  func(*Input)
		offered []string
		reason  string
	}{
		{"due in 90 minutes", morning, func(in *Input) { in.DueBy = morning.Add(90 * time.Minute) }, []string{rush}, "after dueBy"},
		{"due in 5 hours", morning, func(in *Input) { in.DueBy = morning.Add(5 * time.Hour) }, []string{rush, same}, "after dueBy"},
		{"due in 20 minutes", morning, func(in *Input) { in.DueBy = morning.Add(20 * time.Minute) }, nil, "after dueBy"},
		{"heavy", morning, func(in *Input) { in.Mass = 100 * Pound }, []string{same, economy}, "50 lbs"},
		{"too heavy for all", morning, func(in *Input) { in.Mass = 1001 * Pound }, nil, "lbs"},
		{"many pieces", morning, func(in *Input) { in.Pieces = 21 }, []string{economy}, "pieces"},
		{"far", morning, func(in *Input) { in.Trips["CAR"] = Trip{20 * Mile, 40 * time.Minute} }, []string{same, economy}, "miles"},
		{"slow", morning, func(in *Input) { in.Trips["CAR"] = Trip{10 * Mile, 55 * time.Minute} }, []string{same, economy}, "longer than it promises"},
		{"no way by car", morning, func(in *Input) { delete(in.Trips, "CAR") }, []string{economy}, "no route"},
		{"evening", morning.Add(8 * time.Hour), func(*Input) {}, []string{rush, economy}, "end of the working day"},
		{"late evening", morning.Add(10*time.Hour + 30*time.Minute), func(*Input) {}, []string{economy}, "end of the working day"},
		{"night", morning.Add(13 * time.Hour), func(*Input) {}, []string{rush, same, economy}, ""},
	} {
		in := sandboxInput(test.now)
		test.change(&in)
		quoted, refused, err := Quote(DefaultServices(zone), in)
		require.NoError(t, err, test.what)
		require.Equal(t, test.offered, names(quoted), test.what)
		require.Len(t, refused, 3-len(test.offered), test.what)
		if test.reason != "" {
			require.Contains(t, refused[0].Reason, test.reason, test.what)
		}
	}
}

func TestReadyOutsideWorkingHoursStartsAtOpening(t *testing.T) {
	zone := pacific(t)
	opening := time.Date(2026, 3, 3, 7, 0, 0, 0, zone)
	for _, now := range []time.Time{
		time.Date(2026, 3, 2, 21, 0, 0, 0, zone), time.Date(2026, 3, 2, 23, 30, 0, 0, zone), time.Date(2026, 3, 3, 5, 0, 0, 0, zone),
	} {
		in := sandboxInput(now)
		quoted, _, err := Quote(DefaultServices(zone), in)
		require.NoError(t, err)
		require.True(t, opening.Add(time.Hour).Equal(quoted[0].DueBy), quoted[0].DueBy)
		require.True(t, time.Date(2026, 3, 4, 18, 0, 0, 0, zone).Equal(quoted[2].DueBy))
	}
}

// On the day the clocks change, six in the evening is still six in the evening.
func TestNextDayAcrossDaylightSaving(t *testing.T) {
	zone := pacific(t)
	quoted, _, err := Quote(DefaultServices(zone), sandboxInput(time.Date(2026, 3, 7, 12, 0, 0, 0, zone)))
	require.NoError(t, err)
	due := quoted[2].DueBy.In(zone)
	require.Equal(t, "2026-03-08 18:00 PDT", due.Format("2006-01-02 15:04 MST"))
}

func TestReadyInThePastStartsNow(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	in := sandboxInput(now)
	in.ReadyBy = now.Add(-3 * time.Hour)
	quoted, _, err := Quote(DefaultServices(nil), in)
	require.NoError(t, err)
	require.Equal(t, now.Add(time.Hour), quoted[0].DueBy)
}

func TestServiceWithoutOpeningHours(t *testing.T) {
	service := Service{DisplayName: "Night", Vehicle: "CAR", Promise: Promise{Within: 2 * time.Hour}, Card: testCard()}
	now := time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC)
	quoted, _, err := Quote([]Service{service}, sandboxInput(now))
	require.NoError(t, err)
	require.Equal(t, now.Add(130*time.Minute), quoted[0].DueBy)
}

func TestQuoteRefusesBadInput(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for text, spoil := range map[string]func(*Input){
		"readyBy":              func(in *Input) { in.ReadyBy = time.Time{} },
		"quantity":             func(in *Input) { in.Pieces = 0 },
		"after readyBy":        func(in *Input) { in.DueBy = in.ReadyBy },
		"dueBy is in the past": func(in *Input) { in.ReadyBy, in.DueBy = now.Add(-2*time.Hour), now.Add(-time.Hour) },
	} {
		in := sandboxInput(now)
		spoil(&in)
		_, _, err := Quote(DefaultServices(nil), in)
		require.ErrorContains(t, err, text)
	}
}

// A quote keeps every promise it makes, whatever the time of day.
func TestQuotedServicesKeepTheirPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(1_760_000_000, 1_800_000_000).Draw(t, "now"), 0)
		in := sandboxInput(now)
		in.ReadyBy = now.Add(time.Duration(rapid.IntRange(-600, 3000).Draw(t, "ready")) * time.Minute)
		if rapid.Bool().Draw(t, "with dueBy") {
			in.DueBy = laterOf(now, in.ReadyBy).Add(time.Duration(rapid.IntRange(1, 3000).Draw(t, "due")) * time.Minute)
		}
		services := DefaultServices(time.FixedZone("test", -7*3600))
		quoted, refused, err := Quote(services, in)
		require.NoError(t, err)
		require.Len(t, services, len(quoted)+len(refused))
		for _, q := range quoted {
			require.True(t, q.DueBy.After(laterOf(in.Now, in.ReadyBy).Add(in.Trips[q.Service.Vehicle].Time)))
			if !in.DueBy.IsZero() {
				require.False(t, q.DueBy.After(in.DueBy))
			}
		}
	})
}

func BenchmarkQuote(b *testing.B) {
	services := DefaultServices(time.UTC)
	in := sandboxInput(time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Quote(services, in); err != nil {
			b.Fatal(err)
		}
	}
}
