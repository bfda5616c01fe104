package world

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// NewOrganization is what an organization starts with.
type NewOrganization struct {
	Name     string
	Country  string // ISO 3166-1
	Timezone string // IANA
	// Key is the first API key; empty for a random one.
	Key string
	// Courier makes the organization a client of that courier.
	Courier model.ID
}

// CreatedKey is a new API key; Secret is shown once and not kept.
type CreatedKey struct {
	ID     model.ID
	Prefix string
	Secret string
}

// KeyInfo is what is known of an API key.
type KeyInfo struct {
	ID      model.ID
	Org     model.ID
	Name    string
	Prefix  string
	Created model.Millis
	Removed model.Opt[model.Millis]
}

const keyPrefixLength = 6

// CreateOrganization makes an organization with its first key.
func (w *World) CreateOrganization(ctx context.Context, in NewOrganization) (model.Organization, CreatedKey, error) {
	now := w.Now()
	org := model.Organization{
		ID: w.ids.ID(), Name: in.Name, Timezone: in.Timezone, Country: in.Country,
		TimeCreated: model.Some(now.WholeSecond()), TimeLastModified: model.Some(now),
		Image: model.Null[string](), DriverSupportEmail: model.Null[string](), Delegatees: []model.ID{},
	}
	var key CreatedKey
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		doc, err := model.Marshal(org)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO organizations (id, name, country, timezone, webhook_secret, created, modified, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			org.ID, org.Name, org.Country, org.Timezone, randomHex(64), now.WholeSecond(), now, string(doc)); err != nil {
			return fmt.Errorf("insert organization: %w", err)
		}
		if in.Courier != "" {
			if _, err := tx.Exec(ctx, "INSERT INTO connections (courier, client) VALUES ($1, $2)", in.Courier, org.ID); err != nil {
				return fmt.Errorf("connect to the courier: %w", err)
			}
		}
		key, err = w.insertKey(ctx, tx, org.ID, "first key", in.Key)
		return err
	})
	return org, key, err
}

// Organization reads an organization. Its delegatees are the couriers that it may order from.
func (w *World) Organization(ctx context.Context, id model.ID) (model.Organization, error) {
	var org model.Organization
	if err := readDoc(w.store.QueryRow(ctx, "SELECT doc FROM organizations WHERE id = $1", id), &org); err != nil {
		return org, err
	}
	couriers, err := couriersOf(ctx, w.store, id)
	org.Delegatees = couriers
	return org, err
}

// ConnectedOrganization reads what org may know of another: of itself, of its couriers and of its clients. IsFulfillment
// says that the other one delivers for org.
func (w *World) ConnectedOrganization(ctx context.Context, org, id model.ID) (model.Organization, error) {
	var other model.Organization
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		if err := readDoc(tx.QueryRow(ctx, "SELECT doc FROM organizations WHERE id = $1", id), &other); err != nil {
			return err
		}
		couriers, err := couriersOf(ctx, tx, org)
		if err != nil {
			return err
		}
		client, err := isClient(ctx, tx, org, id)
		if err != nil {
			return err
		}
		isCourier := slices.Contains(couriers, id)
		if org != id && !isCourier && !client {
			return OtherOrganization()
		}
		other.IsFulfillment = model.Some(isCourier)
		return nil
	})
	if err != nil {
		return model.Organization{}, err
	}
	other.TimeCreated, other.TimeLastModified = model.Opt[model.Millis]{}, model.Opt[model.Millis]{}
	other.Image, other.Delegatees = model.Opt[string]{}, nil
	return other, nil
}

// Connect makes an organization a client of a courier.
func (w *World) Connect(ctx context.Context, courier, client model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO connections (courier, client) VALUES ($1, $2) ON CONFLICT DO NOTHING", courier, client); err != nil {
			return fmt.Errorf("connect to the courier: %w", err)
		}
		return nil
	})
}

func couriersOf(ctx context.Context, q store.Querier, client model.ID) ([]model.ID, error) {
	return readIDs(q.Query(ctx, `SELECT c.courier FROM connections c JOIN organizations o ON o.id = c.courier
		WHERE c.client = $1 ORDER BY o.created, o.id`, client))
}

