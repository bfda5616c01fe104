package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// CreateDestination creates a destination. Without coordinates its address is geocoded.
func (w *World) CreateDestination(ctx context.Context, actor Actor, in model.DestinationInput) (model.Destination, error) {
	place, err := w.locateDestination(ctx, actor.Org, in)
	if err != nil {
		return model.Destination{}, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Destination, error) {
		return w.insertDestination(ctx, tx, actor.Org, place)
	})
}

// Destination reads a destination of org.
func (w *World) Destination(ctx context.Context, org, id model.ID) (model.Destination, error) {
	return readOwned[model.Destination](ctx, w.store, "destinations", org, id)
}

// FindDestinations lists the destinations that have every metadata entry of the query.
func (w *World) FindDestinations(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Destination, error) {
	return findOwnedByMetadata[model.Destination](ctx, w.store, kindDestinations, org, query)
}

// locateDestination checks a destination and finds its coordinates. It may call another service, so it must run outside
// of transactions.
func (w *World) locateDestination(ctx context.Context, org model.ID, in model.DestinationInput) (model.Destination, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.Destination{}, problems
	}
	address := model.EffectiveAddress(in.Address.Value())
	d := model.Destination{
		Notes: in.Notes, Metadata: withVisibility(in.Metadata), UseGPS: dropNull(in.UseGPS),
		Warnings: model.Some([]string{}), GooglePlaceID: model.Null[string](), Address: toAddress(address),
	}
	if at, ok := in.Location.Get(); ok {
		d.Location = at
		d.WasGeocoded, d.CreatedByLocation = model.Some(false), model.Some(true)
		return d, nil
	}
	assumed, err := w.defaultPlace(ctx, org, address)
	if err != nil {
		return model.Destination{}, err
	}
	found, err := w.geocoder.Geocode(ctx, geo.Query{
		Number: address.Number, Street: address.Street, Apartment: address.Apartment, City: address.City,
		State: address.State, PostalCode: address.PostalCode, Country: address.Country, Unparsed: address.Unparsed,
		Language: strings.ToLower(in.Options.Value().Language), Default: assumed,
	})
	if err != nil {
		return model.Destination{}, geocodingError(err)
	}
	d.Location = model.Location{Lon: found.Location.Lon, Lat: found.Location.Lat}
	d.Address = geocodedAddress(address, found.Address)
	d.GooglePlaceID = model.NullIfZero(found.PlaceID)
	d.Warnings = model.Some(append([]string{}, found.Warnings...))
	d.WasGeocoded, d.CreatedByLocation = model.Some(true), model.Some(false)
	return d, nil
}

// defaultPlace returns what an address of the organization may leave out: the city and state of its first hub, and its
// country. The time zone is not used, because most cities of a zone are not the one it is named after.
func (w *World) defaultPlace(ctx context.Context, org model.ID, a model.AddressInput) (geo.Default, error) {
	if a.Unparsed == "" && a.State != "" {
		return geo.Default{}, nil // nothing is missing, because city and country are required
	}
	rules, err := w.organizationRules(ctx, org)
	if err != nil {
		return geo.Default{}, err
	}
	assumed := geo.Default{Country: rules.country}
	hubs, err := readDocs[model.Hub](ctx, w.store, "SELECT doc FROM hubs WHERE org = $1 ORDER BY created, id LIMIT 1", org)
	if err != nil || len(hubs) == 0 {
		return assumed, err
	}
	at := hubs[0].Address
	return geo.Default{City: at.City, State: at.State, Country: cmp.Or(at.Country, rules.country)}, nil
}

// dropNull makes null absent, for members where null means nothing.
func dropNull[T any](sent model.Opt[T]) model.Opt[T] {
	if sent.IsNull() {
		return model.Opt[T]{}
	}
	return sent
}

func (w *World) insertDestination(ctx context.Context, tx *store.Tx, org model.ID, d model.Destination) (model.Destination, error) {
	ready, err := w.newDestinationDraft(d)
	if err != nil {
		return model.Destination{}, err
	}
	ready.insert(ctx, tx, org)
	return ready.destination, nil
}

// destinationDraft has its id and is encoded, so that a transaction only has to insert it.
type destinationDraft struct {
	destination model.Destination
	doc         []byte
}

func (w *World) newDestinationDraft(d model.Destination) (destinationDraft, error) {
	now := w.Now()
	d.ID, d.TimeCreated, d.TimeLastModified = w.ids.ID(), now.WholeSecond(), now
	doc, err := encodeDestination(d)
	return destinationDraft{d, doc}, err
}

// encodeDestination writes useGPS last, so that the end of the doc shows whether it is there, whatever the metadata
// contains.
func encodeDestination(d model.Destination) ([]byte, error) {
	useGPS := d.UseGPS
	d.UseGPS = model.Opt[bool]{}
	doc, err := model.Marshal(&d)
	if err != nil {
		return nil, fmt.Errorf("encode destination: %w", err)
	}
	if on, ok := useGPS.Get(); ok {
		doc = append(doc[:len(doc)-1], useGPSMember(on)...)
	}
	return doc, nil
}

// useGPSMember returns the end of a destination's doc.
func useGPSMember(on bool) string {
	if on {
		return `,"useGPS":true}`
	}
	return `,"useGPS":false}`
}

// hasUseGPS reports whether a stored destination has the member useGPS. It is usually the end of the doc. A doc that
// contains the name elsewhere is decoded, because the name may be part of a text or an earlier version wrote the doc.
func hasUseGPS(doc string) bool {
	if strings.HasSuffix(doc, useGPSMember(true)) || strings.HasSuffix(doc, useGPSMember(false)) {
		return true
	}
	if !strings.Contains(doc, `"useGPS":`) {
		return false
	}
	var d model.Destination
	return model.Unmarshal([]byte(doc), &d) == nil && d.UseGPS.Has()
}

func (r *destinationDraft) insert(ctx context.Context, tx *store.Tx, org model.ID) {
	d := &r.destination
	tx.Write(ctx, "insert destination", `INSERT INTO destinations (id, org, lon, lat, created, modified, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		d.ID, org, d.Location.Lon, d.Location.Lat, d.TimeCreated, d.TimeLastModified, string(r.doc))
	indexMetadata(ctx, tx, org, kindDestinations, d.ID, d.Metadata)
}

func geocodingError(err error) error {
	if errors.Is(err, geo.ErrUnavailable) {
		return invalid(model.ErrorGeocoding, "The address cannot be geocoded now: %v. Send its location, or try again later.", err)
	}
	return invalid(model.ErrorGeocoding, "Geocoding errors found. %v", err)
}

func toAddress(a model.AddressInput) model.Address {
	address := model.Address{
		Number: a.Number, Street: a.Street, Apartment: a.Apartment, City: a.City, State: a.State,
		PostalCode: a.PostalCode, Country: a.Country, Extra: a.Extra,
	}
	if a.Name != "" {
		address.Name = model.Some(a.Name)
	}
	return address
}

// geocodedAddress returns the address as the geocoder writes it, with what only the sender knows.
func geocodedAddress(sent model.AddressInput, found geo.Address) model.Address {
	address := toAddress(sent)
	address.Unparsed = model.Opt[string]{}
	address.Number, address.Street = found.Number, found.Street
	address.City, address.State = found.City, found.State
	address.PostalCode, address.Country = found.PostalCode, found.Country
	if address.Apartment == "" {
		address.Apartment = found.Apartment
	}
	return address
}
