package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
)

func newTemplatesCommand(a *app) *cobra.Command {
	templates := &cobra.Command{Use: "templates", Aliases: []string{"template"}, Short: "Sets of custom fields for tasks"}
	create := a.newOperationCommand(&cobra.Command{
		Use: "create", Short: "Create a task template", Args: cobra.NoArgs,
		Long:    "Creates a template: a set of custom fields for pickups, for drop-offs or for both. Every field must exist for each kind.",
		Example: "waybill templates create --name 'Cold chain' --for dropoff --field temperature --field seal",
	}, operationCommand{
		operation: "create.template", noun: "the template", defaults: map[string]string{"for": "both"},
		print: func(_ context.Context, s *session, result operations.Result) {
			template := result.Response.(model.Template)
			s.printField("template", template.Name)
			s.printField("id", string(template.ID))
			if kinds, ok := model.KindsOf(template.ContextSaveConditions); ok {
				s.printField("for", kinds.String())
			}
			s.printField("fields", strings.Join(template.Fields, ", "))
		},
	})
	_ = create.MarkFlagRequired("name")
	_ = create.MarkFlagRequired("field")
	templates.AddCommand(create)
	return templates
}
