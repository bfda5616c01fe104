package world

import (
	"context"
	"fmt"
	"net/mail"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Types of administrators. An organization has one super administrator at most: the owner of the account.
const (
	AdminSuper    = "super"
	AdminStandard = "standard"
)

func checkAdmin(in model.AdminInput, rules model.CheckContext, creates bool) model.Problems {
	var ps model.Problems
	add := func(field string, subcode model.Int, text string) {
		ps = append(ps, model.Problem{Field: field, Subcode: subcode, Text: text})
	}
	if (creates || in.Name.Present()) && strings.TrimSpace(in.Name.Value()) == "" {
		add("name", model.ErrorMissing, "The administrator's name is needed.")
	}
	if email := strings.TrimSpace(in.Email.Value()); email == "" {
		if creates || in.Email.Present() {
			add("email", model.ErrorMissing, "The administrator's email address is needed.")
		}
	} else if !isEmail(email) {
		add("email", model.ErrorInvalid, "It is not an email address such as ana@example.com.")
	}
	if phone := in.Phone.Value(); strings.TrimSpace(phone) != "" {
		if _, problems := model.NormalizePhone(phone, rules.Country); len(problems) > 0 {
			add("phone", problems[0].Subcode, problems[0].Text)
		}
	}
	if kind := in.Type.Or(AdminStandard); kind != AdminSuper && kind != AdminStandard {
		add("type", model.ErrorInvalid, "It must be super or standard.")
	}
	for i, entry := range in.Metadata.Value() {
		for _, p := range entry.Check() {
			add(fmt.Sprintf("metadata[%d].%s", i, p.Field), p.Subcode, p.Text)
		}
	}
	return ps
}

func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}

// CreateAdmin adds an administrator. The email address is unique in the organization.
func (w *World) CreateAdmin(ctx context.Context, actor Actor, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Admin{}, err
	}
	if problems := checkAdmin(in, rules, true); len(problems) > 0 {
		return model.Admin{}, problems
	}
	now := w.Now()
	admin := model.Admin{
		ID: w.ids.ID(), Organization: actor.Org, TimeCreated: now.WholeSecond(), TimeLastModified: now,
		Type: AdminStandard, IsActive: true, Phone: model.Null[string](), Teams: []model.ID{},
	}
	applyAdminInput(&admin, in, rules)
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		if err := checkOnlySuper(ctx, tx, admin); err != nil {
			return err
		}
		doc, err := model.Marshal(admin)
		if err != nil {
			return fmt.Errorf("encode administrator: %w", err)
		}
		_, err = tx.Exec(ctx, "INSERT INTO admins (id, org, email, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $6)",
			admin.ID, actor.Org, foldName(admin.Email), now, now, string(doc))
		if store.IsUnique(err) {
			return Duplicate("email", admin.Email)
		}
		if err != nil {
			return fmt.Errorf("insert administrator: %w", err)
		}
		return indexMetadata(ctx, tx, actor.Org, kindAdmins, admin.ID, admin.Metadata)
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
	admin.IsAccountOwner = admin.Type == AdminSuper
	if in.Metadata.Present() {
		admin.Metadata = withVisibility(in.Metadata.Value())
	}
}

func checkOnlySuper(ctx context.Context, tx *store.Tx, admin model.Admin) error {
	if admin.Type != AdminSuper {
		return nil
	}
	admins, err := readDocs[model.Admin](tx.Query(ctx, "SELECT doc FROM admins WHERE org = $1", admin.Organization))
	if err != nil {
		return err
	}
	for _, other := range admins {
		if other.Type == AdminSuper && other.ID != admin.ID {
			return Invalid("type: An organization has one super administrator, and %.80s is it.", model.Clean(other.Name))
		}
	}
	return nil
}

// Admins lists the administrators of an organization in order of creation.
func (w *World) Admins(ctx context.Context, org model.ID) ([]model.Admin, error) {
	var admins []model.Admin
	err := w.store.Read(ctx, func(tx *store.Tx) (err error) {
		admins, err = readDocs[model.Admin](tx.Query(ctx, "SELECT doc FROM admins WHERE org = $1 ORDER BY created, id", org))
		if err != nil {
			return err
		}
		return fillAdminTeams(ctx, tx, org, admins)
	})
	return admins, err
}

// FindAdmins lists the administrators whose metadata has every entry of the query.
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

// UpdateAdmin changes what the body names of an administrator.
func (w *World) UpdateAdmin(ctx context.Context, actor Actor, id model.ID, in model.AdminInput) (model.Admin, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Admin{}, err
	}
	var list []model.Admin
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		admin, err := readOwned[model.Admin](ctx, tx, "admins", actor.Org, id)
		if err != nil {
			return err
		}
		if problems := checkAdmin(in, rules, false); len(problems) > 0 {
			return problems
		}
		applyAdminInput(&admin, in, rules)
		admin.TimeLastModified = w.Now()
		if err := checkOnlySuper(ctx, tx, admin); err != nil {
			return err
		}
		if err := saveAdmin(ctx, tx, admin); err != nil {
			return err
		}
		list = []model.Admin{admin}
		return fillAdminTeams(ctx, tx, actor.Org, list)
	})
	if err != nil {
		return model.Admin{}, err
	}
	return list[0], nil
}

func saveAdmin(ctx context.Context, tx *store.Tx, admin model.Admin) error {
	doc, err := model.Marshal(admin)
	if err != nil {
		return fmt.Errorf("encode administrator: %w", err)
	}
	_, err = tx.Exec(ctx, "UPDATE admins SET email = $1, modified = $2, doc = $3 WHERE id = $4",
		foldName(admin.Email), admin.TimeLastModified, string(doc), admin.ID)
	if store.IsUnique(err) {
		return Duplicate("email", admin.Email)
	}
	if err != nil {
		return fmt.Errorf("update administrator: %w", err)
	}
	return reindexMetadata(ctx, tx, admin.Organization, kindAdmins, admin.ID, admin.Metadata)
}

// DeleteAdmin removes an administrator. The owner of the account stays.
func (w *World) DeleteAdmin(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		admin, err := readOwned[model.Admin](ctx, tx, "admins", actor.Org, id)
		if err != nil {
			return err
		}
		if admin.IsAccountOwner {
			return Conflict("%.80s owns the account. Change its type to standard first.", model.Clean(admin.Name))
		}
		return deleteResource(ctx, tx, id, "DELETE FROM admins WHERE id = $1")
	})
}
