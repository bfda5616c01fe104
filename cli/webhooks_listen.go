package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/service/events/receiver"
)

// listenFlags are the flags of webhooks listen.
type listenFlags struct {
	address      string
	publicURL    string
	forward      string
	triggers     []string
	keepWebhooks bool
	authority    bool
	save         string
}

func newWebhooksListenCommand(a *app) *cobra.Command {
	var f listenFlags
	cmd := &cobra.Command{
		Use: "listen", Short: "Receive events on this machine, print and forward them", Args: cobra.NoArgs,
		Long: "Creates webhooks that lead here, answers the validation request, verifies signatures and prints the events until you\n" +
			"press Ctrl-C. Then it removes the webhooks.\n\n" +
			"A service on this machine must trust the receiver and be allowed to call local addresses:\n" +
			"  waybill serve --webhook-allow 127.0.0.0/8 --webhook-ca \"$(waybill webhooks listen --authority)\"",
		Example: "waybill webhooks listen --forward http://localhost:3000/hooks",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.authority {
			return a.printAuthorityFile()
		}
		return a.withSessionUntilDone(func(ctx context.Context, s *session, _ []string) error { return a.listenForEvents(ctx, s, f) })(cmd, args)
	}
	cmd.Flags().StringVar(&f.address, "listen", "127.0.0.1:8581", "address to listen on")
	cmd.Flags().StringVar(&f.publicURL, "public-url", "", "public URL, if the service reaches this machine by another address")
	cmd.Flags().StringVar(&f.forward, "forward", "", "forward each event with its signature to this URL")
	cmd.Flags().StringSliceVar(&f.triggers, "trigger", nil, "events to receive; all by default")
	cmd.Flags().BoolVar(&f.keepWebhooks, "keep", false, "keep the webhooks when the command ends")
	cmd.Flags().StringVar(&f.save, "save", "", "save the exact body and the signature of each event in this folder")
	cmd.Flags().BoolVar(&f.authority, "authority", false, "print the path of the certificate authority for --webhook-ca, and exit")
	return cmd
}

// printAuthorityFile prints the path of the receiver's certificate authority, for --webhook-ca of a service. It creates the
// authority if necessary, so that the service can be started first.
func (a *app) printAuthorityFile() error {
	_, authority, err := a.loadLocalCertificate()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, authority)
	return err
}

func (a *app) loadLocalCertificate() (tls.Certificate, string, error) {
	folders, err := a.env.Locate()
	if err != nil {
		return tls.Certificate{}, "", err
	}
	return receiver.LocalCertificate(folders.State)
}

func (a *app) listenForEvents(ctx context.Context, s *session, f listenFlags) error {
	triggers := model.Triggers()
	if len(f.triggers) > 0 {
		triggers = nil
		for _, text := range f.triggers {
			trigger, err := findTrigger(text)
			if err != nil {
				return usageError{fmt.Errorf("--trigger: %w", err)}
			}
			triggers = append(triggers, trigger)
		}
	}
	secret, err := s.client.WebhookSecret(ctx)
	if err != nil {
		return fmt.Errorf("load the webhook secret: %w", err)
	}
	options := receiver.Options{Secret: secret.Secret, Handle: a.handleEvents(f, s.loadTimeZone(ctx))}
	server, authority, err := a.startReceiver(ctx, f.address, options)
	if err != nil {
		return fmt.Errorf("receive on %s: %w", f.address, err)
	}
	defer server.Close()
	a.printNote("Certificate authority of this receiver: %s", authority)
	address := cmp.Or(f.publicURL, "https://"+server.Address()+"/")
	hooks := receiver.Webhooks{
		Registry: s.client, URL: address, Name: "waybill webhooks listen", Threshold: defaultThreshold, IsNotFound: isAlreadyRemoved,
	}
	if !f.keepWebhooks {
		defer a.removeWebhooks(ctx, hooks)
	}
	standing, err := hooks.Register(ctx, triggers)
	if err != nil {
		return err
	}
	a.printNote("Listening on %s for %d kinds of events. Press Ctrl-C to stop.", address, len(standing.Triggers))
	select {
	case <-ctx.Done():
		return nil
	case err := <-server.Done():
		return fmt.Errorf("the receiver stopped: %w", err)
	}
}

// startReceiver starts a server with the certificate of this machine. It also returns the file of its authority.
func (a *app) startReceiver(ctx context.Context, address string, o receiver.Options) (*receiver.Server, string, error) {
	certificate, authority, err := a.loadLocalCertificate()
	if err != nil {
		return nil, "", err
	}
	server, err := receiver.Listen(ctx, address, certificate, receiver.New(o))
	return server, authority, err
}

// handleEvents returns a function that saves, prints and forwards an event. Printing is serialised, forwarding is not,
// because the target may be slow.
func (a *app) handleEvents(f listenFlags, zone *time.Location) func(context.Context, receiver.Received) error {
	var printing sync.Mutex
	keep := func(e receiver.Received) error {
		printing.Lock()
		defer printing.Unlock()
		if f.save != "" {
			if err := saveEvent(a.env.Expand(f.save), e); err != nil {
				a.printNote("%v", err)
				return err
			}
		}
		return a.printReceivedEvent(e, zone)
	}
	return func(ctx context.Context, e receiver.Received) error {
		if err := keep(e); err != nil || f.forward == "" {
			return err
		}
		return receiver.Forward(http.DefaultClient, f.forward)(ctx, e)
	}
}

func (a *app) printReceivedEvent(e receiver.Received, zone *time.Location) error {
	if a.flags.json {
		line := jsontext.Value(slices.Clone(model.CleanJSON(e.Body)))
		if err := line.Compact(); err != nil {
			return err
		}
		_, err := fmt.Fprintln(a.stdout, line)
		return err
	}
	subject := e.Event.TaskID.Or(e.Event.WorkerID.Value())
	_, err := fmt.Fprintf(a.stdout, "%s  %-28s %s\n", e.Event.Time.Time().In(zone).Format("15:04:05"), e.Event.TriggerName, subject)
	return err
}

// saveEvent saves an event under its delivery id. The body is written last, so that every body has its signature.
func saveEvent(folder string, e receiver.Received) error {
	id := model.ID(e.Delivery)
	if !id.Valid() { // no id, or one that is not safe as a file name
		id = model.NewID()
	}
	path := filepath.Join(folder, string(id))
	err := errors.Join(
		os.MkdirAll(folder, 0o700), os.WriteFile(path+".signature", []byte(e.Signature+"\n"), 0o600), os.WriteFile(path+".json", e.Body, 0o600),
	)
	if err != nil {
		return fmt.Errorf("cannot save the event, the service will send it again: %w", err)
	}
	return nil
}

// defaultThreshold is the threshold of created webhooks, in the unit of the trigger.
const defaultThreshold = 600

// removeWebhooks removes the created webhooks, also after Ctrl-C.
func (a *app) removeWebhooks(ctx context.Context, hooks receiver.Webhooks) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	if err := hooks.Remove(ctx); err != nil {
		a.printNote("Cannot remove all webhooks; list the remaining ones with waybill webhooks ls:\n%v", err)
	}
}

// isAlreadyRemoved reports whether a webhook does not exist any more.
func isAlreadyRemoved(err error) bool { return errors.Is(err, apiclient.ErrNotFound) }
