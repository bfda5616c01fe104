package cli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/model"
	"waybill/service/events/receiver"
	"waybill/settings"
	"waybill/ui/inbox"
)

// consoleReceiver receives events of an account while the console is open. It has its own client, so that it can remove
// its webhooks after the user made the console read-only, and so that the webhook secret stays out of the request log.
type consoleReceiver struct {
	app     *app
	account string
	config  settings.WebhookReceiver
	client  *apiclient.Client
	inbox   *inbox.Inbox
	// listenSlot is held by the receiver that listens. The receiver of the next account starts when the previous one has
	// closed its port and removed its webhooks.
	listenSlot chan struct{}

	start  func() // starts run once
	cancel context.CancelFunc
	done   chan struct{}
	// server and hooks are used by run only. err is set before done is closed.
	server *receiver.Server
	hooks  receiver.Webhooks
	err    error
}

// Intervals of checkWebhooks after a problem and otherwise, to notice disabled webhooks; and timeouts.
const (
	receiverRetryInterval = 30 * time.Second
	receiverCheckInterval = 5 * time.Minute
	receiverCheckTimeout  = time.Minute
	removeTimeout         = 20 * time.Second
)

// receiverName is the name of the console's webhooks.
const receiverName = "waybill console"

func (h *consoleHost) newReceiver(
	ctx context.Context, p settings.Profile, wanted settings.WebhookReceiver, key credentials.Key, shared *apiclient.Limiter,
) (*consoleReceiver, error) {
	options := h.app.clientOptions(p, key.Reveal)
	options.Limiter, options.Now = shared, h.app.now
	client, err := apiclient.New(options)
	if err != nil {
		return nil, err
	}
	// The receiver outlives the connection attempt.
	ctx, cancel := context.WithCancel(apiclient.WithPriority(context.WithoutCancel(ctx), apiclient.PriorityBackground))
	r := &consoleReceiver{
		app: h.app, account: p.Label(), config: wanted, client: client, inbox: inbox.New(h.now), listenSlot: h.listenSlot,
		cancel: cancel, done: make(chan struct{}),
	}
	r.start = sync.OnceFunc(func() { go r.run(ctx) })
	h.mu.Lock()
	defer h.mu.Unlock()
	h.receivers = append(h.receivers, r)
	return r, nil
}

// Open implements ui.Receiver.
func (r *consoleReceiver) Open() { r.start() }

// Inbox implements ui.Receiver.
func (r *consoleReceiver) Inbox() *inbox.Inbox { return r.inbox }

// Close implements ui.Receiver.
func (r *consoleReceiver) Close(ctx context.Context) error {
	r.cancel()
	r.start() // a receiver that was never opened ends at once
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("webhooks of %s may remain: %w; list them with: waybill webhooks ls", r.account, ctx.Err())
	}
}

// run listens and maintains the webhooks until the context ends, then removes them and closes the port.
func (r *consoleReceiver) run(ctx context.Context) {
	defer close(r.done)
	select {
	case r.listenSlot <- struct{}{}:
		defer func() { <-r.listenSlot }()
	case <-ctx.Done():
		return
	}
	for ctx.Err() == nil {
		wait := receiverCheckInterval
		if !r.checkWebhooks(ctx) {
			wait = receiverRetryInterval
		}
		var ended <-chan error
		if r.server != nil {
			ended = r.server.Done()
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		case <-ended:
			r.server = nil
		}
	}
	r.err = r.cleanUp(context.WithoutCancel(ctx))
}

// cleanUp removes the webhooks and then closes the port, in this order so that pending deliveries do not fail.
func (r *consoleReceiver) cleanUp(ctx context.Context) error {
	defer r.client.Close()
	if r.server != nil {
		defer r.server.Close()
	}
	if r.hooks.Registry == nil || r.config.Keep {
		return nil
	}
	ctx, cancel := context.WithTimeout(apiclient.WithPriority(ctx, apiclient.PriorityUser), removeTimeout)
	defer cancel()
	if err := r.hooks.Remove(ctx); err != nil {
		return fmt.Errorf("cannot remove all webhooks of %s for %s; list them with waybill webhooks ls and remove them with waybill webhooks rm: %w",
			r.account, r.hooks.URL, err)
	}
	return nil
}

