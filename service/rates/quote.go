package rates

import (
	"errors"
	"fmt"
	"time"
)

// Card is how one service is priced.
type Card struct {
	ID       string
	Currency string // ISO 4217
	Base     Amount
	Distance Rate
	Weight   Rate
	Pieces   Rate
	Time     Rate
	// Minimum is the least a delivery costs; what the components lack is added as an entry of its own.
	Minimum Amount
}

// The rating types of a breakdown's entries.
const (
	RatingFlat     = "flat"
	RatingDistance = "distance"
	RatingWeight   = "weight"
	RatingPieces   = "pieces"
	RatingTime     = "time"
	RatingMinimum  = "minimum"
)

// Entry is one line of a price.
type Entry struct {
	Name       string
	RatingType string
	IsBaseRate bool
	Cost       Amount
}

// Price is a total with the entries that make it.
type Price struct {
	Total     Amount
	Currency  string
	Breakdown []Entry
}

// Trip is the way from pickup to drop-off with some vehicle.
type Trip struct {
	Length Length
	Time   time.Duration
}

// Validate tells what is wrong with a card, or nil.
func (c *Card) Validate() error {
	if len(c.Currency) != 3 {
		return fmt.Errorf("%q is not a currency code such as USD", c.Currency)
	}
	if c.Base < 0 || c.Base > MaxAmount || c.Minimum < 0 || c.Minimum > MaxAmount {
		return fmt.Errorf("base and minimum must be between 0 and %d minor units", MaxAmount)
	}
	return errors.Join(c.Distance.validate(RatingDistance), c.Weight.validate(RatingWeight),
		c.Pieces.validate(RatingPieces), c.Time.validate(RatingTime))
}

// Price computes what a delivery costs by this card. The base rate is always in the breakdown, other entries when they
// cost something.
func (c *Card) Price(way Trip, mass Mass, pieces int) (Price, error) {
	price := Price{Currency: c.Currency}
	price.add(Entry{Name: "Base rate", RatingType: RatingFlat, IsBaseRate: true, Cost: c.Base})
	for _, component := range []struct {
		name, rating string
		rate         Rate
		quantity     uint64
	}{
		{"Distance", RatingDistance, c.Distance, uint64(way.Length)},
		{"Weight", RatingWeight, c.Weight, uint64(mass)},
		{"Pieces", RatingPieces, c.Pieces, uint64(max(0, pieces))},
		{"Time", RatingTime, c.Time, uint64(max(0, way.Time))},
	} {
		cost, err := component.rate.cost(component.quantity)
		if err != nil {
			return Price{}, fmt.Errorf("%s: %w", component.name, err)
		}
		if cost > 0 {
			price.add(Entry{Name: component.name, RatingType: component.rating, Cost: cost})
		}
	}
	if price.Total < c.Minimum {
		price.add(Entry{Name: "Minimum charge", RatingType: RatingMinimum, Cost: c.Minimum - price.Total})
	}
	if price.Total > MaxAmount {
		return Price{}, errTooExpensive
	}
	return price, nil
}

func (p *Price) add(e Entry) {
	p.Breakdown = append(p.Breakdown, e)
	p.Total += e.Cost
}

// Service is one delivery service a client may choose.
type Service struct {
	ID          string
	DisplayName string
	// Vehicle is the vehicle type it is driven with, "" for on foot.
	Vehicle string
	Promise Promise
	// MaxMass, MaxPieces and MaxLength are limits; 0 means none.
	MaxMass   Mass
	MaxPieces int
	MaxLength Length
	Card      Card
}

// Promise is when a service delivers: Within so much time of pickup readiness, or, with Within 0, by a time of a later
// day.
type Promise struct {
	Within time.Duration
	// Days and At: by that time of day, so many days after readiness. Used when Within is 0.
	Days int
	At   time.Duration // since midnight
	// Opens and Closes bound the working day, as times since midnight; both 0 means round the clock. What is ready
	// before opening starts at opening, after closing at the next day's opening, and a Within that does not end before
	// closing is not offered that day.
	Opens, Closes time.Duration
	// Zone is where the times of day are; nil means UTC.
	Zone *time.Location
}

// Input is a request for quotes.
type Input struct {
	Now     time.Time
	ReadyBy time.Time
	// DueBy is when it must be there; zero when the client did not say.
	DueBy  time.Time
	Pieces int
	Mass   Mass
	// Trips are the ways by vehicle type. A service whose vehicle has none is not offered.
	Trips map[string]Trip
}

