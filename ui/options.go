// Package ui is the console: a Bubble Tea program whose root model routes messages and owns everything that lives as
// long as the screen does. What is drawn is in views, what is asked for in feed, what can be pressed in keymaps.
package ui

import (
	"context"
	"io"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/keymaps"
	"waybill/operations/journal"
	"waybill/settings"
	"waybill/ui/inbox"
	"waybill/views/theme"
)

// Options are everything a console depends on. Nothing is taken from the process behind its back, so that several
// consoles can live in one.
type Options struct {
	// Connect makes the client of a profile. It may take its time, since keyrings ask; it is never called while
	// someone waits.
	Connect func(ctx context.Context, request ConnectRequest) (Connection, error)
	// Connection is an account that is connected already; nil connects to Profile first.
	Connection *Connection
	Profile    string
	// Sandbox says that the console opens on the sandbox, so that it is marked as one from the first frame on.
	Sandbox bool
	// Join tests an address and a key that were typed and stores them; nil where that is not possible.
	Join func(ctx context.Context, request JoinRequest) (Joined, error)

	Settings settings.Settings
	Keys     *keymaps.Table // nil for the keys as they ship
	ReadOnly bool           // asked for on the command line

	Theme theme.Name
	Depth theme.Depth
	ASCII bool
	Mouse bool
	Zone  *time.Location // nil follows the settings

	Start Start
	// StateDir is where the session is kept; empty keeps none.
	StateDir string
	// Activity records every change that is sent; nil records none. Drafts keeps what was typed; nil forgets it.
	Activity *journal.Activity
	Drafts   *journal.Drafts
	// Person is who sits at the console, for the activity.
	Person string
	// WorkDir is where exports go and imports are looked for.
	WorkDir string
	// Program is the command line that starts the console, for links.
	Program string

	Now func() time.Time
	// Tick delivers a message after a while; nil uses the real clock.
	Tick TickFunc

	Input  io.Reader
	Output io.Writer
	// Environment is that of the person at the terminal, which is not the process's over SSH.
	Environment []string
	// FPS is how many frames a second are drawn at most; zero chooses.
	FPS int
}

// Start is where the console opens, from the command line.
type Start struct {
	View   string // name of a saved view
	Pane   board.Pane
	Filter string
	Sort   string
	Task   string // id or short id to open
}

// given reports that the command line says where to open.
func (s Start) given() bool { return s != Start{} }

// ConnectRequest asks for an account.
type ConnectRequest struct {
	Profile string
	// ReadOnly tells at any moment whether changes are refused; the client asks before every write.
	ReadOnly func() bool
}

// Connection is an account that can be talked to.
type Connection struct {
	Client  *apiclient.Client
	Profile settings.Profile
	Sandbox bool
	// Now is the service's own clock, where it is at hand; else it is worked out from the dates of its answers.
	Now func() time.Time
	// Receiver brings what the service tells by itself; nil where the account has none.
	Receiver Receiver
}

// Clock is the clock that the service's windows and delays are told by, which need not agree with the one here.
func (c Connection) Clock(here func() time.Time) func() time.Time {
	switch {
	case c.Now != nil:
		return c.Now
	case c.Client != nil:
		return func() time.Time { return here().Add(c.Client.ClockOffset()) }
	}
	return here
}

// Receiver has the events of one account sent to this machine. The console opens it when it enters the account, unless
// nothing may be changed, and closes it when it goes to another; whoever made it closes it at the end.
type Receiver interface {
	// Open begins to listen and to register webhooks. It waits for nothing: what comes of it is in the inbox.
	Open()
	Inbox() *inbox.Inbox
	// Close removes the webhooks and frees the port. It may be called again.
	Close(ctx context.Context) error
}

// JoinRequest is an address and a key as they were typed.
type JoinRequest struct{ Name, BaseURL, Key string }

// Joined says where the key went.
type Joined struct {
	Profile settings.Profile
	Stored  string // "the system keyring"
}