// checkWebhooks starts listening and creates missing webhooks, and reports the state to the inbox. It returns false if it
// should be retried soon.
func (r *consoleReceiver) checkWebhooks(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, receiverCheckTimeout)
	defer cancel()
	state := inbox.State{Listen: r.config.Listen}
	triggers := selectTriggers(r.config.Triggers)
	state.Wanted = len(triggers)
	standing, err := r.ensureWebhooks(ctx, triggers)
	state.URL, state.Kinds = r.hooks.URL, len(standing.Triggers)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return false
	}
	state.Phase = inbox.Receiving
	switch {
	case err != nil:
		state.Phase = inbox.Failing
		state.Problem, state.Advice = r.describeProblem(err)
	case len(standing.Refused) > 0:
		state.Phase = inbox.Failing
		state.Problem, state.Advice = describeRefused(standing)
	}
	r.inbox.SetState(state)
	return err == nil
}

func (r *consoleReceiver) ensureWebhooks(ctx context.Context, triggers []model.Trigger) (receiver.Registration, error) {
	if r.server == nil {
		if err := r.listen(ctx); err != nil {
			return receiver.Registration{}, err
		}
	}
	return r.hooks.Register(ctx, triggers)
}

func (r *consoleReceiver) listen(ctx context.Context) error {
	url, err := receiverURL(r.config)
	if err != nil {
		return err
	}
	secret, err := r.secret(ctx)
	if err != nil {
		return err
	}
	r.server, _, err = r.app.startReceiver(ctx, r.config.Listen, receiver.Options{Secret: secret, Handle: r.handle, OnRejected: r.dropped})
	if err != nil {
		return err
	}
	r.hooks = receiver.Webhooks{
		Registry: r.client, URL: cmp.Or(url, "https://"+r.server.Address()+"/"), Name: receiverName, Threshold: defaultThreshold,
		IsTriggerError: isTriggerRefusal, IsNotFound: isAlreadyRemoved,
	}
	return nil
}

func (r *consoleReceiver) handle(_ context.Context, e receiver.Received) error {
	delivery := model.ID(e.Delivery)
	if !delivery.Valid() {
		delivery = ""
	}
	r.inbox.Add(inbox.Event{Event: e.Event, Delivery: delivery, Body: model.CleanJSON(e.Body)})
	return nil
}

func (r *consoleReceiver) dropped(reason error) {
	if errors.Is(reason, receiver.ErrSignature) {
		r.inbox.CountForged()
		return
	}
	r.inbox.CountUnreadable()
}

// Problems of the receiver that the user has to fix
var (
	errNoSecret  = errors.New("the service does not reveal the secret that signs its events")
	errBadSecret = errors.New("the content of secret_file is not a hex string")
	errNoAddress = errors.New("the public address of this machine is unknown")
)

// secret returns the secret that signs events. Without it no event is accepted.
func (r *consoleReceiver) secret(ctx context.Context) (string, error) {
	if r.config.SecretFile == "" {
		answer, err := r.client.WebhookSecret(ctx)
		if errors.Is(err, apiclient.ErrNotFound) || errors.Is(err, apiclient.ErrUnsupportedRoute) || err == nil && answer.Secret == "" {
			return "", errNoSecret
		}
		return answer.Secret, err
	}
	key, err := credentials.ReadKeyFile(r.app.env.Expand(r.config.SecretFile))
	if err != nil {
		return "", fmt.Errorf("secret_file: %w", err)
	}
	if _, err := hex.DecodeString(key.Reveal()); err != nil {
		return "", errBadSecret // the decoder's error would reveal a part of the secret
	}
	return key.Reveal(), nil
}

// receiverURL returns the configured public URL, or an empty string if the listen address serves as one.
func receiverURL(w settings.WebhookReceiver) (string, error) {
	if w.PublicURL != "" {
		return w.PublicURL, nil
	}
	host, _, err := net.SplitHostPort(w.Listen)
	if address := net.ParseIP(host); err != nil || host == "" || address != nil && address.IsUnspecified() {
		return "", errNoAddress
	}
	return "", nil
}

// selectTriggers returns the triggers with the given names, or all triggers without a threshold. An organization may have
// only ten webhooks with a threshold, and the console must not use them up.
func selectTriggers(names []string) []model.Trigger {
	var triggers []model.Trigger
	for _, trigger := range model.Triggers() {
		if slices.Contains(names, trigger.Name()) || len(names) == 0 && !trigger.HasThreshold() {
			triggers = append(triggers, trigger)
		}
	}
	return triggers
}

