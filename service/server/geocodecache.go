package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
	"waybill/service/world"
)

const (
	// geocodeLife is how long a result is valid. Streets are renamed, and maps get better.
	geocodeLife = 30 * 24 * time.Hour
	// maxGeocodes is how many results are cached; the oldest are removed first.
	maxGeocodes = 100_000
	// evictInterval is after how many new results they are counted again.
	evictInterval = 200
)

// geocodeCache caches found addresses in the store, so that a remote geocoder is asked once per month for each.
type geocodeCache struct {
	store    *store.Store
	clock    world.Clock
	capacity int
	puts     atomic.Int64
}

func newGeocodeCache(s *store.Store, clock world.Clock) *geocodeCache {
	return &geocodeCache{store: s, clock: clock, capacity: maxGeocodes}
}

var _ geo.Cache = (*geocodeCache)(nil)

// expired returns the time before which results are expired.
func (c *geocodeCache) expired() int64 { return c.clock.Now().Add(-geocodeLife).UnixMilli() }

// Get implements geo.Cache.
func (c *geocodeCache) Get(ctx context.Context, key string) (geo.Result, bool, error) {
	var doc []byte
	var found geo.Result
	err := c.store.QueryRow(ctx, "SELECT result FROM geocodes WHERE query = $1 AND created > $2", key, c.expired()).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	if err != nil {
		return found, false, fmt.Errorf("read a cached address: %w", err)
	}
	if err := model.Unmarshal(doc, &found); err != nil {
		return found, false, fmt.Errorf("decode a cached address: %w", err)
	}
	return found, true, nil
}

// Put implements geo.Cache.
func (c *geocodeCache) Put(ctx context.Context, key string, result geo.Result) error {
	doc, err := model.Marshal(result)
	if err != nil {
		return fmt.Errorf("encode an address: %w", err)
	}
	return c.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Change(ctx, "cache an address", `INSERT INTO geocodes (query, created, result) VALUES ($1, $2, $3)
			ON CONFLICT (query) DO UPDATE SET created = excluded.created, result = excluded.result`,
			key, c.clock.Now().UnixMilli(), string(doc)); err != nil {
			return err
		}
		return c.evict(ctx, tx)
	})
}

// evict removes expired addresses and, now and then, the oldest above the capacity.
func (c *geocodeCache) evict(ctx context.Context, tx *store.Tx) error {
	_, err := tx.Change(ctx, "remove expired addresses", "DELETE FROM geocodes WHERE created <= $1", c.expired())
	if err != nil || c.puts.Add(1)%evictInterval != 1 {
		return err
	}
	_, err = tx.Change(ctx, "remove the oldest addresses", `DELETE FROM geocodes WHERE query IN
		(SELECT query FROM geocodes ORDER BY created, query LIMIT max(0, (SELECT count(*) FROM geocodes) - $1))`, c.capacity)
	return err
}
