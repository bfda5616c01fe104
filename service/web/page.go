package web

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/world"
)

// page is the data of the template; all values are ready to show.
type page struct {
	Path     string
	Assets   string
	Merchant string
	Headline string
	// Mood is the CSS class of the headline: go, late, bad or empty.
	Mood    string
	Detail  string
	ETA     *eta
	Stops   string
	Steps   []step
	Picture *picture
	Facts   []fact
	// Done is set when the page will not change any more.
	Done bool

	AsksFeedback bool
	ShowThanks   bool
	Problem      string
	Ratings      []rating
	Comments     string
	MaxComments  int
}

type eta struct{ Label, Text, Machine, Away string }

type step struct {
	Name          string
	Done, Current bool
}

type fact struct{ Name, Text string }

type rating struct {
	Value    int
	Word     string
	Selected bool
}

// locale says how to write times and distances for an organization's customers.
type locale struct {
	zone  *time.Location
	clock string
	miles bool
}

func localeOf(t world.Tracking) locale {
	l := locale{clock: "15:04"}
	zone, err := time.LoadLocation(t.Timezone)
	if err != nil || t.Timezone == "" {
		zone = time.UTC
	}
	l.zone = zone
	switch t.Country {
	case "US", "CA", "AU", "NZ", "IN", "PH":
		l.clock = "3:04 PM"
	}
	l.miles = t.Country == "US" || t.Country == "GB"
	return l
}

// formatTime writes a time of day with its zone, and the day unless it is today.
func (l locale) formatTime(t, now model.Millis) string {
	moment, today := t.Time().In(l.zone), now.Time().In(l.zone)
	text := moment.Format(l.clock + " MST")
	if moment.Format(time.DateOnly) != today.Format(time.DateOnly) {
		text = moment.Format("Mon 2 Jan, ") + text
	}
	return text
}

func (l locale) formatDistance(meters float64) string {
	switch {
	case l.miles && meters < 160:
		return fmt.Sprintf("%.0f ft", max(10, roundTo(meters/0.3048, 10)))
	case l.miles:
		return fmt.Sprintf("%.1f mi", meters/1609.344)
	case meters < 1000:
		return fmt.Sprintf("%.0f m", max(10, roundTo(meters, 10)))
	}
	return fmt.Sprintf("%.1f km", meters/1000)
}

func roundTo(v, unit float64) float64 { return float64(int(v/unit+0.5)) * unit }

// newPage makes the page of a task.
func newPage(t world.Tracking) page {
	task := t.Task
	l := localeOf(t)
	p := page{
		Path: "/t/" + string(task.ShortID), Assets: assetPath, Merchant: model.Clean(t.Merchant),
		Done: task.State == model.TaskCompleted, MaxComments: world.MaxFeedbackLength,
	}
	p.setHeadline(t)
	p.Steps = stepsOf(task)
	if !p.Done {
		p.ETA = newETA(t, l)
		p.Stops = stopsText(t)
		p.Picture = newPicture(t, l)
	}
	p.Facts = factsOf(t, l)
	p.AsksFeedback = p.Done && len(task.Feedback) == 0
	p.ShowThanks = p.Done && len(task.Feedback) > 0
	for value := world.MinRating; value <= world.MaxRating; value++ {
		p.Ratings = append(p.Ratings, rating{Value: value, Word: ratingWord(value)})
	}
	return p
}

func ratingWord(value int) string {
	return [...]string{"bad", "poor", "fine", "good", "great"}[value-world.MinRating]
}

// setHeadline sets headline, mood and detail from the task's state.
func (p *page) setHeadline(t world.Tracking) {
	task := t.Task
	what, done, noun := "delivery", "Delivered", "Your delivery"
	if task.PickupTask {
		what, done, noun = "pickup", "Picked up", "Your pickup"
	}
	driver := driverName(t)
	switch {
	case task.Succeeded():
		p.Headline, p.Mood = done, "go"
	case task.Failed():
		p.Headline, p.Mood = "The "+what+" failed", "bad"
		p.Detail = "Please contact " + p.Merchant + " to arrange another time."
	case task.State == model.TaskActive && hasArrived(task):
		p.Headline, p.Mood = "Your driver has arrived", "go"
	case task.State == model.TaskActive:
		p.Headline, p.Mood = "On the way to you", "go"
		p.Detail = driver + " is on the way."
	case task.State == model.TaskAssigned:
		p.Headline = noun + " is planned"
		p.Detail = driver + " will come to you."
	default:
		p.Headline = "We have " + model.Uncapitalize(noun)
		p.Detail = "A driver will be assigned soon."
	}
	if delay, late := task.DelayTime.Get(); late && delay >= 60 && !p.Done {
		p.Mood = "late"
		p.Detail = strings.TrimSpace(p.Detail + " We are running about " + formatDuration(delay.Duration()) + " late. Sorry!")
	}
}