func isClient(ctx context.Context, q store.Querier, courier, client model.ID) (bool, error) {
	var n int
	if err := q.QueryRow(ctx, "SELECT COUNT(*) FROM connections WHERE courier = $1 AND client = $2", courier, client).Scan(&n); err != nil {
		return false, fmt.Errorf("read connection: %w", err)
	}
	return n > 0, nil
}

// Organizations lists all organizations in order of creation.
func (w *World) Organizations(ctx context.Context) ([]model.Organization, error) {
	return readDocs[model.Organization](w.store.Query(ctx, "SELECT doc FROM organizations ORDER BY created, id"))
}

// AddKey makes another key of an organization; secret is empty for a random one.
func (w *World) AddKey(ctx context.Context, org model.ID, name, secret string) (CreatedKey, error) {
	var key CreatedKey
	err := w.store.Write(ctx, func(tx *store.Tx) (err error) {
		key, err = w.insertKey(ctx, tx, org, name, secret)
		return err
	})
	return key, err
}

func (w *World) insertKey(ctx context.Context, tx *store.Tx, org model.ID, name, secret string) (CreatedKey, error) {
	if secret == "" {
		secret = randomHex(16)
	}
	if len(secret) < keyPrefixLength*2 {
		return CreatedKey{}, fmt.Errorf("an API key needs at least %d characters", keyPrefixLength*2)
	}
	key := CreatedKey{ID: w.ids.ID(), Prefix: secret[:keyPrefixLength], Secret: secret}
	_, err := tx.Exec(ctx, "INSERT INTO api_keys (id, org, name, prefix, hash, created) VALUES ($1, $2, $3, $4, $5, $6)",
		key.ID, org, name, key.Prefix, hashKey(secret), w.Now())
	if store.IsUnique(err) {
		return CreatedKey{}, errors.New("this API key exists already; choose another")
	}
	if err != nil {
		return CreatedKey{}, fmt.Errorf("insert key: %w", err)
	}
	return key, nil
}

// RemoveKey takes a key out of use at once.
func (w *World) RemoveKey(ctx context.Context, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		result, err := tx.Exec(ctx, "UPDATE api_keys SET removed = $1 WHERE id = $2 AND removed IS NULL", w.Now(), id)
		if err != nil {
			return fmt.Errorf("remove key: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return NotFound()
		}
		return nil
	})
}

// Keys lists the keys of an organization, removed ones too.
func (w *World) Keys(ctx context.Context, org model.ID) ([]KeyInfo, error) {
	rows, err := w.store.Query(ctx, `SELECT id, org, name, prefix, created, removed FROM api_keys WHERE org = $1
		ORDER BY created, id`, org)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	defer rows.Close()
	var keys []KeyInfo
	for rows.Next() {
		var k KeyInfo
		var removed sql.NullInt64
		if err := rows.Scan(&k.ID, &k.Org, &k.Name, &k.Prefix, &k.Created, &removed); err != nil {
			return nil, fmt.Errorf("read key: %w", err)
		}
		k.Removed = model.SomeIf(model.Millis(removed.Int64), removed.Valid)
		keys = append(keys, k)
	}
	return keys, rows.Err()
}

// FindKey looks up a key that someone sent. It asks the store each time, so that a removed key stops working at
// once, whichever process removed it.
func (w *World) FindKey(ctx context.Context, secret string) (KeyInfo, error) {
	var k KeyInfo
	var stored string
	hash := hashKey(secret)
	err := w.store.QueryRow(ctx, "SELECT id, org, hash FROM api_keys WHERE hash = $1 AND removed IS NULL", hash).
		Scan(&k.ID, &k.Org, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return KeyInfo{}, nil
	}
	if err != nil {
		return KeyInfo{}, fmt.Errorf("find key: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(stored), []byte(hash)) != 1 {
		return KeyInfo{}, nil
	}
	return k, nil
}

func hashKey(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) //nolint:errcheck // crypto/rand.Read never fails
	return hex.EncodeToString(b)
}
