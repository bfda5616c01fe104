package world

import (
	"context"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateAdmin creates an administrator. The email address is unique within the organization.
func (w *World) CreateAdmin(ctx context.Context, actor Actor, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Admin{}, err
	}
	if problems := in.Check(rules); len(problems) > 0 {
		return model.Admin{}, problems
	}
	now := w.Now()
	admin := model.Admin{
		ID: w.ids.ID(), Organization: actor.Org, TimeCreated: now.WholeSecond(), TimeLastModified: now,
		Type: model.AdminStandard, IsActive: true, Phone: model.Null[string](), Teams: []model.ID{},
	}
	applyAdminInput(&admin, in, rules)
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Fail(checkOnlySuper(ctx, tx, admin))
		tx.WriteUnique(ctx, Duplicate("email", admin.Email), "insert administrator",
			"INSERT INTO admins (id, org, email, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $6)",
			admin.ID, actor.Org, foldName(admin.Email), now, now, asDoc(admin))
		indexMetadata(ctx, tx, actor.Org, kindAdmins, admin.ID, admin.Metadata)
		return nil
	})
	return admin, err
}

func applyAdminInput(admin *model.Admin, in model.AdminInput, rules model.CheckContext) {
	admin.Name = in.Name.Or(admin.Name)
	if email, ok := in.Email.Get(); ok {
		admin.Email = strings.TrimSpace(email)
	}
	if in.Phone.Present() {
		phone, _ := model.NormalizePhone(in.Phone.Value(), rules.Country)
		admin.Phone = model.NullIfZero(phone)
	}
	admin.IsReadOnly = in.IsReadOnly.Or(admin.IsReadOnly)
	admin.Type = in.Type.Or(admin.Type)
	admin.IsAccountOwner = admin.Type == model.AdminSuper
	if in.Metadata.Present() {
		admin.Metadata = withVisibility(in.Metadata.Value())
	}
}

func checkOnlySuper(ctx context.Context, tx *store.Tx, admin model.Admin) error {
	if admin.Type != model.AdminSuper {
		return nil
	}
	admins, err := readDocs[model.Admin](tx.Query(ctx, "SELECT doc FROM admins WHERE org = $1", admin.Organization))
	if err != nil {
		return err
	}
	for _, other := range admins {
		if other.Type == model.AdminSuper && other.ID != admin.ID {
			return Invalid("type: The organization already has a super administrator: %.80s.", model.Clean(other.Name))
		}
	}
	return nil
}

// Admins lists the administrators of an organization in order of creation.
func (w *World) Admins(ctx context.Context, org model.ID) ([]model.Admin, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Admin, error) {
		admins, err := readDocs[model.Admin](tx.Query(ctx, "SELECT doc FROM admins WHERE org = $1 ORDER BY created, id", org))
		if err != nil {
			return nil, err
		}
		return admins, fillAdminTeams(ctx, tx, org, admins)
	})
}

// FindAdmins lists the administrators that have every metadata entry of the query.
func (w *World) FindAdmins(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Admin, error) {
	admins, err := findOwnedByMetadata[model.Admin](ctx, w.store, kindAdmins, org, query)
	if err != nil {
		return nil, err
	}
	return admins, fillAdminTeams(ctx, w.store, org, admins)
}

func fillAdminTeams(ctx context.Context, q store.Querier, org model.ID, admins []model.Admin) error {
	teams, err := readIDGroups(q.Query(ctx, `SELECT m.admin, m.team FROM team_managers m JOIN teams t ON t.id = m.team
		WHERE t.org = $1 ORDER BY t.created, t.id`, org))
	if err != nil {
		return err
	}
	for i := range admins {
		admins[i].Teams = append([]model.ID{}, teams[admins[i].ID]...)
	}
	return nil
}

// UpdateAdmin changes the members of an administrator that the body contains.
func (w *World) UpdateAdmin(ctx context.Context, actor Actor, id model.ID, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Admin{}, err
	}
	list, err := writeTx(ctx, w.store, func(tx *store.Tx) ([]model.Admin, error) {
		admin, err := readOwned[model.Admin](ctx, tx, "admins", actor.Org, id)
		if err != nil {
			return nil, err
		}
		if problems := in.CheckUpdate(rules); len(problems) > 0 {
			return nil, problems
		}
		applyAdminInput(&admin, in, rules)
		admin.TimeLastModified = w.Now()
		tx.Fail(checkOnlySuper(ctx, tx, admin))
		saveAdmin(ctx, tx, admin)
		list := []model.Admin{admin}
		return list, fillAdminTeams(ctx, tx, actor.Org, list)
	})
	if err != nil {
		return model.Admin{}, err
	}
	return list[0], nil
}

func saveAdmin(ctx context.Context, tx *store.Tx, admin model.Admin) {
	tx.WriteUnique(ctx, Duplicate("email", admin.Email), "update administrator",
		"UPDATE admins SET email = $1, modified = $2, doc = $3 WHERE id = $4",
		foldName(admin.Email), admin.TimeLastModified, asDoc(admin), admin.ID)
	reindexMetadata(ctx, tx, admin.Organization, kindAdmins, admin.ID, admin.Metadata)
}

// DeleteAdmin deletes an administrator. The owner of the account cannot be deleted.
func (w *World) DeleteAdmin(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		admin, err := readOwned[model.Admin](ctx, tx, "admins", actor.Org, id)
		if err != nil {
			return err
		}
		if admin.IsAccountOwner {
			return Conflict("%.80s owns the account. Change the type to standard first.", model.Clean(admin.Name))
		}
		deleteResource(ctx, tx, "admins", id)
		return nil
	})
}
