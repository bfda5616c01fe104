package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// statements caches prepared statements, because preparing costs more than running most of them. The only writing
// connection is busy during a transaction, so statements that are missing then are prepared afterwards.
type statements struct {
	db      *sql.DB
	mu      sync.RWMutex
	byText  map[string]*sql.Stmt
	missing map[string]struct{}
}

// lookup returns a prepared statement, or nil after marking the query as missing.
func (s *statements) lookup(query string) *sql.Stmt {
	s.mu.RLock()
	stmt := s.byText[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing == nil {
		s.missing = map[string]struct{}{}
	}
	s.missing[query] = struct{}{}
	return nil
}

// prepareMissing prepares the statements that transactions missed. No transaction may be open.
func (s *statements) prepareMissing(ctx context.Context) {
	s.mu.RLock()
	queries := slices.Collect(maps.Keys(s.missing))
	s.mu.RUnlock()
	for _, query := range queries {
		s.prepare(ctx, query) //nolint:errcheck // its transaction has already seen the error
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.missing)
}

// prepare returns a cached statement or prepares it.
func (s *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt := s.byText[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	// Without the caller's context, because the statement outlives the first request.
	stmt, err := s.db.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", query, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byText[query]; known != nil {
		return known, stmt.Close()
	}
	if s.byText == nil {
		s.byText = map[string]*sql.Stmt{}
	}
	s.byText[query] = stmt
	return stmt, nil
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.byText {
		stmt.Close() //nolint:errcheck // the pool is closed next
	}
	s.byText = nil
}
