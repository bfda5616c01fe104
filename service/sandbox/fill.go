package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/geo/city"
	"waybill/service/rates"
	"waybill/service/world"
)

// courierName is the name of the organization that the console shows.
const courierName = "Bay City Couriers"

// templates are the courier's task templates.
type templates struct {
	Parcel model.ID `json:"parcel"`
	Return model.ID `json:"return"`
}

// dispatcher is the actor of everything that the sandbox's dispatcher does.
func (s *Sandbox) dispatcher() world.Actor {
	return world.Actor{Type: world.ActorAdmin, ID: s.state.Dispatcher, Org: s.state.Org}
}

// create creates the courier, its depots, teams and clients. The simulated history ends, and the live day starts, at
// liveFrom.
func (s *Sandbox) create(ctx context.Context, liveFrom model.Millis) error {
	liveFrom = liveFrom.WholeSecond()
	start := liveFrom.Add(-s.history())
	return s.store.RunInTransaction(ctx, func(ctx context.Context) error {
		s.clock.now = start
		s.ids.startTick(s.options.Seed, start)
		s.state = state{
			Seed: s.options.Seed, Workers: s.options.Workers, Tasks: s.options.Tasks, LiveFrom: liveFrom, Now: start,
		}
		for _, step := range []func(context.Context) error{s.createCourier, s.createTeams, s.createTemplates, s.createClients} {
			if err := step(ctx); err != nil {
				return fmt.Errorf("create the sandbox: %w", err)
			}
		}
		return s.save(ctx)
	})
}

func (s *Sandbox) createCourier(ctx context.Context) error {
	org, _, err := s.world.CreateOrganization(ctx, world.NewOrganization{
		Name: courierName, Country: city.CountryCode, Timezone: city.TimeZone,
	})
	if err != nil {
		return err
	}
	s.state.Org = org.ID
	setup := world.Actor{Type: world.ActorAPI, ID: org.ID, Org: org.ID}
	for i, admin := range []struct{ name, email string }{
		{"Dana Whitfield", "dana@baycity.example"}, {"Ruben Castillo", "ruben@baycity.example"},
	} {
		created, err := s.world.CreateAdmin(ctx, setup, model.AdminInput{Name: model.Some(admin.name), Email: model.Some(admin.email)})
		if err != nil {
			return err
		}
		if i == 0 {
			s.state.Dispatcher = created.ID
		}
	}
	return nil
}

// workersPerTeam is the largest size of a team; more drivers make more teams.
const workersPerTeam = 40

func (s *Sandbox) createTeams(ctx context.Context) error {
	hubs, err := s.city.Hubs()
	if err != nil {
		return err
	}
	teams := max(len(hubs), (s.options.Workers+workersPerTeam-1)/workersPerTeam, s.options.Tasks/4000)
	for i := range teams {
		hub := hubs[i%len(hubs)]
		name := hub.Team
		if round := i / len(hubs); round > 0 {
			name = fmt.Sprintf("%s %d", hub.Team, round+1)
		}
		created, err := s.world.CreateTeam(ctx, s.dispatcher(), model.TeamInput{
			Name: model.Some(name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{s.state.Dispatcher}),
		})
		if err != nil {
			return err
		}
		s.state.Teams = append(s.state.Teams, team{ID: created.ID, Hub: hub.House.Location})
	}
	for i, hub := range hubs {
		var using []model.ID
		for t := i; t < teams; t += len(hubs) {
			using = append(using, s.state.Teams[t].ID)
		}
		if _, err := s.world.CreateHub(ctx, s.dispatcher(), model.HubInput{
			Name: model.Some(hub.Name), Address: model.Some(addressInput(hub.House)), Location: model.Some(model.Location(hub.House.Location)),
			Teams: model.Some(using), Phone: model.Some(city.Phone(city.Phones/2 - 1 - i)),
		}); err != nil {
			return err
		}
	}
	return nil
}

func addressInput(h city.House) model.AddressInput {
	a := h.Address
	return model.AddressInput{
		Name: a.Name, Number: a.Number, Street: a.Street, Apartment: a.Apartment, City: a.City, State: a.State,
		PostalCode: a.PostalCode, Country: a.Country,
	}
}

func destinationAt(h city.House) model.IDOr[model.DestinationInput] {
	return model.Embedded(model.DestinationInput{Address: model.Some(addressInput(h)), Location: model.Some(model.Location(h.Location))})
}

// Keys of the courier's custom fields.
const (
	fieldReference = "reference"
	fieldContents  = "contents"
	fieldFragile   = "fragile"
)

