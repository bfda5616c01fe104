package world

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/rates"
	"waybill/service/store"
)

// rateCard is a delivery service with its prices as it is stored. Times of day are in the time zone of the courier.
type rateCard struct {
	// Position is the rank among the courier's services.
	Position    int          `json:"position"`
	DisplayName string       `json:"displayName"`
	Vehicle     string       `json:"vehicle"`
	Within      int64        `json:"withinSeconds"`
	Days        int          `json:"days"`
	At          int64        `json:"atSeconds"`
	Opens       int64        `json:"opensSeconds"`
	Closes      int64        `json:"closesSeconds"`
	MaxMass     rates.Mass   `json:"maxMass"`
	MaxPieces   int          `json:"maxPieces"`
	MaxLength   rates.Length `json:"maxLength"`
	RateID      string       `json:"rateId"`
	Currency    string       `json:"currency"`
	Base        rates.Amount `json:"base"`
	Minimum     rates.Amount `json:"minimum"`
	Distance    rate         `json:"distance"`
	Weight      rate         `json:"weight"`
	Pieces      rate         `json:"pieces"`
	Time        rate         `json:"time"`
}

type rate struct {
	Price    rates.Amount `json:"price"`
	Per      uint64       `json:"per"`
	Included uint64       `json:"included"`
}

func newRateCard(position int, s rates.Service) rateCard {
	return rateCard{
		Position: position, DisplayName: s.DisplayName, Vehicle: s.Vehicle, Within: model.WholeSeconds(s.Promise.Within), Days: s.Promise.Days,
		At: model.WholeSeconds(s.Promise.At), Opens: model.WholeSeconds(s.Promise.Opens), Closes: model.WholeSeconds(s.Promise.Closes),
		MaxMass: s.MaxMass, MaxPieces: s.MaxPieces, MaxLength: s.MaxLength,
		RateID: s.Card.ID, Currency: s.Card.Currency, Base: s.Card.Base, Minimum: s.Card.Minimum,
		Distance: rate(s.Card.Distance), Weight: rate(s.Card.Weight), Pieces: rate(s.Card.Pieces), Time: rate(s.Card.Time),
	}
}

func (c rateCard) service(id string, zone *time.Location) rates.Service {
	return rates.Service{
		ID: id, DisplayName: c.DisplayName, Vehicle: c.Vehicle,
		Promise: rates.Promise{
			Within: time.Duration(c.Within) * time.Second, Days: c.Days, At: time.Duration(c.At) * time.Second,
			Opens: time.Duration(c.Opens) * time.Second, Closes: time.Duration(c.Closes) * time.Second, Zone: zone,
		},
		MaxMass: c.MaxMass, MaxPieces: c.MaxPieces, MaxLength: c.MaxLength,
		Card: rates.Card{
			ID: c.RateID, Currency: c.Currency, Base: c.Base, Minimum: c.Minimum,
			Distance: rates.Rate(c.Distance), Weight: rates.Rate(c.Weight), Pieces: rates.Rate(c.Pieces), Time: rates.Rate(c.Time),
		},
	}
}

// SetDeliveryServices replaces what a courier offers to a client, or to all clients without an offer of their own when
// client is empty. An empty list restores the defaults.
func (w *World) SetDeliveryServices(ctx context.Context, courier, client model.ID, services []rates.Service) error {
	for i := range services {
		if err := services[i].Card.Validate(); err != nil {
			return Invalid("%.80s: %v", model.Clean(services[i].DisplayName), err)
		}
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		if client != "" {
			connected, err := isClient(ctx, tx, courier, client)
			if err != nil {
				return err
			}
			if !connected {
				return OtherOrganization()
			}
		}
		tx.Write(ctx, "delete rate cards", "DELETE FROM rate_cards WHERE courier = $1 AND COALESCE(client, '') = $2",
			courier, client)
		for i, s := range services {
			if !model.ID(s.Card.ID).Valid() {
				s.Card.ID = string(w.ids.ID())
			}
			tx.Write(ctx, "insert rate card", "INSERT INTO rate_cards (id, courier, client, doc) VALUES ($1, $2, $3, $4)",
				w.ids.ID(), courier, nullID(client), asDoc(newRateCard(i, s)))
		}
		return nil
	})
}

// DeliveryServices returns what a courier offers to a client, or to all clients without an offer of their own when
// client is empty.
func (w *World) DeliveryServices(ctx context.Context, courier, client model.ID) ([]rates.Service, error) {
	return deliveryServices(ctx, w.store, courier, client)
}

// deliveryServices returns the services agreed with the client, else those that the courier offers to all, else the
// defaults.
func deliveryServices(ctx context.Context, q store.Querier, courier, client model.ID) ([]rates.Service, error) {
	zone, err := readTimezone(ctx, q, courier)
	if err != nil {
		return nil, err
	}
	services, err := readDeliveryServices(ctx, q, courier, client, zone)
	if err != nil || len(services) > 0 {
		return services, err
	}
	if services, err = readDeliveryServices(ctx, q, courier, "", zone); err != nil || len(services) > 0 {
		return services, err
	}
	services = rates.DefaultServices(zone)
	for i := range services {
		services[i].ID = string(deriveID(courier, "service", services[i].DisplayName))
		services[i].Card.ID = string(deriveID(courier, "rate", services[i].DisplayName))
	}
	return services, nil
}

func readDeliveryServices(ctx context.Context, q store.Querier, courier, client model.ID, zone *time.Location) ([]rates.Service, error) {
	cards := map[string]rateCard{}
	err := eachRow(ctx, q, "read rate cards", "SELECT id, doc FROM rate_cards WHERE courier = $1 AND COALESCE(client, '') = $2",
		[]any{courier, client}, func(row *sql.Rows) error {
			var id string
			var card rateCard
			err := row.Scan(&id, fromDoc(&card))
			cards[id] = card
			return err
		})
	services := make([]rates.Service, 0, len(cards))
	for _, id := range slices.SortedFunc(maps.Keys(cards), func(a, b string) int { return cards[a].Position - cards[b].Position }) {
		services = append(services, cards[id].service(id, zone))
	}
	return services, err
}

func readTimezone(ctx context.Context, q store.Querier, org model.ID) (*time.Location, error) {
	var name string
	if err := q.QueryRow(ctx, "SELECT timezone FROM organizations WHERE id = $1", org).Scan(&name); err != nil {
		return nil, fmt.Errorf("read the time zone of the courier: %w", err)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC, nil //nolint:nilerr // an unknown time zone is no reason to refuse a quote
	}
	return zone, nil
}

// deriveID returns the id of something that is not stored. Equal parts give equal ids.
func deriveID(org model.ID, parts ...string) model.ID {
	text := string(org)
	for _, part := range parts {
		text += "\x00" + part
	}
	sum := sha256.Sum256([]byte(text))
	return model.IDFrom([model.IDLength]byte(sum[:model.IDLength]))
}
