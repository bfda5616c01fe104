package geo

import (
	"context"
	"strings"

	"waybill/service/geo/gazetteer"
)

// Cache stores results by key.
type Cache interface {
	Get(ctx context.Context, key string) (result Result, ok bool, err error)
	Put(ctx context.Context, key string, result Result) error
}

// Cached asks a cache before a geocoder. If the cache fails, it asks the geocoder.
type Cached struct {
	geocoder Geocoder
	cache    Cache
	name     string
	onError  func(error)
}

// NewCached puts a cache in front of a geocoder. name separates the results of different geocoders. onError, if not nil,
// is called with errors of the cache.
func NewCached(name string, geocoder Geocoder, cache Cache, onError func(error)) *Cached {
	if onError == nil {
		onError = func(error) {}
	}
	return &Cached{geocoder, cache, name, onError}
}

var _ Geocoder = (*Cached)(nil)

// Geocode returns the cached result, or asks the geocoder and caches its result. Errors are not cached, because an
// unknown place may become known.
func (c *Cached) Geocode(ctx context.Context, q Query) (Result, error) {
	key := c.name + "|" + CacheKey(q)
	result, ok, err := c.cache.Get(ctx, key)
	if err != nil {
		c.onError(err)
	}
	if ok && err == nil {
		if q.Unparsed == "" {
			// The apartment is not part of the key because it does not change the location.
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

// CacheKey returns the same key for queries that differ only in case, accents, spaces and punctuation.
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
