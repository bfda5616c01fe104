// Package sampleday simulates one day of a courier in one city, made from a seed, behind the interface's reading
// routes. The console's tests and benchmarks use it instead of a real service, because they control the number of
// tasks, the clock and every failure.
package sampleday

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/geo/city"
)

// Options say what the world holds.
type Options struct {
	Tasks, Workers int
	Orders         int // at most half the tasks; each takes a pickup and a drop-off
	Seed           uint64
	Now            time.Time
}

// World is a day that can be moved on. It is safe for concurrent use.
type World struct {
	mu       sync.Mutex
	random   *rand.Rand
	city     *city.City
	now      model.Millis
	org      model.Organization
	teams    []model.Team
	hubs     []model.Hub
	workers  []model.Worker
	tasks    []*model.Task // in the order of creation
	byID     map[model.ID]*model.Task
	orders   map[model.ShortID]*order
	requests map[string]int
	fault    func(method, path string) *Fault
}

type order struct {
	base            model.Order
	pickup, dropoff *model.Task
}

// New makes a world.
func New(o Options) *World {
	sf, err := city.New()
	if err != nil {
		panic(err) // the city is compiled in
	}
	w := &World{
		random: rand.New(rand.NewPCG(o.Seed, 7)), //nolint:gosec // a test's world keeps no secrets
		city:   sf, now: model.MillisOf(o.Now),
		byID: map[model.ID]*model.Task{}, orders: map[model.ShortID]*order{}, requests: map[string]int{},
	}
	w.org = model.Organization{ID: w.id(), Name: "Bay Couriers", Email: "ops@example.com", Timezone: "America/Los_Angeles", Country: "US"}
	w.makeTeams()
	for i := range o.Workers {
		w.makeWorker(i)
	}
	for i := range o.Tasks {
		w.makeTask(i, o.Tasks)
	}
	w.link(o.Orders)
	w.assign()
	return w
}

func (w *World) id() model.ID {
	var raw [model.IDLength]byte
	for i := range raw {
		raw[i] = byte(w.random.Uint32())
	}
	return model.IDFrom(raw)
}

func (w *World) short() model.ShortID { return model.ShortID(fmt.Sprintf("%08x", w.random.Uint32())) }

func (w *World) makeTeams() {
	hubs, err := w.city.Hubs()
	if err != nil {
		panic(err)
	}
	for _, h := range hubs {
		team := model.Team{ID: w.id(), Name: h.Team, TimeCreated: w.now, TimeLastModified: w.now, Workers: []model.ID{}, Managers: []model.ID{}, Tasks: []model.ID{}}
		hub := model.Hub{ID: w.id(), Name: h.Name, Location: model.Location(h.House.Location), Address: address(h.House), Teams: []model.ID{team.ID}}
		team.Hub = model.Some(hub.ID)
		w.teams, w.hubs = append(w.teams, team), append(w.hubs, hub)
	}
}

func address(h city.House) model.Address {
	a := h.Address
	return model.Address{
		Number: a.Number, Street: a.Street, Apartment: a.Apartment, City: a.City, State: a.State,
		PostalCode: a.PostalCode, Country: a.Country,
	}
}

func (w *World) makeWorker(i int) {
	person, vehicle := w.city.RandomDriver(w.random, i)
	team := &w.teams[i%len(w.teams)]
	worker := model.Worker{
		ID: w.id(), Name: person.Name, Phone: person.Phone, Organization: w.org.ID, OnDuty: i%8 != 7,
		TimeCreated: w.now.Add(-30 * 24 * time.Hour), TimeLastModified: w.now, Teams: []model.ID{team.ID}, Tasks: []model.ID{},
		Metadata: []model.Metadata{}, AccountStatus: model.AccountAccepted, Capacity: float64(8 + 4*(i%3)),
		TimeLastSeen: model.Some(w.now.Add(-time.Duration(w.random.IntN(40)) * time.Second)),
		Location:     model.Some(model.Location(w.city.RandomHouse(w.random).Location)),
		UserData:     model.Some(model.UserData{BatteryLevel: model.Some(0.2 + 0.8*w.random.Float64()), Platform: model.Some("ANDROID")}),
	}
	switch {
	case i%11 == 5: // not heard of for a while
		worker.TimeLastSeen = model.Some(w.now.Add(-time.Duration(11+w.random.IntN(20)) * time.Minute))
		worker.UserData = model.Some(model.UserData{BatteryLevel: model.Some(0.09)})
	case !worker.OnDuty:
		worker.TimeLastSeen = model.Some(w.now.Add(-3 * time.Hour))
	}
	if vehicle.Type != "" {
		worker.Vehicle = model.Some(model.Vehicle{
			Type: model.VehicleType(vehicle.Type), Description: model.Some(vehicle.Description),
			LicensePlate: model.Some(vehicle.LicensePlate), Color: model.Some(vehicle.Color),
		})
	}
	team.Workers = append(team.Workers, worker.ID)
	w.workers = append(w.workers, worker)
}

