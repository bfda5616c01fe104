package settings

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Environment is what the locations of files depend on.
type Environment struct {
	// Getenv looks up an environment variable.
	Getenv func(string) string
	// Home is the user's home folder.
	Home string
	// OS is the operating system, named as in runtime.GOOS.
	OS string
}

// SystemEnvironment returns the environment of this process.
func SystemEnvironment() Environment {
	// Locate reports an unknown home folder if it is needed.
	home, _ := os.UserHomeDir()
	return Environment{Getenv: os.Getenv, Home: home, OS: runtime.GOOS}
}

// Folders are the folders of Waybill. They may not exist yet.
type Folders struct {
	// Config holds config.toml and the encrypted keys.
	Config string
	// Data holds what cannot be restored: the database of the sandbox and drafts.
	Data string
	// State holds what is useful but not essential: the last session, activity, logs.
	State string
}

// ConfigFile returns the path of the config file.
func (f Folders) ConfigFile() string { return filepath.Join(f.Config, "config.toml") }

// ErrNoHome is returned when neither a home folder nor the variables that replace it are known.
var ErrNoHome = errors.New("cannot find the settings: the home folder is unknown; " +
	"set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME")

// Locate returns the folders of Waybill: below the XDG variables if they are absolute paths, or else at the usual places of the
// system.
func (e Environment) Locate() (Folders, error) {
	config, data, state := e.systemFolders()
	folders := Folders{
		Config: e.folder("XDG_CONFIG_HOME", config),
		Data:   e.folder("XDG_DATA_HOME", data),
		State:  e.folder("XDG_STATE_HOME", state),
	}
	if folders.Config == "" || folders.Data == "" || folders.State == "" {
		return Folders{}, ErrNoHome
	}
	return folders, nil
}

func (e Environment) systemFolders() (config, data, state string) {
	under := func(base string, parts ...string) string {
		if base == "" {
			return ""
		}
		return filepath.Join(append([]string{base}, parts...)...)
	}
	switch e.OS {
	case "windows":
		roaming, local := e.Getenv("AppData"), e.Getenv("LocalAppData")
		return under(roaming, "waybill"), under(local, "waybill", "data"), under(local, "waybill", "state")
	case "darwin":
		support := under(e.Home, "Library", "Application Support", "waybill")
		return support, under(support, "data"), under(support, "state")
	default:
		return under(e.Home, ".config", "waybill"), under(e.Home, ".local", "share", "waybill"),
			under(e.Home, ".local", "state", "waybill")
	}
}

// folder ignores a relative XDG path, as the XDG specification asks.
func (e Environment) folder(variable, system string) string {
	if value := e.Getenv(variable); filepath.IsAbs(value) {
		return filepath.Join(value, "waybill")
	}
	return system
}

// Expand replaces a leading "~/" by the home folder.
func (e Environment) Expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && e.Home != "" {
		return filepath.Join(e.Home, rest)
	}
	return path
}
