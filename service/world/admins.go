package world

import (
	"context"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateAdmin creates an administrator. The email address is unique within the organization.
func (w *World) CreateAdmin(ctx context.Context, actor Actor, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkInput(ctx, actor.Org, in.Check)
	if err != nil {
		return model.Admin{}, err
	}
	now := w.Now()
	admin := model.Admin{
		ID: w.ids.ID(), Organization: actor.Org, TimeCreated: now.WholeSecond(), TimeLastModified: now,
		Type: model.AdminStandard, IsActive: true, Phone: model.Null[string](),
	}
	applyAdminInput(&admin, in, rules)
	return admin, w.store.Write(ctx, func(tx *store.Tx) error { return saveAdmin(ctx, tx, admin) })
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

// saveAdmin stores a new or changed administrator. An organization has one super administrator at most.
func saveAdmin(ctx context.Context, tx *store.Tx, admin model.Admin) error {
	admins, err := readDocs[model.Admin](ctx, tx, "SELECT doc FROM admins WHERE org = $1", admin.Organization)
	if err != nil {
		return err
	}
	for _, other := range admins {
		if admin.Type == model.AdminSuper && other.Type == model.AdminSuper && other.ID != admin.ID {
			return Invalid("type: The organization already has a super administrator: %.80s.", model.Clean(other.Name))
		}
	}
	tx.WriteUnique(ctx, Duplicate("email", admin.Email), "save administrator",
		`INSERT INTO admins (id, org, email, created, modified, doc) VALUES ($1, $2, $3, $4, $4, $5)
		ON CONFLICT (id) DO UPDATE SET email = excluded.email, modified = excluded.modified, doc = excluded.doc`,
		admin.ID, admin.Organization, foldName(admin.Email), admin.TimeLastModified, asDoc(admin))
	reindexMetadata(ctx, tx, admin.Organization, kindAdmins, admin.ID, admin.Metadata)
	return nil
}

// Admins lists the administrators of an organization in order of creation.
func (w *World) Admins(ctx context.Context, org model.ID) ([]model.Admin, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Admin, error) {
		admins, err := readDocs[model.Admin](ctx, tx, "SELECT doc FROM admins WHERE org = $1 ORDER BY created, id", org)
		teams := readIDGroups(ctx, tx, `SELECT m.admin, m.team FROM team_managers m JOIN teams t ON t.id = m.team
			WHERE t.org = $1 ORDER BY t.created, t.id`, org)
		for i := range admins {
			admins[i].Teams = teams[admins[i].ID]
		}
		return admins, err
	})
}

// FindAdmins lists the administrators that have every metadata entry of the query.
func (w *World) FindAdmins(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Admin, error) {
	return findAllByMetadata(ctx, w.store, kindAdmins, org, query, func(tx *store.Tx, id model.ID) (model.Admin, error) {
		return readAdmin(ctx, tx, org, id)
	})
}

func readAdmin(ctx context.Context, tx *store.Tx, org, id model.ID) (model.Admin, error) {
	admin, err := readOwned[model.Admin](ctx, tx, "admins", org, id)
	admin.Teams = readIDs(ctx, tx, `SELECT m.team FROM team_managers m JOIN teams t ON t.id = m.team
		WHERE m.admin = $1 ORDER BY t.created, t.id`, id)
	return admin, err
}

// UpdateAdmin changes the members of an administrator that the body contains.
func (w *World) UpdateAdmin(ctx context.Context, actor Actor, id model.ID, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Admin{}, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Admin, error) {
		admin, err := readOwned[model.Admin](ctx, tx, "admins", actor.Org, id)
		if err != nil {
			return admin, err
		}
		if problems := in.CheckUpdate(rules); len(problems) > 0 {
			return admin, problems
		}
		applyAdminInput(&admin, in, rules)
		admin.TimeLastModified = w.Now()
		tx.Fail(saveAdmin(ctx, tx, admin))
		return readAdmin(ctx, tx, actor.Org, id)
	})
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
