//go:build !windows && !darwin

package credentials

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/godbus/dbus/v5"
)

// checkSession reports a missing session bus before the library looks for one: it would otherwise start a bus of its own
// with dbus-launch where that is installed, and leave it behind.
func checkSession(getenv func(string) string) error {
	if address := getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	runtimeFolder := fmt.Sprintf("/run/user/%d", os.Getuid())
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(runtimeFolder, name)); err == nil {
			return nil
		}
	}
	return &KeyringError{
		Cause: CauseNoSession,
		Err:   fmt.Errorf("DBUS_SESSION_BUS_ADDRESS is not set and there is no bus in %s", runtimeFolder),
	}
}

func platformCause(err error) Cause {
	var bus dbus.Error
	var network *net.OpError
	switch {
	case errors.As(err, &bus):
		return busCause(bus.Name)
	case errors.As(err, &network), errors.Is(err, dbus.ErrClosed), errors.Is(err, os.ErrNotExist):
		return CauseNoSession
	// The library has only words for an unlock that failed. It asks for the default keyring where there is none named login.
	case strings.Contains(err.Error(), "failed to unlock") && strings.Contains(err.Error(), "aliases/default"):
		return CauseNoKeyring
	case strings.Contains(err.Error(), "failed to unlock"):
		return CauseLocked
	case strings.HasPrefix(err.Error(), "dbus:"):
		return CauseNoSession
	}
	return CauseOther
}

func busCause(name string) Cause {
	switch name {
	case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
		return CauseNoService
	case "org.freedesktop.Secret.Error.IsLocked":
		return CauseLocked
	case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
		"org.freedesktop.DBus.Error.UnknownMethod":
		return CauseNoKeyring
	case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut":
		return CauseTimeout
	case "org.freedesktop.DBus.Error.Disconnected", "org.freedesktop.DBus.Error.NoServer":
		return CauseNoSession
	}
	// A service that is known but cannot be started is as good as none.
	if strings.HasPrefix(name, "org.freedesktop.DBus.Error.Spawn.") {
		return CauseNoService
	}
	return CauseOther
}
