package world

import (
	"context"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

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
