package world

import (
	"context"
	"errors"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// saveContext is the moment at which a field's conditions and requirement apply.
const saveContext = "save"

// CustomFields lists the fields that an organization adds to its tasks, in order of creation.
func (w *World) CustomFields(ctx context.Context, org model.ID) (model.CustomFieldList, error) {
	fields, err := readCustomFields(ctx, w.store, org)
	return model.CustomFieldList{Fields: fields}, err
}

func readCustomFields(ctx context.Context, q store.Querier, org model.ID) ([]model.CustomField, error) {
	return readDocs[model.CustomField](ctx, q, "SELECT doc FROM custom_fields WHERE org = $1 ORDER BY created, key", org)
}

// CreateCustomFields defines fields. The conditions of its contexts decide whether a field is for pickups, for drop-offs
// or for both.
func (w *World) CreateCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) (model.CustomFieldList, error) {
	created := model.CustomFieldList{Fields: []model.CustomField{}}
	if problems := in.Check(); len(problems) > 0 {
		return created, problems
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for _, sent := range in.Fields {
			field := model.CustomField{
				Key: sent.Key, Type: model.FieldType(sent.Type.Value()), AsArray: sent.AsArray.Value(),
				Visibility: []string{"admin", "api", "worker"}, Editability: []string{"admin", "api"},
				Contexts: []model.FieldContext{{Name: saveContext, Conditions: []model.Condition{}}},
			}
			applyFieldChange(&field, sent)
			tx.WriteUnique(ctx, Duplicate("key", field.Key), "insert custom field",
				"INSERT INTO custom_fields (org, key, created, doc) VALUES ($1, $2, $3, $4)",
				actor.Org, field.Key, w.Now(), asDoc(field))
			created.Fields = append(created.Fields, field)
		}
		return nil
	})
	return created, err
}

func applyFieldChange(field *model.CustomField, in model.CustomFieldPart) {
	field.Name = in.Name.Or(field.Name)
	setValueIfSent(&field.Description, in.Description)
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

// UpdateCustomFields changes fields. The type of a field cannot change because tasks have values for it, and a field
// must still fit the templates that use it.
func (w *World) UpdateCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) (model.CustomFieldList, error) {
	changed := model.CustomFieldList{Fields: []model.CustomField{}}
	if problems := in.CheckUpdate(); len(problems) > 0 {
		return changed, problems
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for i, sent := range in.Fields {
			field, err := readField(ctx, tx, actor.Org, i, sent.Key)
			if err != nil {
				return err
			}
			if model.FieldType(sent.Type.Or(field.Type)) != field.Type || sent.AsArray.Or(field.AsArray) != field.AsArray {
				return Invalid("fields[%d]: The type of a field cannot change because tasks may have values for it. Create a new field.", i)
			}
			applyFieldChange(&field, sent)
			tx.Write(ctx, "update custom field", "UPDATE custom_fields SET doc = $1 WHERE org = $2 AND key = $3",
				asDoc(field), actor.Org, field.Key)
			changed.Fields = append(changed.Fields, field)
		}
		return checkTemplatesFit(ctx, tx, actor.Org)
	})
	return changed, err
}

func readField(ctx context.Context, q store.Querier, org model.ID, i int, key string) (model.CustomField, error) {
	var field model.CustomField
	err := scanRow(q.QueryRow(ctx, "SELECT doc FROM custom_fields WHERE org = $1 AND key = $2", org, key), fromDoc(&field))
	if errors.Is(err, NotFound()) {
		err = notFoundBecause("fields[%d]: There is no custom field %.60q. Keys are case-sensitive.", i, model.Clean(key))
	}
	return field, err
}

// DeleteCustomFields deletes fields and removes them from templates. Tasks keep their values.
func (w *World) DeleteCustomFields(ctx context.Context, actor Actor, in model.CustomFieldChange) error {
	if problems := in.CheckDelete(); len(problems) > 0 {
		return problems
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.AfterCommit(func() { w.rules.invalidate(actor.Org) })
		for i, sent := range in.Fields {
			if _, err := readField(ctx, tx, actor.Org, i, sent.Key); err != nil {
				return err
			}
			tx.Write(ctx, "delete custom field",
				"DELETE FROM custom_fields WHERE org = $1 AND key = $2", actor.Org, sent.Key)
			removeFieldFromTemplates(ctx, tx, actor.Org, sent.Key)
		}
		return nil
	})
}

// CreateTemplate creates a task template. Its name is unique within the organization, and its fields must fit the kinds
// of tasks it is for.
func (w *World) CreateTemplate(ctx context.Context, actor Actor, in model.TemplateInput) (model.Template, error) {
	template := model.Template{
		ID: w.ids.ID(), Name: in.Name.Value(), DeletedAt: model.Null[model.Raw](),
		ContextSaveConditions: in.ContextSaveConditions.Value(), Fields: in.Fields.Value(),
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		fields, err := readCustomFields(ctx, tx, actor.Org)
		if err != nil {
			return err
		}
		if problems := in.Check(fields); len(problems) > 0 {
			return problems
		}
		tx.WriteUnique(ctx, Duplicate("name", template.Name), "insert template",
			"INSERT INTO templates (id, org, name_fold, created, doc) VALUES ($1, $2, $3, $4, $5)",
			template.ID, actor.Org, foldName(template.Name), w.Now(), asDoc(template))
		return nil
	})
	return template, err
}

// Templates lists the task templates of an organization in order of creation.
func (w *World) Templates(ctx context.Context, org model.ID) ([]model.Template, error) {
	return readTemplates(ctx, w.store, org)
}

func readTemplates(ctx context.Context, q store.Querier, org model.ID) ([]model.Template, error) {
	return readDocs[model.Template](ctx, q, "SELECT doc FROM templates WHERE org = $1 ORDER BY created, id", org)
}

// checkTemplatesFit refuses a change of custom fields that a template does not allow.
func checkTemplatesFit(ctx context.Context, tx *store.Tx, org model.ID) error {
	fields, err := readCustomFields(ctx, tx, org)
	if err != nil {
		return err
	}
	templates, err := readTemplates(ctx, tx, org)
	if err != nil {
		return err
	}
	for _, t := range templates {
		as := model.TemplateInput{
			Name: model.Some(t.Name), ContextSaveConditions: model.Some(t.ContextSaveConditions), Fields: model.Some(t.Fields),
		}
		if problems := as.Check(fields); len(problems) > 0 {
			return Invalid("Template %.80s would no longer be valid: %v", model.Clean(t.Name), problems)
		}
	}
	return nil
}

func removeFieldFromTemplates(ctx context.Context, tx *store.Tx, org model.ID, key string) {
	templates, err := readTemplates(ctx, tx, org)
	tx.Fail(err)
	for _, t := range templates {
		kept := slices.DeleteFunc(slices.Clone(t.Fields), func(field string) bool { return field == key })
		if len(kept) == len(t.Fields) {
			continue
		}
		t.Fields = kept
		tx.Write(ctx, "update template", "UPDATE templates SET doc = $1 WHERE id = $2", asDoc(t), t.ID)
	}
}
