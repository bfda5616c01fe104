package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
	"waybill/settings"
)

// withWorld opens an existing data folder for administration, even while a server uses it. It does not create the folder,
// because a missing folder is most likely a typo.
func (a *app) withWorld(ctx context.Context, data string, run func(*world.World) error) error {
	dir, err := a.dataDir(data)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil {
		return fmt.Errorf("no service data in %s: %w\nSet the folder with --data, or create one with: waybill serve org add NAME --data %s",
			dir, err, dir)
	}
	return a.withNewWorld(ctx, data, run)
}

// withNewWorld is withWorld for commands that may create the folder.
func (a *app) withNewWorld(ctx context.Context, data string, run func(*world.World) error) error {
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

// newKeyOutput is a new key and its organization as printed with --json.
type newKeyOutput struct {
	ID    model.ID `json:"id"`
	Name  string   `json:"name"`
	KeyID model.ID `json:"keyId"`
	Key   string   `json:"key"`
}

func (a *app) printOrganizationKey(k newKeyOutput) error {
	if a.flags.json {
		return a.printJSON(k)
	}
	a.printField("organization", k.Name)
	a.printField("id", string(k.ID))
	a.printField("key id", string(k.KeyID))
	a.printField("API key", k.Key)
	_, err := fmt.Fprintln(a.stderr, "The key is shown only once. Save it now.")
	return err
}

func (a *app) addOrganization(ctx context.Context, w *world.World, in world.NewOrganization, courier string) error {
	if strings.TrimSpace(in.Name) == "" {
		return usageError{errors.New("the name of the organization is empty")}
	}
	known, err := readOrganizations(ctx, w)
	if err != nil {
		return err
	}
	if courier != "" {
		found, err := known.findOne(courier, "--client-of")
		if err != nil {
			return err
		}
		in.Courier = found.ID
	}
	if same := known.withName(in.Name); len(same) > 0 {
		a.printNote("Another organization is called %s. From now on use their ids, see: waybill serve org ls.", in.Name)
	}
	org, key, err := w.CreateOrganization(ctx, in)
	if err != nil {
		return err
	}
	return a.printOrganizationKey(newKeyOutput{ID: org.ID, Name: org.Name, KeyID: key.ID, Key: key.Secret})
}

func (a *app) listOrganizations(ctx context.Context, w *world.World) error {
	known, err := readOrganizations(ctx, w)
	if err != nil {
		return err
	}
	return printList(a, known, "No organizations.", func(o model.Organization) []string {
		return []string{string(o.ID), o.Name, o.Country, o.Timezone, dashIfEmpty(strings.Join(known.withIDs(o.Delegatees).names(), ", "))}
	}, "ID", "NAME", "COUNTRY", "ZONE", "CLIENT OF")
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
	return a.printOrganizationKey(newKeyOutput{ID: org.ID, Name: org.Name, KeyID: key.ID, Key: key.Secret})
}

// listedKey is a row of the list of keys. It does not contain the key.
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
	zone, err := a.organizationZone(org)
	if err != nil {
		return err
	}
	lines := make([]listedKey, len(keys))
	for i, k := range keys {
		lines[i] = listedKey{ID: k.ID, Prefix: k.Prefix, Name: k.Name, Created: k.Created, Removed: k.Removed}
	}
	return printList(a, lines, "No keys.", func(k listedKey) []string {
		state := "active"
		if k.Removed.Has() {
			state = "removed"
		}
		return []string{string(k.ID), k.Prefix + "…", k.Name, model.FormatTime(k.Created, zone), state}
	}, "ID", "KEY", "NAME", "CREATED", "STATE")
}

// organizationZone returns the zone for printing times of an organization: --time-zone, the config file, or its own.
func (a *app) organizationZone(org model.Organization) (*time.Location, error) {
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
		return missingObjectError(fmt.Sprintf("unknown or revoked key %.60q; list keys with: waybill serve key ls", model.Clean(id)))
	}
	return err
}
