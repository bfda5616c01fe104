package board

import "slices"

// Fields is a set of fields of a row.
type Fields uint32

// Fields of rows. Each row type has some of them.
const (
	FieldStatus Fields = 1 << iota
	FieldRisk
	FieldKind
	FieldWindow
	FieldArrival
	FieldDelay
	FieldWorker
	FieldTeam
	FieldAddress
	FieldRecipient
	FieldPhone
	FieldNotes
	FieldQuantity
	FieldLinks
	FieldCompleted
	FieldModified
	FieldName
	FieldActiveTask
	FieldRoute
	FieldSeen
	FieldLocation
	FieldBattery
	FieldVehicle
	FieldCapacity
	FieldPrice
	FieldPickup
	FieldDropoff
)

// Has reports whether any of the fields is in the set.
func (f Fields) Has(any Fields) bool { return f&any != 0 }

func (f *Fields) when(changed bool, field Fields) {
	if changed {
		*f |= field
	}
}

// changes returns the fields that differ in a newer row.
func (r *TaskRow) changes(n *TaskRow) Fields {
	var f Fields
	f.when(r.State != n.State || r.Status != n.Status, FieldStatus)
	f.when(r.Risk != n.Risk, FieldRisk)
	f.when(r.Pickup != n.Pickup, FieldKind)
	f.when(r.Earliest != n.Earliest || r.Due != n.Due || r.Service != n.Service, FieldWindow)
	f.when(r.Arrival != n.Arrival || r.Finish != n.Finish || r.Started != n.Started || r.Arrived != n.Arrived, FieldArrival)
	f.when(r.Delay != n.Delay, FieldDelay)
	f.when(r.Worker != n.Worker || r.WorkerName != n.WorkerName, FieldWorker)
	f.when(r.Team != n.Team || r.TeamName != n.TeamName, FieldTeam)
	f.when(r.Address != n.Address || r.Destination != n.Destination, FieldAddress)
	f.when(r.Location != n.Location || r.HasLocation != n.HasLocation, FieldAddress)
	f.when(r.RecipientName != n.RecipientName, FieldRecipient)
	f.when(r.Phone != n.Phone, FieldPhone)
	f.when(r.Notes != n.Notes, FieldNotes)
	f.when(r.Quantity != n.Quantity, FieldQuantity)
	f.when(r.Order != n.Order || !slices.Equal(r.Dependencies, n.Dependencies), FieldLinks)
	f.when(r.Completed != n.Completed, FieldCompleted)
	f.when(r.Modified != n.Modified || r.Created != n.Created || r.ShortID != n.ShortID, FieldModified)
	return f
}

func (w *WorkerRow) changes(n *WorkerRow) Fields {
	var f Fields
	f.when(w.Name != n.Name, FieldName)
	f.when(w.Phone != n.Phone, FieldPhone)
	f.when(w.State != n.State || w.OnDuty != n.OnDuty || w.StateSince != n.StateSince, FieldStatus)
	f.when(w.ActiveTask != n.ActiveTask, FieldActiveTask)
	f.when(!slices.Equal(w.Tasks, n.Tasks), FieldRoute)
	f.when(!slices.Equal(w.Teams, n.Teams) || w.TeamNames != n.TeamNames, FieldTeam)
	f.when(w.Vehicle != n.Vehicle, FieldVehicle)
	f.when(w.Modified != n.Modified, FieldModified)
	f.when(w.LastSeen != n.LastSeen, FieldSeen)
	f.when(w.Delay != n.Delay || w.reportedDelay != n.reportedDelay, FieldDelay)
	f.when(w.Location != n.Location || w.HasLocation != n.HasLocation, FieldLocation)
	f.when(w.Capacity != n.Capacity, FieldCapacity)
	f.when(w.Battery != n.Battery, FieldBattery)
	return f
}

func (o *OrderRow) changes(n *OrderRow) Fields {
	var f Fields
	f.when(o.Status != n.Status, FieldStatus)
	f.when(o.Risk != n.Risk, FieldRisk)
	f.when(o.Client != n.Client || o.ClientID != n.ClientID || o.Service != n.Service, FieldName)
	f.when(o.Pickup != n.Pickup, FieldPickup)
	f.when(o.Dropoff != n.Dropoff, FieldDropoff)
	f.when(o.Price != n.Price || o.Currency != n.Currency || o.Priced != n.Priced, FieldPrice)
	f.when(o.Modified != n.Modified || o.ShortID != n.ShortID, FieldModified)
	return f
}

func (t *TeamRow) changes(n *TeamRow) Fields {
	var f Fields
	f.when(t.Name != n.Name, FieldName)
	f.when(t.Hub != n.Hub, FieldLocation)
	f.when(!slices.Equal(t.Workers, n.Workers), FieldWorker)
	f.when(!slices.Equal(t.Tasks, n.Tasks), FieldRoute)
	f.when(t.Modified != n.Modified, FieldModified)
	return f
}

func (h *HubRow) changes(n *HubRow) Fields {
	var f Fields
	f.when(h.Name != n.Name, FieldName)
	f.when(h.Address != n.Address || h.Location != n.Location, FieldAddress)
	f.when(h.Phone != n.Phone, FieldPhone)
	f.when(!slices.Equal(h.Teams, n.Teams), FieldTeam)
	return f
}

func (t *TemplateRow) changes(n *TemplateRow) Fields {
	var f Fields
	f.when(t.Name != n.Name || t.Default != n.Default, FieldName)
	f.when(!slices.Equal(t.Fields, n.Fields), FieldLinks)
	return f
}
