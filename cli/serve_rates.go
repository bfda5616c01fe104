package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/service/rates"
	"waybill/service/world"
)

// ratesOwner selects rates: those of a courier for one client, or for all clients without their own rates.
type ratesOwner struct{ org, client string }

func newServeRatesCommand(a *app, data *string) *cobra.Command {
	var target ratesOwner
	show := &cobra.Command{
		Use: "show", Short: "Print the delivery services and prices in the format of rates set", Args: cobra.NoArgs,
		RunE: a.withWorld(data, false, func(ctx context.Context, w *world.World, _ []string) error { return a.showRates(ctx, w, target) }),
	}
	set := &cobra.Command{
		Use: "set FILE", Short: "Replace the delivery services by those of a JSON file, or of standard input with -", Args: cobra.ExactArgs(1),
		RunE: a.withWorld(data, false, func(ctx context.Context, w *world.World, args []string) error {
			raw, err := a.readFile(args[0], maxRatesFile)
			if err != nil {
				return fmt.Errorf("read the rates: %w", err)
			}
			return target.replace(ctx, w, raw)
		}),
	}
	reset := &cobra.Command{
		Use: "reset", Short: "Remove the rates that were set: a client then has those of the courier, a courier the default ones",
		Args: cobra.NoArgs,
		RunE: a.withWorld(data, false, func(ctx context.Context, w *world.World, _ []string) error {
			return target.replace(ctx, w, []byte("[]"))
		}),
	}
	for _, cmd := range []*cobra.Command{show, set, reset} {
		cmd.Flags().StringVar(&target.org, "org", "", "courier, by id or name; by default the courier of the client, or the only one")
		cmd.Flags().StringVar(&target.client, "client", "", "client that the rates are for, by id or name; by default all clients")
	}
	a.refuseWhenReadOnlyOrDryRun(set, reset)
	return newGroup(&cobra.Command{
		Use: "rates", Short: "Manage the delivery services and prices of a data folder",
		Long: "The services and prices of a courier, for all clients or with --client for one. New quotes use them at once.",
	}, show, set, reset)
}

// resolve returns the courier and the client. The courier defaults to that of the client, or to the only one.
func (t ratesOwner) resolve(ctx context.Context, w *world.World) (courier model.Organization, client model.ID, err error) {
	known, err := readOrganizations(ctx, w)
	if err != nil {
		return courier, "", err
	}
	couriers := known.couriers()
	if t.client != "" {
		found, err := known.findOne(t.client, "--client")
		if err != nil {
			return courier, "", err
		}
		client, couriers = found.ID, known.withIDs(found.Delegatees)
		if len(couriers) == 0 && t.org == "" {
			return courier, "", usageError{notAClient(found, "any courier")}
		}
	}
	if t.org != "" {
		courier, err = known.findOne(t.org, "--org")
	} else {
		courier, err = couriers.single("couriers")
	}
	return courier, client, err
}

func notAClient(client model.Organization, courier string) error {
	return fmt.Errorf("%.80s is not a client of %.80s; add a client with: waybill serve org add NAME --client-of COURIER",
		model.Clean(client.Name), model.Clean(courier))
}

func (a *app) showRates(ctx context.Context, w *world.World, target ratesOwner) error {
	courier, client, err := target.resolve(ctx, w)
	if err != nil {
		return err
	}
	services, err := w.DeliveryServices(ctx, courier.ID, client)
	if err != nil {
		return err
	}
	list, err := rates.FormatList(services)
	if err != nil {
		return err
	}
	return a.printJSON(model.Raw(list))
}

// maxRatesFile is the maximum size of a price list.
const maxRatesFile = 1 << 20

// replace replaces the rates by those of a list.
func (t ratesOwner) replace(ctx context.Context, w *world.World, list []byte) error {
	courier, client, err := t.resolve(ctx, w)
	if err != nil {
		return err
	}
	services, err := rates.ParseList(list, cmp.Or(loadZone(courier.Timezone), time.UTC))
	if err != nil {
		return usageError{err}
	}
	err = w.SetDeliveryServices(ctx, courier.ID, client, services)
	if refusal, ok := errors.AsType[*world.Error](err); ok && refusal.Subcode == model.ErrorScope {
		return notAClient(model.Organization{Name: t.client}, courier.Name)
	}
	return err
}
