package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

const (
	// customFieldModel is the only resource that has custom fields.
	customFieldModel = "Task"
	// saveContext is the moment at which a field's conditions and requirement apply.
	saveContext = "save"
)

func checkFields(in model.CustomFieldChange, rules func(model.CustomFieldPart) model.Problems) model.Problems {
	var ps model.Problems
	if in.Model != "" && !strings.EqualFold(in.Model, customFieldModel) {
		ps = append(ps, model.Problem{Field: "model", Subcode: model.ErrorInvalid, Text: "Only tasks have custom fields: it must be Task."})
	}
	if len(in.Fields) == 0 {
		ps = append(ps, model.Problem{Field: "fields", Subcode: model.ErrorMissing, Text: "At least one field is needed."})
	}
	seen := map[string]bool{}
	for i, field := range in.Fields {
		path := fmt.Sprintf("fields[%d]", i)
		if strings.TrimSpace(field.Key) == "" {
			ps = append(ps, model.Problem{Field: path + ".key", Subcode: model.ErrorMissing, Text: "The field's key is needed."})
		}
		if seen[field.Key] {
			ps = append(ps, model.Problem{Field: path + ".key", Subcode: model.ErrorInvalid, Text: "The key comes twice."})
		}
		seen[field.Key] = true
		for _, p := range rules(field) {
			p.Field = path + "." + p.Field
			ps = append(ps, p)
		}
	}
	return ps
}

func checkNewField(f model.CustomFieldPart) model.Problems {
	var ps model.Problems
	if strings.TrimSpace(f.Name.Value()) == "" {
		ps = append(ps, model.Problem{Field: "name", Subcode: model.ErrorMissing, Text: "The field's name is needed."})
	}
	if !isFieldType(f.Type.Value()) {
		ps = append(ps, fieldTypeProblem(f.Type.Value()))
	}
	return append(ps, checkFieldParts(f)...)
}

func checkChangedField(f model.CustomFieldPart) model.Problems {
	var ps model.Problems
	if f.Name.Present() && strings.TrimSpace(f.Name.Value()) == "" {
		ps = append(ps, model.Problem{Field: "name", Subcode: model.ErrorMissing, Text: "A field always has a name."})
	}
	return append(ps, checkFieldParts(f)...)
}

func fieldTypeProblem(sent string) model.Problem {
	p := model.Problem{Field: "type", Subcode: model.ErrorInvalid, Text: fmt.Sprintf("%.40q is no type of field; they are %s.",
		model.Clean(sent), strings.Join(fieldTypes(), ", "))}
	if sent == "" {
		p.Subcode = model.ErrorMissing
		p.Text = "The field's type is needed: one of " + strings.Join(fieldTypes(), ", ") + "."
	}
	return p
}

func fieldTypes() []string {
	return []string{
		model.FieldSingleLine, model.FieldMultiLine, model.FieldBoolean, model.FieldInteger, model.FieldDecimal,
		model.FieldDate, model.FieldURL,
	}
}

func isFieldType(name string) bool { return slices.Contains(fieldTypes(), storedFieldType(name)) }

// storedFieldType spells the one type that a published client spells differently.
func storedFieldType(name string) string {
	if name == "Url" {
		return model.FieldURL
	}
	return name
}

func checkFieldParts(f model.CustomFieldPart) model.Problems {
	var ps model.Problems
	check := func(field string, who []string) {
		for i, name := range who {
			if name != "admin" && name != "api" && name != "worker" {
				ps = append(ps, model.Problem{
					Field: fmt.Sprintf("%s[%d]", field, i), Subcode: model.ErrorInvalid,
					Text: fmt.Sprintf("%.40q is not one of admin, api and worker.", model.Clean(name)),
				})
			}
		}
	}
	check("visibility", f.Visibility.Value())
	check("editability", f.Editability.Value())
	for i, c := range f.Contexts.Value() {
		if _, ok := model.KindsOf(c.Conditions); !ok {
			ps = append(ps, model.Problem{
				Field: fmt.Sprintf("contexts[%d].conditions", i), Subcode: model.ErrorInvalid,
				Text: "It must be empty, or one condition with fieldName pickupTask, comparison equal_to and targetValue true or false.",
			})
		}
	}
	return ps
}

// CustomFields lists the fields that an organization adds to its tasks, in order of creation.
func (w *World) CustomFields(ctx context.Context, org model.ID) (model.CustomFieldList, error) {
	fields, err := readCustomFields(ctx, w.store, org)
	return model.CustomFieldList{Fields: fields}, err
}

func readCustomFields(ctx context.Context, q store.Querier, org model.ID) ([]model.CustomField, error) {
	return readDocs[model.CustomField](q.Query(ctx, "SELECT doc FROM custom_fields WHERE org = $1 ORDER BY created, key", org))
}