// Quoted is a service that can do it, with its price.
type Quoted struct {
	Service Service
	DueBy   time.Time
	Price   Price
}

// Refusal is a service that cannot do it, with the reason for people.
type Refusal struct {
	Service Service
	Reason  string
}

// Validate tells what is wrong with a request, or nil.
func (in *Input) Validate() error {
	switch {
	case in.ReadyBy.IsZero():
		return errors.New("readyBy is missing; it is Unix time in milliseconds")
	case in.Pieces < 1:
		return errors.New("quantity must be a whole number of at least 1")
	case !in.DueBy.IsZero() && !in.DueBy.After(in.ReadyBy):
		return errors.New("dueBy must be after readyBy")
	case !in.DueBy.IsZero() && !in.DueBy.After(in.Now):
		return errors.New("dueBy is in the past")
	}
	return nil
}

// Quote prices a delivery with every service that can do it, in the order given, and says why the others cannot.
func Quote(services []Service, in Input) (quoted []Quoted, refused []Refusal, err error) {
	if err := in.Validate(); err != nil {
		return nil, nil, err
	}
	for _, service := range services {
		q, reason := service.quote(in)
		if reason != "" {
			refused = append(refused, Refusal{service, reason})
			continue
		}
		quoted = append(quoted, q)
	}
	return quoted, refused, nil
}

// handlingTime is the time at both doors that a promise must leave beside the way.
const handlingTime = 10 * time.Minute

func (s *Service) quote(in Input) (q Quoted, reason string) {
	way, ok := in.Trips[s.Vehicle]
	switch {
	case !ok:
		return q, "the way is not known for its vehicle"
	case s.MaxMass > 0 && in.Mass > s.MaxMass:
		return q, fmt.Sprintf("it carries at most %.4g kg (%.4g lbs)", s.MaxMass.Kilograms(), s.MaxMass.Pounds())
	case s.MaxPieces > 0 && in.Pieces > s.MaxPieces:
		return q, fmt.Sprintf("it carries at most %d pieces", s.MaxPieces)
	case s.MaxLength > 0 && way.Length > s.MaxLength:
		return q, fmt.Sprintf("it goes at most %.4g km (%.4g miles)",
			float64(s.MaxLength)/float64(Kilometer), float64(s.MaxLength)/float64(Mile))
	}
	start := s.Promise.start(laterOf(in.Now, in.ReadyBy))
	due, ok := s.Promise.due(start)
	switch {
	case !ok:
		return q, "it would not arrive before the end of the working day"
	case due.Sub(start) < way.Time+handlingTime:
		return q, "the way takes longer than it promises"
	case !in.DueBy.IsZero() && due.After(in.DueBy):
		return q, "it would arrive later than asked"
	}
	price, err := s.Card.Price(way, in.Mass, in.Pieces)
	if err != nil {
		return q, err.Error()
	}
	return Quoted{Service: *s, DueBy: due, Price: price}, ""
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (p *Promise) zone() *time.Location {
	if p.Zone == nil {
		return time.UTC
	}
	return p.Zone
}

// timeOfDay is a time of day so many days after t. Midnight is found anew for each day, because days have 23 or 25 hours
// now and then.
func (p *Promise) timeOfDay(t time.Time, days int, sinceMidnight time.Duration) time.Time {
	t = t.In(p.zone())
	hours, rest := int(sinceMidnight/time.Hour), sinceMidnight%time.Hour
	return time.Date(t.Year(), t.Month(), t.Day()+days, hours, int(rest/time.Minute), int(rest%time.Minute/time.Second), 0, p.zone())
}

// start is when work on something ready at t begins.
func (p *Promise) start(t time.Time) time.Time {
	if p.Opens == 0 && p.Closes == 0 {
		return t
	}
	if opens := p.timeOfDay(t, 0, p.Opens); t.Before(opens) {
		return opens
	}
	if closes := p.timeOfDay(t, 0, p.Closes); !t.Before(closes) {
		return p.timeOfDay(t, 1, p.Opens)
	}
	return t
}

// due is when what starts at start will have arrived, and false when the promise cannot be kept.
func (p *Promise) due(start time.Time) (time.Time, bool) {
	if p.Within == 0 {
		return p.timeOfDay(start, p.Days, p.At), true
	}
	due := start.Add(p.Within)
	if p.Opens != 0 || p.Closes != 0 {
		if due.After(p.timeOfDay(start, 0, p.Closes)) {
			return time.Time{}, false
		}
	}
	return due, true
}
