package model

import (
	"time"

	// Time zones must be known on machines that have no zone files, or valid schedules would be refused there.
	_ "time/tzdata"
)

// Check reports what is wrong with a worker to be created.
func (in WorkerInput) Check(ctx CheckContext) Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The worker's full name")
	_, phone := NormalizePhone(in.Phone.Value(), ctx.Country)
	ps.addWithin("phone", phone)
	if len(in.Teams.Value()) == 0 {
		ps.add("teams", ErrorMissing, "The id of at least one team is required.")
	}
	ps.checkWorkerMembers(in)
	return ps
}

// CheckUpdate reports what is wrong with a change of a worker. The phone number, by which a worker logs in, stays.
func (in WorkerInput) CheckUpdate() Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The worker's full name", false)
	if in.Phone.Present() {
		ps.add("phone", ErrorInvalid, "A worker's phone number cannot be changed.")
	}
	if in.Teams.Present() && len(in.Teams.Value()) == 0 {
		ps.add("teams", ErrorMissing, "A worker must belong to at least one team.")
	}
	ps.checkWorkerMembers(in)
	return ps
}

func (ps *Problems) checkWorkerMembers(in WorkerInput) {
	ps.checkIDs("teams", in.Teams.Value())
	if vehicle, ok := in.Vehicle.Get(); ok {
		if vehicle.Type == "" {
			ps.add("vehicle.type", ErrorMissing, "The vehicle type is required: CAR, MOTORCYCLE, BICYCLE or TRUCK.")
		} else {
			ps.checkVehicleType("vehicle.type", vehicle.Type)
		}
	}
	ps.checkQuantity("capacity", in.Capacity)
	if more, ok := in.AdditionalCapacities.Get(); ok {
		ps.checkQuantity("additionalCapacities.capacityA", more.A)
		ps.checkQuantity("additionalCapacities.capacityB", more.B)
		ps.checkQuantity("additionalCapacities.capacityC", more.C)
	}
	ps.checkRoutingAddress(in)
	ps.checkMetadata("metadata", in.Metadata.Value())
	ps.checkTimezone("timezone", in.Timezone.Value())
}

// checkRoutingAddress checks the address that routes may end at: an id, or an object with both location and address.
func (ps *Problems) checkRoutingAddress(in WorkerInput) {
	path := "addresses.routing"
	if !in.Addresses.Value().Routing.Present() {
		path = "address.routing"
	}
	routing, ok := in.Routing().Get()
	if !ok {
		return
	}
	if routing.Object != nil && !routing.Object.Location.Or(NoLocation()).Known() {
		ps.add(path+".location", ErrorMissing, "The coordinates of the routing address are required: [longitude, latitude].")
	}
	ps.checkDestinationRef(path, routing, needsStreet)
}

func (ps *Problems) checkVehicleType(field string, vehicle VehicleType) {
	switch vehicle {
	case VehicleCar, VehicleMotorcycle, VehicleBicycle, VehicleTruck:
	default:
		ps.add(field, ErrorInvalid, "Unknown vehicle type %.40q. Use CAR, MOTORCYCLE, BICYCLE or TRUCK.", Clean(string(vehicle)))
	}
}

// checkTimezone reports a name that is not of the IANA list. Empty means none was given.
func (ps *Problems) checkTimezone(field, name string) {
	if name == "" {
		return
	}
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		ps.add(field, ErrorInvalid, "%.60q is not a time zone such as America/Los_Angeles.", Clean(name))
	}
}

// Check reports what is wrong with a schedule: days that are none or come twice, shifts that end before they start,
// overlap, or lie outside their day.
func (s Schedule) Check() Problems {
	var ps Problems
	seen := map[string]bool{}
	for i, entry := range s.Entries {
		path := elementPath("entries", i)
		ps.addWithin(path, entry.check())
		if seen[entry.Date] {
			ps.add(path+".date", ErrorInvalid, "%.40s is listed twice. Put all shifts of a day into one entry.", Clean(entry.Date))
		}
		seen[entry.Date] = true
	}
	return ps
}

func (e ScheduleEntry) check() Problems {
	var ps Problems
	ps.checkRequired("timezone", e.Timezone, "The time zone")
	ps.checkTimezone("timezone", e.Timezone)
	location, err := time.LoadLocation(e.Timezone)
	if err != nil {
		location = time.UTC
	}
	day, err := time.ParseInLocation(time.DateOnly, e.Date, location)
	if err != nil {
		ps.add("date", ErrorInvalid, "%.40q is not a date such as 2026-11-20.", Clean(e.Date))
	}
	for i, shift := range e.Shifts {
		path := elementPath("shifts", i)
		start, end := shift[0], shift[1]
		switch {
		case start < earliestMillis || end < earliestMillis:
			ps.add(path, ErrorTimeConstraint, "The times must be in Unix milliseconds.")
		case end <= start:
			ps.add(path, ErrorTimeConstraint, "The end must be after the start.")
		case err == nil && !startsOn(day, start):
			ps.add(path, ErrorTimeConstraint, "The shift does not start on %s in %.60s.", e.Date, Clean(e.Timezone))
		case overlapsAny(e.Shifts[:i], shift):
			ps.add(path, ErrorTimeConstraint, "The shift overlaps an earlier one.")
		}
	}
	return ps
}

// startsOn reports whether a shift starts on its day; a night shift may end on the next.
func startsOn(day time.Time, start Millis) bool {
	return start >= MillisOf(day) && start < MillisOf(day.AddDate(0, 0, 1))
}

func overlapsAny(shifts [][2]Millis, shift [2]Millis) bool {
	for _, other := range shifts {
		if shift[0] < other[1] && other[0] < shift[1] {
			return true
		}
	}
	return false
}
