package views

import (
	"fmt"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// addDriver adds a driver: status and load first, then the route, then the rest.
func (w *detailWriter) addDriver(full *model.Worker, r *board.WorkerRow) {
	if r != nil {
		w.addDriverRow(r)
	}
	if full == nil {
		return
	}
	if r != nil && r.Stops() > 0 {
		w.addGap() // ends the route
	}
	if v, ok := full.Vehicle.Get(); ok {
		w.addField("vehicle", theme.Text, strings.Join(strings.Fields(strings.Join([]string{
			board.VehicleText(v.Type), v.Color.Value(), v.Description.Value(), v.LicensePlate.Value(),
		}, " ")), " "))
	}
	device := full.UserData.Value()
	w.addField("device", theme.Text, strings.TrimSpace(device.Platform.Value()+" "+device.DeviceDescription.Value()+" "+device.AppVersion.Value()))
	w.addField("account", theme.Text, strings.ToLower(full.AccountStatus))
	w.addMetadata(full.Metadata)
	w.addIDs(full.ID, full.TimeCreated, full.TimeLastModified, nil)
}

func (w *detailWriter) addDriverRow(r *board.WorkerRow) {
	badge := w.th.Badge(r.State.Tone())
	spans := []Span{{badge.Token, badge.Glyph + " " + badge.Word}}
	if r.State == board.WorkerIsSilent {
		spans = append(spans, Span{theme.Muted, "  no position for more than " + model.FormatDuration(w.s.Settings.Silent)})
	}
	if r.Delay > 0 {
		spans = append(spans, Span{theme.StatusToken(board.ToneLate), "  ! " + model.FormatShortDelay(r.Delay) + " late"})
	}
	w.addLine(spans...)
	w.addField("last seen", theme.Text, w.formatTime(r.LastSeen))
	w.addField("phone", theme.Text, r.Phone)
	w.addField("teams", theme.Text, r.TeamNames)
	w.addField("battery", theme.Text, percentText(r.Battery))
	load := w.s.LoadOf(r)
	text := fmt.Sprintf("%d stops", load.Stops)
	if load.Capacity > 0 {
		text = fmt.Sprintf("%s  %s of %s, %s", ProgressBar(w.th, int(load.Quantity), int(load.Capacity), 10),
			numberText(load.Quantity), numberText(load.Capacity), text)
	}
	w.addField("load", theme.Text, text)
	if stops := w.s.Route(r); len(stops) > 0 {
		w.addHeading("route, arrivals in " + w.f.Now.In(w.f.Zone).Format("MST"))
		for _, stop := range stops {
			arrival := ""
			if stop.Row != nil {
				arrival = etaText(stop.Row, w.f.Now, w.f.Zone)
			}
			if arrival == "" {
				arrival = w.th.Glyphs.None
			}
			w.addTaskLink(stop.ID, stop.Row, fmt.Sprintf("%2d %s ", stop.Position+1, w.measure.Fit(arrival, 5, theme.Left)))
		}
	}
}

// addOrder adds an order with both its tasks.
func (w *detailWriter) addOrder(full *model.Order, r *board.OrderRow) {
	if r != nil {
		badge := w.th.Badge(board.OrderTone(r.Status))
		w.addLine(Span{badge.Token, badge.Glyph + " " + string(r.Status)})
		w.addField("client", theme.Text, r.Client)
		if r.Priced {
			w.addField("price", theme.Text, moneyText(r.Price, r.Currency))
		}
		w.addHeading("tasks")
		w.addTaskLink(r.Pickup.Task, w.s.Tasks.Get(r.Pickup.Task), "pickup   ")
		w.addTaskLink(r.Dropoff.Task, w.s.Tasks.Get(r.Dropoff.Task), "dropoff  ")
	}
	if full == nil {
		return
	}
	for _, t := range []*model.Task{&full.PickupTask, &full.DropoffTask} {
		w.addHeading(board.KindText(t == &full.PickupTask))
		w.addField("address", theme.Text, addressText(t.Destination.Object))
		if len(t.Recipients) > 0 && t.Recipients[0].Object != nil {
			w.addField("recipient", theme.Text, t.Recipients[0].Object.Name+"  "+t.Recipients[0].Object.Phone)
		}
		w.addField("due", theme.Text, w.formatTime(t.CompleteBefore.Value()))
		w.addField("notes", theme.Text, t.Notes)
	}
	if len(full.PriceBreakdown) > 0 {
		w.addHeading("price")
		for _, p := range full.PriceBreakdown {
			w.addField(moneyText(p.Cost, full.Currency.Value()), theme.Text, p.Name)
		}
	}
	w.addIDs(full.ID, full.TimeCreated, full.TimeLastModified, func() {
		w.addField("service", theme.Text, full.DeliveryService.Value())
		w.addField("source", theme.Text, full.Source)
	})
}

func (w *detailWriter) addRecipient(r *model.Recipient) {
	w.addLine(Span{theme.Strong, r.Name})
	w.addField("phone", theme.Text, r.Phone)
	w.addField("notes", theme.Text, r.Notes)
	if r.SkipSMSNotifications {
		w.addField("messages", theme.Warn, "no text messages")
	}
	w.addTasks(func(t *board.TaskRow) bool { return t.Phone != "" && t.Phone == r.Phone })
	w.addMetadata(r.Metadata)
	w.addIDs(r.ID, r.TimeCreated, 0, nil)
}

func (w *detailWriter) addDestination(d *model.Destination) {
	w.addLine(Span{theme.Strong, addressText(d)})
	w.addField("notes", theme.Text, d.Notes)
	w.addField("location", theme.Text, d.Location.Text())
	w.addField("warnings", theme.Warn, strings.Join(d.Warnings.Value(), ", "))
	w.addTasks(func(t *board.TaskRow) bool { return t.Destination == d.ID })
	w.addMetadata(d.Metadata)
	w.addIDs(d.ID, d.TimeCreated, 0, nil)
}

// addIDs adds the id of an object, what else identifies it, and when it was created and modified.
func (w *detailWriter) addIDs(id model.ID, created, modified model.Millis, addOthers func()) {
	w.addHeading("ids")
	w.addField("id", theme.Text, string(id))
	if addOthers != nil {
		addOthers()
	}
	w.addField("created", theme.Text, w.formatTime(created))
	w.addField("modified", theme.Text, w.formatTime(modified))
}

// addTasks adds links to the tasks that match.
func (w *detailWriter) addTasks(matches func(*board.TaskRow) bool) {
	first := true
	for row := range w.s.Tasks.All() {
		if !matches(row) {
			continue
		}
		if first {
			w.addHeading("tasks")
			first = false
		}
		w.addTaskLink(row.ID, row, "")
	}
}