// makeTask spreads the day: windows from an hour ago to the evening.
func (w *World) makeTask(i, count int) {
	person := w.city.RandomRecipient(w.random, i%20_000)
	house := w.city.RandomHouse(w.random)
	created := w.now.Add(-6*time.Hour + time.Duration(i)*5*time.Hour/time.Duration(count)).WholeSecond()
	from := w.now.Add(time.Duration(w.random.IntN(9*60)-80) * time.Minute).WholeSecond()
	task := &model.Task{
		ID: w.id(), ShortID: w.short(), TimeCreated: created, TimeLastModified: created,
		Organization: w.org.ID, Merchant: w.org.ID, Executor: w.org.ID, Creator: w.org.ID,
		Dependencies: []model.ID{}, CompleteAfter: model.Some(from), CompleteBefore: model.Some(from.Add(time.Hour)),
		Notes: w.city.RandomNote(w.random, city.NoteTask), Feedback: []model.Feedback{}, Metadata: []model.Metadata{},
		Quantity: float64(1 + w.random.IntN(3)), ServiceTime: 3,
		CompletionDetails: model.CompletionDetails{
			Events: []model.CompletionEvent{}, FailureReason: model.FailureNone, Actions: []model.Raw{}, UnavailableAttachments: []model.Raw{},
		},
		Recipients: []model.IDOr[model.Recipient]{model.Embedded(model.Recipient{
			ID: w.id(), Name: person.Name, Phone: person.Phone, Notes: person.Notes, Organization: w.org.ID,
			TimeCreated: created, TimeLastModified: created, Metadata: []model.Metadata{},
		})},
		Destination: model.Embedded(model.Destination{
			ID: w.id(), TimeCreated: created, TimeLastModified: created, Location: model.Location(house.Location), Address: address(house), Metadata: []model.Metadata{},
		}),
		Container: model.Some(model.OrganizationContainer(w.org.ID)),
	}
	task.TrackingURL = "https://track.example/" + string(task.ShortID)
	if i%3 == 0 {
		task.Container = model.Some(model.TeamContainer(w.teams[i/3%len(w.teams)].ID))
	}
	w.tasks = append(w.tasks, task)
	w.byID[task.ID] = task
}

// link makes orders of neighbouring tasks.
func (w *World) link(orders int) {
	clients := w.city.Clients()
	for i := range min(orders, len(w.tasks)/2) {
		pickup, dropoff := w.tasks[2*i], w.tasks[2*i+1]
		client := clients[w.random.IntN(len(clients))]
		pickup.PickupTask = true
		pickup.Destination = model.Embedded(model.Destination{
			ID: w.id(), TimeCreated: pickup.TimeCreated, Location: model.Location(client.House.Location), Address: address(client.House), Metadata: []model.Metadata{},
		})
		dropoff.Dependencies = []model.ID{pickup.ID}
		if before := pickup.CompleteBefore.Value(); before > dropoff.CompleteBefore.Value() {
			dropoff.CompleteAfter, dropoff.CompleteBefore = model.Some(before), model.Some(before.Add(time.Hour))
		}
		dropoff.Notes = client.Goods[w.random.IntN(len(client.Goods))]
		o := &order{pickup: pickup, dropoff: dropoff, base: model.Order{
			ID: w.id(), ShortID: w.short(), TimeCreated: pickup.TimeCreated, TimeLastModified: pickup.TimeCreated, Source: "api",
			Events: []model.Raw{}, Price: model.Some(8 + float64(w.random.IntN(2400))/100), Currency: model.Some("USD"),
			PriceBreakdown: []model.PricePart{}, ClientName: model.Some(client.Name), DeliveryService: model.Some("Same day"),
		}}
		pickup.OrderShortID, dropoff.OrderShortID = model.Some(o.base.ShortID), model.Some(o.base.ShortID)
		w.orders[o.base.ShortID] = o
	}
}

// assign hands about two thirds of the work to workers, some of it started, some done.
func (w *World) assign() {
	var onDuty []int
	for i := range w.workers {
		if w.workers[i].OnDuty && i%5 != 3 { // every fifth is idle
			onDuty = append(onDuty, i)
		}
	}
	if len(onDuty) == 0 {
		return
	}
	for i, t := range w.tasks {
		switch {
		case i%13 == 4:
			w.finish(t, &w.workers[onDuty[i%len(onDuty)]], i%52 != 4)
		case i%3 != 0:
			w.give(t, &w.workers[onDuty[i%len(onDuty)]])
		}
	}
	for _, i := range onDuty {
		w.start(&w.workers[i])
	}
}

