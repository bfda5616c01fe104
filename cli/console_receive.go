package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/settings"
)

// receiverSettings is where events of an account are received. Like the flags that say where the key is, those of the receiver
// are for the account that the run began with.
func (h *consoleHost) receiverSettings(p settings.Profile, fromFlags bool) settings.WebhookReceiver {
	wanted := p.Webhooks
	if fromFlags {
		wanted.Listen, wanted.PublicURL = cmp.Or(h.flags.receive, wanted.Listen), cmp.Or(h.flags.receiveURL, wanted.PublicURL)
	}
	return wanted
}

// checkReceiver looks at the flags of the receiver before anything starts.
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
	if !h.receiverSettings(p, true).Configured() {
		return usageError{errors.New("--receive-url needs --receive, the address on this machine that it leads to")}
	}
	return nil
}

const (
	closeTimeout = 40 * time.Second
	closeNoticeDelay = time.Second // what takes longer is explained
)

// closeReceivers removes the webhooks of the console. The screen has gone by now; what fails is said in plain lines.
func (h *consoleHost) closeReceivers(ctx context.Context) {
	if ctx.Err() != nil { // what ended the console must not end this too; the next signal ends the program
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	explain := time.AfterFunc(closeNoticeDelay, func() { h.app.printNote("Removing the webhooks of this console; Ctrl-C leaves them.") })
	defer explain.Stop()
	for _, r := range h.receivers {
		if err := r.Close(ctx); err != nil {
			h.app.printError(err)
		}
	}
}
