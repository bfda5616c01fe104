package world

import (
	"context"
	"fmt"
	"sync"

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

// orgRules are the rules of an organization for tasks and people.
type orgRules struct {
	country string
	fields  []model.CustomField
}

// ruleCache holds the rules of organizations, which every new task needs and which rarely change. It is correct as long
// as custom fields change only through this World: one server owns a data folder, administration commands do not change
// custom fields, and a sandbox defines its own before the server accepts requests.
type ruleCache struct {
	mu    sync.Mutex
	byOrg map[model.ID]orgRules
	// version counts changes, so that rules read before a change are not cached after it.
	version int
}

func (b *ruleCache) get(org model.ID) (rules orgRules, edition int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rules, ok = b.byOrg[org]
	return rules, b.version, ok
}

func (b *ruleCache) put(org model.ID, rules orgRules, edition int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if edition != b.version {
		return
	}
	if b.byOrg == nil {
		b.byOrg = map[model.ID]orgRules{}
	}
	b.byOrg[org] = rules
}

func (b *ruleCache) invalidate(org model.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.version++
	delete(b.byOrg, org)
}

// organizationRules returns the country and custom fields of an organization. The caller must not modify them.
func (w *World) organizationRules(ctx context.Context, org model.ID) (orgRules, error) {
	if w.store.InTransaction(ctx) {
		return readOrganizationRules(ctx, w.store, org)
	}
	rules, edition, ok := w.rules.get(org)
	if ok {
		return rules, nil
	}
	rules, err := readOrganizationRules(ctx, w.store, org)
	if err == nil {
		w.rules.put(org, rules, edition)
	}
	return rules, err
}

func readOrganizationRules(ctx context.Context, q store.Querier, org model.ID) (orgRules, error) {
	var rules orgRules
	if err := q.QueryRow(ctx, "SELECT country FROM organizations WHERE id = $1", org).Scan(&rules.country); err != nil {
		return rules, fmt.Errorf("read organization: %w", err)
	}
	fields, err := readCustomFields(context.WithoutCancel(ctx), q, org)
	rules.fields = fields
	return rules, err
}
