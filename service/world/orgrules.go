package world

import (
	"context"
	"fmt"
	"sync"

	"waybill/model"
	"waybill/service/store"
)

// orgRules is what an organization's own rules for tasks and people are made of.
type orgRules struct {
	country string
	fields  []model.CustomField
}

// ruleBook remembers the rules of organizations, which every new task needs and which hardly ever change. It is right as
// long as custom fields change through this World: one server owns a data folder, administration commands leave custom
// fields alone, and a sandbox defines its own before the server takes requests.
type ruleBook struct {
	mu    sync.Mutex
	byOrg map[model.ID]orgRules
	// edition counts changes, so that rules read before a change are not remembered after it.
	edition int
}

func (b *ruleBook) find(org model.ID) (rules orgRules, edition int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rules, ok = b.byOrg[org]
	return rules, b.edition, ok
}

func (b *ruleBook) remember(org model.ID, rules orgRules, edition int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if edition != b.edition {
		return
	}
	if b.byOrg == nil {
		b.byOrg = map[model.ID]orgRules{}
	}
	b.byOrg[org] = rules
}

func (b *ruleBook) forget(org model.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.edition++
	delete(b.byOrg, org)
}

// rulesOf is an organization's country and custom fields, which the caller must not change.
func (w *World) rulesOf(ctx context.Context, org model.ID) (orgRules, error) {
	if w.store.InTransaction(ctx) {
		return readRules(ctx, w.store, org)
	}
	rules, edition, ok := w.rules.find(org)
	if ok {
		return rules, nil
	}
	rules, err := readRules(ctx, w.store, org)
	if err == nil {
		w.rules.remember(org, rules, edition)
	}
	return rules, err
}

func readRules(ctx context.Context, q store.Querier, org model.ID) (orgRules, error) {
	var rules orgRules
	if err := q.QueryRow(ctx, "SELECT country FROM organizations WHERE id = $1", org).Scan(&rules.country); err != nil {
		return rules, fmt.Errorf("read organization: %w", err)
	}
	fields, err := orgCustomFields(context.WithoutCancel(ctx), q, org)
	rules.fields = fields
	return rules, err
}
