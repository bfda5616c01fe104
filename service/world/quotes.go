package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/rates"
	"waybill/service/store"
)

// quoteLife is how long quotes are kept. An order keeps its price itself.
const quoteLife = 30 * 24 * time.Hour

// parties are who delivers for whom.
type parties struct {
	couriers []model.ID
	client   model.ID // empty when a courier delivers for itself
}

// findParties tells what org is in a request: the client it names makes it that client's courier, else it is a client
// if it has couriers, else a courier on its own account.
func findParties(ctx context.Context, q store.Querier, org, client model.ID) (parties, error) {
	couriers, err := couriersOf(ctx, q, org)
	if err != nil {
		return parties{}, err
	}
	switch {
	case client != "" && client != org:
		return namedClient(ctx, q, org, client)
	case len(couriers) > 0:
		return parties{couriers: couriers, client: org}, nil
	default:
		return parties{couriers: []model.ID{org}}, nil
	}
}

func namedClient(ctx context.Context, q store.Querier, courier, client model.ID) (parties, error) {
	connected, err := isClient(ctx, q, courier, client)
	if err != nil {
		return parties{}, err
	}
	if connected {
		return parties{couriers: []model.ID{courier}, client: client}, nil
	}
	var name string
	if err := scanOne(q.QueryRow(ctx, "SELECT name FROM organizations WHERE id = $1", client), &name); err != nil {
		return parties{}, naming(err, "client", client)
	}
	return parties{}, naming(OtherOrganization(), "client", client)
}

// CreateQuotes prices a delivery with every service that can do it. The quotes are kept, so that an order can be made from
// one at its price.
func (w *World) CreateQuotes(ctx context.Context, actor Actor, client model.ID, in model.QuoteRequest) ([]model.Quote, error) {
	who, err := findParties(ctx, w.store, actor.Org, client)
	if err != nil {
		return nil, err
	}
	if problems := in.Check(); len(problems) > 0 {
		return nil, problems
	}
	from, err := w.quotedPlace(ctx, "pickup", in.Pickup.Value())
	if err != nil {
		return nil, err
	}
	to, err := w.quotedPlace(ctx, "dropoff", in.Dropoff.Value())
	if err != nil {
		return nil, err
	}
	request, err := w.quoteInput(in)
	if err != nil {
		return nil, err
	}
	quotes := []model.Quote{}
	for _, courier := range who.couriers {
		more, err := w.quoteBy(ctx, courier, who.client, request, from.geo(), to.geo())
		if err != nil {
			return nil, err
		}
		quotes = append(quotes, more...)
	}
	return quotes, w.keepQuotes(ctx, who.client, quotes, quotedPlaces{from, to})
}

func (w *World) quotedPlace(ctx context.Context, field string, place model.QuotePlace) (quotedPlace, error) {
	found, err := w.locate(ctx, model.DestinationInput{Address: model.Some(place.EffectiveAddress()), Location: place.Location})
	if err != nil {
		return quotedPlace{}, inField(field, err)
	}
	return quotedPlace{found.destination.Location, found.destination.WasGeocoded.Value()}, nil
}

// inField says which part of a body a refusal is about.
func inField(field string, err error) error {
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Cause.Has() && refusal.Cause.Value().Object == nil {
		named := *refusal
		named.Cause = model.Some(model.CauseText(field + ": " + refusal.Cause.Value().Text))
		return &named
	}
	return err
}

func (w *World) quoteInput(in model.QuoteRequest) (rates.Input, error) {
	weight := in.Weight.Value()
	mass, err := rates.ParseMass(weight.Value.Value(), weight.Units)
	if err != nil {
		return rates.Input{}, Invalid("weight: %v.", err)
	}
	const mostPieces = 1_000_000
	if in.Quantity.Value() > mostPieces {
		return rates.Input{}, Invalid("quantity: More than %d pieces cannot be quoted.", mostPieces)
	}
	request := rates.Input{Now: w.Now().Time(), ReadyBy: in.ReadyBy.Value().Time(), Pieces: int(in.Quantity.Value()), Mass: mass}
	if due, ok := in.DueBy.Get(); ok {
		request.DueBy = due.Time()
	}
	if err := request.Validate(); err != nil {
		return request, invalid(model.ErrorTimeConstraint, "%v.", err)
	}
	return request, nil
}

func (w *World) quoteBy(ctx context.Context, courier, client model.ID, request rates.Input, from, to geo.Location) ([]model.Quote, error) {
	services, err := deliveryServices(ctx, w.store, courier, client)
	if err != nil {
		return nil, err
	}
	if request.Trips, err = w.ways(ctx, services, from, to); err != nil {
		return nil, err
	}
	quoted, refused, err := rates.Quote(services, request)
	if err != nil {
		return nil, Invalid("%v.", err)
	}
	for _, r := range refused {
		w.log.DebugContext(ctx, "a delivery service is not offered", "courier", courier, "service", r.Service.DisplayName, "reason", r.Reason)
	}
	quotes := make([]model.Quote, len(quoted))
	for i, q := range quoted {
		quotes[i] = w.wireQuote(courier, q)
	}
	return quotes, nil
}

