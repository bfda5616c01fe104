package cli

import (
	"context"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/settings"
)

// changeCommands returns all commands that change something, with arguments.
func changeCommands() map[string][]string {
	return map[string][]string{
		"do":                  {"task.delete", "TASK", "--yes"},
		"tasks create":        {"--address", "543 Howard St, San Francisco, CA 94105, USA"},
		"tasks clone":         {"TASK"},
		"tasks update":        {"TASK", "--notes", "x"},
		"tasks assign":        {"TASK", "--worker", "WORKER"},
		"tasks complete":      {"TASK", "--succeeded", "--yes"},
		"tasks rm":            {"TASK", "--yes"},
		"tasks import":        {"HOME/in.csv"},
		"workers create":      {"--name", "Ada", "--phone", "+14155550123", "--team", "TEAM"},
		"teams dispatch":      {"TEAM"},
		"destinations create": {"--address", "543 Howard St, San Francisco, CA 94105, USA"},
		"recipients create":   {"--name", "Ada", "--phone", "+14155550123"},
		"orders create":       {"--from-json", "HOME/order.json"},
		"orders cancel":       {"TASK", "--yes"},
		"templates create":    {"--name", "x", "--field", "gate"},
		"webhooks create":     {"https://example.com/", "--trigger", "taskStarted"},
		"webhooks rm":         {"TASK", "--yes"},
		"webhooks listen":     {"--listen", "127.0.0.1:0"},
		"webhooks replay":     {"1"},
		"webhooks trigger":    {"taskStarted"},
		"keys add":            {"box", "--key-file", "HOME/key"},
		"keys rm":             {"known", "--yes"},
		"serve":               {"--data", "HOME/data", "--listen", "127.0.0.1:0"},
		"serve org add":       {"Bay Couriers", "--data", "HOME/data"},
		"serve key add":       {"--data", "HOME/data"},
		"serve key rm":        {"TASK", "--data", "HOME/data"},
		"serve rates set":     {"HOME/rates.json", "--data", "HOME/data"},
		"serve rates reset":   {"--data", "HOME/data"},
	}
}

// readCommands returns the commands that change nothing except a file that they are told to write.
func readCommands() []string {
	return []string{
		"", "board", "tasks ls", "tasks get", "workers ls", "workers get", "teams ls", "teams get", "hubs ls", "destinations get",
		"destinations find", "recipients get", "recipients find", "orders get", "quote", "webhooks ls", "webhooks events",
		"batch status", "plan", "plan bench", "keys ls", "keys test", "auth test", "doctor", "serve org ls", "serve key ls",
		"serve rates show", "version", "bench screen", "bench empty", "bench pictures",
	}
}

// TestReadOnlyRefusesEveryChange runs all commands. A new command must be added to one of the two lists.
func TestReadOnlyRefusesEveryChange(t *testing.T) {
	service := servicetest.Start(t)
	_, key := service.AddOrganization("Bay Couriers", "")
	names := addObjects(service, key)
	var sent atomic.Int64
	front := countChanges(t, service.URL, &sent)

	changing, reading := changeCommands(), readCommands()
	a, _, _ := newTestApp()
	for _, name := range runnableCommands(newRootCommand(a)) {
		args, changes := changing[name]
		if !changes {
			require.Contains(t, reading, name, "say in this test whether it changes something")
			continue
		}
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for file, text := range map[string]string{
				"key": key + "\n", "rates.json": "[]",
				"order.json":                  `{"pickupTask": {"destination": {"address": {"unparsed": "a, b"}}}, "dropoffTask": {"destination": {"address": {"unparsed": "c, d"}}}}`,
				"in.csv":                      "address\n\"543 Howard St, San Francisco, CA 94105, USA\"\n",
				".config/waybill/config.toml": "[profiles.known]\nbase_url = \"https://api.example.com/v2\"\nkey_env = \"NONE\"\nkey_source = \"env\"\n",
			} {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, file)), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(home, file), []byte(text), 0o600))
			}
			before := readFiles(t, home)
			code, output := runIn(t, home, key, append(append(strings.Fields(name), fillPlaceholders(args, home, names)...), "--readonly", "--base-url", front))
			require.Equal(t, exitRefused, code, output)
			require.Contains(t, output, "read-only mode is on")
			require.Equal(t, before, readFiles(t, home))
		})
	}
	require.Zero(t, sent.Load(), "requests that change something")
}

// addObjects adds objects that could be changed to an organization.
func addObjects(service *servicetest.Server, key string) map[string]string {
	service.DoAs(key, "POST", "/customFields", `{"model":"Task","fields":[{"key":"gate","name":"Gate","type":"single_line_text_field"}]}`).OK(nil)
	var team model.Team
	service.DoAs(key, "POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&team)
	var worker model.Worker
	service.DoAs(key, "POST", "/workers", `{"name":"Dayo","phone":"(415) 555-0199","teams":["`+string(team.ID)+`"]}`).OK(&worker)
	var task model.Task
	service.DoAs(key, "POST", "/tasks", `{"destination":{"address":{"unparsed":"543 Howard St, San Francisco, CA 94105, USA"}},"recipients":[]}`).OK(&task)
	return map[string]string{"TEAM": string(team.ID), "WORKER": string(worker.ID), "TASK": string(task.ID)}
}

// countChanges starts a proxy that counts the requests that could change something.
func countChanges(t *testing.T, to string, sent *atomic.Int64) string {
	t.Helper()
	target, err := url.Parse(to)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			sent.Add(1)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

func fillPlaceholders(args []string, home string, names map[string]string) []string {
	filled := make([]string, len(args))
	for i, arg := range args {
		filled[i] = strings.ReplaceAll(arg, "HOME", home)
		if id, ok := names[arg]; ok {
			filled[i] = id
		}
	}
	return filled
}

// runIn runs a command in a home folder and returns its exit code and output.
func runIn(t *testing.T, home, key string, args []string) (int, string) {
	t.Helper()
	a, out, errs := newTestApp()
	a.env = settings.Environment{Home: home, OS: "linux", Getenv: func(name string) string {
		return map[string]string{"WAYBILL_API_KEY": key}[name]
	}}
	code := execute(context.Background(), a, args)
	return code, out.String() + errs.String()
}

// runnableCommands returns the paths of all commands that can be run.
func runnableCommands(cmd *cobra.Command) []string {
	var names []string
	if cmd.Runnable() {
		names = append(names, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "waybill")))
	}
	for _, child := range cmd.Commands() {
		names = append(names, runnableCommands(child)...)
	}
	return names
}

// readFiles returns the content of every file under a folder except those of Waybill itself.
func readFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == "state":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	}))
	return files
}
