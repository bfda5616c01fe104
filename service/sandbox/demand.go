package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"waybill/model"
	"waybill/service/geo/city"
)

// How many tasks are created. 60 % of the tasks at the start of the live day are there in the morning, the rest arrive
// during the history. After that about as many arrive as drivers complete.
const (
	morningShare       = 0.6
	tasksPerDriverHour = 2.5 // on duty or not
	// openShare is the part of the tasks that is open at a normal load.
	openShare = 0.5
)

// orderPercent is how many percent of the requests are orders: every eighth, but not more orders than a user can review.
func (s *Sandbox) orderPercent() float64 {
	const usual, maxOrders = 12.5, 600
	return min(usual, 100*float64(maxOrders)/float64(s.options.Tasks))
}

// requestCount returns how many requests create a number of tasks; an order creates two.
func (s *Sandbox) requestCount(tasks float64) float64 { return tasks / (1 + s.orderPercent()/100) }

// morningRequests is how many requests there are in the morning.
func (s *Sandbox) morningRequests() int {
	return int(s.requestCount(float64(s.options.Tasks) * morningShare))
}

// requestsPerHour is how many requests arrive per hour.
func (s *Sandbox) requestsPerHour(now model.Millis) float64 {
	if now <= s.state.LiveFrom {
		return s.requestCount(float64(s.options.Tasks) * (1 - morningShare) / s.history().Hours())
	}
	// With too many open tasks fewer requests arrive, with too few more.
	fullness := float64(s.state.Open) / (float64(s.options.Tasks) * openShare)
	return float64(s.options.Workers) * tasksPerDriverHour * activityLevel(now.Sub(s.state.LiveFrom)) * max(0.2, min(2, 2-fullness))
}

// activityLevel is how busy the city is: fully by day, less in the evening, hardly at night. The day starts when the
// sandbox goes live, not with the sun.
func activityLevel(since time.Duration) float64 {
	switch hour := int((since + 24*time.Hour).Hours()) % 24; {
	case hour < 5 || hour >= 21:
		return 1
	case hour < 8:
		return 0.4
	default:
		return 0.1
	}
}

// createRequests creates the tasks and orders of a tick.
func (s *Sandbox) createRequests(ctx context.Context, now model.Millis, tick time.Duration) error {
	rng := s.newRand("send", int64(now))
	var tasks []model.TaskInput
	for range randomCount(rng, s.requestsPerHour(now)*tick.Hours()) {
		var err error
		if tasks, err = s.createRequest(ctx, rng, tasks, now, 0); err != nil {
			return err
		}
	}
	return s.createTasks(ctx, tasks)
}

// createChunk is how many tasks are created together. Larger chunks need fewer statements, but SQLite goes through a
// growing undo log after each of them.
const createChunk = 40

func (s *Sandbox) createTasks(ctx context.Context, tasks []model.TaskInput) error {
	for chunk := range slices.Chunk(tasks, createChunk) {
		if err := s.world.CreateTasks(ctx, s.dispatcher(), chunk); err != nil {
			return err
		}
	}
	return nil
}

// createRequest creates an order, or appends a task to those that are created together.
func (s *Sandbox) createRequest(
	ctx context.Context, rng *rand.Rand, tasks []model.TaskInput, now model.Millis, later time.Duration,
) ([]model.TaskInput, error) {
	if chance(rng, s.orderPercent()) {
		return tasks, s.createOrder(ctx, rng, now, later)
	}
	return append(tasks, s.newTask(rng, now, later)), nil
}

// createMorningRequests creates a chunk of the morning's requests. Their windows are spread over the day.
func (s *Sandbox) createMorningRequests(ctx context.Context, from, until int) error {
	var tasks []model.TaskInput
	for n := from; n < until; n++ {
		rng := s.newRand("morning", int64(n))
		var err error
		if tasks, err = s.createRequest(ctx, rng, tasks, s.state.Now, time.Duration(rng.IntN(300))*time.Minute); err != nil {
			return err
		}
	}
	return s.createTasks(ctx, tasks)
}

// newTask returns a task whose window opens later.
func (s *Sandbox) newTask(rng *rand.Rand, now model.Millis, later time.Duration) model.TaskInput {
	team := randomItem(rng, s.state.Teams)
	business := randomItem(rng, s.city.Clients())
	radius := 3500.0
	if chance(rng, 12) {
		radius = 8000
	}
	house := s.city.RandomHouseNear(rng, team.Hub, radius)
	in := model.TaskInput{
		Destination: model.Some(destinationAt(house)),
		Recipients:  model.Some([]model.IDOr[model.RecipientInput]{s.newRecipient(rng)}),
		Quantity:    model.Some(float64(1 + rng.IntN(4))),
		PickupTask:  model.Some(chance(rng, 12)),
		Notes:       model.Some(s.taskNotes(rng, business)),
	}
	if !chance(rng, 12) { // the others have no team
		in.Container = model.Some(model.TeamContainer(team.ID))
	}
	if chance(rng, 60) {
		in.ServiceTime = model.Some(model.Minutes(2 + rng.IntN(7)))
	}
	s.setWindow(rng, &in, now, later)
	s.setRequirements(rng, &in)
	s.setFields(rng, &in, business)
	s.state.TasksSent++
	return in
}

// newRecipient returns a new recipient or an earlier one.
func (s *Sandbox) newRecipient(rng *rand.Rand) model.IDOr[model.RecipientInput] {
	n := s.state.Recipients
	if n > 20 && chance(rng, 15) {
		n = rng.IntN(n)
	} else {
		s.state.Recipients++
	}
	person := s.city.RandomRecipient(s.newRand("recipient", int64(n)), n)
	return model.Embedded(model.RecipientInput{
		Name: model.Some(person.Name), Phone: model.Some(person.Phone), Notes: model.Some(person.Notes),
		SkipPhoneNumberValidation: model.Some(true), // the numbers are valid, and checking takes time
	})
}

