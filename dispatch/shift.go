package dispatch

import (
	"time"

	"waybill/model"
)

// ShiftWithin returns the span of all shifts of a schedule that overlap a window, or null without shifts, which means that
// the worker may work at any time.
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
