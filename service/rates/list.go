package rates

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/model"
)

// listedService is a delivery service in a rates file: amounts in major units, quantities with their units.
type listedService struct {
	Name        string      `json:"name"`
	Vehicle     string      `json:"vehicle,omitzero"`
	Within      string      `json:"within,omitzero"`
	Days        int         `json:"days,omitzero"`
	By          string      `json:"by,omitzero"`
	Opens       string      `json:"opens,omitzero"`
	Closes      string      `json:"closes,omitzero"`
	MaxWeight   string      `json:"maxWeight,omitzero"`
	MaxPieces   int         `json:"maxPieces,omitzero"`
	MaxDistance string      `json:"maxDistance,omitzero"`
	Currency    string      `json:"currency"`
	Base        string      `json:"base,omitzero"`
	Minimum     string      `json:"minimum,omitzero"`
	Distance    listedRate  `json:"distance,omitzero"`
	Weight      listedRate  `json:"weight,omitzero"`
	Pieces      listedRate  `json:"pieces,omitzero"`
	Time        listedRate  `json:"time,omitzero"`
	Unknown     model.Extra `json:",embed"`
}

// listedRate is a price per quantity above what the base price includes.
type listedRate struct {
	Price    string      `json:"price"`
	Per      string      `json:"per"`
	Included string      `json:"included,omitzero"`
	Unknown  model.Extra `json:",embed"`
}

// FormatList writes delivery services as JSON that ParseList can read.
func FormatList(services []Service) ([]byte, error) {
	listed := make([]listedService, len(services))
	for i, s := range services {
		money := func(a Amount) string { return a.Text(s.Card.Currency) }
		rate := func(r Rate, u unit) listedRate {
			if r.Price == 0 {
				return listedRate{}
			}
			return listedRate{Price: money(r.Price), Per: u.format(r.Per), Included: formatOptional(u, r.Included)}
		}
		listed[i] = listedService{
			Name: s.DisplayName, Vehicle: s.Vehicle, Days: s.Promise.Days, MaxPieces: s.MaxPieces,
			MaxWeight: formatOptional(massUnit(), uint64(s.MaxMass)), MaxDistance: formatOptional(lengthUnit(), uint64(s.MaxLength)),
			Currency: s.Card.Currency, Base: money(s.Card.Base), Minimum: money(s.Card.Minimum),
			Distance: rate(s.Card.Distance, lengthUnit()), Weight: rate(s.Card.Weight, massUnit()),
			Pieces: rate(s.Card.Pieces, pieceUnit()), Time: rate(s.Card.Time, timeUnit()),
		}
		listed[i].setPromise(s.Promise)
	}
	return model.Marshal(listed)
}

func (l *listedService) setPromise(p Promise) {
	if p.Within > 0 {
		l.Within = timeUnit().format(uint64(p.Within))
	} else {
		l.By = formatTimeOfDay(p.At)
	}
	if p.Opens != 0 || p.Closes != 0 {
		l.Opens, l.Closes = formatTimeOfDay(p.Opens), formatTimeOfDay(p.Closes)
	}
}

// ParseList parses delivery services. Times of day are in zone. Errors name the service and its member.
func ParseList(raw []byte, zone *time.Location) ([]Service, error) {
	var listed []listedService
	if err := model.Unmarshal(raw, &listed); err != nil {
		return nil, fmt.Errorf("the rates are not a JSON list of delivery services: %w", err)
	}
	services := make([]Service, len(listed))
	for i, l := range listed {
		s, err := l.toService(zone)
		if err != nil {
			return nil, fmt.Errorf("service %d (%.40q): %w", i+1, model.Clean(l.Name), err)
		}
		services[i] = s
	}
	return services, nil
}

