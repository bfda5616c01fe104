package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"waybill/atomicfile"
	"waybill/credentials"
	"waybill/service/server"
	"waybill/service/store"
	"waybill/settings"
	"waybill/ui"
)

// sandboxAddressFile stores the address of the running sandbox for a second console on the same folder.
const sandboxAddressFile = "sandbox.url"

// connectSandbox starts the embedded service, or connects to the one that another console runs.
func (h *consoleHost) connectSandbox(ctx context.Context, request ui.ConnectRequest) (ui.Connection, error) {
	dir, err := h.app.dataDir("", "sandbox")
	if err != nil {
		return ui.Connection{}, err
	}
	address, secret, err := h.startSandbox(ctx, dir)
	joined := errors.Is(err, store.ErrServerRunning)
	if joined {
		address, secret, err = readRunningSandbox(dir, err)
	}
	if err != nil {
		return ui.Connection{}, err
	}
	key, err := credentials.NewKey(secret)
	if err != nil {
		return ui.Connection{}, err
	}
	profile := settings.NewProfile(ui.SandboxProfile, address)
	// The sandbox is local, so frequent requests cost nothing.
	profile.RequestsPerSecond = sandboxRate
	profile.Poll = settings.Poll{Tasks: 3 * time.Second, Workers: 3 * time.Second, Delays: 5 * time.Second, Orders: 5 * time.Second}
	now := h.app.now
	if !joined {
		now = h.sandbox.Load().Now
	}
	made, err := h.openConnection(ctx, profile, key, request, h.startsOnSandbox(), now)
	made.Sandbox = true
	if !joined {
		made.Now = now
	}
	return made, err
}

const sandboxRate = 200

func (h *consoleHost) startSandbox(ctx context.Context, dir string) (address, key string, err error) {
	if running := h.sandbox.Load(); running != nil {
		return running.BaseURL(), running.SandboxKey(), nil
	}
	box := h.flags.box
	config := server.Config{
		Dir: dir, Listen: sandboxListenAddress(dir), Rate: sandboxRate, Log: slog.New(slog.DiscardHandler),
		Sandbox: &box,
	}
	if h.flags.receive != "" { // the local sandbox may call this machine
		if _, config.WebhookCA, err = h.app.loadLocalCertificate(); err != nil {
			return "", "", err
		}
		config.WebhookAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
	running, err := server.Start(ctx, config)
	if config.Listen != anyLocalPort && isListenError(err) { // another program uses the port now
		config.Listen = anyLocalPort
		running, err = server.Start(ctx, config)
	}
	if err != nil {
		return "", "", err
	}
	h.sandbox.Store(running)
	err = atomicfile.Write(filepath.Join(dir, sandboxAddressFile), []byte(running.BaseURL()+"\n"))
	if err != nil {
		return "", "", fmt.Errorf("store the address of the sandbox: %w", err)
	}
	return running.BaseURL(), running.SandboxKey(), nil
}

// readRunningSandbox returns the address and key of the sandbox that another process runs. If they cannot be read it
// returns reason, the error of starting the sandbox here.
func readRunningSandbox(dir string, reason error) (address, key string, err error) {
	address = readSandboxAddress(dir)
	if key, err = server.SandboxKey(dir); err != nil || address == "" {
		return "", "", reason
	}
	return address, key, nil
}

// readSandboxAddress returns the address of the last run, or an empty string if there was none.
func readSandboxAddress(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, sandboxAddressFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// anyLocalPort lets the system choose a port.
const anyLocalPort = "127.0.0.1:0"

// sandboxListenAddress returns the address of the last run, so that old tracking links still work.
func sandboxListenAddress(dir string) string {
	last, err := url.Parse(readSandboxAddress(dir))
	if err != nil || last.Hostname() != "127.0.0.1" || last.Port() == "" {
		return anyLocalPort
	}
	return last.Host
}

func isListenError(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "listen"
}