func (w *World) give(t *model.Task, worker *model.Worker) {
	t.State, t.Worker = model.TaskAssigned, model.Some(worker.ID)
	t.Container = model.Some(model.WorkerContainer(worker.ID))
	worker.Tasks = append(worker.Tasks, t.ID)
	w.touch(t)
}

func (w *World) start(worker *model.Worker) {
	if len(worker.Tasks) == 0 || worker.ActiveTask.Value() != "" {
		return
	}
	t := w.byID[worker.Tasks[0]]
	worker.Tasks = slices.Delete(worker.Tasks, 0, 1)
	worker.ActiveTask = model.Some(t.ID)
	t.State = model.TaskActive
	t.CompletionDetails.Events = append(t.CompletionDetails.Events, model.CompletionEvent{Name: model.EventStart, Time: w.now})
	arrival := w.now.Add(time.Duration(4+w.random.IntN(30)) * time.Minute)
	t.EstimatedArrivalTime, t.EstimatedCompletionTime = model.Some(arrival), model.Some(arrival.Add(3*time.Minute))
	if late := arrival.Sub(t.CompleteBefore.Value()); late > 0 {
		t.DelayTime, worker.DelayTime = model.Some(model.SecondsOf(late)), model.Some(model.SecondsOf(late))
	} else {
		worker.DelayTime = model.Null[model.Seconds]()
	}
	w.touch(t)
}

func (w *World) finish(t *model.Task, worker *model.Worker, success bool) {
	t.State, t.Worker = model.TaskCompleted, model.Some(worker.ID)
	t.DelayTime, t.EstimatedArrivalTime = model.Null[model.Seconds](), model.Null[model.Millis]()
	t.CompletionDetails.Success, t.CompletionDetails.Time = model.Some(success), model.Some(w.now)
	if worker.ActiveTask.Value() == t.ID {
		worker.ActiveTask, worker.DelayTime = model.Null[model.ID](), model.Null[model.Seconds]()
	}
	if !success {
		t.CompletionDetails.FailureNotes = w.city.RandomNote(w.random, city.NoteFailed)
	}
	w.touch(t)
}

func (w *World) touch(t *model.Task) { t.TimeLastModified = w.now }

// Advance moves the clock on and lets some workers finish and start work.
func (w *World) Advance(d time.Duration, changes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
	for i := range w.workers {
		if w.workers[i].OnDuty && i%11 != 5 {
			w.workers[i].TimeLastSeen = model.Some(w.now.Add(-time.Duration(w.random.IntN(20)) * time.Second))
			w.workers[i].TimeLastModified = w.now
		}
	}
	for range changes {
		worker := &w.workers[w.random.IntN(len(w.workers))]
		if active := w.byID[worker.ActiveTask.Value()]; active != nil {
			w.finish(active, worker, w.random.IntN(10) > 0)
		}
		w.start(worker)
	}
}

// Rewrite passes every text of the world through a function, to fill it with hostile ones.
func (w *World) Rewrite(change func(string) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.org.Name = change(w.org.Name)
	for i := range w.teams {
		w.teams[i].Name = change(w.teams[i].Name)
	}
	for i := range w.workers {
		w.workers[i].Name, w.workers[i].Phone = change(w.workers[i].Name), change(w.workers[i].Phone)
		w.workers[i].Vehicle = model.Some(model.Vehicle{Type: model.VehicleType(change("CAR")), Description: model.Some(change("car"))})
	}
	for _, t := range w.tasks {
		t.Notes, t.TrackingURL = change(t.Notes), change(t.TrackingURL)
		t.ShortID = model.ShortID(change(string(t.ShortID)))
		r, d := t.Recipients[0].Object, t.Destination.Object
		r.Name, r.Phone, r.Notes = change(r.Name), change(r.Phone), change(r.Notes)
		d.Address.Street, d.Address.City, d.Notes = change(d.Address.Street), change(d.Address.City), change(d.Notes)
		t.CompletionDetails.FailureNotes = change("notes")
		t.Metadata = []model.Metadata{{Name: change("name"), Type: "string", Value: model.Raw(`"v"`)}}
	}
	for _, o := range w.orders {
		o.base.ClientName, o.base.DeliveryService = model.Some(change("client")), model.Some(change("service"))
	}
}
