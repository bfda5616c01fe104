package world

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/rates"
	"waybill/service/store"
)

// quoteTTL is how long quotes are stored. An order keeps its own price.
const quoteTTL = 30 * 24 * time.Hour

// parties are the couriers and the client of a delivery.
type parties struct {
	couriers []model.ID
	client   model.ID // empty when a courier delivers for itself
}

// findParties determines the role of org: the courier of the client that the request names, else a client if it has
// couriers, else a courier that delivers for itself.
func findParties(ctx context.Context, q store.Querier, org, client model.ID) (parties, error) {
	couriers, err := readCouriers(ctx, q, org)
	if err != nil {
		return parties{}, err
	}
	switch {
	case client != "" && client != org:
		return partiesForClient(ctx, q, org, client)
	case len(couriers) > 0:
		return parties{couriers: couriers, client: org}, nil
	default:
		return parties{couriers: []model.ID{org}}, nil
	}
}

func partiesForClient(ctx context.Context, q store.Querier, courier, client model.ID) (parties, error) {
	connected, err := isClient(ctx, q, courier, client)
	if err != nil {
		return parties{}, err
	}
	if connected {
		return parties{couriers: []model.ID{courier}, client: client}, nil
	}
	err = OtherOrganization()
	if scanErr := scanRow(q.QueryRow(ctx, "SELECT id FROM organizations WHERE id = $1", client), &client); scanErr != nil {
		err = scanErr
	}
	return parties{}, withResource(err, "client", client)
}

// CreateQuotes prices a delivery with every service that can do it. The quotes are stored so that an order can use them.
func (w *World) CreateQuotes(ctx context.Context, actor Actor, client model.ID, in model.QuoteRequest) ([]model.Quote, error) {
	who, err := findParties(ctx, w.store, actor.Org, client)
	if err != nil {
		return nil, err
	}
	if problems := in.Check(); len(problems) > 0 {
		return nil, problems
	}
	from, err := w.quotedPlace(ctx, actor.Org, "pickup", in.Pickup.Value())
	if err != nil {
		return nil, err
	}
	to, err := w.quotedPlace(ctx, actor.Org, "dropoff", in.Dropoff.Value())
	if err != nil {
		return nil, err
	}
	request, err := w.quoteInput(in)
	if err != nil {
		return nil, err
	}
	quotes := []model.Quote{}
	for _, courier := range who.couriers {
		more, err := w.quoteCourier(ctx, courier, who.client, request, from.geo(), to.geo())
		if err != nil {
			return nil, err
		}
		quotes = append(quotes, more...)
	}
	return quotes, w.storeQuotes(ctx, who.client, quotes, quotedPlaces{from, to})
}

func (w *World) quotedPlace(ctx context.Context, org model.ID, field string, place model.QuotePlace) (quotedPlace, error) {
	found, err := w.locateDestination(ctx, org, model.DestinationInput{Address: model.Some(place.EffectiveAddress()), Location: place.Location})
	if err != nil {
		return quotedPlace{}, withField(field, err)
	}
	return quotedPlace{found.Location, found.WasGeocoded.Value()}, nil
}

// withField adds the part of the body that an error is about to its cause.
func withField(field string, err error) error {
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Cause.Has() && refusal.Cause.Value().Object == nil {
		named := *refusal
		return named.because(model.CauseText(field + ": " + refusal.Cause.Value().Text))
	}
	return err
}

