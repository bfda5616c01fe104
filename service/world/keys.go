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

// RemoveKey takes a key out of use at once, in every process.
func (w *World) RemoveKey(ctx context.Context, id model.ID) error {
	var unannounced error
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		result, err := tx.Exec(ctx, "UPDATE api_keys SET removed = $1 WHERE id = $2 AND removed IS NULL", w.Now(), id)
		if err != nil {
			return fmt.Errorf("remove key: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return NotFound()
		}
		tx.AfterCommit(func() { unannounced = w.store.IncrementKeysVersion() })
		return nil
	})
	if err == nil && unannounced != nil {
		return fmt.Errorf("the key is removed, but a running server may take it for %v more: %w", keyMemory, unannounced)
	}
	return err
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

// FindKey looks up a key that someone sent; a removed one is not found from the moment on at which it was removed.
func (w *World) FindKey(ctx context.Context, secret string) (KeyInfo, error) {
	hash := hashKey(secret)
	edition, err := w.store.KeysVersion()
	if err != nil || w.store.InTransaction(ctx) {
		return w.readKey(ctx, hash)
	}
	asked := time.Now()
	if key, ok := w.keys.find(hash, edition, asked); ok {
		return key, nil
	}
	key, err := w.readKey(ctx, hash)
	if err == nil && key.ID != "" {
		w.keys.remember(hash, key, edition, asked)
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

// keyMemory is how long a key is remembered without being looked up again. It is for what nobody announces: a database
// that was changed by hand, or a process that was killed between the removal of a key and its announcement.
const keyMemory = time.Second

// keyBook remembers the API keys that are in use, so that a request does not begin with a query. It is right as long as
// nobody has announced a removal since.
type keyBook struct {
	mu      sync.RWMutex
	edition int64
	byHash  map[string]knownKey
}

type knownKey struct {
	key  KeyInfo
	read time.Time
}

func (b *keyBook) find(hash string, edition int64, now time.Time) (KeyInfo, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	known, ok := b.byHash[hash]
	return known.key, ok && edition == b.edition && now.Sub(known.read) < keyMemory
}

// remember keeps what was read after the edition had been looked up: a removal since then has made another edition.
func (b *keyBook) remember(hash string, key KeyInfo, edition int64, read time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if edition < b.edition {
		return
	}
	if edition > b.edition || b.byHash == nil {
		b.edition, b.byHash = edition, map[string]knownKey{}
	}
	b.byHash[hash] = knownKey{key, read}
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
