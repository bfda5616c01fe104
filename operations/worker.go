package operations

import (
	"context"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Pages of the form for a new worker.
const (
	pageWorker  = "Worker"
	pageVehicle = "Vehicle"
	pageHome    = "Route's end"
)

func homeAddressForm() addressForm {
	return addressForm{page: pageHome, modes: []form.Option{{Value: whereNone, Label: "none"}, knownMode(), pointMode()}}
}

// NewWorker is create.worker: a driver, who is told a temporary password by SMS.
func NewWorker(s Input) (Operation, error) {
	teams := boardTeams(s.Board)
	f := form.Form{Title: "New worker", Fields: workerFields(s, teams), Start: startFromArgument(s, "name")}
	if len(teams) == 1 {
		f.Start["teams"] = teams[0].name
	}
	return Operation{
		ID: "create.worker", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, workerFieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			in, problems := workerInput(s, teams, values)
			if len(problems) == 0 {
				addRules(problems, &f, values, in.Check(draftOptions(s).Check()), workerFieldOf(values))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			phone, _ := model.NormalizePhone(in.Phone.Value(), s.Organization.Country)
			return Proposal{
				Lines: workerLines(s, in, phone), Summary: "create the worker " + model.Clean(in.Name.Value()),
				Steps: []Step{workerStep(s, &f, values, in, phone)},
			}, nil
		},
	}, nil
}

func workerFields(s Input, teams []namedObject) []form.Field {
	phone := func(value string) error {
		_, problems := model.NormalizePhone(value, s.Organization.Country)
		return problems.Err()
	}
	fields := []form.Field{
		{Name: "name", Title: "Name", Page: pageWorker, About: "the complete name", Hint: "Ada Okafor"},
		{Name: "phone", Title: "Phone", Page: pageWorker, About: "a temporary password goes there by SMS", Hint: "415 555 0123", Check: unlessEmpty(phone)},
		{
			Name: "teams", Title: "Teams", Page: pageWorker, About: "one or more, with commas between", Prompt: promptName,
			Suggest: func(text string, _ form.Values) []form.Option { return suggestNameList(teams, text) },
			Check: func(value string) error {
				_, err := resolveNames(teams, value, "team")
				return err
			},
		},
		{Name: "display_name", Title: "Shown as", Page: pageWorker, About: "in place of the name in SMS and on tracking pages"},
	}
	fields = append(fields, metadataField(pageWorker, "an entry a line: name=value, or name:type=value"))
	driven := func(v form.Values) bool { return v.Get("vehicle") != "" }
	fields = append(fields,
		form.Field{Name: "vehicle", Title: "Vehicle", Page: pageVehicle, Kind: form.Choice, Options: []form.Option{
			{Label: "on foot"},
			{Value: string(model.VehicleCar), Label: "car"},
			{Value: string(model.VehicleMotorcycle), Label: "motorcycle"},
			{Value: string(model.VehicleBicycle), Label: "bicycle"},
			{Value: string(model.VehicleTruck), Label: "truck"},
		}},
		form.Field{Name: "vehicle_description", Title: "Description", Page: pageVehicle, About: "make, model, year", Show: driven},
		form.Field{Name: "license_plate", Title: "License plate", Page: pageVehicle, Show: driven},
		form.Field{Name: "vehicle_color", Title: "Colour", Page: pageVehicle, Show: driven},
	)
	for _, f := range []struct{ name, title string }{
		{"capacity", "Capacity"}, {"capacity_a", "Capacity A"}, {"capacity_b", "Capacity B"}, {"capacity_c", "Capacity C"},
	} {
		check := taskField(s, strings.Replace(f.name, "capacity", "quantity", 1), "", "").Check
		fields = append(fields, form.Field{Name: f.name, Title: f.title, Page: pageVehicle, About: "how many units fit", Check: check})
	}
	return append(fields, homeAddressForm().fields(s)...)
}

// workerFieldOf is the field of a member of a worker.
func workerFieldOf(values form.Values) func(member string) string {
	return func(member string) string {
		for _, prefix := range []string{"addresses.routing", "address.routing"} {
			if rest, ok := strings.CutPrefix(member, prefix); ok {
				return homeAddressForm().fieldOf("destination"+rest, values)
			}
		}
		switch {
		case strings.HasPrefix(member, "teams"), member == "team":
			return "teams"
		case member == "displayName":
			return "display_name"
		case member == "vehicle.type":
			return "vehicle"
		case strings.HasPrefix(member, "additionalCapacities.capacity"):
			return "capacity_" + strings.ToLower(strings.TrimPrefix(member, "additionalCapacities.capacity"))
		case strings.HasPrefix(member, "metadata"):
			return "metadata"
		case member == "destination":
			return homeAddressForm().fieldOf(member, values)
		}
		return member
	}
}

func workerInput(s Input, teams []namedObject, values form.Values) (model.WorkerInput, form.Problems) {
	problems := form.Problems{}
	in := model.WorkerInput{Name: optionalText(values.Get("name")), Phone: optionalText(values.Get("phone")), DisplayName: optionalText(values.Get("display_name"))}
	ids, err := resolveNames(teams, values.Get("teams"), "team")
	if err != nil {
		addProblem(problems, "teams", sentence(err.Error()))
	}
	in.Teams = model.Some(ids)
	fillCapacities(s, &in, values, problems)
	if kind := values.Get("vehicle"); kind != "" {
		in.Vehicle = model.Some(model.Vehicle{
			Type: model.VehicleType(kind), Description: optionalText(values.Get("vehicle_description")),
			LicensePlate: optionalText(values.Get("license_plate")), Color: optionalText(values.Get("vehicle_color")),
		})
	}
	draft := taskimport.NewDraft(draftOptions(s))
	homeAddressForm().fill(draft, values, problems)
	change, err := draft.Changes()
	if err != nil {
		addProblem(problems, "location", sentence(err.Error()))
	}
	if change.Destination.Has() {
		in.Addresses = model.Some(model.WorkerAddressesInput{Routing: change.Destination})
	}
	fillMetadata(&change, values, problems)
	in.Metadata = change.Metadata
	return in, problems
}

// fillCapacities reads capacities as quantities, which are typed alike.
func fillCapacities(s Input, in *model.WorkerInput, values form.Values, problems form.Problems) {
	draft := taskimport.NewDraft(draftOptions(s))
	for _, name := range []string{"capacity", "capacity_a", "capacity_b", "capacity_c"} {
		if err := draft.Set(strings.Replace(name, "capacity", "quantity", 1), values.Get(name)); err != nil {
			addProblem(problems, name, sentence(err.Error()))
		}
	}
	read, err := draft.Changes()
	if err != nil {
		addProblem(problems, "", sentence(err.Error()))
	}
	in.Capacity = read.Quantity
	if more, ok := read.AdditionalQuantities.Get(); ok {
		in.AdditionalCapacities = model.Some(model.CapacitiesInput{A: more.A, B: more.B, C: more.C})
	}
}

// optionalText is a text that is there, or nothing.
func optionalText(text string) model.Opt[string] { return model.SomeIf(text, text != "") }

func workerLines(s Input, in model.WorkerInput, phone string) []Line {
	names := make([]string, len(in.Teams.Value()))
	for i, id := range in.Teams.Value() {
		names[i] = teamLabel(s.Board, id)
	}
	vehicle := "on foot"
	if v, ok := in.Vehicle.Get(); ok {
		vehicle = "with a " + strings.ToLower(string(v.Type))
	}
	lines := []Line{
		plainLine("%s, %s, in %s, %s.", model.Clean(in.Name.Value()), phone, strings.Join(names, " and "), vehicle),
		warnLine("A temporary password is sent to %s by SMS.", phone),
	}
	if home, ok := in.Addresses.Value().Routing.Get(); ok {
		lines = append(lines, plainLine("Routes may end at %s.", placeText(s, home)))
	}
	return lines
}

func workerStep(s Input, f *form.Form, values form.Values, in model.WorkerInput, phone string) Step {
	var began sendTime
	return Step{
		Label: "new worker",
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			made, err := c.CreateWorker(ctx, in)
			if err != nil {
				return Result{}, errorOnShownField(err, f, values, workerFieldOf(values))
			}
			return Result{
				Object: made.ID, Summary: "created " + made.Name, Undo: undoWorker(made),
				Change: board.Change{Write: true, Workers: []model.Worker{made}},
			}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			workers, err := c.Workers(ctx, apiclient.WorkersQuery{Phones: []string{phone}})
			if err != nil {
				return LookupResult{}, err
			}
			for i := range workers {
				if workers[i].Phone == phone && !s.Board.Workers.Has(workers[i].ID) {
					return LookupResult{Happened: true, Certain: true, Summary: workers[i].Name + " has been created"}, nil
				}
			}
			return began.notFoundResult("there is no new worker with the number"), nil
		},
	}
}

func undoWorker(made model.Worker) *Undo {
	return &Undo{
		Title: "delete the new worker " + made.Name,
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Workers.Get(made.ID)
			switch {
			case row == nil:
				return "The worker is not on the board any more."
			case row.Stops() > 0:
				return fmt.Sprintf("%s has %s by now.", row.Name, countNoun(row.Stops(), "task"))
			}
			return ""
		},
		Step: Step{
			Object: made.ID, Label: made.Name,
			Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
				if err := c.DeleteWorker(ctx, made.ID); err != nil {
					return Result{}, err
				}
				return Result{Object: made.ID, Summary: "deleted", Change: board.Change{Write: true, Removed: []model.ID{made.ID}}}, nil
			},
			Lookup: lookupDeleted("worker", func(ctx context.Context, c *apiclient.Client) error {
				_, err := c.Worker(ctx, made.ID, apiclient.WorkerQuery{})
				return err
			}),
		},
	}
}
