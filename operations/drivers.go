package operations

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// CandidateLine is a driver who could take a task, as texts for a list.
type CandidateLine struct {
	Worker     model.ID
	Name       string
	Arrival    string // "there 14:20, in time", "there 14:20, 35m late", "there ~14:20" without a window
	Gain       string // against whoever has it now: "20m better", "5m worse"; empty when nobody has it
	IsAssigned bool   // the driver has the task now
	Distance   string // "1.2 km from the last stop"; empty when a position is unknown
	Load       string // "idle", "3 stops"
	Delay      string // "8m late"; empty when not late
	Vehicle    string
	Capacity   string // "2 of 12"; empty without a limit
	Fits       bool   // the driver has enough capacity
	Reasons    []string
	// Value is the driver in the form of [NewAssign].
	Value string
}

// Candidates ranks the drivers on duty for the selected task, best first, including the one who has it. It sends no
// request. The chosen one's Value is the argument of [NewAssign].
func Candidates(s Input, limit int) []CandidateLine {
	if len(s.Tasks) != 1 {
		return nil
	}
	task := s.Board.Tasks.Get(s.Tasks[0])
	if task == nil {
		return nil
	}
	found := s.Board.Candidates(task, limit)
	lines := make([]CandidateLine, len(found))
	for i := range found {
		lines[i] = s.candidateLine(&found[i])
	}
	return lines
}

func (s Input) candidateLine(c *board.Candidate) CandidateLine {
	w := c.Worker
	line := CandidateLine{
		Worker: w.ID, Name: w.Name, Arrival: c.Arrival.ArrivalText(s.zone()), Gain: c.GainText(), IsAssigned: c.HasTask, Load: loadText(w), Fits: c.Fits,
		Reasons: c.Reasons, Vehicle: "on foot", Value: s.workerText(w),
	}
	if c.Arrival.Meters >= 0 {
		line.Distance = c.Arrival.DistanceText()
	}
	if w.Delay > 0 {
		line.Delay = model.FormatDuration(w.Delay) + " late"
	}
	if w.Vehicle != "" {
		line.Vehicle = strings.ToLower(string(w.Vehicle))
	}
	if c.Load.Capacity > 0 {
		line.Capacity = fmt.Sprintf("%g of %g", c.Load.Quantity, c.Load.Capacity)
	}
	return line
}

func loadText(w *board.WorkerRow) string {
	switch n := w.Stops(); {
	case !w.OnDuty && n == 0:
		return "off duty"
	case !w.OnDuty:
		return "off duty, " + countNoun(n, "stop")
	case n == 0:
		return "idle"
	default:
		return countNoun(n, "stop")
	}
}

func metersText(meters float64) string {
	if meters < 1000 {
		return fmt.Sprintf("%.0f m", meters)
	}
	return fmt.Sprintf("%.1f km", meters/1000)
}

// maxRanked is how many drivers a picker ranks; people find the others by typing.
const maxRanked = 50

// suggestDrivers suggests drivers and, if wanted, teams. For one task drivers are ranked as candidates, for several by
// load and distance. The board of a form does not change, so the ranking is made once.
func (s Input) suggestDrivers(tasks []*board.TaskRow, teams bool, leaveOut ...model.ID) func(string, form.Values) []form.Option {
	var ranked []form.Option
	var names []string
	all := boardWorkers(s.Board)
	add := func(w *board.WorkerRow, note string) {
		if !slices.Contains(leaveOut, w.ID) {
			ranked = append(ranked, form.Option{Value: uniqueText(all, Named{ID: w.ID, Name: w.Name}), Label: w.Name, Note: note})
			names = append(names, strings.ToLower(w.Name))
		}
	}
	shown := map[model.ID]bool{}
	if len(tasks) == 1 {
		for _, c := range s.Board.Candidates(tasks[0], maxRanked) {
			shown[c.Worker.ID] = true
			note := []string{c.Arrival.ArrivalText(s.zone()), c.GainText(), c.ReasonText()}
			add(c.Worker, strings.Join(slices.DeleteFunc(note, func(text string) bool { return text == "" }), ", "))
		}
	}
	for _, w := range s.rankByLoad(tasks) {
		if !shown[w.worker.ID] {
			add(w.worker, w.note())
		}
	}
	return func(text string, _ form.Values) []form.Option {
		wanted := strings.ToLower(strings.TrimSpace(text))
		var options []form.Option
		for i, name := range names {
			if strings.Contains(name, wanted) {
				options = append(options, ranked[i])
			}
		}
		if teams {
			options = append(options, s.suggestTeams(text, teamPrefix)...)
		}
		return options
	}
}

type loadedWorker struct {
	worker *board.WorkerRow
	meters float64 // to the center of the tasks; infinite when unknown
}

func (l loadedWorker) note() string {
	note := loadText(l.worker)
	if !math.IsInf(l.meters, 0) {
		note += ", " + metersText(l.meters) + " away"
	}
	if l.worker.Delay > 0 {
		note += ", runs " + model.FormatDuration(l.worker.Delay) + " late"
	}
	return note
}

// rankByLoad lists all drivers: those on duty first, then by stops and distance.
func (s Input) rankByLoad(tasks []*board.TaskRow) []loadedWorker {
	middle, known := centerOf(tasks)
	var list []loadedWorker
	for w := range s.Board.Workers.All() {
		one := loadedWorker{w, math.Inf(1)}
		if known && w.HasLocation {
			one.meters = w.Location.MetersTo(middle)
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b loadedWorker) int {
		return cmp.Or(
			-cmp.Compare(dutyRank(a.worker), dutyRank(b.worker)),
			cmp.Compare(a.worker.Stops(), b.worker.Stops()),
			cmp.Compare(a.meters, b.meters),
			cmp.Compare(a.worker.Name, b.worker.Name),
		)
	})
	return list
}

func dutyRank(w *board.WorkerRow) int {
	switch {
	case !w.OnDuty:
		return 0
	case w.State == board.WorkerIsSilent:
		return 1
	}
	return 2
}

func centerOf(tasks []*board.TaskRow) (middle model.Location, known bool) {
	n := 0.0
	for _, t := range tasks {
		if t.HasLocation {
			middle.Lon += t.Location.Lon
			middle.Lat += t.Location.Lat
			n++
		}
	}
	if n == 0 {
		return middle, false
	}
	return model.Location{Lon: middle.Lon / n, Lat: middle.Lat / n}, true
}

// echoRoute shows which driver or team a text means.
func (s Input) echoRoute(text string, _ form.Values) string {
	place, err := s.resolveRoute(text)
	if err != nil {
		return ""
	}
	return s.describeRoute(place)
}

// describeRoute is a route with its owner's teams and load: "Ada Okafor, North, 3 stops".
func (s Input) describeRoute(p route) string {
	if w := s.Board.Workers.Get(p.ref.Owner()); w != nil {
		words := []string{w.Name}
		if w.TeamNames != "" {
			words = append(words, w.TeamNames)
		}
		return strings.Join(append(words, loadText(w)), ", ")
	}
	if t := s.Board.Teams.Get(p.ref.Owner()); t != nil {
		return p.name + ", " + countNoun(len(t.Tasks), "task") + " waiting"
	}
	return p.name
}
