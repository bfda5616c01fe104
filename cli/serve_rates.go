package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/service/rates"
	"waybill/service/world"
)

// ratesOwner is whose rates a command is about: those of a courier, for one client or for all without rates of their
// own.
type ratesOwner struct{ org, client string }

func newServeRatesCommand(a *app, data *string) *cobra.Command {
	command := &cobra.Command{
		Use: "rates", Short: "Manage the delivery services and prices of a data folder",
		Long: "What a courier offers and charges: to every client, or to one with --client. Quotes use them from then on.",
	}
	var target ratesOwner
	show := &cobra.Command{
		Use: "show", Short: "Print the delivery services with their prices, as set reads them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withWorld(cmd.Context(), *data, func(w *world.World) error { return a.showRates(cmd.Context(), w, target) })
		},
	}
	set := &cobra.Command{
		Use: "set FILE", Short: "Replace the delivery services by those of a file, or of - for the input", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.readRates(args[0])
			if err != nil {
				return err
			}
			return a.changeRates(cmd.Context(), *data, target, raw)
		},
	}
	reset := &cobra.Command{
		Use: "reset", Short: "Forget the rates that were set: a client's gives way to the courier's, those to the ones a courier starts with",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeRates(cmd.Context(), *data, target, []byte("[]"))
		},
	}
	for _, cmd := range []*cobra.Command{show, set, reset} {
		cmd.Flags().StringVar(&target.org, "org", "", "the courier, by id or name; the client's, or the only one, if not given")
		cmd.Flags().StringVar(&target.client, "client", "", "the client that the rates are for, by id or name; all clients if not given")
	}
	a.refuseWhenReadOnlyOrDryRun(set, reset)
	command.AddCommand(show, set, reset)
	return command
}

// resolve reads the organizations that are meant. A courier that is not named is the client's, or the only one there is.
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
	return fmt.Errorf("%.80s is not a client of %.80s; make one with: waybill serve org add NAME --client-of COURIER",
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

// maxRatesFile bounds what is read: a price list of that size is a mistake.
const maxRatesFile = 1 << 20

func (a *app) readRates(file string) ([]byte, error) {
	source := a.stdin
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("read the rates: %w", err)
		}
		defer opened.Close()
		source = opened
	}
	raw, err := io.ReadAll(io.LimitReader(source, maxRatesFile))
	if err != nil {
		return nil, fmt.Errorf("read the rates: %w", err)
	}
	return raw, nil
}

func (a *app) changeRates(ctx context.Context, data string, target ratesOwner, list []byte) error {
	return a.withWorld(ctx, data, func(w *world.World) error {
		courier, client, err := target.resolve(ctx, w)
		if err != nil {
			return err
		}
		zone, err := time.LoadLocation(courier.Timezone)
		if err != nil {
			zone = time.UTC
		}
		services, err := rates.ParseList(list, zone)
		if err != nil {
			return usageError{err}
		}
		err = w.SetDeliveryServices(ctx, courier.ID, client, services)
		var refusal *world.Error
		if errors.As(err, &refusal) && refusal.Subcode == model.ErrorScope {
			return notAClient(model.Organization{Name: target.client}, courier.Name)
		}
		return err
	})
}
