package operations

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

func loadText(w *board.WorkerRow) string {
	switch n := w.Stops(); {
	case !w.OnDuty && n == 0:
		return "off duty"
	case !w.OnDuty:
		return "off duty, " + model.FormatCount(n, "stop")
	case n == 0:
		return "idle"
	default:
		return model.FormatCount(n, "stop")
	}
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
	meters float64 // to the centre of the tasks; infinite when unknown
}

func (l loadedWorker) note() string {
	note := loadText(l.worker)
	if way := (board.Arrival{Meters: l.meters}); !math.IsInf(l.meters, 0) {
		note += ", " + way.DistanceText()
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
func (s Input) echoRoute() func(string, form.Values) string {
	return echoText(s.resolveRoute, s.describeRoute)
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
		return p.name + ", " + model.FormatCount(len(t.Tasks), "task") + " waiting"
	}
	return p.name
}
