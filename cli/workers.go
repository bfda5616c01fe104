package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/apiclient"
	"waybill/model"
)

func newWorkersCommand(a *app) *cobra.Command {
	workers := &cobra.Command{Use: "workers", Aliases: []string{"worker"}, Short: "Drivers", Long: "A worker is given by id or name."}
	workers.AddCommand(newWorkersListCommand(a), newWorkersGetCommand(a), newWorkersCreateCommand(a))
	return workers
}

func newWorkersListCommand(a *app) *cobra.Command {
	var teams, states, phones []string
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List workers", Args: cobra.NoArgs,
		Example: "waybill workers ls --state idle --team North",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			query := apiclient.WorkersQuery{Phones: phones}
			var err error
			if query.Teams, err = resolveAll(ctx, teams, s.teamID); err != nil {
				return flagError("team", err)
			}
			if query.States, err = parseDutyStates(states); err != nil {
				return err
			}
			workers, err := s.client.Workers(ctx, query)
			if err != nil {
				return err
			}
			return printList(a, workers, "No matching workers.", s.workerCells, "WORKER", "STATE", "TASKS", "CAPACITY", "DELAY", "SEEN", "BATTERY", "VEHICLE", "PHONE", "ID")
		}),
	}
	cmd.Flags().StringSliceVar(&teams, "team", nil, "only workers of these teams, by id or name")
	cmd.Flags().StringSliceVar(&states, "state", nil, "states: off, idle, active, on (idle and active)")
	cmd.Flags().StringSliceVar(&phones, "phone", nil, "only workers with these phone numbers")
	return cmd
}

func parseDutyStates(words []string) ([]model.DutyState, error) {
	var states []model.DutyState
	for _, word := range words {
		switch strings.ToLower(word) {
		case "off", "off-duty":
			states = append(states, model.WorkerOffDuty)
		case "idle":
			states = append(states, model.WorkerIdle)
		case "active", "busy":
			states = append(states, model.WorkerActive)
		case "on", "on-duty":
			states = append(states, model.WorkerIdle, model.WorkerActive)
		default:
			return nil, usageError{fmt.Errorf("--state: unknown state %.40q; use off, idle, active or on", model.Clean(word))}
		}
	}
	return states, nil
}

func dutyStateName(w *model.Worker) string {
	switch w.DutyState() {
	case model.WorkerIdle:
		return "idle"
	case model.WorkerActive:
		return "active"
	}
	return "off duty"
}

func (s *session) workerCells(w model.Worker) []string {
	seen := "-"
	if at, ok := w.TimeLastSeen.Get(); ok {
		seen = model.FormatRelative(at, s.nowMillis())
	}
	battery := "-"
	if level, ok := w.UserData.Value().BatteryLevel.Get(); ok {
		battery = fmt.Sprintf("%.0f%%", level*100)
	}
	return []string{
		w.Name, dutyStateName(&w), strconv.Itoa(len(w.Tasks)), formatNumber(w.Capacity), model.FormatDelay(w.DelayTime), seen, battery,
		vehicleName(w.Vehicle), w.Phone, string(w.ID),
	}
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func vehicleName(v model.Opt[model.Vehicle]) string {
	vehicle, ok := v.Get()
	if !ok {
		return "on foot"
	}
	return strings.ToLower(string(vehicle.Type))
}

func newWorkersGetCommand(a *app) *cobra.Command {
	var analytics bool
	var from, to string
	cmd := &cobra.Command{
		Use: "get WORKER", Short: "Show a worker in full", Args: cobra.ExactArgs(1),
		Example: "waybill workers get 'D. Okafor'\nwaybill workers get 'D. Okafor' --analytics --from 'today 6:00'",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			query := apiclient.WorkerQuery{Analytics: analytics || from != "" || to != ""}
			if query.Analytics {
				query.From, query.To = s.nowMillis().Add(-model.MaxAnalyticsSpan), s.nowMillis()
			}
			var err error
			if from != "" {
				query.From, err = s.parsePastTime(ctx, "from", from)
			}
			if to != "" && err == nil {
				query.To, err = s.parsePastTime(ctx, "to", to)
			}
			if err != nil {
				return err
			}
			if query.Analytics {
				if err := checkProblems("the time range", model.CheckAnalytics(query.From, query.To)); err != nil {
					return err
				}
			}
			id, err := s.workerID(ctx, args[0])
			if err != nil {
				return err
			}
			worker, err := s.client.Worker(ctx, id, query)
			if err != nil {
				return err
			}
			return a.printResult(worker, func() { s.printWorker(ctx, &worker) })
		}),
	}
	cmd.Flags().BoolVar(&analytics, "analytics", false, "include the analytics of the last 24 hours")
	cmd.Flags().StringVar(&from, "from", "", "analytics from this time; at most 24 hours")
	cmd.Flags().StringVar(&to, "to", "", "analytics up to this time")
	return cmd
}

