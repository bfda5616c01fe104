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
	return addressForm{page: pageHome, modes: addressModes(whereNone, whereKnown, wherePoint)}
}

// NewWorker is create.worker: creates a driver, who gets a temporary password by SMS.
func NewWorker(s Input) (Operation, error) {
	f := form.Form{Title: "New driver", Fields: workerFields(s), Start: startFromArgument(s, "name")}
	if teams := boardTeams(s.Board); len(teams) == 1 {
		f.Start["teams"] = teams[0].Name
	}
	return request[model.WorkerInput]{
		id: "create.worker", form: f,
		read: func(values form.Values, problems form.Problems) model.WorkerInput {
			return workerInput(s, values, problems)
		},
		check:   func(in model.WorkerInput) model.Problems { return in.Check(draftOptions(s).Check()) },
		fieldOf: workerFieldOf,
		propose: func(in model.WorkerInput, _ form.Values) Proposal {
			phone, _ := model.NormalizePhone(in.Phone.Value(), s.Organization.Country)
			return Proposal{
				Lines: workerLines(s, in, phone), Summary: "create driver " + model.Clean(in.Name.Value()),
				Steps: []Step{workerStep(s, in, phone)},
			}
		},
	}.operation(s)
}

func workerFields(s Input) []form.Field {
	fields := []form.Field{
		{Name: "name", Title: "Name", Page: pageWorker, About: "the full name", Hint: "Ada Okafor"},
		{
			Name: "phone", Title: "Phone", Page: pageWorker, About: "gets a temporary password by SMS", Hint: "415 555 0123",
			Check: checkText(s.parsePhone),
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
			Flag: form.Flag{Usage: "car, motorcycle, bicycle or truck; default: on foot"},
		},
		form.Field{Name: "vehicle_description", Title: "Description", Page: pageVehicle, About: "make, model, year", Show: driven},
		form.Field{Name: "license_plate", Title: "Licence plate", Page: pageVehicle, Show: driven, Flag: form.Flag{Name: "plate"}},
		form.Field{Name: "vehicle_color", Title: "Colour", Page: pageVehicle, Show: driven},
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
func workerFieldOf(member string, values form.Values) string {
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

func workerInput(s Input, values form.Values, problems form.Problems) model.WorkerInput {
	homeAddressForm().checkGiven(values, problems)
	task := readTask(s, values, problems)
	teams, err := ResolveNames(boardTeams(s.Board), values.Get("teams"), "team")
	addError(problems, "teams", err)
	in := model.WorkerInput{
		Name: optionalText(values.Get("name")), Phone: optionalText(values.Get("phone")), Timezone: optionalText(values.Get("timezone")),
		DisplayName: optionalText(values.Get("display_name")), Teams: model.Some(teams), Metadata: task.Metadata,
		Capacity: parseNumber(s, "capacity", values, problems),
	}
	more := model.CapacitiesInput{
		A: parseNumber(s, "capacity_a", values, problems), B: parseNumber(s, "capacity_b", values, problems),
		C: parseNumber(s, "capacity_c", values, problems),
	}
	if more.A.Has() || more.B.Has() || more.C.Has() {
		in.AdditionalCapacities = model.Some(more)
	}
	if kind := values.Get("vehicle"); kind != "" {
		in.Vehicle = model.Some(model.Vehicle{
			Type: model.VehicleType(kind), Description: optionalText(values.Get("vehicle_description")),
			LicensePlate: optionalText(values.Get("license_plate")), Color: optionalText(values.Get("vehicle_color")),
		})
	}
	if task.Destination.Has() {
		in.Addresses = model.Some(model.WorkerAddressesInput{Routing: task.Destination})
	}
	return in
}

func workerLines(s Input, in model.WorkerInput, phone string) []Line {
	names := mapList(in.Teams.Value(), func(id model.ID) string { return teamLabel(s.Board, id) })
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

func workerStep(s Input, in model.WorkerInput, phone string) Step {
	var began sendTime
	return Step{
		Label: "new driver",
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			made, err := c.CreateWorker(ctx, in)
			if err != nil {
				return Result{}, err
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
				return fmt.Sprintf("%s has %s now.", row.Name, model.FormatCount(row.Stops(), "task"))
			}
			return ""
		},
		Step: deletion{
			noun: "driver", step: Step{Object: made.ID, Label: made.Name},
			change: board.Change{IsWrite: true, Removed: []model.ID{made.ID}},
			remove: func(ctx context.Context, c *apiclient.Client) error { return c.DeleteWorker(ctx, made.ID) },
			read: func(ctx context.Context, c *apiclient.Client) error {
				_, err := c.Worker(ctx, made.ID, apiclient.WorkerQuery{})
				return err
			},
		}.newStep(),
	}
}
