package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// NewOrganization describes an organization to create.
type NewOrganization struct {
	Name     string
	Country  string // ISO 3166-1
	Timezone string // IANA
	// Key is the first API key. Empty means a random one.
	Key string
	// Courier makes the organization a client of that courier.
	Courier model.ID
}

// CreateOrganization creates an organization with its first key.
func (w *World) CreateOrganization(ctx context.Context, in NewOrganization) (model.Organization, CreatedKey, error) {
	now := w.Now()
	org := model.Organization{
		ID: w.ids.ID(), Name: in.Name, Timezone: in.Timezone, Country: in.Country,
		TimeCreated: model.Some(now.WholeSecond()), TimeLastModified: model.Some(now),
		Image: model.Null[string](), DriverSupportEmail: model.Null[string](), Delegatees: []model.ID{},
	}
	key, err := writeTx(ctx, w.store, func(tx *store.Tx) (CreatedKey, error) {
		tx.Write(ctx, "insert organization",
			`INSERT INTO organizations (id, name, country, timezone, webhook_secret, created, modified, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			org.ID, org.Name, org.Country, org.Timezone, randomHex(64), now.WholeSecond(), now, asDoc(org))
		if in.Courier != "" {
			tx.Write(ctx, "connect client", "INSERT INTO connections (courier, client) VALUES ($1, $2)", in.Courier, org.ID)
		}
		return w.insertKey(ctx, tx, org.ID, "first key", in.Key)
	})
	return org, key, err
}

// Organization reads an organization. Its delegatees are the couriers it may order from.
func (w *World) Organization(ctx context.Context, id model.ID) (model.Organization, error) {
	var org model.Organization
	if err := scanRow(w.store.QueryRow(ctx, "SELECT doc FROM organizations WHERE id = $1", id), fromDoc(&org)); err != nil {
		return org, err
	}
	couriers, err := readCouriers(ctx, w.store, id)
	org.Delegatees = couriers
	return org, err
}

// ConnectedOrganization reads what org may know about itself, its couriers and its clients. IsFulfillment says that the
// organization delivers for org.
func (w *World) ConnectedOrganization(ctx context.Context, org, id model.ID) (model.Organization, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (other model.Organization, err error) {
		if err := scanRow(tx.QueryRow(ctx, "SELECT doc FROM organizations WHERE id = $1", id), fromDoc(&other)); err != nil {
			return other, err
		}
		isCourier, err := isClient(ctx, tx, id, org)
		tx.Fail(err)
		client, err := isClient(ctx, tx, org, id)
		if err == nil && org != id && !isCourier && !client {
			err = OtherOrganization()
		}
		other.IsFulfillment = model.Some(isCourier)
		other.TimeCreated, other.TimeLastModified = model.Opt[model.Millis]{}, model.Opt[model.Millis]{}
		other.Image, other.Delegatees = model.Opt[string]{}, nil
		return other, err
	})
}

func readCouriers(ctx context.Context, q store.Querier, client model.ID) ([]model.ID, error) {
	return queryIDs(ctx, q, `SELECT c.courier FROM connections c JOIN organizations o ON o.id = c.courier
		WHERE c.client = $1 ORDER BY o.created, o.id`, client)
}

func isClient(ctx context.Context, q store.Querier, courier, client model.ID) (bool, error) {
	n, err := countRows(ctx, q, "FROM connections WHERE courier = $1 AND client = $2", courier, client)
	return n > 0, err
}

// Organizations lists all organizations in order of creation.
func (w *World) Organizations(ctx context.Context) ([]model.Organization, error) {
	return readDocs[model.Organization](ctx, w.store, "SELECT doc FROM organizations ORDER BY created, id")
}
