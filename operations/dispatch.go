package operations

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Names of the fields of a dispatch. They are members of the request, so that a refusal finds its field.
const (
	fieldTeam           = "team"
	fieldMaxTasks       = "maxTasksPerRoute"
	fieldTaskWindow     = "taskTimeWindow"
	fieldScheduleWindow = "scheduleTimeWindow"
	fieldServiceTime    = "serviceTime"
	fieldRouteEnd       = "routeEnd"
	fieldMaxDelay       = "maxAllowedDelay"
	fieldMaxContainer   = "maxContainerSize"
	fieldVehicle        = "vehicleType"
)

// Values of the route end; a hub is given by its id.
const (
	endTeamHub  = "team"
	endWorker   = "worker"
	endAnywhere = "anywhere"
)

// NewDispatch plans a team's waiting tasks onto its workers on duty. Show [PlanPreview] of what [DispatchOf] reads from
// the form before it is sent.
func NewDispatch(s Input) (Operation, error) {
	if s.Board.Teams.Len() == 0 {
		return Operation{}, errors.New("there is no team to dispatch: the board is still loading, or the organization has no teams")
	}
	op := Operation{ID: "route.dispatch", Title: "Auto-dispatch a team", PlansRoutes: true}
	op.Form = form.Form{Title: op.Title, Fields: s.dispatchFields(), Start: form.Values{}}
	if team := s.guessTeam(); team != nil {
		op.Form.Start[fieldTeam] = s.teamText(team)
	}
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		team, request, problems := ParseDispatch(s, values)
		if len(problems) > 0 {
			return Proposal{}, problems
		}
		return s.proposeDispatch(s.Board.Teams.Get(team), request), nil
	}
	op.FieldOf = fieldFinder(&op.Form, nil, dispatchFieldOf)
	return op, nil
}

// guessTeam is the team of the argument, of the selected task or driver, or the only one.
func (s Input) guessTeam() *board.TeamRow {
	if text := strings.TrimSpace(s.Argument); text != "" {
		text, _ = cutTeamPrefix(text)
		team, _ := FindTeam(s.Board, text)
		return team
	}
	if s.Board.Teams.Len() == 1 {
		for team := range s.Board.Teams.All() {
			return team
		}
	}
	for _, id := range s.Tasks {
		task := s.Board.Tasks.Get(id)
		switch {
		case task == nil:
		case task.Team != "":
			return s.Board.Teams.Get(task.Team)
		case task.Worker != "":
			return s.onlyTeamOf(task.Worker)
		}
	}
	for _, id := range s.Workers {
		if team := s.onlyTeamOf(id); team != nil {
			return team
		}
	}
	return nil
}

func (s Input) onlyTeamOf(worker model.ID) *board.TeamRow {
	if w := s.Board.Workers.Get(worker); w != nil && len(w.Teams) == 1 {
		return s.Board.Teams.Get(w.Teams[0])
	}
	return nil
}

