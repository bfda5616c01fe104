package model

import "time"

// Limits of queries.
const (
	// MaxPageTasks is how many tasks a page of a list holds at most. A shorter page is not the last one by that.
	MaxPageTasks = 64
	// DefaultRadiusMeters and MaxRadiusMeters limit a search for workers around a place.
	DefaultRadiusMeters = 1_000
	MaxRadiusMeters     = 10_000
	// MaxAnalyticsSpan is the longest span of a worker's analytics.
	MaxAnalyticsSpan = 24 * time.Hour
	// TeamTasksSpan is how far back the tasks of a team or worker are listed when the query does not say.
	TeamTasksSpan = 7 * 24 * time.Hour
)

// CheckWorkersNear reports what is wrong with a search for workers around a place.
func CheckWorkersNear(center Location, radiusMeters float64) Problems {
	var ps Problems
	if !(center.Lon >= -180 && center.Lon <= 180) {
		ps.add("longitude", ErrorInvalid, "It must be from -180 to 180.")
	}
	if !(center.Lat >= -90 && center.Lat <= 90) {
		ps.add("latitude", ErrorInvalid, "It must be from -90 to 90.")
	}
	if !(radiusMeters > 0 && radiusMeters <= MaxRadiusMeters) {
		ps.add("radius", ErrorInvalid, "It must be above 0 and at most %d meters.", MaxRadiusMeters)
	}
	return ps
}

// CheckSpan reports a span of a list that is missing or not in order. It may start at 0, which means from the start.
func CheckSpan(from, to Opt[Millis]) Problems {
	var ps Problems
	start, ok := from.Get()
	switch end, hasEnd := to.Get(); {
	case !ok:
		ps.add("from", ErrorMissing, "The start of the span is needed, in Unix milliseconds.")
	case start < 0:
		ps.add("from", ErrorTimeConstraint, "It must be a time in Unix milliseconds.")
	case hasEnd && end < start:
		ps.add("to", ErrorTimeConstraint, "It must not be before from.")
	}
	return ps
}

// CheckAnalytics reports a span of analytics that is too long.
func CheckAnalytics(from, to Millis) Problems {
	var ps Problems
	ps.window("from", Some(from), "to", Some(to))
	if len(ps) == 0 && to.Sub(from) > MaxAnalyticsSpan {
		ps.add("to", ErrorTimeConstraint, "Analytics span 24 hours at most.")
	}
	return ps
}

// CheckEstimate reports what is wrong with the question who of a team could do a delivery: a pickup, a drop-off or both
// are needed, and with a pickup the time from which the goods are ready.
func CheckEstimate(pickup, dropoff Opt[Location], ready Opt[UnixSeconds], service Opt[Seconds]) Problems {
	var ps Problems
	if !pickup.Has() && !dropoff.Has() {
		ps.add("dropoffLocation", ErrorMissing, "A dropoffLocation or a pickupLocation is needed, as longitude,latitude.")
	}
	ps.location("pickupLocation", pickup)
	ps.location("dropoffLocation", dropoff)
	if pickup.Has() && !ready.Has() {
		ps.add("pickupTime", ErrorMissing, "A pickup needs the time from which the goods are ready, in Unix seconds.")
	}
	if service.Value() < 0 {
		ps.add("serviceTime", ErrorInvalid, "It must be a number of seconds, 0 or more.")
	}
	return ps
}