// ways finds the way once for each kind of vehicle.
func (w *World) ways(ctx context.Context, services []rates.Service, from, to geo.Location) (map[string]rates.Trip, error) {
	ways := map[string]rates.Trip{}
	for _, s := range services {
		if _, known := ways[s.Vehicle]; known {
			continue
		}
		profile, err := geo.ProfileFor(s.Vehicle)
		if err != nil {
			return nil, fmt.Errorf("rate card %s: %w", s.ID, err)
		}
		route, err := w.travel.Route(ctx, []geo.Location{from, to}, profile)
		if err != nil {
			return nil, fmt.Errorf("find the way: %w", err)
		}
		leg := route.Legs[0]
		ways[s.Vehicle] = rates.Trip{Length: rates.Meters(leg.Meters), Time: time.Duration(leg.Seconds) * time.Second}
	}
	return ways, nil
}

func (w *World) wireQuote(courier model.ID, q rates.Quoted) model.Quote {
	quote := model.Quote{
		ID: w.ids.ID(), RateID: model.ID(q.Service.Card.ID), Organization: courier, DisplayName: q.Service.DisplayName,
		DueBy: model.MillisOf(q.DueBy), EstimatedCost: q.Price.Total.Number(q.Price.Currency), Currency: q.Price.Currency,
	}
	for _, e := range q.Price.Breakdown {
		quote.EstimatedCostBreakdown = append(quote.EstimatedCostBreakdown, model.PricePart{
			Name: e.Name, RatingType: e.RatingType, IsBaseRate: e.IsBaseRate, Cost: e.Cost.Number(q.Price.Currency),
		})
	}
	return quote
}

func (w *World) keepQuotes(ctx context.Context, client model.ID, quotes []model.Quote, places quotedPlaces) error {
	if len(quotes) == 0 {
		return nil
	}
	docs := make([]string, len(quotes))
	for i, quote := range quotes {
		doc, err := model.Marshal(quote)
		if err != nil {
			return fmt.Errorf("encode quote: %w", err)
		}
		docs[i] = string(doc)
	}
	way, err := model.Marshal(places)
	if err != nil {
		return fmt.Errorf("encode the way of a quote: %w", err)
	}
	now := w.Now()
	return w.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM quotes WHERE created < $1", now.Add(-quoteLife)); err != nil {
			return fmt.Errorf("forget old quotes: %w", err)
		}
		for i, quote := range quotes {
			if _, err := tx.Exec(ctx, "INSERT INTO quotes (id, courier, client, created, doc, places) VALUES ($1, $2, $3, $4, $5, $6)",
				quote.ID, quote.Organization, client, now, docs[i], string(way)); err != nil {
				return fmt.Errorf("insert quote: %w", err)
			}
		}
		return nil
	})
}

// keptQuote is a quote with who it was made for.
type keptQuote struct {
	model.Quote
	client model.ID // empty when the courier asked for itself
	// places are what the price is for; quotes of earlier versions do not know them.
	places model.Opt[quotedPlaces]
}

// quotedPlaces are the ends of the way that is priced.
type quotedPlaces struct {
	Pickup  quotedPlace `json:"pickup"`
	Dropoff quotedPlace `json:"dropoff"`
}

type quotedPlace struct {
	Location model.Location `json:"location"`
	// Geocoded says that the location was looked up from the address, which may be exact or the middle of a town.
	Geocoded bool `json:"wasGeocoded"`
}

func (p quotedPlace) geo() geo.Location {
	return geo.Location{Lon: p.Location.Lon, Lat: p.Location.Lat}
}

// samePlace is how far from a quoted place the one of the order may be: the same address, looked up at another time.
const samePlace = 250 // meters

// checkPlaces refuses an order for another way than the one that was priced.
func (q keptQuote) checkPlaces(d *orderDraft) error {
	places, known := q.places.Get()
	if !known {
		return nil
	}
	if err := places.Pickup.check(d.pickup); err != nil {
		return inField("pickupTask.destination", err)
	}
	return inField("dropoffTask.destination", places.Dropoff.check(d.dropoff))
}

// check compares a place of an order with the quoted one. One that was sent and one that was looked up can be far apart
// and still be the same, so they are not compared.
func (p quotedPlace) check(ordered *taskDraft) error {
	var place quotedPlace
	if err := model.Unmarshal([]byte(ordered.destinationDoc), &place); err != nil {
		return fmt.Errorf("decode destination of an order: %w", err)
	}
	if meters := p.Location.MetersTo(place.Location); p.Geocoded == place.Geocoded && meters > samePlace {
		return Invalid("It is %.1f km from the place that the quote is for. Ask for a quote for this way.", meters/1000)
	}
	return nil
}

// readQuote reads a quote that org may order from.
func (w *World) readQuote(ctx context.Context, org, id model.ID) (keptQuote, error) {
	var quote keptQuote
	var courier model.ID
	var doc []byte
	var places []byte
	err := scanOne(w.store.QueryRow(ctx, "SELECT courier, client, doc, places FROM quotes WHERE id = $1", id),
		&courier, &quote.client, &doc, &places)
	if err != nil {
		return quote, naming(err, "deliveryServiceId", id)
	}
	if !slices.Contains([]model.ID{courier, quote.client}, org) {
		return quote, naming(OtherOrganization(), "deliveryServiceId", id)
	}
	if err := model.Unmarshal(doc, &quote.Quote); err != nil {
		return quote, fmt.Errorf("decode stored quote: %w", err)
	}
	if err := decodeInto(places, &quote.places); err != nil {
		return quote, err
	}
	if quote.DueBy <= w.Now() {
		return quote, invalid(model.ErrorTimeConstraint, "deliveryServiceId: The quote was for a delivery by %s, which is past. Ask for a new quote.",
			quote.DueBy.Time().UTC().Format(time.RFC3339))
	}
	return quote, nil
}
