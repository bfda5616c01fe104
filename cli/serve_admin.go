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

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
	"waybill/settings"
)

// withWorld returns a RunE that opens a data folder for administration, even while a server uses it. Only commands that
// create are allowed to create the folder, because a missing folder is most likely a typo.
func (a *app) withWorld(
	data *string, create bool, run func(ctx context.Context, w *world.World, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		dir, err := a.dataDir(*data, "service")
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil && !create {
			return fmt.Errorf("no service data in %s: %w\nSet the folder with --data, or create one with: waybill serve org add NAME --data %s",
				dir, err, dir)
		}
		opened, err := store.Open(cmd.Context(), dir)
		if err != nil {
			return err
		}
		return errors.Join(run(cmd.Context(), world.New(world.Options{Store: opened}), args), opened.Close())
	}
}

// newKeyOutput is a new key and its organization as printed with --json.
type newKeyOutput struct {
	ID    model.ID `json:"id"`
	Name  string   `json:"name"`
	KeyID model.ID `json:"keyId"`
	Key   string   `json:"key"`
}

func (a *app) printNewKey(org model.Organization, key world.CreatedKey) error {
	return a.printResult(newKeyOutput{ID: org.ID, Name: org.Name, KeyID: key.ID, Key: key.Secret}, func() {
		a.printField("organization", org.Name)
		a.printField("id", string(org.ID))
		a.printField("key id", string(key.ID))
		a.printField("API key", key.Secret)
		a.printNote("The key is shown only once. Save it now.")
	})
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
		a.printNote("Another organization is called %s. Use ids to tell them apart; list them with: waybill serve org ls", in.Name)
	}
	org, key, err := w.CreateOrganization(ctx, in)
	if err != nil {
		return err
	}
	return a.printNewKey(org, key)
}

func (a *app) listOrganizations(ctx context.Context, w *world.World, _ []string) error {
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
	return a.printNewKey(org, key)
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
	if err := a.checkTimeZone(); err != nil {
		return nil, err
	}
	file, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	return cmp.Or(settings.TimeZone(a.flags.timeZone), file.Settings.TimeZone).Location(loadZone(org.Timezone)), nil
}

func removeServiceKey(ctx context.Context, w *world.World, args []string) error {
	err := w.RemoveKey(ctx, model.ID(args[0]))
	if refusal, ok := errors.AsType[*world.Error](err); ok && refusal.Subcode == model.ErrorNotFound {
		return missingObjectError(fmt.Sprintf("unknown or revoked key %.60q; list keys with: waybill serve key ls", model.Clean(args[0])))
	}
	return err
}