func (s *Sandbox) createTemplates(ctx context.Context) error {
	field := func(key, name, description, kind string) model.CustomFieldPart {
		return model.CustomFieldPart{Key: key, Name: model.Some(name), Description: model.Some(description), Type: model.Some(kind)}
	}
	if _, err := s.world.CreateCustomFields(ctx, s.dispatcher(), model.CustomFieldChange{Fields: []model.CustomFieldPart{
		field(fieldReference, "Reference", "The sender's own number", model.FieldSingleLine),
		field(fieldContents, "Contents", "What is in it", model.FieldSingleLine),
		field(fieldFragile, "Fragile", "Handle with care", model.FieldBoolean),
	}}); err != nil {
		return err
	}
	pickups := []model.Condition{{FieldName: "pickupTask", Comparison: "equal_to", TargetValue: model.Some(model.Raw("true"))}}
	for _, t := range []struct {
		name   string
		when   []model.Condition
		fields []string
		id     *model.ID
	}{
		{"Parcel", []model.Condition{}, []string{fieldReference, fieldContents, fieldFragile}, &s.state.Templates.Parcel},
		{"Return", pickups, []string{fieldReference, fieldContents}, &s.state.Templates.Return},
	} {
		created, err := s.world.CreateTemplate(ctx, s.dispatcher(), model.TemplateInput{
			Name: model.Some(t.name), ContextSaveConditions: model.Some(t.when), Fields: model.Some(t.fields),
		})
		if err != nil {
			return err
		}
		*t.id = created.ID
	}
	return nil
}

// clientCount is how many businesses order from the courier.
const clientCount = 8

func (s *Sandbox) createClients(ctx context.Context) error {
	services := rates.DefaultServices(nil)
	for i := range services {
		services[i].Promise.Opens, services[i].Promise.Closes = 0, 0 // open all day
	}
	if err := s.world.SetDeliveryServices(ctx, s.state.Org, "", services); err != nil {
		return err
	}
	all := s.city.Clients()
	order := s.newRand("clients", 0).Perm(len(all))
	for i, number := range order[:min(clientCount, len(order))] {
		business := all[number]
		org, key, err := s.world.CreateOrganization(ctx, world.NewOrganization{
			Name: business.Name, Country: city.CountryCode, Timezone: city.TimeZone, Courier: s.state.Org,
		})
		if err != nil {
			return err
		}
		c := client{Org: org.ID, Key: key.ID, Number: number}
		door, err := s.world.CreateDestination(ctx, c.actor(), *destinationAt(business.House).Object)
		if err != nil {
			return err
		}
		c.Destination = door.ID
		s.state.Clients = append(s.state.Clients, c)
		if i == 0 { // the first client gets a discount
			if err := s.world.SetDeliveryServices(ctx, s.state.Org, c.Org, applyDiscount(services)); err != nil {
				return err
			}
		}
	}
	return nil
}

func applyDiscount(services []rates.Service) []rates.Service {
	cheaper := slices.Clone(services)
	for i := range cheaper {
		cheaper[i].Card.Base -= cheaper[i].Card.Base / 5
		cheaper[i].Card.Minimum -= cheaper[i].Card.Minimum / 5
	}
	return cheaper
}

func (c client) actor() world.Actor { return world.Actor{Type: world.ActorAPI, ID: c.Key, Org: c.Org} }

// How much is created in one transaction: enough to share its cost, little enough that other writers hardly wait.
const (
	driverChunk = 100
	taskChunk   = 400
)

// largeTaskCount is the number of tasks above which the sandbox is opened while it is still being filled.
const largeTaskCount = 2000

// Fill fills the sandbox: drivers, the tasks of the morning, and the hours until it goes live. It continues where an
// earlier run stopped and does nothing if the sandbox is full.
func (s *Sandbox) Fill(ctx context.Context) error {
	for {
		done, err := s.fillStep(ctx)
		if err != nil || done {
			return err
		}
	}
}

// fillStep does one step of filling and reports whether the sandbox is full.
func (s *Sandbox) fillStep(ctx context.Context) (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	morning := s.morningRequests()
	total := s.options.Workers + morning + int(s.history()/historyTick)
	switch {
	case s.state.DriversCreated < s.options.Workers:
		err = s.fillChunk(ctx, &s.state.DriversCreated, min(s.options.Workers, s.state.DriversCreated+driverChunk), "worker", s.createDrivers)
	case s.state.MorningCreated < morning:
		err = s.fillChunk(ctx, &s.state.MorningCreated, min(morning, s.state.MorningCreated+taskChunk), "load", s.createMorningRequests)
	case s.state.Now < s.state.LiveFrom:
		err = s.advance(ctx, min(s.state.LiveFrom, s.state.Now.Add(10*historyTick)), historyTick, s.fillLimit())
	default:
		return true, nil
	}
	remaining := max(0, s.options.Workers-s.state.DriversCreated) + morning - s.state.MorningCreated +
		int(s.state.LiveFrom.Sub(s.state.Now)/historyTick)
	s.progress(total-remaining, total)
	return false, err
}

