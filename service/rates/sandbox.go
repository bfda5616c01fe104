package rates

import "time"

// DefaultServices returns the services of a new courier: one hour, four hours, next day. zone is that of its working day.
func DefaultServices(zone *time.Location) []Service {
	workingDay := func(p Promise) Promise {
		p.Opens, p.Closes, p.Zone = 7*time.Hour, 21*time.Hour, zone
		return p
	}
	return []Service{
		{
			DisplayName: "Rush (1 hour)", Vehicle: "CAR",
			Promise: workingDay(Promise{Within: time.Hour}),
			MaxMass: 50 * Pound, MaxPieces: 6, MaxLength: 15 * Mile,
			Card: Card{
				Currency: "USD", Base: 14_00, Minimum: 18_00,
				Distance: Per(2_75, Mile, 1*Mile),
				Weight:   Per(20, Pound, 20*Pound),
				Pieces:   Per(1_50, 1, 1),
				Time:     Per(25, time.Minute, 15*time.Minute),
			},
		},
		{
			DisplayName: "Same day (4 hours)", Vehicle: "CAR",
			Promise: workingDay(Promise{Within: 4 * time.Hour}),
			MaxMass: 150 * Pound, MaxPieces: 20, MaxLength: 40 * Mile,
			Card: Card{
				Currency: "USD", Base: 9_00, Minimum: 11_00,
				Distance: Per(1_60, Mile, 2*Mile),
				Weight:   Per(12, Pound, 30*Pound),
				Pieces:   Per(75, 1, 2),
				Time:     Per(10, time.Minute, 30*time.Minute),
			},
		},
		{
			DisplayName: "Economy (next day)", Vehicle: "TRUCK",
			Promise: workingDay(Promise{Days: 1, At: 18 * time.Hour}),
			MaxMass: 1000 * Pound, MaxPieces: 200, MaxLength: 100 * Mile,
			Card: Card{
				Currency: "USD", Base: 6_00, Minimum: 7_50,
				Distance: Per(85, Mile, 3*Mile),
				Weight:   Per(6, Pound, 40*Pound),
				Pieces:   Per(40, 1, 3),
			},
		},
	}
}