// hasArrived reports whether the driver has arrived and not left again.
func hasArrived(task model.Task) bool {
	arrived := false
	for _, e := range task.CompletionDetails.Events {
		switch e.Name {
		case model.EventArrival:
			arrived = true
		case model.EventDeparture:
			arrived = false
		}
	}
	return arrived
}

func driverName(t world.Tracking) string {
	if t.Driver == nil || model.Clean(t.Driver.Name) == "" {
		return "Your driver"
	}
	return model.Clean(t.Driver.Name)
}

func stepsOf(task model.Task) []step {
	names := []string{"Received", "Planned", "On the way", "Delivered"}
	if task.PickupTask {
		names[3] = "Picked up"
	}
	if task.Failed() {
		names[3] = "Ended"
	}
	list := make([]step, len(names))
	for i, name := range names {
		list[i] = step{Name: name, Done: i <= int(task.State), Current: i == int(task.State)}
	}
	return list
}

func newETA(t world.Tracking, l locale) *eta {
	arrival, ok := t.Task.EstimatedArrivalTime.Get()
	if seconds, active := t.Task.ETA.Get(); !ok && active {
		arrival, ok = t.Now.Add(seconds.Duration()), true
	}
	if !ok || hasArrived(t.Task) {
		return nil
	}
	e := &eta{Label: "Expected", Text: l.formatTime(arrival, t.Now), Machine: arrival.Time().UTC().Format(time.RFC3339)}
	if left := arrival.Sub(t.Now); left > 0 && left < 12*time.Hour {
		e.Away = "in " + formatDuration(left)
	}
	return e
}

// formatDuration writes a duration in minutes or hours.
func formatDuration(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	switch {
	case n <= 1:
		return "a minute"
	case n < 90:
		return fmt.Sprintf("%d minutes", n)
	}
	return fmt.Sprintf("%d h %02d min", n/60, n%60)
}

func stopsText(t world.Tracking) string {
	switch {
	case t.Task.State == model.TaskActive:
		return "You are the next stop."
	case t.Task.State != model.TaskAssigned:
		return ""
	case t.StopsBefore == 0:
		return "You are the first stop."
	case t.StopsBefore == 1:
		return "There is 1 stop before yours."
	}
	return fmt.Sprintf("There are %d stops before yours.", t.StopsBefore)
}

func factsOf(t world.Tracking, l locale) []fact {
	var list []fact
	add := func(name, text string) {
		if text = model.Clean(text); strings.TrimSpace(text) != "" {
			list = append(list, fact{name, text})
		}
	}
	if at, ok := t.Task.CompletionDetails.Time.Get(); ok && t.Task.State == model.TaskCompleted {
		add("Time", l.formatTime(at, t.Now))
	}
	add("Window", windowText(t, l))
	add("Address", addressText(t.Destination.Address))
	if t.Driver != nil {
		add("Driver", t.Driver.Name)
		add("Vehicle", vehicleText(t.Driver.Vehicle))
	}
	add("Number", string(t.Task.ShortID))
	return list
}

func windowText(t world.Tracking, l locale) string {
	after, hasAfter := t.Task.CompleteAfter.Get()
	before, hasBefore := t.Task.CompleteBefore.Get()
	switch {
	case hasAfter && hasBefore:
		return l.formatTime(after, t.Now) + " to " + l.formatTime(before, t.Now)
	case hasAfter:
		return "after " + l.formatTime(after, t.Now)
	case hasBefore:
		return "by " + l.formatTime(before, t.Now)
	}
	return ""
}

func addressText(a model.Address) string {
	return model.JoinParts(a.Name.Value(), a.StreetLine(), a.Apartment, a.City)
}

func vehicleText(v model.Opt[model.Vehicle]) string {
	vehicle, ok := v.Get()
	if !ok {
		return ""
	}
	text := strings.TrimSpace(vehicle.Color.Value() + " " + vehicle.Description.Value())
	return model.JoinParts(cmp.Or(text, strings.ToLower(string(vehicle.Type))), vehicle.LicensePlate.Value())
}
