package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"waybill/service/server"
	"waybill/service/world"
)

// bootstrapVariable sets the first key of a new data folder.
const bootstrapVariable = "WAYBILL_BOOTSTRAP_KEY"

// defaultListen is where the service answers; only this machine reaches it.
const defaultListen = "127.0.0.1:8580"

func newServeCommand(a *app) *cobra.Command {
	var c server.Config
	var data string
	var box sandboxFlags
	var outside externalFlags
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Run the delivery service on this machine",
		Long: "Runs the whole delivery interface on a database in a folder of yours.\n" +
			"The first start makes an organization and an API key and prints both once;\n" +
			bootstrapVariable + " sets that key instead.\n\n" +
			"With --sandbox it runs a city at work instead, in a folder of its own: drivers drive,\n" +
			"customers order, and some of it goes wrong.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.BootstrapKey = a.env.Getenv(bootstrapVariable)
			if err := errors.Join(box.check(cmd.Flags()), checkServe(c)); err != nil {
				return err
			}
			if err := outside.apply(a, &c); err != nil {
				return usageError{err}
			}
			return a.startServer(cmd.Context(), c, data, box)
		},
	}
	serve.PersistentFlags().StringVar(&data, "data", "", "the folder with the service's data")
	f := serve.Flags()
	f.StringVar(&c.Listen, "listen", defaultListen, "the address to answer on")
	f.StringVar(&c.MetricsListen, "metrics-listen", "", "the address for /healthz, /readyz and /metrics")
	f.StringVar(&c.CertFile, "tls-cert", "", "the certificate; read again when it changes")
	f.StringVar(&c.KeyFile, "tls-key", "", "the certificate's private key")
	f.BoolVar(&c.AllowPlain, "insecure-http", false, "speak plain HTTP on addresses that others can reach")
	f.Float64Var(&c.Rate, "rate", 20, "requests a second that an organization may make; 0 for no limit")
	f.StringVar(&c.Organization.Name, "organization", "My couriers", "the name of the first organization")
	f.StringVar(&c.Organization.Country, "country", "US", "its country, which phone numbers are read in")
	f.StringVar(&c.Organization.Timezone, "organization-zone", "America/Los_Angeles", "its time zone")
	outside.add(f)
	box.add(f)
	serve.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	a.hideGlobalFlags(serve, "profile", "base-url", "api-key-file", "api-key-fd", "config", "ca-file", "timeout", "rate", "time-zone", "no-progress")
	a.refuseWhenReadOnlyOrDryRun(serve)
	serve.AddCommand(newOrgCommand(a, &data), newServeKeyCommand(a, &data), newServeRatesCommand(a, &data))
	return serve
}

func (a *app) dataDir(flag string) (string, error) {
	if flag != "" {
		return a.env.Expand(flag), nil
	}
	folders, err := a.locateFolders()
	if err != nil {
		return "", err
	}
	return filepath.Join(folders.Data, "service"), nil
}

func (a *app) runServer(ctx context.Context, c server.Config) error {
	level := slog.LevelInfo
	if a.flags.verbose {
		level = slog.LevelDebug
	}
	c.Log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	c.Announce = a.stdout
	running, err := server.Start(ctx, c)
	if err != nil {
		return err
	}
	err = running.Wait(ctx)
	return errors.Join(err, running.Stop(ctx))
}

func newOrgCommand(a *app, data *string) *cobra.Command {
	org := &cobra.Command{Use: "org", Short: "Manage the organizations of a data folder"}
	var in world.NewOrganization
	var courier string
	add := &cobra.Command{
		Use: "add NAME", Short: "Make an organization and its first key", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Name = args[0]
			if err := checkNewOrganization(in); err != nil {
				return err
			}
			return a.withNewWorld(cmd.Context(), *data, func(w *world.World) error { return a.addOrganization(cmd.Context(), w, in, courier) })
		},
	}
	add.Flags().StringVar(&courier, "client-of", "", "make it a client of this courier, by id or name")
	add.Flags().StringVar(&in.Country, "country", "US", "the country that phone numbers are read in")
	add.Flags().StringVar(&in.Timezone, "organization-zone", "America/Los_Angeles", "the time zone")
	ls := &cobra.Command{
		Use: "ls", Short: "List the organizations", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withWorld(cmd.Context(), *data, func(w *world.World) error { return a.listOrganizations(cmd.Context(), w) })
		},
	}
	a.refuseWhenReadOnlyOrDryRun(add)
	org.AddCommand(add, ls)
	return org
}

func newServeKeyCommand(a *app, data *string) *cobra.Command {
	key := &cobra.Command{Use: "key", Short: "Manage the API keys of a data folder"}
	var org, name string
	with := func(run func(context.Context, *world.World, []string) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			return a.withWorld(cmd.Context(), *data, func(w *world.World) error { return run(cmd.Context(), w, args) })
		}
	}
	add := &cobra.Command{
		Use: "add", Short: "Make another key and print it once", Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, w *world.World, _ []string) error { return a.addServiceKey(ctx, w, org, name) }),
	}
	add.Flags().StringVar(&name, "name", "", "what the key is for")
	ls := &cobra.Command{
		Use: "ls", Short: "List keys by their first characters", Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, w *world.World, _ []string) error { return a.listServiceKeys(ctx, w, org) }),
	}
	rm := &cobra.Command{
		Use: "rm ID", Short: "Take a key out of use at once", Args: cobra.ExactArgs(1),
		RunE: with(func(ctx context.Context, w *world.World, args []string) error {
			return a.removeServiceKey(ctx, w, args[0])
		}),
	}
	for _, cmd := range []*cobra.Command{add, ls} {
		cmd.Flags().StringVar(&org, "org", "", "the organization, by id or name; the only one if there is only one")
	}
	a.refuseWhenReadOnlyOrDryRun(add, rm)
	key.AddCommand(add, ls, rm)
	return key
}