func (s *session) printWorker(ctx context.Context, w *model.Worker) {
	s.printField("worker", w.Name)
	s.printField("id", string(w.ID))
	s.printField("shown as", w.DisplayName.Value())
	s.printField("phone", w.Phone)
	s.printField("state", dutyStateName(w))
	s.printField("account", strings.ToLower(w.AccountStatus))
	s.printField("active task", string(w.ActiveTask.Value()))
	s.printField("tasks", fmt.Sprint(len(w.Tasks)))
	s.printField("delay", model.FormatDelay(w.DelayTime))
	s.printTime(ctx, "last seen", w.TimeLastSeen)
	if at, ok := w.Location.Get(); ok {
		s.printField("location", formatLocation(at))
	}
	s.printField("capacity", formatNumber(w.Capacity))
	vehicle := w.Vehicle.Value()
	s.printField("vehicle", strings.Join(strings.Fields(vehicleName(w.Vehicle)+" "+vehicle.Color.Value()+" "+vehicle.Description.Value()+" "+vehicle.LicensePlate.Value()), " "))
	device := w.UserData.Value()
	s.printField("device", strings.TrimSpace(device.DeviceDescription.Value()+" "+device.AppVersion.Value()))
	for _, team := range w.Teams {
		s.printField("team", string(team))
	}
	for _, m := range w.Metadata {
		s.printField("metadata", m.Name+": "+formatRawValue(m.Value))
	}
	if did, ok := w.Analytics.Get(); ok {
		s.printField("succeeded", fmt.Sprint(did.TaskCounts.Succeeded))
		s.printField("failed", fmt.Sprint(did.TaskCounts.Failed))
		s.printField("driving", fmt.Sprintf("%s, %.1f km", model.FormatDuration(model.Seconds(did.Times.Enroute).Duration()), did.Distances.Enroute/1000))
		s.printField("idle", model.FormatDuration(model.Seconds(did.Times.Idle).Duration()))
	}
}

// workerFlags are the flags of a new worker.
type workerFlags struct {
	name, phone, display         string
	teams                        []string
	vehicle, color, plate, about string
	capacity                     float64
	capacities                   [3]float64
	routing                      string
	metadata                     []string
	timezone                     string
}

func (f *workerFlags) add(set *pflag.FlagSet) {
	set.StringVar(&f.name, "name", "", "the full name")
	set.StringVar(&f.phone, "phone", "", "the phone number; it gets a password by SMS")
	set.StringSliceVar(&f.teams, "team", nil, "the teams, by id or name")
	set.StringVar(&f.display, "display-name", "", "the name that recipients see")
	set.StringVar(&f.vehicle, "vehicle", "", "car, motorcycle, bicycle or truck; on foot without it")
	set.StringVar(&f.about, "vehicle-description", "", "make, model, year")
	set.StringVar(&f.plate, "plate", "", "the licence plate")
	set.StringVar(&f.color, "vehicle-color", "", "the vehicle's colour")
	set.Float64Var(&f.capacity, "capacity", 0, "how many units they can carry")
	for i, letter := range []string{"a", "b", "c"} {
		set.Float64Var(&f.capacities[i], "capacity-"+letter, 0, "what they can carry in the further dimension "+strings.ToUpper(letter))
	}
	set.StringVar(&f.routing, "routing-address", "", "where routes may end: the id of a destination")
	set.StringVar(&f.timezone, "worker-zone", "", "the worker's time zone, such as Europe/Berlin")
	set.StringArrayVar(&f.metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; may be given several times")
}

func newWorkersCreateCommand(a *app) *cobra.Command {
	var f workerFlags
	var fromJSON string
	cmd := &cobra.Command{
		Use: "create", Short: "Create a worker, who gets a password by SMS", Args: cobra.NoArgs,
		Example: "waybill workers create --name 'Dayo Okafor' --phone '(415) 555-0123' --team North --vehicle bicycle --capacity 8",
	}
	f.add(cmd.Flags())
	addFromJSON(cmd, &fromJSON, "worker")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, _ []string) error {
		var in model.WorkerInput
		var err error
		if fromJSON != "" {
			err = s.readJSON(fromJSON, &in)
		} else {
			in, err = s.workerInput(ctx, cmd.Flags(), f)
		}
		if err != nil {
			return err
		}
		if err := checkProblems("the worker", in.Check(s.checkContext(ctx, in.Phone.Value()))); err != nil {
			return err
		}
		worker, err := s.client.CreateWorker(ctx, in)
		if err != nil {
			return err
		}
		return a.printResult(worker, func() { s.printWorker(ctx, &worker) })
	})
	return cmd
}

func (s *session) workerInput(ctx context.Context, set *pflag.FlagSet, f workerFlags) (model.WorkerInput, error) {
	in := model.WorkerInput{
		Name: optionalText(f.name), Phone: optionalText(f.phone), DisplayName: optionalText(f.display), Timezone: optionalText(f.timezone),
	}
	if f.vehicle != "" || f.about+f.plate+f.color != "" {
		in.Vehicle = model.Some(model.Vehicle{
			Type: model.VehicleType(strings.ToUpper(f.vehicle)), Description: optionalText(f.about), LicensePlate: optionalText(f.plate), Color: optionalText(f.color),
		})
	}
	if set.Changed("capacity") {
		in.Capacity = model.Some(f.capacity)
	}
	var more model.CapacitiesInput
	for i, to := range []*model.Opt[float64]{&more.A, &more.B, &more.C} {
		if set.Changed("capacity-" + string(rune('a'+i))) {
			*to = model.Some(f.capacities[i])
			in.AdditionalCapacities = model.Some(more)
		}
	}
	if f.routing != "" {
		in.Addresses = model.Some(model.WorkerAddressesInput{
			Routing: model.Some(model.ByID[model.DestinationInput](model.ID(f.routing))),
		})
	}
	if len(f.metadata) > 0 {
		entries, err := parseMetadata(f.metadata)
		if err != nil {
			return in, err
		}
		in.Metadata = model.Some(entries)
	}
	if len(f.teams) > 0 {
		teams, err := resolveAll(ctx, f.teams, s.teamID)
		if err != nil {
			return in, flagError("team", err)
		}
		in.Teams = model.Some(teams)
	}
	return in, nil
}

// optionalText is present when there is a text.
func optionalText(text string) model.Opt[string] {
	if text == "" {
		return model.Opt[string]{}
	}
	return model.Some(text)
}
