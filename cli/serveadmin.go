package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
	"waybill/settings"
)

// withWorld opens a data folder for administration, also while a server runs on it.
func (a *app) withWorld(ctx context.Context, data string, run func(*world.World) error) error {
	dir, err := a.dataDir(data)
	if err != nil {
		return err
	}
	opened, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(run(world.New(world.Options{Store: opened})), opened.Close())
}

// noDryRun refuses to go on where there is no request to show: what is meant to change nothing must not.
func (a *app) noDryRun() error {
	if a.flags.dryRun {
		return usageError{errors.New("--dry-run shows requests; this command changes the data folder itself and makes none")}
	}
	return nil
}

// organizationKey is a new organization or key as scripts read it.
type organizationKey struct {
	ID    model.ID `json:"id"`
	Name  string   `json:"name"`
	KeyID model.ID `json:"keyId"`
	Key   string   `json:"key"`
}

func (a *app) printOrganizationKey(k organizationKey) error {
	if a.flags.json {
		return a.printJSON(k)
	}
	a.field("organization", k.Name)
	a.field("id", string(k.ID))
	a.field("key id", string(k.KeyID))
	a.field("API key", k.Key)
	_, err := fmt.Fprintln(a.stderr, "The key is shown once; keep it.")
	return err
}

func (a *app) addOrganization(ctx context.Context, w *world.World, in world.NewOrganization, courier string) error {
	if strings.TrimSpace(in.Name) == "" {
		return usageError{errors.New("an organization needs a name")}
	}
	if courier != "" {
		found, err := findOrganization(ctx, w, courier)
		if err != nil {
			return err
		}
		in.Courier = found.ID
	}
	org, key, err := w.CreateOrganization(ctx, in)
	if err != nil {
		return err
	}
	return a.printOrganizationKey(organizationKey{ID: org.ID, Name: org.Name, KeyID: key.ID, Key: key.Secret})
}

func (a *app) listOrganizations(ctx context.Context, w *world.World) error {
	organizations, err := w.Organizations(ctx)
	if err != nil {
		return err
	}
	return list(a, organizations, "There are no organizations.", func(o model.Organization) []string {
		return []string{string(o.ID), o.Name, o.Country, o.Timezone}
	}, "ID", "NAME", "COUNTRY", "ZONE")
}

func (a *app) addServiceKey(ctx context.Context, w *world.World, orgName, name string) error {
	org, err := findOrganization(ctx, w, orgName)
	if err != nil {
		return err
	}
	key, err := w.AddKey(ctx, org.ID, name, "")
	if err != nil {
		return err
	}
	return a.printOrganizationKey(organizationKey{ID: org.ID, Name: org.Name, KeyID: key.ID, Key: key.Secret})
}

// listedKey is a key as lists show it: never the key itself.
type listedKey struct {
	ID      model.ID                `json:"id"`
	Prefix  string                  `json:"prefix"`
	Name    string                  `json:"name"`
	Created model.Millis            `json:"created"`
	Removed model.Opt[model.Millis] `json:"removed,omitzero"`
}

func (a *app) listServiceKeys(ctx context.Context, w *world.World, orgName string) error {
	org, err := findOrganization(ctx, w, orgName)
	if err != nil {
		return err
	}
	keys, err := w.Keys(ctx, org.ID)
	if err != nil {
		return err
	}
	zone, err := a.zoneOf(org)
	if err != nil {
		return err
	}
	lines := make([]listedKey, len(keys))
	for i, k := range keys {
		lines[i] = listedKey{ID: k.ID, Prefix: k.Prefix, Name: k.Name, Created: k.Created, Removed: k.Removed}
	}
	return list(a, lines, "There are no keys.", func(k listedKey) []string {
		state := "active"
		if k.Removed.Has() {
			state = "removed"
		}
		return []string{string(k.ID), k.Prefix + "…", k.Name, model.FormatTime(k.Created, zone), state}
	}, "ID", "KEY", "NAME", "CREATED", "STATE")
}

// zoneOf is where times are shown beside the service's own data, which knows the zone of its organization.
func (a *app) zoneOf(org model.Organization) (*time.Location, error) {
	if a.flags.timeZone != "" {
		if err := settings.CheckTimeZone(a.flags.timeZone); err != nil {
			return nil, usageError{fmt.Errorf("--time-zone: %w", err)}
		}
	}
	file, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	at, err := time.LoadLocation(org.Timezone)
	if err != nil {
		at = nil
	}
	return cmp.Or(settings.TimeZone(a.flags.timeZone), file.Settings.TimeZone).Location(at), nil
}

func (a *app) removeServiceKey(ctx context.Context, w *world.World, id string) error {
	err := w.RemoveKey(ctx, model.ID(id))
	var refusal *world.Error
	if errors.As(err, &refusal) && refusal.Subcode == model.ErrorNotFound {
		return fmt.Errorf("there is no active key %q; list them with: waybill serve key ls", model.Clean(id))
	}
	return err
}

// findOrganization takes an id or a name; an empty text means the only one there is.
func findOrganization(ctx context.Context, w *world.World, text string) (model.Organization, error) {
	list, err := w.Organizations(ctx)
	if err != nil {
		return model.Organization{}, err
	}
	if text == "" {
		if len(list) != 1 {
			return model.Organization{}, usageError{errManyOrganizations(len(list))}
		}
		return list[0], nil
	}
	for _, org := range list {
		if string(org.ID) == text || strings.EqualFold(org.Name, text) {
			return org, nil
		}
	}
	return model.Organization{}, usageError{errNoOrganization}
}
