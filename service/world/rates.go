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

// rateCard is a delivery service with its prices as it is stored. Times of day are in the courier's zone, which is
// read with the card.
type rateCard struct {
	// Position is the place among the courier's services.
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

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

func storedCard(position int, s rates.Service) rateCard {
	return rateCard{
		Position: position, DisplayName: s.DisplayName, Vehicle: s.Vehicle, Within: seconds(s.Promise.Within), Days: s.Promise.Days,
		At: seconds(s.Promise.At), Opens: seconds(s.Promise.Opens), Closes: seconds(s.Promise.Closes),
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

// SetDeliveryServices replaces what a courier offers to a client, or to every client without an offer of its own when
// client is empty. No services at all puts the defaults back.
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
		if _, err := tx.Exec(ctx, "DELETE FROM rate_cards WHERE courier = $1 AND COALESCE(client, '') = $2", courier, client); err != nil {
			return fmt.Errorf("forget rate cards: %w", err)
		}
		for i, s := range services {
			if !model.ID(s.Card.ID).Valid() {
				s.Card.ID = string(w.ids.ID())
			}
			doc, err := model.Marshal(storedCard(i, s))
			if err != nil {
				return fmt.Errorf("encode rate card: %w", err)
			}
			if _, err := tx.Exec(ctx, "INSERT INTO rate_cards (id, courier, client, doc) VALUES ($1, $2, $3, $4)",
				w.ids.ID(), courier, sql.NullString{String: string(client), Valid: client != ""}, string(doc)); err != nil {
				return fmt.Errorf("insert rate card: %w", err)
			}
		}
		return nil
	})
}

// DeliveryServices are what a courier offers to a client, or to every client without an offer of its own when client is
// empty.
func (w *World) DeliveryServices(ctx context.Context, courier, client model.ID) ([]rates.Service, error) {
	return deliveryServices(ctx, w.store, courier, client)
}

// deliveryServices are what a courier offers to a client: what was agreed with that client, else what the courier
// offers to all, else the defaults.
func deliveryServices(ctx context.Context, q store.Querier, courier, client model.ID) ([]rates.Service, error) {
	zone, err := zoneOf(ctx, q, courier)
	if err != nil {
		return nil, err
	}
	services, err := readServices(ctx, q, courier, client, zone)
	if err != nil || len(services) > 0 {
		return services, err
	}
	if services, err = readServices(ctx, q, courier, "", zone); err != nil || len(services) > 0 {
		return services, err
	}
	services = rates.DefaultServices(zone)
	for i := range services {
		services[i].ID = string(derivedID(courier, "service", services[i].DisplayName))
		services[i].Card.ID = string(derivedID(courier, "rate", services[i].DisplayName))
	}
	return services, nil
}

func readServices(ctx context.Context, q store.Querier, courier, client model.ID, zone *time.Location) ([]rates.Service, error) {
	rows, err := q.Query(ctx, "SELECT id, doc FROM rate_cards WHERE courier = $1 AND COALESCE(client, '') = $2", courier, client)
	if err != nil {
		return nil, fmt.Errorf("read rate cards: %w", err)
	}
	defer rows.Close()
	cards := map[string]rateCard{}
	for rows.Next() {
		var id string
		var doc []byte
		if err := rows.Scan(&id, &doc); err != nil {
			return nil, fmt.Errorf("read rate card: %w", err)
		}
		var card rateCard
		if err := model.Unmarshal(doc, &card); err != nil {
			return nil, fmt.Errorf("decode stored rate card: %w", err)
		}
		cards[id] = card
	}
	services := make([]rates.Service, 0, len(cards))
	for _, id := range slices.SortedFunc(maps.Keys(cards), func(a, b string) int { return cards[a].Position - cards[b].Position }) {
		services = append(services, cards[id].service(id, zone))
	}
	return services, rows.Err()
}

func zoneOf(ctx context.Context, q store.Querier, org model.ID) (*time.Location, error) {
	var name string
	if err := q.QueryRow(ctx, "SELECT timezone FROM organizations WHERE id = $1", org).Scan(&name); err != nil {
		return nil, fmt.Errorf("read the courier's time zone: %w", err)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC, nil //nolint:nilerr // a zone that this machine does not know is no reason to refuse a quote
	}
	return zone, nil
}

// derivedID is the id of something that is not stored: the same parts always give the same id.
func derivedID(org model.ID, parts ...string) model.ID {
	text := string(org)
	for _, part := range parts {
		text += "\x00" + part
	}
	sum := sha256.Sum256([]byte(text))
	return model.IDFrom([model.IDLength]byte(sum[:model.IDLength]))
}
