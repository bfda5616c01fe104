package views

import (
	"fmt"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/views/canvas"
	"waybill/views/theme"
)

// worker writes what is known of a worker: what they do, their route in order, then the rest.
func (w *writer) worker(full *model.Worker, r *board.WorkerRow) {
	if r != nil {
		w.workerRow(r)
	}
	if full == nil {
		return
	}
	if r != nil && r.Stops() > 0 {
		w.gap() // what follows is not of the route any more
	}
	if v, ok := full.Vehicle.Get(); ok {
		w.field("vehicle", theme.Text, strings.Join(strings.Fields(strings.Join([]string{
			vehicleText(v.Type), v.Color.Value(), v.Description.Value(), v.LicensePlate.Value(),
		}, " ")), " "))
	}
	device := full.UserData.Value()
	w.field("device", theme.Text, strings.TrimSpace(device.Platform.Value()+" "+device.DeviceDescription.Value()+" "+device.AppVersion.Value()))
	w.field("account", theme.Text, strings.ToLower(full.AccountStatus))
	w.metadata(full.Metadata)
	w.heading("ids")
	w.field("id", theme.Text, string(full.ID))
	w.field("created", theme.Text, w.when(full.TimeCreated))
	w.field("modified", theme.Text, w.when(full.TimeLastModified))
}

func (w *writer) workerRow(r *board.WorkerRow) {
	badge := w.th.Badge(workerStatus(r))
	spans := []Span{{badge.Token, badge.Glyph + " " + badge.Word}}
	if r.State == board.WorkerIsSilent {
		spans = append(spans, Span{theme.Muted, "  not heard of for more than " + model.FormatDuration(w.s.Settings.Silent)})
	}
	if r.Delay > 0 {
		spans = append(spans, Span{theme.LateToken, "  ! " + delayText(r.Delay) + " late"})
	}
	w.add(spans...)
	w.field("seen", theme.Text, w.when(r.LastSeen))
	w.field("phone", theme.Text, r.Phone)
	w.field("teams", theme.Text, r.TeamNames)
	w.field("battery", theme.Text, percentText(r.Battery))
	load := w.s.LoadOf(r)
	text := fmt.Sprintf("%d stops", load.Stops)
	if load.Capacity > 0 {
		text = canvas.Bar(int(load.Quantity), int(load.Capacity), 10, "█", "░") +
			fmt.Sprintf("  %s of %s, %d stops", numberText(load.Quantity), numberText(load.Capacity), load.Stops)
		if w.th.ASCII() {
			text = strings.NewReplacer("█", "#", "░", ".").Replace(text)
		}
	}
	w.field("load", theme.Text, text)
	if stops := w.s.Route(r); len(stops) > 0 {
		w.heading("route, with arrivals  " + w.f.Now.In(w.f.Zone).Format("MST"))
		for _, stop := range stops {
			arrival := ""
			if stop.Row != nil {
				arrival = etaText(stop.Row, w.f.Now, w.f.Zone)
			}
			if arrival == "" {
				arrival = w.th.Glyphs.None
			}
			w.taskLine(stop.ID, stop.Row, fmt.Sprintf("%2d %s ", stop.Position+1, w.measure.Fit(arrival, 5, theme.Left)))
		}
	}
}

// order writes an order with both its tasks.
func (w *writer) order(full *model.Order, r *board.OrderRow) {
	if r != nil {
		badge := w.th.OrderBadge(string(r.Status))
		w.add(Span{badge.Token, badge.Glyph + " " + string(r.Status)})
		w.field("client", theme.Text, r.Client)
		if r.Priced {
			w.field("price", theme.Text, moneyText(r.Price, r.Currency))
		}
		w.heading("tasks")
		w.taskLine(r.Pickup.Task, w.s.Tasks.Get(r.Pickup.Task), "pickup   ")
		w.taskLine(r.Dropoff.Task, w.s.Tasks.Get(r.Dropoff.Task), "dropoff  ")
	}
	if full == nil {
		return
	}
	for _, t := range []*model.Task{&full.PickupTask, &full.DropoffTask} {
		w.heading(kindText(t == &full.PickupTask))
		w.field("address", theme.Text, addressText(t.Destination.Object))
		if len(t.Recipients) > 0 && t.Recipients[0].Object != nil {
			w.field("recipient", theme.Text, t.Recipients[0].Object.Name+"  "+t.Recipients[0].Object.Phone)
		}
		w.field("due", theme.Text, w.when(t.CompleteBefore.Value()))
		w.field("notes", theme.Text, t.Notes)
	}
	if len(full.PriceBreakdown) > 0 {
		w.heading("price")
		for _, p := range full.PriceBreakdown {
			w.field(moneyText(p.Cost, full.Currency.Value()), theme.Text, p.Name)
		}
	}
	w.heading("ids")
	w.field("id", theme.Text, string(full.ID))
	w.field("service", theme.Text, full.DeliveryService.Value())
	w.field("source", theme.Text, full.Source)
	w.field("created", theme.Text, w.when(full.TimeCreated))
	w.field("modified", theme.Text, w.when(full.TimeLastModified))
}

func (w *writer) recipient(r *model.Recipient) {
	w.add(Span{theme.Strong, r.Name})
	w.field("phone", theme.Text, r.Phone)
	w.field("notes", theme.Text, r.Notes)
	if r.SkipSMSNotifications {
		w.field("messages", theme.Warn, "wants no text messages")
	}
	var shown bool
	for row := range w.s.Tasks.All() {
		if row.Phone == "" || row.Phone != r.Phone {
			continue
		}
		if !shown {
			w.heading("tasks")
			shown = true
		}
		w.taskLine(row.ID, row, "")
	}
	w.metadata(r.Metadata)
	w.heading("ids")
	w.field("id", theme.Text, string(r.ID))
	w.field("created", theme.Text, w.when(r.TimeCreated))
}

func (w *writer) destination(d *model.Destination) {
	w.add(Span{theme.Strong, addressText(d)})
	w.field("notes", theme.Text, d.Notes)
	w.field("location", theme.Text, fmt.Sprintf("%.5f, %.5f", d.Location.Lat, d.Location.Lon))
	w.field("warnings", theme.Warn, strings.Join(d.Warnings.Value(), ", "))
	var shown bool
	for row := range w.s.Tasks.All() {
		if row.Destination != d.ID {
			continue
		}
		if !shown {
			w.heading("tasks")
			shown = true
		}
		w.taskLine(row.ID, row, "")
	}
	w.metadata(d.Metadata)
	w.heading("ids")
	w.field("id", theme.Text, string(d.ID))
	w.field("created", theme.Text, w.when(d.TimeCreated))
}
