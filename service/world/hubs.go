package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Hubs lists the hubs of an organization in order of creation.
func (w *World) Hubs(ctx context.Context, org model.ID) ([]model.Hub, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Hub, error) {
		hubs, err := readDocs[model.Hub](ctx, tx, "SELECT doc FROM hubs WHERE org = $1 ORDER BY created, id", org)
		teams := readIDGroups(ctx, tx, "SELECT hub, id FROM teams WHERE org = $1 AND hub IS NOT NULL ORDER BY created, id", org)
		for i := range hubs {
			hubs[i].Teams = teams[hubs[i].ID]
		}
		return hubs, err
	})
}

func readHub(ctx context.Context, tx *store.Tx, org, id model.ID) (model.Hub, error) {
	hub, err := readOwned[model.Hub](ctx, tx, "hubs", org, id)
	hub.Teams = readIDs(ctx, tx, "SELECT id FROM teams WHERE hub = $1 ORDER BY created, id", id)
	return hub, err
}

// CreateHub creates a hub. Without coordinates its address is geocoded.
func (w *World) CreateHub(ctx context.Context, actor Actor, in model.HubInput) (model.Hub, error) {
	rules, err := w.checkInput(ctx, actor.Org, in.Check)
	if err != nil {
		return model.Hub{}, err
	}
	place, err := w.locateDestination(ctx, actor.Org, model.DestinationInput{Address: in.Address, Location: in.Location})
	if err != nil {
		return model.Hub{}, err
	}
	hub := model.Hub{
		ID: w.ids.ID(), Name: in.Name.Value(), Location: place.Location, Address: place.Address,
		Phone: hubPhone(in, rules),
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Hub, error) {
		saveHub(ctx, tx, actor.Org, hub, in, w.Now())
		return readHub(ctx, tx, actor.Org, hub.ID)
	})
}

func hubPhone(in model.HubInput, rules model.CheckContext) model.Opt[string] {
	phone, _ := model.NormalizePhone(in.Phone.Value(), rules.Country)
	return model.NullIfZero(phone)
}

// UpdateHub changes the members of a hub that the body contains. A new address is geocoded unless coordinates come with
// it. New coordinates without an address leave the address as it is.
func (w *World) UpdateHub(ctx context.Context, actor Actor, id model.ID, in model.HubInput) (model.Hub, error) {
	if err := checkOwner(ctx, w.store, "hubs", actor.Org, id); err != nil {
		return model.Hub{}, err
	}
	rules, err := w.checkInput(ctx, actor.Org, in.CheckUpdate)
	if err != nil {
		return model.Hub{}, err
	}
	var place model.Destination
	if in.Address.Has() {
		if place, err = w.locateDestination(ctx, actor.Org, model.DestinationInput{Address: in.Address, Location: in.Location}); err != nil {
			return model.Hub{}, err
		}
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Hub, error) {
		hub, err := readOwned[model.Hub](ctx, tx, "hubs", actor.Org, id)
		if err != nil {
			return hub, err
		}
		hub.Name = in.Name.Or(hub.Name)
		hub.Location = in.Location.Or(hub.Location)
		if in.Address.Has() {
			hub.Location, hub.Address = place.Location, place.Address
		}
		if in.Phone.Present() {
			hub.Phone = hubPhone(in, rules)
		}
		saveHub(ctx, tx, actor.Org, hub, in, w.Now())
		return readHub(ctx, tx, actor.Org, id)
	})
}

// saveHub stores a new or changed hub. Teams in the body are all its teams; a team has at most one hub, so it leaves its
// old one.
func saveHub(ctx context.Context, tx *store.Tx, org model.ID, hub model.Hub, in model.HubInput, now model.Millis) {
	tx.Write(ctx, "save hub", `INSERT INTO hubs (id, org, lon, lat, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $5, $6)
		ON CONFLICT (id) DO UPDATE SET lon = excluded.lon, lat = excluded.lat, modified = excluded.modified, doc = excluded.doc`,
		hub.ID, org, hub.Location.Lon, hub.Location.Lat, now, asDoc(hub))
	teams, ok := in.Teams.Get()
	if !ok {
		return
	}
	tx.Fail(checkOwners(ctx, tx, "teams", org, teams...))
	tx.Write(ctx, "remove teams from the hub", "UPDATE teams SET hub = NULL WHERE hub = $1", hub.ID)
	for _, team := range teams {
		tx.Write(ctx, "set the hub of a team", "UPDATE teams SET hub = $1 WHERE id = $2", hub.ID, team)
	}
}
