package operations

import (
	"cmp"
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// moveRequest is what a route operation is asked for.
type moveRequest struct {
	rows     []*board.TaskRow
	skipped  []Skipped
	to       route
	position position
	// withPartners moves linked tasks along.
	withPartners bool
	// skipsThere skips tasks that are on the route already instead of moving them to its end.
	skipsThere bool
	// unassigns takes tasks from their drivers.
	unassigns bool
	// asksFirst asks for confirmation.
	asksFirst bool
}

// proposeMove proposes a move as one request.
func (s Input) proposeMove(m moveRequest) (Proposal, form.Problems) {
	rows, skipped := m.rows, slices.Clone(m.skipped)
	if m.skipsThere {
		rows = nil
		for _, row := range m.rows {
			if at, _ := s.routeOf(row); m.to.isSame(at.ref) {
				skipped = append(skipped, Skipped{taskLabel(s.Board, row.ID), "The task is already with " + m.to.name + "."})
				continue
			}
			rows = append(rows, row)
		}
		if len(rows) == 0 {
			return Proposal{}, form.Problems{fieldDriver: model.Capitalize(m.to.name) + " has " + plural(len(m.rows), "it", "all of them") + " already. Choose another driver."}
		}
	}
	b := &taskGroup{input: s, to: m.to, withPartners: m.withPartners, appends: m.position.beforeID == "", unassigns: m.unassigns}
	b.addTasks(rows)
	move := s.newRouteMove(m.to, b.rows)
	m.position = s.positionBeside(m.to, m.position, movedIDs(move.stops))
	move.position, move.bringDependencies = m.position, m.withPartners && b.hasUnknown
	update := model.ContainerUpdate{Tasks: model.ContainerTasks{Index: model.Some[model.Int](model.AppendTasks), IDs: movedIDs(move.stops)}}
	present, _ := s.tasksOn(m.to)
	problems := append(update.Check(m.to.ref.Type), model.CheckContainerSize(len(present)+len(move.stops))...)
	if len(problems) > 0 {
		return Proposal{}, form.Problems{fieldDriver: problems[0].Text}
	}
	proposal := Proposal{Steps: []Step{move.step()}, Skipped: skipped, Summary: s.moveSummary(&move)}
	proposal.Lines = s.moveLines(&move, b)
	if m.asksFirst {
		proposal.Irreversible = s.moveQuestion(&move)
	}
	return proposal, nil
}

// positionBeside moves a position in front of a moving task behind all moving tasks.
func (s Input) positionBeside(to route, d position, moving []model.ID) position {
	if !slices.Contains(moving, d.beforeID) {
		return d
	}
	list, _ := s.stopsOf(to, nil)
	for i := slices.Index(list.stops, d.beforeID) + 1; i > 0 && i < len(list.stops); i++ {
		if !slices.Contains(moving, list.stops[i]) {
			return list.positionBefore(i)
		}
	}
	return position{}
}

func (s Input) moveSummary(m *routeMove) string {
	what := cmp.Or(singleLabel(m.stops), model.FormatCount(len(m.stops), "task"))
	switch {
	case m.to.ref.Type == model.ContainerOrganization:
		return "unassign " + what
	case m.position.beforeID != "":
		return fmt.Sprintf("insert %s on the route of %s", what, m.to.name)
	}
	return fmt.Sprintf("assign %s to %s", what, m.to.name)
}

// moveQuestion asks for confirmation, with names and numbers.
func (s Input) moveQuestion(m *routeMove) string {
	what := cmp.Or(singleLabel(m.stops), model.FormatCount(len(m.stops), "task"))
	var names []string
	for _, group := range groupByOrigin(m.stops) {
		if from := group[0].from; from.isWorker() {
			names = append(names, from.name)
		}
	}
	if m.to.isWorker() {
		return fmt.Sprintf("Move %s from %s to %s?", what, joinNames(names, 3), m.to.name)
	}
	return fmt.Sprintf("Unassign %s from %s?", what, joinNames(names, 3))
}

// maxListedTasks is how many tasks a preview lists.
const maxListedTasks = 12

// moveLines describe a move and its warnings.
func (s Input) moveLines(m *routeMove, b *taskGroup) []Line {
	lines := []Line{plainLine("%s %s %s.", model.FormatCount(len(m.stops), "task"), plural(len(m.stops), "goes to", "go to"), s.destinationText(m))}
	lines = append(lines, b.taskLines(func(i int) string {
		if from := m.stops[i].from; from.ref.Type != model.ContainerOrganization {
			return "; now with " + from.name
		}
		return "; now unassigned"
	})...)
	if m.bringDependencies {
		lines = append(lines, plainLine("Dependencies that are not on the board move too."))
	}
	lines = append(lines, s.arrivalLine(m, b)...)
	return append(lines, s.driverWarnings(m.to, b.rows)...)
}

// arrivalLine says when the driver would arrive. It is only known for one task at the end of the route.
func (s Input) arrivalLine(m *routeMove, b *taskGroup) []Line {
	w := s.Board.Workers.Get(m.to.ref.Owner())
	var chosen []*board.TaskRow
	for _, row := range b.rows {
		if !slices.Contains(b.added, row) {
			chosen = append(chosen, row)
		}
	}
	if w == nil || !w.OnDuty || len(chosen) != 1 || m.position.beforeID != "" {
		return nil
	}
	a := s.Board.ArrivalOf(w, chosen[0])
	text := w.Name + ": " + a.ArrivalText(s.zone())
	if a.Meters >= 0 {
		text += ", " + a.DistanceText()
	}
	return append([]Line{{Text: text + ".", Warning: a.Late > 0}}, s.currentArrivalLine(chosen[0], a)...)
}

// currentArrivalLine compares the arrival with that of the present driver, and warns when it gets worse.
func (s Input) currentArrivalLine(task *board.TaskRow, a board.Arrival) []Line {
	now, held := s.Board.CurrentArrival(task)
	gain, known := a.GainOver(now)
	if !held || !known {
		return nil
	}
	text := fmt.Sprintf("%s has it now: %s. This is %s.", task.WorkerName, now.ArrivalText(s.zone()), board.GainText(gain))
	return []Line{{Text: text, Warning: gain < 0 && a.Late > now.Late}}
}

func (s Input) destinationText(m *routeMove) string {
	switch {
	case m.position.beforeID != "":
		return fmt.Sprintf("the route of %s, in front of %s", m.to.name, m.position.beforeLabel)
	case !m.to.isWorker():
		return m.to.endText()
	}
	if w := s.Board.Workers.Get(m.to.ref.Owner()); w != nil && w.Stops() > 0 {
		return m.to.endText() + ", behind " + model.FormatCount(w.Stops(), "stop")
	}
	return m.to.endText()
}

// ownershipText says how many of the tasks belong to a team; the team's name follows.
func ownershipText(n, all int) string {
	switch {
	case all == 1:
		return "The task belongs"
	case n == all:
		return "The tasks belong"
	}
	return fmt.Sprintf("%d of the %d tasks %s", n, all, plural(n, "belongs", "belong"))
}

// driverWarnings warn about a driver: off duty, silent, late, over capacity, in another team.
func (s Input) driverWarnings(to route, rows []*board.TaskRow) []Line {
	w := s.Board.Workers.Get(to.ref.Owner())
	if w == nil {
		return nil
	}
	var lines []Line
	add := func(format string, args ...any) {
		lines = append(lines, Line{Text: fmt.Sprintf(format, args...), Warning: true})
	}
	switch {
	case !w.OnDuty:
		add("%s is off duty.", w.Name)
	case w.State == board.WorkerIsSilent:
		add("%s has not reported for %s.", w.Name, model.FormatDuration(s.Now.Sub(w.LastSeen)))
	}
	if w.Delay > 0 {
		add("%s is %s late.", w.Name, model.FormatDuration(w.Delay))
	}
	load := s.Board.LoadOf(w)
	var more float64
	var strange []string
	others := 0
	for _, row := range rows {
		if row.Worker != w.ID {
			more += row.Quantity
		}
		if row.Team == "" || slices.Contains(w.Teams, row.Team) {
			continue
		}
		others++
		if !slices.Contains(strange, row.TeamName) {
			strange = append(strange, row.TeamName)
		}
	}
	if load.Capacity > 0 && load.Quantity+more > load.Capacity {
		add("%s would carry %g but has a capacity of %g.", w.Name, load.Quantity+more, load.Capacity)
	}
	if len(strange) > 0 {
		add("%s to %s %s; %s is %s.", ownershipText(others, len(rows)), plural(len(strange), "team", "teams"), joinNames(strange, 3),
			w.Name, plural(len(strange), "not in it", "in none of them"))
	}
	return lines
}
