package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// geocodeCache keeps found addresses in the store, so that an outside service is asked once for each.
type geocodeCache struct{ store *store.Store }

var _ geo.Cache = geocodeCache{}

// Get implements geo.Cache.
func (c geocodeCache) Get(ctx context.Context, key string) (geo.Result, bool, error) {
	var doc []byte
	var found geo.Result
	err := c.store.QueryRow(ctx, "SELECT result FROM geocodes WHERE query = $1", key).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	if err != nil {
		return found, false, fmt.Errorf("look up a known address: %w", err)
	}
	if err := model.Unmarshal(doc, &found); err != nil {
		return found, false, fmt.Errorf("decode a known address: %w", err)
	}
	return found, true, nil
}

// Put implements geo.Cache.
func (c geocodeCache) Put(ctx context.Context, key string, result geo.Result) error {
	doc, err := model.Marshal(result)
	if err != nil {
		return fmt.Errorf("encode an address: %w", err)
	}
	return c.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO geocodes (query, created, result) VALUES ($1, $2, $3)
			ON CONFLICT (query) DO UPDATE SET created = excluded.created, result = excluded.result`,
			key, time.Now().UnixMilli(), string(doc))
		return err
	})
}
