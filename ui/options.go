// Package ui is the console: a Bubble Tea program whose root model routes messages and owns the state of the screen.
// Drawing is in views, dialogs in ui/dialog, requests in ui/feed, operations in ui/session and keys in keymaps.
package ui

import (
	"context"
	"io"
	"time"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/operations/journal"
	"waybill/settings"
	"waybill/ui/inbox"
	"waybill/views/theme"
)

// Options are everything a console depends on. It reads nothing from the process itself, so that several consoles can
// run in one.
type Options struct {
	// Connect returns the connection of a profile. It may take long, since a keyring may ask for a password; it runs in
	// the background.
	Connect func(ctx context.Context, request ConnectRequest) (Connection, error)
	// Connection is an account that is already connected; nil connects to Profile.
	Connection *Connection
	Profile    string
	// Sandbox marks the console as a sandbox from the first frame on.
	Sandbox bool
	// Join tests an address and a key and stores them; nil where that is not possible.
	Join func(ctx context.Context, request JoinRequest) (Joined, error)

	Settings settings.Settings
	Keys     *keymaps.Table // nil for the default keys
	ReadOnly bool           // asked for on the command line

	Theme theme.Name
	Depth theme.Depth
	ASCII bool
	Mouse bool
	Zone  *time.Location // nil follows the settings

	Start Start
	// StateDir is where the layout and crash reports are saved; empty saves no layout.
	StateDir string
	// Activity records every change that is sent; nil records none. Drafts saves form values; nil saves none.
	Activity *journal.Activity
	Drafts   *journal.Drafts
	// Person is the user's name, for the activity.
	Person string
	// WorkDir is the folder for exports and imports.
	WorkDir string
	// Version is that of the program, for crash reports.
	Version string
	// Program is the command line that starts the console, for links.
	Program string

	Now func() time.Time
	// Tick delivers a message after a while; nil uses the real clock.
	Tick TickFunc

	Input  io.Reader
	Output io.Writer
	// Environment is the environment of the user, which over SSH is not that of the process.
	Environment []string
	// FPS is the maximum number of frames per second; zero chooses.
	FPS int
}

// Start is where the console opens, from the command line; zero opens it as it was left.
type Start struct {
	View   string // name of a saved view
	Pane   string // name of a pane
	Filter string
	Sort   string
	Task   string // id or short id to open
}

// ConnectRequest names the account to connect to.
type ConnectRequest struct {
	Profile string
	// ReadOnly reports whether changes are refused; the client calls it before every change.
	ReadOnly func() bool
}

// Connection is a connected account.
type Connection struct {
	Client  *apiclient.Client
	Profile settings.Profile
	Sandbox bool
	// Now is the clock of the service; nil derives it from the dates of its answers.
	Now func() time.Time
	// Receiver receives webhook events; nil where the account has none.
	Receiver Receiver
}

// Clock is the clock of the service, which may differ from the local one.
func (c Connection) Clock(here func() time.Time) func() time.Time {
	switch {
	case c.Now != nil:
		return c.Now
	case c.Client != nil:
		return func() time.Time { return here().Add(c.Client.ClockOffset()) }
	}
	return here
}

// Receiver receives the webhook events of one account. The console opens it when it enters the account, unless it is
// read-only, and closes it when it switches to another; whoever created it closes it at the end.
type Receiver interface {
	// Open starts listening and registers webhooks in the background. Its progress is in the inbox.
	Open()
	Inbox() *inbox.Inbox
	// Close removes the webhooks and frees the port. It may be called repeatedly.
	Close(ctx context.Context) error
}

// JoinRequest is a new profile as typed.
type JoinRequest struct{ Name, BaseURL, Key string }

// Joined is a new profile and where its key is stored.
type Joined struct {
	Profile settings.Profile
	Stored  string // "the system keyring"
}
