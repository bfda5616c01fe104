package board

import (
	"fmt"
	"math/rand/v2"
	"time"

	"waybill/model"
)

// noon is 12:00 UTC on the tests' day.
const noon = model.Millis(1_789_992_000_000)

// city makes a board's worth of wire objects, the same for the same numbers.
type city struct {
	random  *rand.Rand
	teams   []model.Team
	workers []model.Worker
}

func newCity(workers int) *city {
	c := &city{random: rand.New(rand.NewPCG(7, 11))}
	for i, name := range []string{"North", "South", "Old Town", "Harbour"} {
		c.teams = append(c.teams, model.Team{ID: testID('t', i), Name: name, TimeLastModified: noon})
	}
	for i := range workers {
		c.workers = append(c.workers, c.worker(i))
	}
	return c
}

func testID(kind byte, n int) model.ID { return model.ID(fmt.Sprintf("%c%023d", kind, n)) }

func (c *city) place() model.Location {
	return model.Location{Lon: -122.4 + c.random.Float64()*0.2 - 0.1, Lat: 37.75 + c.random.Float64()*0.2 - 0.1}
}

func (c *city) worker(i int) model.Worker {
	first := []string{"Dayo", "Mar", "Anna", "Jabu", "Li", "Noor", "Ivan", "Sofía"}
	last := []string{"Okafor", "Ruiz", "Lindqvist", "Mbeki", "Wei", "Haddad", "Petrov", "Gómez"}
	w := model.Worker{
		ID: testID('w', i), Name: fmt.Sprintf("%s %s %d", first[i%8], last[i/8%8], i), Phone: fmt.Sprintf("+1415555%04d", i),
		OnDuty: i%5 != 0, TimeLastModified: noon, Capacity: 12, Teams: []model.ID{testID('t', i%4)},
		TimeLastSeen: model.Some(noon.Add(-time.Duration(c.random.IntN(700)) * time.Second)),
		Location:     model.Some(c.place()),
		Vehicle:      model.Some(model.Vehicle{Type: []model.VehicleType{model.VehicleCar, model.VehicleBicycle, model.VehicleMotorcycle, model.VehicleTruck}[i%4]}),
		UserData:     model.Some(model.UserData{BatteryLevel: model.Some(c.random.Float64())}),
	}
	if i%3 == 0 {
		w.ActiveTask = model.Some(testID('k', i))
	}
	if i%7 == 0 {
		w.DelayTime = model.Some(model.Seconds(c.random.IntN(3000)))
	}
	return w
}

func (c *city) task(i int) model.Task {
	before := noon.Add(time.Duration(c.random.IntN(36000)-1800) * time.Second)
	t := model.Task{
		ID: testID('k', i), ShortID: model.ShortID(fmt.Sprintf("%08x", i*2654435761%(1<<32))),
		TimeCreated: noon.Add(-time.Hour), TimeLastModified: noon.Add(-time.Duration(c.random.IntN(3600)) * time.Second),
		State: model.TaskState(c.random.IntN(3)), PickupTask: i%3 == 0,
		CompleteAfter: model.Some(before.Add(-time.Hour)), CompleteBefore: model.Some(before),
		Notes:    "Ring twice, leave at the door of the left wing if nobody answers",
		Quantity: float64(c.random.IntN(5)), ServiceTime: model.Minutes(c.random.IntN(10)),
		Destination: model.Embedded(model.Destination{
			ID: testID('d', i), Location: c.place(),
			Address: model.Address{Number: fmt.Sprint(1 + c.random.IntN(900)), Street: "Howard Street", Apartment: "Apt 5", City: "San Francisco"},
		}),
		Recipients: []model.IDOr[model.Recipient]{model.Embedded(model.Recipient{
			ID: testID('r', i), Name: fmt.Sprintf("Recipient Number %d", i), Phone: fmt.Sprintf("+1628%07d", i),
		})},
	}
	if t.State == model.TaskUnassigned {
		t.Container = model.Some(model.TeamContainer(testID('t', i%4)))
	} else {
		t.Worker = model.Some(testID('w', c.random.IntN(max(1, len(c.workers)))))
		t.EstimatedCompletionTime = model.Some(before.Add(time.Duration(c.random.IntN(7200)-6000) * time.Second))
	}
	if i%10 == 1 {
		t.Dependencies = []model.ID{testID('k', i-1)}
		t.OrderShortID = model.Some(model.ShortID(fmt.Sprintf("%08x", i)))
	}
	return t
}

func (c *city) tasks(n int) []model.Task {
	tasks := make([]model.Task, n)
	for i := range tasks {
		tasks[i] = c.task(i)
	}
	return tasks
}

// boardOf is a board that knows the whole city.
func boardOf(tasks, workers int) (*Board, *city) {
	c := newCity(workers)
	b := NewBoard(DefaultSettings(), noon)
	b.Apply(Change{Teams: c.teams, Workers: c.workers})
	for from := 0; from < tasks; from += 64 {
		page := make([]model.Task, 0, 64)
		for i := from; i < min(from+64, tasks); i++ {
			page = append(page, c.task(i))
		}
		b.Apply(Change{Tasks: page})
	}
	return b, c
}
