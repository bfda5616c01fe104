package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/service/world"
)

// organizations is a list of organizations of a data folder. Delegatees are the couriers that an organization is a client of.
type organizations []model.Organization

func readOrganizations(ctx context.Context, w *world.World) (organizations, error) {
	known, err := w.Organizations(ctx)
	if err != nil {
		return nil, err
	}
	for i := range known {
		if known[i], err = w.Organization(ctx, known[i].ID); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// findOrganization returns the named organization, or the only one if text is empty.
func findOrganization(ctx context.Context, w *world.World, text string) (model.Organization, error) {
	known, err := readOrganizations(ctx, w)
	switch {
	case err != nil:
		return model.Organization{}, err
	case text == "":
		return known.single("organizations")
	}
	return known.findOne(text, "--org")
}

// findOne returns the organization with an id or a name. It refuses ambiguous names, because a guess could change the wrong one.
func (o organizations) findOne(text, flag string) (model.Organization, error) {
	if found := o.withIDs([]model.ID{model.ID(text)}); len(found) > 0 {
		return found[0], nil
	}
	found := o.withName(text)
	switch len(found) {
	case 0:
		return model.Organization{}, missingObjectError(
			fmt.Sprintf("unknown organization %.80q; list organizations with: waybill serve org ls", model.Clean(text)))
	case 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, org := range found {
		ids[i] = string(org.ID)
	}
	return model.Organization{}, usageError{fmt.Errorf("%s: %d organizations are called %.80s; use one of their ids: %s",
		flag, len(found), model.Clean(text), strings.Join(ids, ", "))}
}

// single returns the only organization, or an error if there are none or several.
func (o organizations) single(what string) (model.Organization, error) {
	switch len(o) {
	case 0:
		return model.Organization{}, usageError{fmt.Errorf("no %s in this data folder; add one with: waybill serve org add NAME", what)}
	case 1:
		return o[0], nil
	}
	return model.Organization{}, usageError{fmt.Errorf("there are %d %s; choose one with --org: %s", len(o), what, strings.Join(o.names(), ", "))}
}

// couriers returns the organizations that are not clients of another one.
func (o organizations) couriers() organizations {
	return slices.DeleteFunc(slices.Clone(o), func(org model.Organization) bool { return len(org.Delegatees) > 0 })
}

func (o organizations) withName(name string) organizations {
	return slices.DeleteFunc(slices.Clone(o), func(org model.Organization) bool { return !strings.EqualFold(org.Name, name) })
}

func (o organizations) withIDs(ids []model.ID) organizations {
	return slices.DeleteFunc(slices.Clone(o), func(org model.Organization) bool { return !slices.Contains(ids, org.ID) })
}

func (o organizations) names() []string {
	names := make([]string, len(o))
	for i, org := range o {
		names[i] = org.Name
	}
	return names
}

// missingObjectError reports an object that is not in a data folder.
type missingObjectError string

func (n missingObjectError) Error() string { return string(n) }

// Unwrap makes the exit code the same as for objects that a service does not have.
func (n missingObjectError) Unwrap() error { return apiclient.ErrNotFound }
