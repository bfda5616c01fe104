package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/geo/city"
	"waybill/service/rates"
	"waybill/service/world"
)

// courierName is the organization that the console is opened on.
const courierName = "Bay City Couriers"

// templates are the courier's task templates.
type templates struct {
	Parcel model.ID `json:"parcel"`
	Return model.ID `json:"return"`
}

// desk is who dispatches.
func (s *Sandbox) desk() world.Actor {
	return world.Actor{Type: world.ActorAdmin, ID: s.state.Desk, Org: s.state.Org}
}

// begin makes the courier, its depots and teams, and its clients. The day that people see begins at that time.
func (s *Sandbox) begin(ctx context.Context, began model.Millis) error {
	began = began.WholeSecond()
	opened := began.Add(-s.history())
	return s.store.Together(ctx, func(ctx context.Context) error {
		s.clock.now = opened
		s.ids.seed(s.options.Seed, opened)
		s.state = state{
			Seed: s.options.Seed, Workers: s.options.Workers, Tasks: s.options.Tasks, Began: began, Now: opened,
		}
		for _, make := range []func(context.Context) error{s.makeCourier, s.makeTeams, s.makeTemplates, s.makeClients} {
			if err := make(ctx); err != nil {
				return fmt.Errorf("make the sandbox: %w", err)
			}
		}
		return s.save(ctx)
	})
}

func (s *Sandbox) makeCourier(ctx context.Context) error {
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
			s.state.Desk = created.ID
		}
	}
	return nil
}

// workersPerTeam is how large teams get before there are more of them.
const workersPerTeam = 40