// CreateCustomFields defines fields. A field is for pickups, for drop-offs or for both by the conditions of its
// contexts.
func (w *World) CreateCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) (model.CustomFieldList, error) {
	created := model.CustomFieldList{Fields: []model.CustomField{}}
	if problems := checkFields(in, checkNewField); len(problems) > 0 {
		return created, problems
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for _, sent := range in.Fields {
			field := model.CustomField{
				Key: sent.Key, Type: storedFieldType(sent.Type.Value()), AsArray: sent.AsArray.Value(),
				Visibility: []string{"admin", "api", "worker"}, Editability: []string{"admin", "api"},
				Contexts: []model.FieldContext{{Name: saveContext, Conditions: []model.Condition{}}},
			}
			applyFieldChange(&field, sent)
			doc, err := model.Marshal(field)
			if err != nil {
				return fmt.Errorf("encode custom field: %w", err)
			}
			_, err = tx.Exec(ctx, "INSERT INTO custom_fields (org, key, created, doc) VALUES ($1, $2, $3, $4)",
				actor.Org, field.Key, w.Now(), string(doc))
			if store.IsUnique(err) {
				return Duplicate("key", field.Key)
			}
			if err != nil {
				return fmt.Errorf("insert custom field: %w", err)
			}
			created.Fields = append(created.Fields, field)
		}
		return nil
	})
	return created, err
}

func applyFieldChange(field *model.CustomField, in model.CustomFieldPart) {
	field.Name = in.Name.Or(field.Name)
	if in.Description.Present() {
		field.Description = in.Description.Value()
	}
	field.Visibility = in.Visibility.Or(field.Visibility)
	field.Editability = in.Editability.Or(field.Editability)
	if contexts, ok := in.Contexts.Get(); ok {
		field.Contexts = slices.Clone(contexts)
		for i := range field.Contexts {
			if field.Contexts[i].Name == "" {
				field.Contexts[i].Name = saveContext
			}
		}
	}
}

// UpdateCustomFields changes fields. What values of a field look like stays, because tasks have them; and a field
// must still fit the templates that use it.
func (w *World) UpdateCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) (model.CustomFieldList, error) {
	changed := model.CustomFieldList{Fields: []model.CustomField{}}
	if problems := checkFields(in, checkChangedField); len(problems) > 0 {
		return changed, problems
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for i, sent := range in.Fields {
			field, err := readField(ctx, tx, actor.Org, i, sent.Key)
			if err != nil {
				return err
			}
			if storedFieldType(sent.Type.Or(field.Type)) != field.Type || sent.AsArray.Or(field.AsArray) != field.AsArray {
				return Invalid("fields[%d]: The type of a field cannot change, because tasks may have values of it. Create another field.", i)
			}
			applyFieldChange(&field, sent)
			doc, err := model.Marshal(field)
			if err != nil {
				return fmt.Errorf("encode custom field: %w", err)
			}
			if _, err := tx.Exec(ctx, "UPDATE custom_fields SET doc = $1 WHERE org = $2 AND key = $3", string(doc), actor.Org, field.Key); err != nil {
				return fmt.Errorf("update custom field: %w", err)
			}
			changed.Fields = append(changed.Fields, field)
		}
		return checkTemplatesFit(ctx, tx, actor.Org)
	})
	return changed, err
}

func readField(ctx context.Context, q store.Querier, org model.ID, i int, key string) (model.CustomField, error) {
	var field model.CustomField
	var doc []byte
	err := q.QueryRow(ctx, "SELECT doc FROM custom_fields WHERE org = $1 AND key = $2", org, key).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) {
		return field, customFieldNotFound(i, key)
	}
	if err != nil {
		return field, fmt.Errorf("read custom field: %w", err)
	}
	return field, model.Unmarshal(doc, &field)
}

func customFieldNotFound(i int, key string) *Error {
	e := NotFound()
	e.Cause = model.Some(model.CauseText(fmt.Sprintf("fields[%d]: There is no custom field %.60q. Keys are case-sensitive.", i, model.Clean(key))))
	return e
}

// DeleteCustomFields removes fields and takes them out of the templates that use them. Tasks keep the values they
// have.
func (w *World) DeleteCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) error {
	if problems := checkFields(in, func(model.CustomFieldPart) model.Problems { return nil }); len(problems) > 0 {
		return problems
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for i, sent := range in.Fields {
			if _, err := readField(ctx, tx, actor.Org, i, sent.Key); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "DELETE FROM custom_fields WHERE org = $1 AND key = $2", actor.Org, sent.Key); err != nil {
				return fmt.Errorf("delete custom field: %w", err)
			}
			if err := removeFieldFromTemplates(ctx, tx, actor.Org, sent.Key); err != nil {
				return err
			}
		}
		return nil
	})
}