func (l *listedService) toService(zone *time.Location) (Service, error) {
	p := parser{currency: l.Currency}
	s := Service{
		DisplayName: strings.TrimSpace(l.Name), Vehicle: l.Vehicle, MaxPieces: l.MaxPieces,
		MaxMass:   Mass(p.quantity("maxWeight", l.MaxWeight, massUnit())),
		MaxLength: Length(p.quantity("maxDistance", l.MaxDistance, lengthUnit())),
		Card: Card{
			Currency: l.Currency, Base: p.money("base", l.Base), Minimum: p.money("minimum", l.Minimum),
			Distance: p.rate("distance", l.Distance, lengthUnit()), Weight: p.rate("weight", l.Weight, massUnit()),
			Pieces: p.rate("pieces", l.Pieces, pieceUnit()), Time: p.rate("time", l.Time, timeUnit()),
		},
		Promise: Promise{
			Within: time.Duration(p.quantity("within", l.Within, timeUnit())), Days: l.Days, At: p.clock("by", l.By),
			Opens: p.clock("opens", l.Opens), Closes: p.clock("closes", l.Closes), Zone: zone,
		},
	}
	p.refuseUnknown("", l.Unknown)
	l.validate(&p)
	return s, errors.Join(p.errs...)
}

func (l *listedService) validate(p *parser) {
	if strings.TrimSpace(l.Name) == "" {
		p.refuse("name", "the name is required")
	}
	if !slices.Contains([]string{"", "CAR", "MOTORCYCLE", "BICYCLE", "TRUCK"}, l.Vehicle) {
		p.refuse("vehicle",
			"unknown vehicle %.20q; use CAR, MOTORCYCLE, BICYCLE or TRUCK, or leave it out for deliveries on foot", model.Clean(l.Vehicle))
	}
	switch {
	case l.Within == "" && l.By == "":
		p.refuse("within", `give the delivery time: "within": "4h", or "by": "18:00" with "days": 1`)
	case l.Within != "" && (l.By != "" || l.Days != 0):
		p.refuse("within", "give either within, or days and by")
	}
	if l.Days < 0 || l.MaxPieces < 0 {
		p.refuse("days", "days and maxPieces cannot be negative")
	}
	if (l.Opens == "") != (l.Closes == "") {
		p.refuse("opens", "a working day needs both opens and closes")
	}
}

// parser parses values and collects errors.
type parser struct {
	currency string
	errs     []error
}

func (r *parser) refuse(field, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %w", field, fmt.Errorf(format, args...)))
}

func (r *parser) refuseUnknown(prefix string, members model.Extra) {
	if len(members) > 0 {
		r.refuse(strings.TrimSuffix("members."+prefix, "."), "unknown members %.80s", model.Clean(string(members)))
	}
}

func (r *parser) quantity(field, text string, u unit) uint64 {
	if text == "" {
		return 0
	}
	n, err := u.parse(strings.TrimSpace(text))
	if err != nil {
		r.refuse(field, "%.40q is not %s", model.Clean(text), u.example)
	}
	return n
}

// money parses an amount in major units without rounding.
func (r *parser) money(field, text string) Amount {
	if text == "" {
		return 0
	}
	decimals := Decimals(r.currency)
	whole, part, pointed := strings.Cut(strings.TrimSpace(text), ".")
	amount, err := strconv.ParseUint(whole+part+strings.Repeat("0", max(0, decimals-len(part))), 10, 63)
	if err != nil || len(part) > decimals || (pointed && part == "") || Amount(amount) > MaxAmount {
		r.refuse(field, "%.40q is not an amount of %s, such as %s", model.Clean(text), r.currency, Amount(12_50).Text(r.currency))
		return 0
	}
	return Amount(amount)
}

func (r *parser) rate(field string, l listedRate, u unit) Rate {
	r.refuseUnknown(field, l.Unknown)
	if l.Price == "" && l.Per == "" && l.Included == "" {
		return Rate{}
	}
	rate := Rate{
		Price: r.money(field+".price", l.Price), Per: r.quantity(field+".per", l.Per, u),
		Included: r.quantity(field+".included", l.Included, u),
	}
	if rate.Per == 0 {
		r.refuse(field+".per", "give the quantity of the price: %s", u.example)
	}
	return rate
}

func (r *parser) clock(field, text string) time.Duration {
	if text == "" {
		return 0
	}
	hours, minutes, ok := strings.Cut(text, ":")
	h, hErr := strconv.ParseUint(hours, 10, 8)
	m, mErr := strconv.ParseUint(minutes, 10, 8)
	at := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if !ok || hErr != nil || mErr != nil || m > 59 || at > 24*time.Hour {
		r.refuse(field, "%.20q is not a time of day, such as 18:00", model.Clean(text))
	}
	return at
}

func formatTimeOfDay(at time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(at/time.Hour), int(at%time.Hour/time.Minute))
}
