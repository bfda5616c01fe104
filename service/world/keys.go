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
	"sync"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// CreatedKey is a new API key. Secret is not stored and cannot be read again.
type CreatedKey struct {
	ID     model.ID
	Prefix string
	Secret string
}

// KeyInfo describes an API key.
type KeyInfo struct {
	ID      model.ID
	Org     model.ID
	Name    string
	Prefix  string
	Created model.Millis
	Removed model.Opt[model.Millis]
}

const keyPrefixLength = 6

// AddKey creates another key for an organization. An empty secret means a random one.
func (w *World) AddKey(ctx context.Context, org model.ID, name, secret string) (CreatedKey, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (CreatedKey, error) { return w.insertKey(ctx, tx, org, name, secret) })
}

func (w *World) insertKey(ctx context.Context, tx *store.Tx, org model.ID, name, secret string) (CreatedKey, error) {
	if secret == "" {
		secret = randomHex(16)
	}
	if len(secret) < keyPrefixLength*2 {
		return CreatedKey{}, fmt.Errorf("an API key needs at least %d characters", keyPrefixLength*2)
	}
	key := CreatedKey{ID: w.ids.ID(), Prefix: secret[:keyPrefixLength], Secret: secret}
	tx.WriteUnique(ctx, errors.New("this API key already exists; choose another one"), "insert key",
		"INSERT INTO api_keys (id, org, name, prefix, hash, created) VALUES ($1, $2, $3, $4, $5, $6)",
		key.ID, org, name, key.Prefix, hashKey(secret), w.Now())
	return key, nil
}

// RemoveKey disables a key at once, in every process.
func (w *World) RemoveKey(ctx context.Context, id model.ID) error {
	var unannounced error
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		if tx.Write(ctx, "remove key", "UPDATE api_keys SET removed = $1 WHERE id = $2 AND removed IS NULL", w.Now(), id) == 0 {
			return NotFound()
		}
		tx.AfterCommit(func() { unannounced = w.store.IncrementKeysVersion() })
		return nil
	})
	if err == nil && unannounced != nil {
		return fmt.Errorf("the key is removed, but a running server may accept it for another %v: %w", keyCacheTTL, unannounced)
	}
	return err
}

// Keys lists the keys of an organization, including removed ones.
func (w *World) Keys(ctx context.Context, org model.ID) ([]KeyInfo, error) {
	return readRows(ctx, w.store, "list keys",
		"SELECT id, org, name, prefix, created, removed FROM api_keys WHERE org = $1 ORDER BY created, id",
		[]any{org}, func(k *KeyInfo) []any {
			return []any{&k.ID, &k.Org, &k.Name, &k.Prefix, &k.Created, orNull(&k.Removed)}
		})
}

// FindKey looks up a key by its secret. A removed key is not found from the moment of its removal.
func (w *World) FindKey(ctx context.Context, secret string) (KeyInfo, error) {
	hash := hashKey(secret)
	edition, err := w.store.KeysVersion()
	if err != nil || w.store.InTransaction(ctx) {
		return w.readKey(ctx, hash)
	}
	asked := time.Now()
	if key, ok := w.keys.get(hash, edition, asked); ok {
		return key, nil
	}
	key, err := w.readKey(ctx, hash)
	if err == nil && key.ID != "" {
		w.keys.put(hash, key, edition, asked)
	}
	return key, err
}

func (w *World) readKey(ctx context.Context, hash string) (KeyInfo, error) {
	var k KeyInfo
	var stored string
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

// keyCacheTTL is how long a key is cached. It covers removals that nobody announces: a database changed by hand, or a
// process killed between removing a key and announcing it.
const keyCacheTTL = time.Second

// keyCache holds the API keys in use, so that a request does not begin with a query. It is valid until a removal is
// announced.
type keyCache struct {
	mu      sync.RWMutex
	version int64
	byHash  map[string]cachedKey
}

type cachedKey struct {
	key  KeyInfo
	read time.Time
}

func (b *keyCache) get(hash string, edition int64, now time.Time) (KeyInfo, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	known, ok := b.byHash[hash]
	return known.key, ok && edition == b.version && now.Sub(known.read) < keyCacheTTL
}

// put stores a key that was read after version was looked up. A removal since then has made a newer version, so the key
// is dropped.
func (b *keyCache) put(hash string, key KeyInfo, edition int64, read time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if edition < b.version {
		return
	}
	if edition > b.version || b.byHash == nil {
		b.version, b.byHash = edition, map[string]cachedKey{}
	}
	b.byHash[hash] = cachedKey{key, read}
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
