package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Hubs lists the hubs of an organization in order of creation.
func (w *World) Hubs(ctx context.Context, org model.ID) ([]model.Hub, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Hub, error) {
		hubs, err := readDocs[model.Hub](tx.Query(ctx, "SELECT doc FROM hubs WHERE org = $1 ORDER BY created, id", org))
		if err != nil {
			return nil, err
		}
		teams, err := readIDGroups(tx.Query(ctx, "SELECT hub, id FROM teams WHERE org = $1 AND hub IS NOT NULL ORDER BY created, id", org))
		for i := range hubs {
			hubs[i].Teams = append([]model.ID{}, teams[hubs[i].ID]...)
		}
		return hubs, err
	})
}

func readHub(ctx context.Context, q store.Querier, org, id model.ID) (model.Hub, error) {
	hub, err := readOwned[model.Hub](ctx, q, "hubs", org, id)
	if err != nil {
		return hub, err
	}
	hub.Teams, err = readIDs(q.Query(ctx, "SELECT id FROM teams WHERE hub = $1 ORDER BY created, id", id))
	return hub, err
}

// CreateHub creates a hub. Without coordinates its address is geocoded.
func (w *World) CreateHub(ctx context.Context, actor Actor, in model.HubInput) (model.Hub, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Hub{}, err
	}
	if problems := in.Check(rules); len(problems) > 0 {
		return model.Hub{}, problems
	}
	place, err := w.locateDestination(ctx, model.DestinationInput{Address: in.Address, Location: in.Location})
	if err != nil {
		return model.Hub{}, err
	}
	now := w.Now()
	hub := model.Hub{
		ID: w.ids.ID(), Name: in.Name.Value(), Location: place.Location, Address: place.Address,
		Phone: hubPhone(in, rules),
	}
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "insert hub", "INSERT INTO hubs (id, org, lon, lat, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			hub.ID, actor.Org, hub.Location.Lon, hub.Location.Lat, now, now, asDoc(hub))
		setHubTeams(ctx, tx, actor.Org, hub.ID, in.Teams.Value())
		hub, err = readHub(ctx, tx, actor.Org, hub.ID)
		return err
	})
	return hub, err
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
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Hub{}, err
	}
	if problems := in.CheckUpdate(rules); len(problems) > 0 {
		return model.Hub{}, problems
	}
	var place model.Destination
	if in.Address.Has() {
		if place, err = w.locateDestination(ctx, model.DestinationInput{Address: in.Address, Location: in.Location}); err != nil {
			return model.Hub{}, err
		}
	}
	var hub model.Hub
	err = w.store.Write(ctx, func(tx *store.Tx) (err error) {
		if hub, err = readOwned[model.Hub](ctx, tx, "hubs", actor.Org, id); err != nil {
			return err
		}
		hub.Name = in.Name.Or(hub.Name)
		hub.Location = in.Location.Or(hub.Location)
		if in.Address.Has() {
			hub.Location, hub.Address = place.Location, place.Address
		}
		if in.Phone.Present() {
			hub.Phone = hubPhone(in, rules)
		}
		saveHub(ctx, tx, hub, w.Now())
		if teams, ok := in.Teams.Get(); ok {
			setHubTeams(ctx, tx, actor.Org, id, teams)
		}
		hub, err = readHub(ctx, tx, actor.Org, id)
		return err
	})
	return hub, err
}

func saveHub(ctx context.Context, tx *store.Tx, hub model.Hub, now model.Millis) {
	tx.Write(ctx, "update hub", "UPDATE hubs SET lon = $1, lat = $2, modified = $3, doc = $4 WHERE id = $5",
		hub.Location.Lon, hub.Location.Lat, now, asDoc(hub), hub.ID)
}

// setHubTeams assigns exactly these teams to the hub. A team has at most one hub, so it leaves its old one.
func setHubTeams(ctx context.Context, tx *store.Tx, org, hub model.ID, teams []model.ID) {
	tx.Fail(checkOwners(ctx, tx, "teams", org, teams...))
	tx.Write(ctx, "remove teams from the hub", "UPDATE teams SET hub = NULL WHERE hub = $1", hub)
	for _, team := range teams {
		tx.Write(ctx, "set the hub of a team", "UPDATE teams SET hub = $1 WHERE id = $2", hub, team)
	}
}
