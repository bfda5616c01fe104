package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

func newWorkersCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "workers", Aliases: []string{"worker"}, Short: "Drivers", Long: "Identify a worker by id or name."},
		newWorkersListCommand(a), newWorkersGetCommand(a),
		a.newOperationCommand(&cobra.Command{
			Use: "create", Short: "Create a worker, who gets a password by SMS", Args: cobra.NoArgs,
			Example: "waybill workers create --name 'Dayo Okafor' --phone '(415) 555-0123' --team North --vehicle bicycle --capacity 8",
		}, operationCommand{
			operation: "create.worker", noun: "the worker", fromJSON: true, print: printResponse((*session).printWorker),
		}),
	)
}

func newWorkersListCommand(a *app) *cobra.Command {
	var teams, states, phones []string
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List workers", Args: cobra.NoArgs,
		Example: "waybill workers ls --state idle --team North",
		RunE: listObjects(a, func(ctx context.Context, s *session) ([]model.Worker, error) {
			query := apiclient.WorkersQuery{Phones: phones}
			for _, team := range teams {
				id, err := s.teamID(ctx, team)
				if err != nil {
					return nil, fmt.Errorf("--team: %w", err)
				}
				query.Teams = append(query.Teams, id)
			}
			var err error
			if query.States, err = parseDutyStates(states); err != nil {
				return nil, err
			}
			return s.client.Workers(ctx, query)
		}, "No matching workers.", (*session).workerCells,
			"WORKER", "STATE", "TASKS", "CAPACITY", "DELAY", "SEEN", "BATTERY", "VEHICLE", "PHONE", "ID"),
	}
	cmd.Flags().StringSliceVar(&teams, "team", nil, "only workers of these teams, by id or name")
	cmd.Flags().StringSliceVar(&states, "state", nil, "states: off, idle, active, on (idle and active)")
	cmd.Flags().StringSliceVar(&phones, "phone", nil, "only workers with these phone numbers")
	return cmd
}

// parseDutyStates parses state names.
func parseDutyStates(words []string) ([]model.DutyState, error) {
	known := map[string][]model.DutyState{
		"off": {model.WorkerOffDuty}, "off-duty": {model.WorkerOffDuty}, "idle": {model.WorkerIdle},
		"active": {model.WorkerActive}, "busy": {model.WorkerActive},
		"on": {model.WorkerIdle, model.WorkerActive}, "on-duty": {model.WorkerIdle, model.WorkerActive},
	}
	var states []model.DutyState
	for _, word := range words {
		named, ok := known[strings.ToLower(word)]
		if !ok {
			return nil, usageError{fmt.Errorf("--state: unknown state %.40q; use off, idle, active or on", model.Clean(word))}
		}
		states = append(states, named...)
	}
	return states, nil
}

func dutyStateName(w *model.Worker) string {
	return [...]string{model.WorkerOffDuty: "off duty", model.WorkerIdle: "idle", model.WorkerActive: "active"}[w.DutyState()]
}

func (s *session) workerCells(_ context.Context, w model.Worker) []string {
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

func formatNumber(v float64) string { return string(board.AppendNumber(nil, v)) }

func vehicleName(v model.Opt[model.Vehicle]) string {
	return board.VehicleText(v.Value().Type)
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
			return showRead(ctx, s, worker, err, (*session).printWorker)
		}),
	}
	cmd.Flags().BoolVar(&analytics, "analytics", false, "include the analytics of the last 24 hours")
	cmd.Flags().StringVar(&from, "from", "", "analytics from this time; at most 24 hours")
	cmd.Flags().StringVar(&to, "to", "", "analytics up to this time")
	return cmd
}

func (s *session) printWorker(ctx context.Context, w model.Worker) {
	s.printField("worker", w.Name)
	s.printField("id", string(w.ID))
	s.printField("shown as", w.DisplayName.Value())
	s.printField("phone", w.Phone)
	s.printField("state", dutyStateName(&w))
	s.printField("account", strings.ToLower(w.AccountStatus))
	s.printField("active task", string(w.ActiveTask.Value()))
	s.printField("tasks", fmt.Sprint(len(w.Tasks)))
	s.printField("delay", model.FormatDelay(w.DelayTime))
	s.printTime(ctx, "last seen", w.TimeLastSeen)
	if at, ok := w.Location.Get(); ok {
		s.printField("lat, lon", at.Text())
	}
	s.printField("capacity", formatNumber(w.Capacity))
	vehicle := w.Vehicle.Value()
	parts := []string{vehicleName(w.Vehicle), vehicle.Color.Value(), vehicle.Description.Value(), vehicle.LicensePlate.Value()}
	s.printField("vehicle", strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
	device := w.UserData.Value()
	s.printField("device", strings.TrimSpace(device.DeviceDescription.Value()+" "+device.AppVersion.Value()))
	for _, team := range w.Teams {
		s.printField("team", string(team))
	}
	s.printMetadata(w.Metadata)
	if did, ok := w.Analytics.Get(); ok {
		s.printField("succeeded", fmt.Sprint(did.TaskCounts.Succeeded))
		s.printField("failed", fmt.Sprint(did.TaskCounts.Failed))
		driving := model.FormatDuration(model.Seconds(did.Times.Enroute).Duration())
		s.printField("driving", fmt.Sprintf("%s, %.1f km", driving, did.Distances.Enroute/1000))
		s.printField("idle", model.FormatDuration(model.Seconds(did.Times.Idle).Duration()))
	}
}
