package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newAuthCommand(a *app) *cobra.Command {
	auth := &cobra.Command{Use: "auth", Short: "Check an account's key"}
	auth.AddCommand(&cobra.Command{
		Use:   "test",
		Short: "Ask the service whether the key is valid",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.authTest(cmd.Context()) },
	})
	return auth
}

func (a *app) authTest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, a.flags.timeout)
	defer cancel()
	client, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	greeting, err := client.TestAuth(ctx)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(greeting)
	}
	_, err = fmt.Fprintln(a.stdout, model.Clean(greeting.Message))
	return err
}
