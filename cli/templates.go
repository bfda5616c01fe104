package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTemplatesCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "templates", Aliases: []string{"template"}, Short: "Sets of custom fields for tasks"},
		a.newOperationCommand(&cobra.Command{
			Use: "create", Short: "Create a task template", Args: cobra.NoArgs,
			Long:    "Creates a template: a set of custom fields for pickups, for drop-offs or for both. Every field must exist for each kind.",
			Example: "waybill templates create --name 'Cold chain' --for dropoff --field temperature --field seal",
		}, operationCommand{
			operation: "create.template", noun: "the template", defaults: map[string]string{"for": "both"}, required: []string{"name", "field"},
			print: printResponse((*session).printTemplate),
		}))
}

func (s *session) printTemplate(_ context.Context, t model.Template) {
	s.printField("template", t.Name)
	s.printField("id", string(t.ID))
	if kinds, ok := model.KindsOf(t.ContextSaveConditions); ok {
		s.printField("for", kinds.String())
	}
	s.printField("fields", strings.Join(t.Fields, ", "))
}