func (s Input) dispatchFields() []form.Field {
	defaults := model.DispatchRequest{}.WithDefaults(s.Now)
	const who, limits = "Team", "Limits"
	perRoute := strconv.Itoa(model.DefaultTasksPerRoute)
	return []form.Field{
		{
			Name: fieldTeam, Title: "Team", Page: who, Prompt: promptName, Echo: echoText(s.findTeam, s.waitingAtTeam), Check: checkText(s.findTeam), Object: form.Team,
			Suggest: func(text string, _ form.Values) []form.Option { return s.suggestTeams(text, "") },
		},
		{
			Name: fieldTaskWindow, Title: "Tasks due", Page: who,
			About: "plan tasks due in this span; it ends at most 12h ahead and lasts at most 16h",
			Flag:  form.Flag{Name: "task-window", Usage: "plan tasks due in this span, such as 14:00-18:00; default: from 4 hours ago to 4 hours ahead"},
			Empty: s.formatSpan(defaults.TaskWindow), Check: checkText(s.parseSpan), Echo: s.echoSpan(defaults.TaskWindow),
		},
		{
			Name: fieldScheduleWindow, Title: "Working hours", Page: who, About: "from at most 3h ago to at most 16h ahead, at most 16h long",
			Flag:  form.Flag{Name: "schedule-window", Usage: "when workers are available, such as 14:00-20:00; default: the next 6 hours"},
			Empty: s.formatSpan(defaults.ScheduleWindow), Check: checkText(s.parseSpan), Echo: s.echoSpan(defaults.ScheduleWindow),
		},
		{
			Name: fieldRouteEnd, Title: "Route end", Page: who, Kind: form.Choice, Options: s.routeEnds(), Object: form.Hub,
			Flag: form.Flag{
				Name:  "route-end",
				Usage: "where routes end: team-hub, worker-address, anywhere, or a hub by id or name; default: team-hub",
			},
		},
		{
			Name: fieldMaxTasks, Title: "Tasks per route", About: fmt.Sprintf("maximum, 0 to %d", model.MaxTasksPerRoute),
			Empty: perRoute, Page: limits, Check: checkText(parseInt), Flag: form.Flag{Name: "max-tasks", Usage: "at most this many tasks on a route, up to 200"},
		},
		{
			Name: fieldMaxDelay, Title: "Allowed delay", About: "how late a task may be, in minutes", Page: limits,
			Flag:  form.Flag{Name: "max-delay", Usage: "minutes that a task may be late; default: 10"},
			Empty: model.FormatDuration(model.DefaultAllowedDelay.Duration()), Check: checkText(parseMinutes),
		},
		{
			Name: fieldServiceTime, Title: "Service time", About: "minutes at the stop for tasks without a service time", Page: limits,
			Flag:  form.Flag{Name: "service-time", Usage: "minutes for tasks that have no service time; default: 2"},
			Empty: model.FormatDuration(model.DefaultDispatchServiceTime.Duration()), Check: checkText(parseMinutes),
		},
		{
			Name: fieldMaxContainer, Title: "Maximum current tasks", About: "skip drivers who already have more; not above tasks per route",
			Flag:  form.Flag{Name: "max-container", Usage: "leave out workers who have more tasks than this"},
			Empty: perRoute, Page: limits, Check: checkText(parseInt),
		},
		{
			Name: fieldVehicle, Title: "Vehicle", About: "only drivers with this vehicle", Kind: form.Choice, Page: limits,
			Options: vehicleOptions("any"), Flag: form.Flag{Name: "vehicle", Usage: "only workers with car, motorcycle, bicycle or truck"},
		},
	}
}

// routeEnds are where routes can end, hubs by name.
func (s Input) routeEnds() []form.Option {
	options := []form.Option{
		{Value: endTeamHub, Label: "at the team's hub", Aliases: []string{"team-hub"}},
		{Value: endAnywhere, Label: "anywhere"},
		{Value: endWorker, Label: "at the driver's own address", Aliases: []string{"worker-address"}},
	}
	var hubs []form.Option
	for _, hub := range s.Hubs {
		hubs = append(hubs, form.Option{Value: string(hub.ID), Label: "at hub " + hub.Name, Aliases: []string{hub.Name}})
	}
	if len(s.Hubs) == 0 {
		for hub := range s.Board.Hubs.All() {
			hubs = append(hubs, form.Option{Value: string(hub.ID), Label: "at hub " + hub.Name, Note: hub.Address, Aliases: []string{hub.Name}})
		}
	}
	slices.SortFunc(hubs, func(a, b form.Option) int { return cmp.Compare(a.Label, b.Label) })
	return append(options, hubs...)
}

func (s Input) findTeam(text string) (*board.TeamRow, error) { return FindTeam(s.Board, text) }

func (s Input) waitingAtTeam(team *board.TeamRow) string {
	onDuty, _ := s.teamOnDuty(team)
	return fmt.Sprintf("%s: %s waiting, %d of %s on duty", team.Name, model.FormatCount(len(team.Tasks), "task"), len(onDuty),
		model.FormatCount(len(team.Workers), "driver"))
}

func (s Input) parseSpan(text string) (model.TimeWindow, error) {
	from, to, err := model.ParseWindow(text, s.Now, s.zone())
	return model.TimeWindow{Start: from.Time(), End: to.Time()}, err
}

// echoSpan shows how a span is understood, and the default for an empty text.
func (s Input) echoSpan(defaults model.TimeWindow) func(string, form.Values) string {
	return echoText(func(text string) (model.TimeWindow, error) {
		if strings.TrimSpace(text) == "" {
			return defaults, nil
		}
		return s.parseSpan(text)
	}, s.formatSpan)
}

