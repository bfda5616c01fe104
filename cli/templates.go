package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTemplatesCommand(a *app) *cobra.Command {
	templates := &cobra.Command{Use: "templates", Aliases: []string{"template"}, Short: "Sets of custom fields for tasks"}
	var name, kinds string
	var fields []string
	create := &cobra.Command{
		Use: "create", Short: "Create a task template", Args: cobra.NoArgs,
		Long:    "Creates a template: a set of custom fields for pickups, for drop-offs or for both. Each field must be made for every kind.",
		Example: "waybill templates create --name 'Cold chain' --for dropoff --field temperature --field seal",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			tasks, err := parseTaskKinds(kinds)
			if err != nil {
				return err
			}
			in := model.TemplateInput{
				Name: optionalText(name), ContextSaveConditions: model.Some(tasks.Conditions()), Fields: model.Some(fields),
			}
			defined, err := s.client.CustomFields(ctx)
			if err != nil {
				s.printNote("The fields could not be checked beforehand: %s.", errorSummary(err))
			} else if err := checkProblems("the template", in.Check(defined)); err != nil {
				return err
			}
			template, err := s.client.CreateTemplate(ctx, in)
			if err != nil {
				return err
			}
			return a.printResult(template, func() { s.printTemplate(template) })
		}),
	}
	create.Flags().StringVar(&name, "name", "", "its name, which no other template may have")
	create.Flags().StringVar(&kinds, "for", "both", "the tasks it is for: pickup, dropoff or both")
	create.Flags().StringSliceVar(&fields, "field", nil, "the keys of its custom fields")
	_ = create.MarkFlagRequired("name")
	_ = create.MarkFlagRequired("field")
	templates.AddCommand(create)
	return templates
}

func parseTaskKinds(word string) (model.TaskKinds, error) {
	switch strings.ToLower(word) {
	case "pickup", "pickups":
		return model.ForPickups, nil
	case "dropoff", "dropoffs", "drop-off":
		return model.ForDropoffs, nil
	case "both":
		return model.ForBoth, nil
	}
	return 0, usageError{fmt.Errorf("--for: %.40q is none of pickup, dropoff and both", model.Clean(word))}
}

func (s *session) printTemplate(t model.Template) {
	s.printField("template", t.Name)
	s.printField("id", string(t.ID))
	if kinds, ok := model.KindsOf(t.ContextSaveConditions); ok {
		s.printField("for", kinds.String())
	}
	s.printField("fields", strings.Join(t.Fields, ", "))
}
