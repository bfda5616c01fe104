package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/service/server"
	"waybill/service/world"
)

// bootstrapVariable names the environment variable with the first API key of a new data folder.
const bootstrapVariable = "WAYBILL_BOOTSTRAP_KEY"

// defaultListen is the default address of the service, reachable only from this machine.
const defaultListen = "127.0.0.1:8580"

func newServeCommand(a *app) *cobra.Command {
	var c server.Config
	var data string
	var box sandboxFlags
	var outside externalFlags
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Run the delivery service on this machine",
		Long: "Runs the complete delivery interface with a database in a local folder.\n" +
			"The first start creates an organization and an API key and prints both once.\n" +
			"Set " + bootstrapVariable + " to choose that key.\n\n" +
			"With --sandbox it runs a simulated city in a separate folder: drivers drive,\n" +
			"customers order, and some things go wrong.",
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
	serve.PersistentFlags().StringVar(&data, "data", "", "data folder of the service")
	f := serve.Flags()
	f.StringVar(&c.Listen, "listen", defaultListen, "address to listen on")
	f.StringVar(&c.MetricsListen, "metrics-listen", "", "address for /healthz, /readyz and /metrics, which need no key")
	f.StringVar(&c.CertFile, "tls-cert", "", "TLS certificate; reloaded when it changes")
	f.StringVar(&c.KeyFile, "tls-key", "", "private key of the certificate; other users must not be able to read it")
	f.BoolVar(&c.AllowPlain, "insecure-http", false, "allow plain HTTP on addresses that other machines can reach")
	f.Float64Var(&c.Rate, "rate", 20, "requests per second allowed per organization; 0 for no limit")
	f.StringVar(&c.Organization.Name, "organization", "My couriers", "name of the first organization")
	addOrganizationFlags(f, &c.Organization)
	outside.add(f)
	box.add(f)
	serve.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	a.hideGlobalFlags(serve, "profile", "base-url", "api-key-file", "api-key-fd", "config", "ca-file",
		"timeout", "rate", "time-zone", "no-progress")
	a.refuseWhenReadOnlyOrDryRun(serve)
	serve.AddCommand(newOrgCommand(a, &data), newServeKeyCommand(a, &data), newServeRatesCommand(a, &data))
	return serve
}

// dataDir returns the folder of the flag, or by default one of Waybill's data folders: service or sandbox.
func (a *app) dataDir(flag, name string) (string, error) {
	if flag != "" {
		return a.env.Expand(flag), nil
	}
	folders, err := a.env.Locate()
	return filepath.Join(folders.Data, name), err
}

func (a *app) runServer(ctx context.Context, c server.Config) error {
	level := slog.LevelInfo
	if a.flags.verbose {
		level = slog.LevelDebug
	}
	c.Log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	c.Output = a.stdout
	running, err := server.Start(ctx, c)
	if err != nil {
		return err
	}
	err = running.Wait(ctx)
	return errors.Join(err, running.Stop(ctx))
}

// addOrganizationFlags defines the flags of a new organization.
func addOrganizationFlags(f *pflag.FlagSet, in *world.NewOrganization) {
	f.StringVar(&in.Country, "country", "US", "country of the organization, used to parse phone numbers")
	f.StringVar(&in.Timezone, "organization-zone", "America/Los_Angeles", "time zone of the organization")
}

func newOrgCommand(a *app, data *string) *cobra.Command {
	var in world.NewOrganization
	var courier string
	create := a.withWorld(data, true, func(ctx context.Context, w *world.World, _ []string) error {
		return a.addOrganization(ctx, w, in, courier)
	})
	add := &cobra.Command{
		Use: "add NAME", Short: "Create an organization and its first key", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Name = args[0]
			if err := checkNewOrganization(in); err != nil {
				return err
			}
			return create(cmd, args)
		},
	}
	add.Flags().StringVar(&courier, "client-of", "", "make the organization a client of this courier, by id or name")
	addOrganizationFlags(add.Flags(), &in)
	a.refuseWhenReadOnlyOrDryRun(add)
	return newGroup(&cobra.Command{Use: "org", Short: "Manage the organizations of a data folder"}, add, &cobra.Command{
		Use: "ls", Short: "List the organizations", Args: cobra.NoArgs, RunE: a.withWorld(data, false, a.listOrganizations),
	})
}

func newServeKeyCommand(a *app, data *string) *cobra.Command {
	var org, name string
	add := &cobra.Command{
		Use: "add", Short: "Create a key and print it once", Args: cobra.NoArgs,
		RunE: a.withWorld(data, false, func(ctx context.Context, w *world.World, _ []string) error {
			return a.addServiceKey(ctx, w, org, name)
		}),
	}
	add.Flags().StringVar(&name, "name", "", "name of the key")
	ls := &cobra.Command{
		Use: "ls", Short: "List keys by their first characters", Args: cobra.NoArgs,
		RunE: a.withWorld(data, false, func(ctx context.Context, w *world.World, _ []string) error {
			return a.listServiceKeys(ctx, w, org)
		}),
	}
	rm := &cobra.Command{
		Use: "rm ID", Short: "Revoke a key immediately", Args: cobra.ExactArgs(1), RunE: a.withWorld(data, false, removeServiceKey),
	}
	for _, cmd := range []*cobra.Command{add, ls} {
		cmd.Flags().StringVar(&org, "org", "", "organization, by id or name; optional if there is only one")
	}
	a.refuseWhenReadOnlyOrDryRun(add, rm)
	return newGroup(&cobra.Command{Use: "key", Short: "Manage the API keys of a data folder"}, add, ls, rm)
}
