package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"waybill/credentials"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/settings"
)

// Environment variables by which a script sets the keyring and the clock of the program.
const (
	keyringVariable = "TEST_KEYRING" // a folder that is the system keyring
	clockVariable   = "TEST_NOW"     // the time, in Unix milliseconds
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"waybill": func() {
		a := newApp(os.Stdin, os.Stdout, os.Stderr, settings.SystemEnvironment())
		if folder := os.Getenv(keyringVariable); folder != "" {
			a.keyring = folderKeyring(folder)
		}
		if now, err := strconv.ParseInt(os.Getenv(clockVariable), 10, 64); err == nil {
			a.now = func() time.Time { return time.UnixMilli(now) }
		}
		a.jobPollDelay, a.notesTimeout = time.Millisecond, 5*time.Minute // a loaded machine finds the same
		os.Exit(runUntilSignal(a, os.Args[1:]))
	}})
}

// folderKeyring is a keyring with one file per profile.
type folderKeyring string

func (k folderKeyring) path(profile string) string { return filepath.Join(string(k), profile) }

func (k folderKeyring) Get(profile string) (string, error) {
	secret, err := os.ReadFile(k.path(profile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", credentials.ErrNotFound
	}
	return string(secret), err
}

func (k folderKeyring) Set(profile, secret string) error {
	return os.WriteFile(k.path(profile), []byte(secret), 0o600)
}

func (k folderKeyring) Delete(profile string) error {
	err := os.Remove(k.path(profile))
	if errors.Is(err, fs.ErrNotExist) {
		return credentials.ErrNotFound
	}
	return err
}

// TestScripts runs the program against the real service. Each script has its own organization.
func TestScripts(t *testing.T) {
	service := servicetest.Start(t)
	service.RunJobs()
	bad := faultyServices(t)
	hook := service.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Query().Get(model.WebhookCheckParameter))
	}))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			org, key := service.AddOrganization(filepath.Base(e.WorkDir), "")
			for name, value := range bad {
				e.Setenv(name, value)
			}
			for name, value := range map[string]string{
				"HOME": e.WorkDir, "XDG_CONFIG_HOME": e.WorkDir + "/config", "XDG_DATA_HOME": e.WorkDir + "/data",
				"XDG_STATE_HOME": e.WorkDir + "/state", "URL": service.URL, "KEY": key, "ORG": string(org), "HOOK": hook,
				clockVariable: fmt.Sprint(servicetest.Epoch().UnixMilli()), "TZ": "America/Los_Angeles", "NO_COLOR": "yes",
			} {
				e.Setenv(name, value)
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "key"), []byte(key+"\n"), 0o600)
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("there is no condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": runForCode, "sandbox": func(ts *testscript.TestScript, _ bool, _ []string) { addTeamAndWorker(ts, service) }, "grab": saveMember,
			"begin": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(service.World.StartTask(context.Background(), model.ID(args[0]), model.ID(args[1])))
			},
			"mode": fileMode,
			"switchoff": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(service.Store.Write(context.Background(), func(tx *store.Tx) error {
					_, err := tx.Exec(context.Background(), "UPDATE webhooks SET enabled = 0 WHERE id = $1", args[0])
					return err
				}))
			},
		},
	})
}

// runForCode runs the program and compares its exit code: code 2 waybill tasks.
func runForCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		// The library does not tell the code, only its text.
		text := err.Error()
		got, _ = strconv.Atoi(text[strings.LastIndex(text, " ")+1:])
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// saveMember stores a member of the last JSON output in a variable: grab TASK id.
func saveMember(ts *testscript.TestScript, _ bool, args []string) {
	var document map[string]model.Raw
	first, _, _ := bytes.Cut([]byte(ts.ReadFile("stdout")), []byte("\n{"))
	ts.Check(model.Unmarshal(first, &document))
	ts.Setenv(args[0], formatRawValue(document[args[1]]))
}

// fileMode compares the permissions of a file: mode 600 FILE.
func fileMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// addTeamAndWorker adds a team and a worker on duty to the script's organization: $TEAM and $WORKER.
func addTeamAndWorker(ts *testscript.TestScript, service *servicetest.Server) {
	key := ts.Getenv("KEY")
	var hub model.Hub
	service.DoAs(key, "POST", "/hubs", `{"name":"Depot","address":{"number":"1","street":"Ferry Building","city":"San Francisco","country":"United States"},
		"location":[-122.3937,37.7955]}`).OK(&hub)
	var team model.Team
	service.DoAs(key, "POST", "/teams", fmt.Sprintf(`{"name":"North","workers":[],"managers":[],"hub":%q}`, hub.ID)).OK(&team)
	var worker model.Worker
	service.DoAs(key, "POST", "/workers", fmt.Sprintf(`{"name":"Dayo Okafor","phone":"(415) 555-0199","teams":[%q],"vehicle":{"type":"BICYCLE"}}`, team.ID)).OK(&worker)
	ts.Check(service.World.GoOnDuty(context.Background(), worker.ID))
	ts.Setenv("TEAM", string(team.ID))
	ts.Setenv("WORKER", string(worker.ID))
	ts.Setenv("HUB", string(hub.ID))
}

// faultyServices returns addresses of faulty services: one is down, one has used up its request limit, one breaks the
// connection after a change, one answers with a sign-in page, and one has an untrusted certificate.
func faultyServices(t *testing.T) map[string]string {
	serve := func(handler http.HandlerFunc) *httptest.Server {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server
	}
	limited := serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"code":"TooManyRequests","message":{"error":2300,"message":"Too many requests","request":"r-1"}}`)
	})
	broken := serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodGet {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				connection.Close()
			}
			return
		}
		fmt.Fprint(w, `{"id":"yAM*fDkztrT3gUcz9mNDgNOL","name":"Broken","timezone":"UTC","country":"US","email":""}`)
	})
	page := serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><title>Please sign in\x1b[2J</title></html>")
	})
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	down := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	return map[string]string{
		"DOWN": down + "/v2", "LIMITED": limited.URL + "/v2", "BROKEN": broken.URL + "/v2", "PAGE": page.URL + "/v2",
		"UNTRUSTED": secure.URL + "/v2",
	}
}