func (w *World) quoteInput(in model.QuoteRequest) (rates.Input, error) {
	weight := in.Weight.Value()
	mass, err := rates.ParseMass(weight.Value.Value(), weight.Units)
	if err != nil {
		return rates.Input{}, Invalid("weight: %v.", err)
	}
	const maxPieces = 1_000_000
	if in.Quantity.Value() > maxPieces {
		return rates.Input{}, Invalid("quantity: Quotes are limited to %d pieces.", maxPieces)
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

func (w *World) quoteCourier(
	ctx context.Context, courier, client model.ID, request rates.Input, from, to geo.Location,
) ([]model.Quote, error) {
	services, err := deliveryServices(ctx, w.store, courier, client)
	if err != nil {
		return nil, err
	}
	if request.Trips, err = w.readWays(ctx, services, from, to); err != nil {
		return nil, err
	}
	quoted, refused, err := rates.Quote(services, request)
	if err != nil {
		return nil, Invalid("%v.", err)
	}
	for _, r := range refused {
		w.log.DebugContext(ctx, "delivery service not offered", "courier", courier, "service", r.Service.DisplayName, "reason", r.Reason)
	}
	quotes := make([]model.Quote, len(quoted))
	for i, q := range quoted {
		quotes[i] = w.wireQuote(courier, q)
	}
	return quotes, nil
}

// readWays finds the route once for each kind of vehicle.
func (w *World) readWays(ctx context.Context, services []rates.Service, from, to geo.Location) (map[string]rates.Trip, error) {
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
			return nil, fmt.Errorf("find the route: %w", err)
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

func (w *World) storeQuotes(ctx context.Context, client model.ID, quotes []model.Quote, places quotedPlaces) error {
	if len(quotes) == 0 {
		return nil
	}
	now := w.Now()
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "delete old quotes", "DELETE FROM quotes WHERE created < $1", now.Add(-quoteTTL))
		for _, quote := range quotes {
			tx.Write(ctx, "insert quote",
				"INSERT INTO quotes (id, courier, client, created, doc, places) VALUES ($1, $2, $3, $4, $5, $6)",
				quote.ID, quote.Organization, client, now, asDoc(quote), asDoc(places))
		}
		return nil
	})
}

// storedQuote is a quote with the client it was made for.
type storedQuote struct {
	model.Quote
	client model.ID // empty when the courier asked for itself
	// places are what the price is for. Quotes of earlier versions do not have them.
	places model.Opt[quotedPlaces]
}

// quotedPlaces are the ends of the priced route.
type quotedPlaces struct {
	Pickup  quotedPlace `json:"pickup"`
	Dropoff quotedPlace `json:"dropoff"`
}

type quotedPlace struct {
	Location model.Location `json:"location"`
	// Geocoded says that the location was looked up from the address. It may be exact or the centre of a town.
	Geocoded bool `json:"wasGeocoded"`
}

func (p quotedPlace) geo() geo.Location {
	return geo.Location{Lon: p.Location.Lon, Lat: p.Location.Lat}
}

// maxPlaceMeters is how far the location in the order may be from the quoted one: the same address may be geocoded
// differently at another time.
const maxPlaceMeters = 250

// checkPlaces refuses an order whose destinations are not those of the quote.
func (q storedQuote) checkPlaces(d *orderDraft) error {
	places, known := q.places.Get()
	if !known {
		return nil
	}
	if err := places.Pickup.check(d.pickup); err != nil {
		return withField("pickupTask.destination", err)
	}
	return withField("dropoffTask.destination", places.Dropoff.check(d.dropoff))
}

// check compares the destination of an order with the quoted one. A sent location and a geocoded one can be far apart
// for the same address, so they are not compared.
func (p quotedPlace) check(ordered *taskDraft) error {
	var place quotedPlace
	if err := decodeDoc([]byte(ordered.destinationDoc), &place); err != nil {
		return err
	}
	if meters := p.Location.MetersTo(place.Location); p.Geocoded == place.Geocoded && meters > maxPlaceMeters {
		return Invalid("The address is %s from the quoted one. Request a quote for this address.", model.FormatDistance(meters))
	}
	return nil
}

// readQuote reads a quote that org may order from.
func (w *World) readQuote(ctx context.Context, org, id model.ID) (storedQuote, error) {
	var quote storedQuote
	var courier model.ID
	err := scanRow(w.store.QueryRow(ctx, "SELECT courier, client, doc, places FROM quotes WHERE id = $1", id),
		&courier, &quote.client, fromDoc(&quote.Quote), fromDoc(&quote.places))
	if err != nil {
		return quote, withResource(err, "deliveryServiceId", id)
	}
	if org != courier && org != quote.client {
		return quote, withResource(OtherOrganization(), "deliveryServiceId", id)
	}
	if quote.DueBy <= w.Now() {
		return quote, invalid(model.ErrorTimeConstraint,
			"deliveryServiceId: The quote expired: it was for a delivery by %s. Request a new quote.",
			quote.DueBy.Time().UTC().Format(time.RFC3339))
	}
	return quote, nil
}