func (s *Sandbox) taskNotes(rng *rand.Rand, business city.Client) string {
	notes := randomItem(rng, business.Goods) + "."
	if chance(rng, 55) {
		notes += " " + s.city.RandomNote(rng, city.NoteTask)
	}
	return notes
}

func (s *Sandbox) setWindow(rng *rand.Rand, in *model.TaskInput, now model.Millis, later time.Duration) {
	const quarter = 15 * time.Minute
	opens := now.Add(later.Round(quarter))
	switch n := rng.IntN(100); {
	case n < 15: // no window
	case n < 55: // due time only
		in.CompleteBefore = model.Some(opens.Add(randomDuration(rng, 90*time.Minute, 4*time.Hour).Round(quarter)))
	case n < 65: // urgent
		in.CompleteBefore = model.Some(opens.Add(randomDuration(rng, 50*time.Minute, 80*time.Minute).Round(quarter / 3)))
		in.Appearance = model.Some(model.Appearance{TriangleColor: model.Some(model.TriangleMagenta)})
	default:
		in.CompleteAfter = model.Some(opens.Add(randomDuration(rng, 0, 45*time.Minute).Round(quarter)))
		in.CompleteBefore = model.Some(opens.Add(randomDuration(rng, 2*time.Hour, 5*time.Hour).Round(quarter)))
	}
}

func (s *Sandbox) setRequirements(rng *rand.Rand, in *model.TaskInput) {
	var needs model.Requirements
	switch n := rng.IntN(100); {
	case n < 18:
		needs.Signature = model.Some(true)
	case n < 40:
		needs.Photo = model.Some(true)
	case n < 45:
		needs.Signature, needs.MinimumAge = model.Some(true), model.Some(model.Int(21))
	case n < 50:
		needs.Notes = model.Some(true)
	default:
		return
	}
	in.Requirements = model.Some(needs)
}

func (s *Sandbox) setFields(rng *rand.Rand, in *model.TaskInput, business city.Client) {
	reference := fmt.Sprintf("BC-%05d", 10_000+s.state.TasksSent)
	text := func(v string) model.Raw { return model.Raw(strconv.Quote(v)) }
	if chance(rng, 30) {
		in.Metadata = model.Some([]model.Metadata{{Name: "invoice", Type: "string", Value: text(reference)}})
	}
	if !chance(rng, 40) {
		return
	}
	in.Template = model.Some(s.state.Templates.Parcel)
	if in.PickupTask.Value() {
		in.Template = model.Some(s.state.Templates.Return)
	}
	fields := []model.CustomFieldInput{
		{Key: fieldReference, Value: model.Some(text(reference))},
		{Key: fieldContents, Value: model.Some(text(business.Trade))},
	}
	if chance(rng, 20) && !in.PickupTask.Value() {
		fields = append(fields, model.CustomFieldInput{Key: fieldFragile, Value: model.Some(model.Raw("true"))})
	}
	in.CustomFields = model.Some(fields)
}

// createOrder asks for quotes as a client and orders one of them.
func (s *Sandbox) createOrder(ctx context.Context, rng *rand.Rand, now model.Millis, later time.Duration) error {
	client := randomItem(rng, s.state.Clients)
	business := s.city.Clients()[client.Number]
	house := s.city.RandomHouseNear(rng, business.House.Location, 5000)
	ready := now.Add(later + randomDuration(rng, 5*time.Minute, 40*time.Minute))
	pieces := float64(1 + rng.IntN(5))
	quotes, err := s.world.CreateQuotes(ctx, client.actor(), "", model.QuoteRequest{
		ReadyBy: model.Some(ready), Quantity: model.Some(pieces),
		Weight: model.Some(model.Weight{Value: model.Some(float64(1 + rng.IntN(30))), Units: "lbs"}),
		Pickup: model.Some(quotePlace(business.House)), Dropoff: model.Some(quotePlace(house)),
	})
	if err != nil || len(quotes) == 0 {
		return ignoreRefusal(err)
	}
	quote := quotes[min(len(quotes)-1, rng.IntN(5)/2)] // mostly the faster ones
	in := model.OrderInput{
		DeliveryServiceID: model.Some(quote.ID),
		PickupTask: model.Some(model.OrderTaskInput{
			Destination: model.Some(model.ByID[model.DestinationInput](client.Destination)),
			Recipients:  model.Some([]model.IDOr[model.RecipientInput]{}),
			Notes:       model.Some(randomItem(rng, business.Goods) + ". Ask at the counter of " + business.Name + "."),
			Quantity:    model.Some(pieces), CompleteAfter: model.Some(ready),
			CompleteBefore: model.Some(ready + (quote.DueBy-ready)/2),
		}),
		DropoffTask: model.Some(model.OrderTaskInput{
			Destination: model.Some(destinationAt(house)),
			Recipients:  model.Some([]model.IDOr[model.RecipientInput]{s.newRecipient(rng)}),
			Notes:       model.Some(s.taskNotes(rng, business)), Quantity: model.Some(pieces),
			CompleteBefore: model.Some(quote.DueBy),
		}),
	}
	_, err = s.world.CreateOrder(ctx, client.actor(), in)
	return err
}

func quotePlace(h city.House) model.QuotePlace {
	return model.QuotePlace{Address: model.Some(addressInput(h)), Location: model.Some(model.Location(h.Location))}
}