// isTriggerRefusal reports whether the service refused only this trigger, for example because it does not know it.
func isTriggerRefusal(err error) bool {
	refused, ok := errors.AsType[*apiclient.Error](err)
	return ok && refused.Subcode != model.ErrorWebhookCheck &&
		(errors.Is(err, apiclient.ErrInvalid) || errors.Is(err, apiclient.ErrMissing) || errors.Is(err, apiclient.ErrPrecondition))
}

// describeProblem returns what is wrong and what to do.
func (r *consoleReceiver) describeProblem(err error) (problem, advice string) {
	const again = "The console retries every 30 s and refreshes as usual meanwhile."
	refused, fromService := errors.AsType[*apiclient.Error](err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return r.config.Listen + " is in use by another program",
			"Stop the other console or waybill webhooks listen, or choose another port with --receive. " + again
	case errors.Is(err, errNoAddress):
		return fmt.Sprintf("%v: %s stands for every address of this machine", err, r.config.Listen),
			"Set public_url or --receive-url to the address that the service can reach."
	case errors.Is(err, errNoSecret):
		return err.Error(), "Put the secret into a file that only you can read and set secret_file under [profiles.NAME.webhooks]."
	case errors.Is(err, errBadSecret):
		return err.Error(), "Put the secret into secret_file as hex digits only."
	case fromService && refused.Subcode == model.ErrorWebhookCheck:
		cause := strings.TrimPrefix(refused.Cause.Value().String(), "url: ")
		return "the service cannot reach " + r.hooks.URL + ": " + model.Clean(cmp.Or(cause, refused.Message, "the check failed")), r.reachabilityAdvice() + " " + again
	case fromService:
		return apiclient.ErrorText(err), again
	}
	return err.Error(), again
}

func (r *consoleReceiver) reachabilityAdvice() string {
	if r.config.PublicURL != "" {
		return "Check that the tunnel or proxy of that address is running, has a valid certificate and leads to https://" + r.config.Listen + "."
	}
	return "A remote service needs a public address that leads here, such as a tunnel: set public_url or --receive-url. " +
		"Start a local service with --webhook-allow 127.0.0.0/8 --webhook-ca \"$(waybill webhooks listen --authority)\"."
}

// describeRefused returns which triggers the service refused, and what to do.
func describeRefused(s receiver.Registration) (problem, advice string) {
	var names []string
	var reason error
	for _, trigger := range model.Triggers() {
		if err, refused := s.Refused[trigger]; refused {
			names = append(names, trigger.Name())
			reason = cmp.Or(reason, err)
		}
	}
	return fmt.Sprintf("the service does not send %s: %s", strings.Join(names, ", "), apiclient.ErrorText(reason)),
		"All other events arrive. List only supported events as triggers under [profiles.NAME.webhooks]."
}

// receiverSettings returns where events of a profile are received. The flags apply only to the account of the command
// line.
func (h *consoleHost) receiverSettings(p settings.Profile, fromFlags bool) settings.WebhookReceiver {
	wanted := p.Webhooks
	if fromFlags {
		wanted.Listen, wanted.PublicURL = cmp.Or(h.flags.receive, wanted.Listen), cmp.Or(h.flags.receiveURL, wanted.PublicURL)
	}
	return wanted
}

// checkReceiver validates the flags of the receiver.
func (h *consoleHost) checkReceiver(p settings.Profile) error {
	if h.flags.receive != "" {
		if err := settings.CheckListen(h.flags.receive); err != nil {
			return usageError{fmt.Errorf("--receive: %w", err)}
		}
	}
	if h.flags.receiveURL == "" {
		return nil
	}
	if err := settings.CheckPublicURL(h.flags.receiveURL); err != nil {
		return usageError{fmt.Errorf("--receive-url: %w", err)}
	}
	if !h.receiverSettings(p, true).IsConfigured() {
		return usageError{errors.New("--receive-url requires --receive, the local address that it leads to")}
	}
	return nil
}

const (
	closeTimeout     = 40 * time.Second
	closeNoticeDelay = time.Second // print a notice if closing takes longer
)

// closeReceivers removes the webhooks of the console and prints errors, because the screen is closed by now.
func (h *consoleHost) closeReceivers(ctx context.Context) {
	if ctx.Err() != nil { // the signal that ended the console must not stop this; the next one kills the program
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	explain := time.AfterFunc(closeNoticeDelay, func() { h.app.printNote("Removing the webhooks of this console. Press Ctrl-C to leave them.") })
	defer explain.Stop()
	for _, r := range h.receivers {
		if err := r.Close(ctx); err != nil {
			h.app.printError(err)
		}
	}
}
