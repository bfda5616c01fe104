package world

import (
	"context"
	"fmt"
	"sync"

	"waybill/model"
	"waybill/service/store"
)

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