// fillLimit is how long a transaction of filling may take. It is short when the sandbox is already open.
func (s *Sandbox) fillLimit() time.Duration {
	if s.options.Tasks > largeTaskCount {
		return sharedLimit
	}
	return exclusiveLimit
}

// fillChunk creates one chunk in one transaction, with its own random numbers.
func (s *Sandbox) fillChunk(
	ctx context.Context, done *int, until int, kind string, createChunk func(ctx context.Context, from, until int) error,
) error {
	err := s.store.RunInTransaction(ctx, func(ctx context.Context) error {
		const maxIDs = 32 // per object
		first := firstCount(s.newRand(kind+" count", 0)) + uint64(*done*maxIDs)
		s.ids.start(s.newRand(kind+" ids", int64(*done)), s.state.Now, first)
		if err := createChunk(ctx, *done, until); err != nil {
			return fmt.Errorf("fill the sandbox: %w", err)
		}
		*done = until
		return s.save(ctx)
	})
	if err != nil {
		_, reload := s.load(context.WithoutCancel(ctx))
		return errors.Join(err, reload)
	}
	return nil
}

func (s *Sandbox) createDrivers(ctx context.Context, from, until int) error {
	for n := from; n < until; n++ {
		if err := s.createDriver(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// createDriver creates the n-th driver.
func (s *Sandbox) createDriver(ctx context.Context, n int) error {
	rng := s.newRand("hire", int64(n))
	person, vehicle := s.city.RandomDriver(rng, n)
	for vehicle.Type == "" { // the areas are too large to walk
		vehicle = s.city.RandomVehicle(rng)
	}
	in := model.WorkerInput{
		Name: model.Some(person.Name), Phone: model.Some(person.Phone), Teams: model.Some([]model.ID{s.teamOf(n).ID}),
		Capacity: model.Some(float64(10 + 5*rng.IntN(7))),
	}
	in.Vehicle = model.Some(model.Vehicle{
		Type: model.VehicleType(vehicle.Type), Description: model.Some(vehicle.Description),
		Color: model.Some(vehicle.Color), LicensePlate: model.NullIfZero(vehicle.LicensePlate),
	})
	if first, _, ok := strings.Cut(person.Name, " "); ok {
		in.DisplayName = model.Some(first)
	}
	worker, err := s.world.CreateWorker(ctx, s.dispatcher(), in)
	if err != nil {
		return err
	}
	device := randomItem(rng, []model.UserData{
		{Platform: model.Some("ANDROID"), DeviceDescription: model.Some("Pixel 8"), AppVersion: model.Some("2.4.1")},
		{Platform: model.Some("ANDROID"), DeviceDescription: model.Some("Galaxy A54"), AppVersion: model.Some("2.4.0")},
		{Platform: model.Some("IOS"), DeviceDescription: model.Some("iPhone 13"), AppVersion: model.Some("2.4.1")},
		{Platform: model.Some("IOS"), DeviceDescription: model.Some("iPhone SE"), AppVersion: model.Some("2.3.7")},
	})
	if err := s.world.AcceptInvitation(ctx, worker.ID, device); err != nil {
		return err
	}
	d := &driver{worker: worker.ID, number: n, Phase: phaseOff, Vehicle: vehicle.Type, changed: true}
	d.traits = s.traitsOf(n)
	s.drivers = append(s.drivers, d)
	_, err = s.world.SetSchedule(ctx, s.dispatcher(), worker.ID, s.scheduleOf(d))
	return err
}

func (s *Sandbox) teamOf(number int) team { return s.state.Teams[number%len(s.state.Teams)] }

// scheduleDays is how many days ahead shifts are scheduled.
const scheduleDays = 3

func (s *Sandbox) scheduleOf(d *driver) model.Schedule {
	zone, err := time.LoadLocation(city.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	var schedule model.Schedule
	for day := range scheduleDays {
		shift := s.shiftOn(d, int64(day))
		if shift.absent {
			continue
		}
		date := shift.start.Time().In(zone).Format(time.DateOnly)
		schedule.Entries = append(schedule.Entries, model.ScheduleEntry{
			Date: date, Timezone: city.TimeZone, Shifts: [][2]model.Millis{{shift.start, shift.end}},
		})
	}
	return schedule
}
