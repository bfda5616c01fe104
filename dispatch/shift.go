package dispatch

import (
	"time"

	"waybill/model"
)

// ShiftWithin is the span from the first to the last hour of a schedule inside a window; null when nothing is planned
// there, which means that any hour will do.
func ShiftWithin(schedule model.Schedule, window model.TimeWindow) model.Opt[model.TimeWindow] {
	var start, end time.Time
	for _, entry := range schedule.Entries {
		for _, shift := range entry.Shifts {
			from, to := shift[0].Time(), shift[1].Time()
			if to.Before(window.Start) || from.After(window.End) {
				continue
			}
			if start.IsZero() || from.Before(start) {
				start = from
			}
			if to.After(end) {
				end = to
			}
		}
	}
	return model.SomeIf(model.TimeWindow{Start: start, End: end}, !start.IsZero())
}