func (s *Sandbox) makeTeams(ctx context.Context) error {
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
		created, err := s.world.CreateTeam(ctx, s.desk(), model.TeamInput{
			Name: model.Some(name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{s.state.Desk}),
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
		if _, err := s.world.CreateHub(ctx, s.desk(), model.HubInput{
			Name: model.Some(hub.Name), Address: model.Some(addressOf(hub.House)), Location: model.Some(placeOf(hub.House.Location)),
			Teams: model.Some(using), Phone: model.Some(city.Phone(city.Phones/2 - 1 - i)),
		}); err != nil {
			return err
		}
	}
	return nil
}

func addressOf(h city.House) model.AddressInput {
	a := h.Address
	return model.AddressInput{
		Name: a.Name, Number: a.Number, Street: a.Street, Apartment: a.Apartment, City: a.City, State: a.State,
		PostalCode: a.PostalCode, Country: a.Country,
	}
}

func placeOf(at geo.Location) model.Location { return model.Location{Lon: at.Lon, Lat: at.Lat} }
func pointOf(at model.Location) geo.Location { return geo.Location{Lon: at.Lon, Lat: at.Lat} }

func destinationAt(h city.House) model.IDOr[model.DestinationInput] {
	return model.Embedded(model.DestinationInput{Address: model.Some(addressOf(h)), Location: model.Some(placeOf(h.Location))})
}

// Keys of the courier's custom fields.
const (
	fieldReference = "reference"
	fieldContents  = "contents"
	fieldFragile   = "fragile"
)

func (s *Sandbox) makeTemplates(ctx context.Context) error {
	field := func(key, name, description, kind string) model.CustomFieldPart {
		return model.CustomFieldPart{Key: key, Name: model.Some(name), Description: model.Some(description), Type: model.Some(kind)}
	}
	if _, err := s.world.CreateCustomFields(ctx, s.desk(), model.CustomFieldChange{Fields: []model.CustomFieldPart{
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
		created, err := s.world.CreateTemplate(ctx, s.desk(), model.TemplateInput{
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

func (s *Sandbox) makeClients(ctx context.Context) error {
	services := rates.Sandbox(nil)
	for i := range services {
		services[i].Promise.Opens, services[i].Promise.Closes = 0, 0 // this city never sleeps
	}
	if err := s.world.SetDeliveryServices(ctx, s.state.Org, "", services); err != nil {
		return err
	}
	all := s.city.Clients()
	order := s.draw("clients", 0).Perm(len(all))
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
		c.Door = door.ID
		s.state.Clients = append(s.state.Clients, c)
		if i == 0 { // the oldest client pays less
			if err := s.world.SetDeliveryServices(ctx, s.state.Org, c.Org, discounted(services)); err != nil {
				return err
			}
		}
	}
	return nil
}

func discounted(services []rates.Service) []rates.Service {
	cheaper := slices.Clone(services)
	for i := range cheaper {
		cheaper[i].Card.Base -= cheaper[i].Card.Base / 5
		cheaper[i].Card.Minimum -= cheaper[i].Card.Minimum / 5
	}
	return cheaper
}

func (c client) actor() world.Actor { return world.Actor{Type: world.ActorAPI, ID: c.Key, Org: c.Org} }

// How much is made in one transaction: enough that what it costs is shared by many, little enough that others who wait
// for it hardly notice.
const (
	hireAtOnce = 100
	loadAtOnce = 400
)

// largeCity is from how many tasks on a city is shown while it is still being filled.
const largeCity = 2000

// Fill goes on with filling from where it is: drivers, the load of the morning, and the hours until people see it. It does
// nothing for a city that is complete.
func (s *Sandbox) Fill(ctx context.Context) error {
	for {
		done, err := s.fillSome(ctx)
		if err != nil || done {
			return err
		}
	}
}

// fillSome does one step of filling, and reports whether there is nothing left to do.
func (s *Sandbox) fillSome(ctx context.Context) (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	morning := s.morning()
	total := s.options.Workers + morning + int(s.history()/historyTick)
	switch {
	case s.state.Hired < s.options.Workers:
		err = s.fillChunk(ctx, &s.state.Hired, min(s.options.Workers, s.state.Hired+hireAtOnce), "worker", s.hireSome)
	case s.state.Loaded < morning:
		err = s.fillChunk(ctx, &s.state.Loaded, min(morning, s.state.Loaded+loadAtOnce), "load", s.bringIn)
	case s.state.Now < s.state.Began:
		err = s.live(ctx, min(s.state.Began, s.state.Now.Add(10*historyTick)), historyTick, s.fillLimit())
	default:
		return true, nil
	}
	s.progress(total-int(s.state.Began.Sub(s.state.Now)/historyTick)-(morning-s.state.Loaded)-max(0, s.options.Workers-s.state.Hired), total)
	return false, err
}

// fillLimit is how long a transaction of the hours before may take: a city that is shown already must answer meanwhile.
func (s *Sandbox) fillLimit() time.Duration {
	if s.options.Tasks > largeCity {
		return othersWait
	}
	return nobodyDoes
}

// fillChunk makes some more of something in one transaction, with random numbers of its own.
func (s *Sandbox) fillChunk(ctx context.Context, done *int, until int, kind string, make func(ctx context.Context, from, until int) error) error {
	err := s.store.Together(ctx, func(ctx context.Context) error {
		const idsEach = 32 // at most
		first := firstCount(s.draw(kind+" count", 0)) + uint64(*done*idsEach)
		s.ids.begin(s.draw(kind+" ids", int64(*done)), s.state.Now, first)
		if err := make(ctx, *done, until); err != nil {
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

func (s *Sandbox) hireSome(ctx context.Context, from, until int) error {
	for n := from; n < until; n++ {
		if err := s.hire(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// hire makes the n-th driver.
func (s *Sandbox) hire(ctx context.Context, n int) error {
	rng := s.draw("hire", int64(n))
	person, vehicle := s.city.Driver(rng, n)
	for vehicle.Type == "" { // the districts are too wide to walk
		vehicle = s.city.Vehicle(rng)
	}
	in := model.WorkerInput{
		Name: model.Some(person.Name), Phone: model.Some(person.Phone), Teams: model.Some([]model.ID{s.teamOf(n).ID}),
		Capacity: model.Some(float64(10 + 5*rng.IntN(7))),
	}
	in.Vehicle = model.Some(model.Vehicle{
		Type: model.VehicleType(vehicle.Type), Description: model.Some(vehicle.Description),
		Color: model.Some(vehicle.Color), LicensePlate: model.NullIfZero(vehicle.LicensePlate),
	})
	if first, _, ok := cutName(person.Name); ok {
		in.DisplayName = model.Some(first)
	}
	worker, err := s.world.CreateWorker(ctx, s.desk(), in)
	if err != nil {
		return err
	}
	device := pick(rng, []model.UserData{
		{Platform: model.Some("ANDROID"), DeviceDescription: model.Some("Pixel 8"), AppVersion: model.Some("2.4.1")},
		{Platform: model.Some("ANDROID"), DeviceDescription: model.Some("Galaxy A54"), AppVersion: model.Some("2.4.0")},
		{Platform: model.Some("IOS"), DeviceDescription: model.Some("iPhone 13"), AppVersion: model.Some("2.4.1")},
		{Platform: model.Some("IOS"), DeviceDescription: model.Some("iPhone SE"), AppVersion: model.Some("2.3.7")},
	})
	if err := s.world.AcceptInvitation(ctx, worker.ID, device); err != nil {
		return err
	}
	d := &driver{worker: worker.ID, number: n, Phase: phaseOff, Vehicle: vehicle.Type, changed: true}
	d.character = s.characterOf(n)
	s.drivers = append(s.drivers, d)
	_, err = s.world.SetSchedule(ctx, s.desk(), worker.ID, s.scheduleOf(d))
	return err
}

func cutName(name string) (first, last string, ok bool) {
	for i, r := range name {
		if r == ' ' {
			return name[:i], name[i+1:], true
		}
	}
	return name, "", false
}

func (s *Sandbox) teamOf(number int) team { return s.state.Teams[number%len(s.state.Teams)] }

// scheduleDays is for how many days ahead shifts are planned.
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
		date := shift.begins.Time().In(zone).Format(time.DateOnly)
		schedule.Entries = append(schedule.Entries, model.ScheduleEntry{
			Date: date, Timezone: city.TimeZone, Shifts: [][2]model.Millis{{shift.begins, shift.ends}},
		})
	}
	return schedule
}
