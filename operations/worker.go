package operations

import (
	"context"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Pages of the form for a new driver.
const (
	pageWorker  = "Driver"
	pageVehicle = "Vehicle"
	pageHome    = "Route end"
)

func homeAddressForm() addressForm {
	return addressForm{page: pageHome, modes: []form.Option{{Value: whereNone, Label: "none"}, knownMode(), pointMode()}}
}

// NewWorker is create.worker: creates a driver, who gets a temporary password by SMS.
func NewWorker(s Input) (Operation, error) {
	teams := boardTeams(s.Board)
	f := form.Form{Title: "New driver", Fields: workerFields(s), Start: startFromArgument(s, "name")}
	if len(teams) == 1 {
		f.Start["teams"] = teams[0].Name
	}
	check := func(in model.WorkerInput) model.Problems { return in.Check(draftOptions(s).Check()) }
	propose := func(values form.Values, in model.WorkerInput) Proposal {
		phone, _ := model.NormalizePhone(in.Phone.Value(), s.Organization.Country)
		return Proposal{
			Lines: workerLines(s, in, phone), Summary: "create driver " + model.Clean(in.Name.Value()),
			Steps: []Step{workerStep(s, &f, values, in, phone)},
		}
	}
	if s.Body != nil {
		return newBodyOperation(s, "create.worker", f.Title, check, func(in model.WorkerInput) Proposal { return propose(nil, in) })
	}
	return Operation{
		ID: "create.worker", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, workerFieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
			in, problems := workerInput(s, teams, values)
			if len(problems) == 0 {
				addRules(problems, &f, values, check(in), workerFieldOf(values))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return propose(values, in), nil
		},
	}, nil
}

func workerFields(s Input) []form.Field {
	phone := func(value string) error {
		_, problems := model.NormalizePhone(value, s.Organization.Country)
		return problems.Err()
	}
	fields := []form.Field{
		{Name: "name", Title: "Name", Page: pageWorker, About: "the full name", Hint: "Ada Okafor"},
		{
			Name: "phone", Title: "Phone", Page: pageWorker, About: "gets a temporary password by SMS", Hint: "415 555 0123",
			Check: unlessEmpty(phone),
		},
		namesField(boardTeams(s.Board), "team", form.Field{
			Name: "teams", Title: "Teams", Page: pageWorker, About: "one or more, separated by commas", Prompt: promptName, Object: form.Team,
			Flag: form.Flag{Name: "team", Usage: "the teams, by id or name"},
		}),
		{Name: "display_name", Title: "Display name", Page: pageWorker, About: "replaces the name in SMS and on tracking pages"},
		hiddenField(form.Field{
			Name: "timezone", Title: "Time zone", Page: pageWorker,
			Flag: form.Flag{Name: "worker-zone", Usage: "the worker's time zone, such as Europe/Berlin"},
		}),
		metadataField(pageWorker, metadataFormat),
	}
	driven := func(v form.Values) bool { return v.Get("vehicle") != "" }
	fields = append(fields,
		form.Field{
			Name: "vehicle", Title: "Vehicle", Page: pageVehicle, Kind: form.Choice, Options: vehicleOptions("on foot"),
			Flag: form.Flag{Usage: "car, motorcycle, bicycle or truck; on foot without it"},
		},
		form.Field{Name: "vehicle_description", Title: "Description", Page: pageVehicle, About: "make, model, year", Show: driven},
		form.Field{Name: "license_plate", Title: "License plate", Page: pageVehicle, Show: driven, Flag: form.Flag{Name: "plate"}},
		form.Field{Name: "vehicle_color", Title: "Color", Page: pageVehicle, Show: driven},
	)
	for _, f := range []struct{ name, title string }{
		{"capacity", "Capacity"}, {"capacity_a", "Capacity A"}, {"capacity_b", "Capacity B"}, {"capacity_c", "Capacity C"},
	} {
		check := taskField(s, strings.Replace(f.name, "capacity", "quantity", 1), "", "").Check
		fields = append(fields, form.Field{Name: f.name, Title: f.title, Page: pageVehicle, About: "how many units fit", Check: check})
	}
	home := homeAddressForm().fields(s)
	for i := range home {
		if home[i].Name == "destination" {
			home[i].Flag.Name, home[i].Flag.Usage = "routing-address", "where routes may end: the id of a destination"
		} else {
			home[i].Flag.None = true
		}
	}
	return append(fields, home...)
}

// vehicleOptions are the vehicles, behind an option for none.
func vehicleOptions(none string) []form.Option {
	options := []form.Option{{Label: none}}
	for _, v := range []model.VehicleType{model.VehicleCar, model.VehicleMotorcycle, model.VehicleBicycle, model.VehicleTruck} {
		options = append(options, form.Option{Value: string(v), Label: strings.ToLower(string(v))})
	}
	return options
}

// workerFieldOf maps members of a worker to fields.
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

func workerInput(s Input, teams []Named, values form.Values) (model.WorkerInput, form.Problems) {
	problems := form.Problems{}
	in := model.WorkerInput{
		Name: optionalText(values.Get("name")), Phone: optionalText(values.Get("phone")),
		DisplayName: optionalText(values.Get("display_name")),
	}
	in.Timezone = optionalText(values.Get("timezone"))
	ids, err := ResolveNames(teams, values.Get("teams"), "team")
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
	draft := newDraft(s)
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

// fillCapacities reads capacities like quantities.
func fillCapacities(s Input, in *model.WorkerInput, values form.Values, problems form.Problems) {
	draft := newDraft(s)
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
		warnLine("%s gets a temporary password by SMS.", phone),
	}
	if home, ok := in.Addresses.Value().Routing.Get(); ok {
		lines = append(lines, plainLine("Routes may end at %s.", placeText(s, home)))
	}
	return lines
}

func workerStep(s Input, f *form.Form, values form.Values, in model.WorkerInput, phone string) Step {
	var began sendTime
	return Step{
		Label: "new driver",
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			made, err := c.CreateWorker(ctx, in)
			if err != nil {
				return Result{}, errorOnShownField(err, f, values, workerFieldOf(values))
			}
			return Result{
				Object: made.ID, Summary: "created " + made.Name, Response: made, Undo: undoWorker(made),
				Change: board.Change{IsWrite: true, Workers: []model.Worker{made}},
			}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			workers, err := c.Workers(ctx, apiclient.WorkersQuery{Phones: []string{phone}})
			if err != nil {
				return LookupResult{}, err
			}
			for i := range workers {
				if workers[i].Phone == phone && !s.Board.Workers.Has(workers[i].ID) {
					return LookupResult{Happened: true, Certain: true, Summary: workers[i].Name + " was created"}, nil
				}
			}
			return began.notFoundResult("no new driver has the number"), nil
		},
	}
}

func undoWorker(made model.Worker) *Undo {
	return &Undo{
		Title: "delete the new driver " + made.Name,
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Workers.Get(made.ID)
			switch {
			case row == nil:
				return "The driver is no longer on the board."
			case row.Stops() > 0:
				return fmt.Sprintf("%s has %s now.", row.Name, countNoun(row.Stops(), "task"))
			}
			return ""
		},
		Step: Step{
			Object: made.ID, Label: made.Name,
			Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
				if err := c.DeleteWorker(ctx, made.ID); err != nil {
					return Result{}, err
				}
				return Result{Object: made.ID, Summary: "deleted", Change: board.Change{IsWrite: true, Removed: []model.ID{made.ID}}}, nil
			},
			Lookup: lookupDeleted("driver", func(ctx context.Context, c *apiclient.Client) error {
				_, err := c.Worker(ctx, made.ID, apiclient.WorkerQuery{})
				return err
			}),
		},
	}
}
