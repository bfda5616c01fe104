package geo

import (
	"context"
	"strings"

	"waybill/service/geo/gazetteer"
)

// Cache keeps results by key. The store implements it.
type Cache interface {
	Get(ctx context.Context, key string) (result Result, ok bool, err error)
	Put(ctx context.Context, key string, result Result) error
}

// Cached asks a cache before a geocoder. A cache that fails is passed by: an address must not be refused because an
// old answer could not be read.
type Cached struct {
	geocoder Geocoder
	cache    Cache
	name     string
	onError   func(error)
}

// NewCached puts a cache before a geocoder. Name keeps the answers of different geocoders apart; failed, if not nil, is
// told of failures of the cache.
func NewCached(name string, geocoder Geocoder, cache Cache, failed func(error)) *Cached {
	if failed == nil {
		failed = func(error) {}
	}
	return &Cached{geocoder, cache, name, failed}
}

var _ Geocoder = (*Cached)(nil)

// Geocode gives the kept answer or asks for one and keeps it. Failures are not kept: an unknown place may become known.
func (c *Cached) Geocode(ctx context.Context, q Query) (Result, error) {
	key := c.name + "|" + CacheKey(q)
	result, ok, err := c.cache.Get(ctx, key)
	if err != nil {
		c.onError(err)
	}
	if ok && err == nil {
		if q.Unparsed == "" {
			// The apartment is not part of the key: it does not move the house.
			result.Address.Apartment = strings.TrimSpace(q.Apartment)
		}
		return result, nil
	}
	result, err = c.geocoder.Geocode(ctx, q)
	if err != nil {
		return Result{}, err
	}
	if err := c.cache.Put(ctx, key, result); err != nil {
		c.onError(err)
	}
	return result, nil
}

// CacheKey is the same for queries that differ only in case, accents, spaces and punctuation.
func CacheKey(q Query) string {
	if q.Unparsed != "" {
		elements := splitElements(q.Unparsed)
		for i := range elements {
			elements[i] = gazetteer.Fold(elements[i])
		}
		return strings.ToLower(q.Language) + "|" + strings.Join(elements, ",") + "|" + gazetteer.Fold(q.Apartment)
	}
	parts := []string{
		strings.ToLower(q.Language), gazetteer.Fold(q.Number), StreetKey(q.Street), gazetteer.Fold(q.City),
		gazetteer.Fold(q.State), gazetteer.Fold(q.PostalCode), gazetteer.Fold(q.Country),
	}
	return strings.Join(parts, "|")
}
