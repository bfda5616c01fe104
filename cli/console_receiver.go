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

// consoleReceiver has the service send its events here while the console is open on an account. It has a client of its
// own: what it made it takes away also when the person has locked the console meanwhile, and the secret that events are
// signed with stays out of the list of requests.
type consoleReceiver struct {
	app     *app
	account string
	config  settings.WebhookReceiver
	client  *apiclient.Client
	inbox   *inbox.Inbox
	// listenSlot is held by the one receiver of a console that listens: an account's begins when that of the account before
	// has closed its port and removed its webhooks.
	listenSlot chan struct{}

	startOnce, stopOnce sync.Once
	stop, done chan struct{}
	// server and hooks are what there is to clear away; only run touches them. err is set before done is closed.
	server *receiver.Server
	hooks  receiver.Hooks
	err    error
}

// Times between looks at the webhooks: while something is wrong, and to see whether the service has disabled any.
const (
	receiverRetryInterval = 30 * time.Second
	receiverCheckInterval  = 5 * time.Minute
	receiverCheckTimeout = time.Minute
	removeTimeout   = 20 * time.Second
)

// receiverName is what the console's webhooks are called.
const receiverName = "waybill console"

func (h *consoleHost) newReceiver(p settings.Profile, wanted settings.WebhookReceiver, key credentials.Key, shared *apiclient.Limiter) (*consoleReceiver, error) {
	client, err := h.newClient(p, key, nil, shared, h.app.now)
	if err != nil {
		return nil, err
	}
	r := &consoleReceiver{
		app: h.app, account: p.Label(), config: wanted, client: client, inbox: inbox.New(h.now), listenSlot: h.listenSlot,
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.receivers = append(h.receivers, r)
	return r, nil
}

// Open implements ui.Receiver.
func (r *consoleReceiver) Open() { r.startOnce.Do(func() { go r.run() }) }

// Inbox implements ui.Receiver.
func (r *consoleReceiver) Inbox() *inbox.Inbox { return r.inbox }

// Close implements ui.Receiver.
func (r *consoleReceiver) Close(ctx context.Context) error {
	r.startOnce.Do(func() { close(r.done) })
	r.stopOnce.Do(func() { close(r.stop) })
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("the webhooks of %s may be left: %w; waybill webhooks ls shows them", r.account, ctx.Err())
	}
}

// execute listens and keeps the webhooks standing until it is stopped, then removes them and frees the port.
func (r *consoleReceiver) run() {
	defer close(r.done)
	select {
	case r.listenSlot <- struct{}{}:
		defer func() { <-r.listenSlot }()
	case <-r.stop:
		return
	}
	ctx, cancel := context.WithCancel(apiclient.WithPriority(context.Background(), apiclient.PriorityBackground))
	defer cancel()
	go func() {
		<-r.stop
		cancel()
	}()
	for ctx.Err() == nil {
		wait := receiverCheckInterval
		if !r.checkWebhooks(ctx) {
			wait = receiverRetryInterval
		}
		var ended <-chan error
		if r.server != nil {
			ended = r.server.Ended()
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

// cleanUp removes the webhooks while the port still answers, so that nothing that is on its way fails, and then closes it.
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
		return fmt.Errorf("the webhooks of %s that lead to %s could not all be removed; waybill webhooks ls shows them, waybill webhooks rm removes them: %w",
			r.account, r.hooks.URL, err)
	}
	return nil
}

// checkWebhooks brings about what is missing, and tells how it stands. False means that it should be tried again soon.
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
		state.Phase = inbox.Troubled
		state.Problem, state.Advice = r.describeProblem(err)
	case len(standing.Refused) > 0:
		state.Phase = inbox.Troubled
		state.Problem, state.Advice = describeRefused(standing)
	}
	r.inbox.Fares(state)
	return err == nil
}

func (r *consoleReceiver) ensureWebhooks(ctx context.Context, triggers []model.Trigger) (receiver.Standing, error) {
	if r.server == nil {
		if err := r.listen(ctx); err != nil {
			return receiver.Standing{}, err
		}
	}
	return r.hooks.Ensure(ctx, triggers)
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
	certificate, _, err := r.app.loadLocalCertificate()
	if err != nil {
		return err
	}
	r.server, err = receiver.Listen(ctx, r.config.Listen, certificate, receiver.New(receiver.Options{
		Secret: secret, Handle: r.handle, Dropped: r.dropped,
	}))
	if err != nil {
		return err
	}
	r.hooks = receiver.Hooks{
		Registry: r.client, URL: cmp.Or(url, "https://"+r.server.Address()+"/"), Name: receiverName, Threshold: defaultThreshold,
		Passing: isTriggerRefusal, Gone: isAlreadyRemoved,
	}
	return nil
}