// parseInt reads a whole number; an empty text is absent.
func parseInt(text string) (model.Opt[model.Int], error) {
	if text = strings.TrimSpace(text); text == "" {
		return model.Opt[model.Int]{}, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return model.Opt[model.Int]{}, fmt.Errorf("%.20q is not a whole number", model.Clean(text))
	}
	return model.Some(model.Int(n)), nil
}

// parseMinutes reads 5, 5m or 1h30; an empty text is absent.
func parseMinutes(text string) (model.Opt[model.Int], error) {
	if text = strings.TrimSpace(text); text == "" {
		return model.Opt[model.Int]{}, nil
	}
	minutes, err := taskimport.ParseMinutes(text)
	if err == nil && minutes != model.Minutes(int32(minutes)) {
		err = fmt.Errorf("%.20q is not a whole number of minutes", model.Clean(text))
	}
	if err != nil {
		return model.Opt[model.Int]{}, err
	}
	return model.Some(model.Int(minutes)), nil
}

// ParseDispatch reads the team and the request from the form of [NewDispatch]. Empty fields keep the service's defaults.
func ParseDispatch(s Input, values form.Values) (model.ID, model.DispatchRequest, form.Problems) {
	problems := form.Problems{}
	var request model.DispatchRequest
	var id model.ID
	team, err := FindTeam(s.Board, values.Get(fieldTeam))
	addError(problems, fieldTeam, err)
	if team != nil {
		id = team.ID
	}
	request.MaxTasksPerRoute, err = parseInt(values.Get(fieldMaxTasks))
	addError(problems, fieldMaxTasks, err)
	request.TaskTimeWindow, err = s.parseSeconds(values.Get(fieldTaskWindow))
	addError(problems, fieldTaskWindow, err)
	request.ScheduleTimeWindow, err = s.parseSeconds(values.Get(fieldScheduleWindow))
	addError(problems, fieldScheduleWindow, err)
	request.ServiceTime, err = parseMinutes(values.Get(fieldServiceTime))
	addError(problems, fieldServiceTime, err)
	request.MaxAllowedDelay, err = parseMinutes(values.Get(fieldMaxDelay))
	addError(problems, fieldMaxDelay, err)
	request.RouteEnd = parseRouteEnd(values.Get(fieldRouteEnd))
	var filters model.WorkerFilters
	filters.MaxContainerSize, err = parseInt(values.Get(fieldMaxContainer))
	addError(problems, fieldMaxContainer, err)
	if vehicle := values.Get(fieldVehicle); vehicle != "" {
		filters.VehicleType = model.Some(model.VehicleType(vehicle))
	}
	if filters.MaxContainerSize.Has() || filters.VehicleType.Has() {
		request.Filters = model.Some(model.DispatchFilters{Workers: model.Some(filters)})
	}
	for _, p := range request.Check(s.Now) {
		problems.Add(dispatchFieldOf(p.Field, values), strings.ReplaceAll(p.Text, fieldMaxTasks, "the tasks per route"))
	}
	return id, request, problems
}

// parseSeconds reads a span of clock times. Only dispatches count in seconds.
func (s Input) parseSeconds(text string) (model.Opt[[]model.UnixSeconds], error) {
	if text == "" {
		return model.Opt[[]model.UnixSeconds]{}, nil
	}
	span, err := s.parseSpan(text)
	if err != nil {
		return model.Opt[[]model.UnixSeconds]{}, err
	}
	return model.Some([]model.UnixSeconds{model.UnixSeconds(span.Start.Unix()), model.UnixSeconds(span.End.Unix())}), nil
}

func parseRouteEnd(value string) model.Opt[string] {
	switch value {
	case "", endTeamHub:
		return model.Opt[string]{}
	case endAnywhere:
		return model.Null[string]()
	case endWorker:
		return model.Some(model.RouteEndWorkerAddress)
	}
	return model.Some(model.RouteEndHubPrefix + value)
}

// dispatchFieldOf maps a member to its field.
func dispatchFieldOf(member string, _ form.Values) string {
	member, _, _ = strings.Cut(member, "[")
	return member[strings.LastIndexByte(member, '.')+1:]
}