func (r *consoleReceiver) handle(_ context.Context, e receiver.Received) error {
	delivery := model.ID(e.Delivery)
	if !delivery.Valid() {
		delivery = ""
	}
	r.inbox.Put(inbox.Event{Event: e.Event, Delivery: delivery, Body: model.CleanJSON(e.Body)})
	return nil
}

func (r *consoleReceiver) dropped(reason error) {
	if errors.Is(reason, receiver.ErrSignature) {
		r.inbox.Forged()
		return
	}
	r.inbox.Broken()
}

// Reasons for which nothing can be received that nobody but the person can mend.
var (
	errNoSecret  = errors.New("this service does not tell the secret that its events are signed with")
	errBadSecret = errors.New("what is in the secret_file is no secret: it must be hex")
	errNoAddress = errors.New("the address that the service is to call is not known")
)

// secret is what events are signed with. Without it none can be trusted, so none is taken.
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
		return "", errBadSecret // the error of the decoder would show a part of it
	}
	return key.Reveal(), nil
}

// receiverURL is the address that the service is given; empty when it follows from where it listens.
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

// selectTriggers are the named kinds of events, or all that need no threshold: of webhooks with one an organization can
// have ten, and a console must not use them up.
func selectTriggers(names []string) []model.Trigger {
	var triggers []model.Trigger
	for _, trigger := range model.Triggers() {
		if slices.Contains(names, trigger.Name()) || len(names) == 0 && !trigger.HasThreshold() {
			triggers = append(triggers, trigger)
		}
	}
	return triggers
}

// isTriggerRefusal reports a refusal of one kind of event, such as one that the service does not know.
func isTriggerRefusal(err error) bool {
	refused, ok := errors.AsType[*apiclient.Error](err)
	return ok && refused.Subcode != model.ErrorWebhookCheck &&
		(errors.Is(err, apiclient.ErrInvalid) || errors.Is(err, apiclient.ErrMissing) || errors.Is(err, apiclient.ErrPrecondition))
}

// describeProblem say what is wrong and what to do.
func (r *consoleReceiver) describeProblem(err error) (problem, advice string) {
	const again = "It is tried again every half minute; meanwhile the console asks as usual."
	refused, fromService := errors.AsType[*apiclient.Error](err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return r.config.Listen + " is in use by another program",
			"Another console or waybill webhooks listen may have it: end that, or choose another port with --receive. " + again
	case errors.Is(err, errNoAddress):
		return fmt.Sprintf("%v: %s is every address of this machine", err, r.config.Listen),
			"Say with public_url, or --receive-url, under which address the service reaches this machine."
	case errors.Is(err, errNoSecret):
		return err.Error(), "Put the secret into a file that only you can read, and name it as secret_file under [profiles.NAME.webhooks]."
	case fromService && refused.Subcode == model.ErrorWebhookCheck:
		return "the service does not reach " + r.hooks.URL + ": " + describeCause(refused), r.reachabilityAdvice() + " " + again
	case fromService:
		return errorSummary(err), again
	}
	return err.Error(), again
}

func describeCause(e *apiclient.Error) string {
	cause := strings.TrimPrefix(e.Cause.Value().String(), "url: ")
	return model.Clean(cmp.Or(cause, e.Message, "it failed the check"))
}

func (r *consoleReceiver) reachabilityAdvice() string {
	if r.config.PublicURL != "" {
		return "Check that the tunnel or proxy behind that address runs, has a valid certificate and leads to https://" + r.config.Listen + "."
	}
	return "A service elsewhere needs a public address that leads here, by a tunnel: name it with public_url or --receive-url. " +
		"One on this machine must be started with --webhook-allow 127.0.0.0/8 --webhook-ca \"$(waybill webhooks listen --authority)\"."
}

// describeRefused name the kinds of events that do not come.
func describeRefused(s receiver.Standing) (problem, advice string) {
	var names []string
	var reason error
	for _, trigger := range model.Triggers() {
		if err, refused := s.Refused[trigger]; refused {
			names = append(names, trigger.Name())
			reason = cmp.Or(reason, err)
		}
	}
	return fmt.Sprintf("the service does not send %s: %s", strings.Join(names, ", "), errorSummary(reason)),
		"Everything else arrives. Name only what it has as triggers under [profiles.NAME.webhooks]."
}
