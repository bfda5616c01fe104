package cli

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"waybill/credentials"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/events"
	"waybill/settings"
	"waybill/ui"
	"waybill/views/theme"
)

// receiverTest is a service that may deliver events to this machine, with a worker and a task.
type receiverTest struct {
	*servicetest.Server
	t      *testing.T
	worker model.Worker
	task   model.Task
}

func newReceiverTest(t *testing.T) *receiverTest {
	t.Helper()
	c := &receiverTest{Server: servicetest.Start(t), t: t}
	c.RunJobs()
	var team model.Team
	c.Do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&team)
	c.Do("POST", "/workers", fmt.Sprintf(`{"name":"Mara Quist","phone":"+14155550200","teams":[%q]}`, team.ID)).OK(&c.worker)
	c.task = c.newTask("Ida Holm")
	return c
}

func (c *receiverTest) newTask(recipient string) (task model.Task) {
	c.t.Helper()
	c.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"unparsed":"543 Howard St, San Francisco, CA 94105, USA"}},
		"recipients":[{"name":%q,"phone":"+1415555%04d"}],"completeBefore":%d}`,
		recipient, 1000+len(recipient), c.Clock.Now().Add(3*time.Hour).UnixMilli())).OK(&task)
	return task
}

func (c *receiverTest) hooks() (hooks []model.Webhook) {
	c.t.Helper()
	c.Do("GET", "/webhooks", nil).OK(&hooks)
	return hooks
}

// home returns a home folder with a certificate that the service trusts.
func (c *receiverTest) home() string {
	c.t.Helper()
	home := c.t.TempDir()
	state := home + "/.local/state/waybill"
	require.NoError(c.t, os.CopyFS(state, os.DirFS(c.Certificates)))
	require.NoError(c.t, os.MkdirAll(home+"/.config/waybill", 0o700))
	return home
}

// consoleDriver runs a console with a stopped clock, so that it refreshes nothing by itself.
type consoleDriver struct {
	t    *testing.T
	host *consoleHost
	m    *ui.Model
	msgs chan tea.Msg
}

func (c *receiverTest) environment(home string) settings.Environment {
	return settings.Environment{Home: home, OS: "linux", Getenv: func(name string) string {
		return map[string]string{"WAYBILL_API_KEY": c.Key, "TERM": "xterm", "HOME": home}[name]
	}}
}

// openConsole opens a console on the service.
func (c *receiverTest) openConsole(home string, f consoleFlags, change func(a *app)) *consoleDriver {
	c.t.Helper()
	var out bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &out, c.environment(home))
	a.flags.baseURL, a.flags.keyFD, a.flags.rate = c.URL, credentials.NoDescriptor, 1000
	if change != nil {
		change(a)
	}
	file, err := a.loadConfig()
	require.NoError(c.t, err)
	d := &consoleDriver{t: c.t, host: newConsoleHost(a, &f, file), msgs: make(chan tea.Msg, 100)}
	c.t.Cleanup(func() { d.host.shutDown(c.t.Context()) })
	o, err := d.host.consoleOptions()
	require.NoError(c.t, err)
	o.Now, o.Theme, o.StateDir = c.Clock.Now, theme.Dark, ""
	o.Tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	d.m = ui.New(c.t.Context(), o)
	d.start(d.m.Init())
	d.send(tea.WindowSizeMsg{Width: 160, Height: 44})
	return d
}

func (d *consoleDriver) start(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

func (d *consoleDriver) send(msg tea.Msg) {
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.start(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	_, cmd := d.m.Update(msg)
	d.start(cmd)
}

func (d *consoleDriver) press(ids ...string) {
	for _, id := range ids {
		d.m.View()
		d.start(d.m.Press(id))
	}
}

func (d *consoleDriver) key(key rune) { d.send(tea.KeyPressMsg{Code: key, Text: string(key)}) }

func (d *consoleDriver) screen() string { return ansi.Strip(d.m.View().Content) }

// until processes messages until a condition is met. It fails when nothing has happened for maxSilence.
func (d *consoleDriver) until(what string, holds func() bool) {
	d.t.Helper()
	limit := time.NewTimer(maxSilence)
	defer limit.Stop()
	for !holds() {
		select {
		case msg := <-d.msgs:
			d.send(msg)
			limit.Reset(maxSilence)
		case <-time.After(5 * time.Millisecond):
		case <-limit.C:
			require.FailNow(d.t, fmt.Sprintf("nothing happened for %s while waiting for: %s", maxSilence, what), d.screen())
		}
	}
}

// maxSilence is how long a test waits for a text while nothing happens. It is more than a slow machine needs.
const maxSilence = 20 * time.Second

func (d *consoleDriver) waitForTexts(texts ...string) {
	d.t.Helper()
	d.until(strings.Join(texts, ", "), func() bool {
		screen := d.screen()
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

func (d *consoleDriver) waitUntilGone(text string) {
	d.t.Helper()
	d.until("not "+text, func() bool { return !strings.Contains(d.screen(), text) })
}

// post sends a request to a receiver.
func (c *receiverTest) post(url, body, signature string) int {
	c.t.Helper()
	authority, err := os.ReadFile(c.Certificates + "/webhook-ca.pem")
	require.NoError(c.t, err)
	roots := x509.NewCertPool()
	require.True(c.t, roots.AppendCertsFromPEM(authority))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(c.t, err)
	req.Header.Set(events.SignatureHeader, signature)
	answer, err := client.Do(req)
	require.NoError(c.t, err)
	require.NoError(c.t, answer.Body.Close())
	return answer.StatusCode
}

func (c *receiverTest) sign(body string) string {
	c.t.Helper()
	var secret model.WebhookSecret
	c.Do("GET", "/webhooks/secret", nil).OK(&secret)
	signature, err := events.Sign(secret.Secret, []byte(body))
	require.NoError(c.t, err)
	return signature
}

func isFree(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		conn.Close()
	}
	return err != nil
}

func TestConsoleShowsReceivedEvents(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	d := c.openConsole(c.home(), consoleFlags{receive: address}, nil)
	d.press("pane.tasks", "pane.zoom")
	d.waitForTexts("Ida Holm")
	d.press("look.events")
	d.waitForTexts("receiving on https://" + address + "/: 0 events")
	require.Len(t, c.hooks(), len(model.Triggers())-3, "all but those with a threshold")

	// Nothing is asked for again while the clock stands: what is seen from here on came by itself.
	c.Do("PUT", "/tasks/"+string(c.task.ID), fmt.Sprintf(`{"container":{"type":"WORKER","worker":%q}}`, c.worker.ID)).OK(nil)
	d.waitForTexts("taskAssigned", "task "+string(c.task.ShortID)+" Ida Holm", "2 events, last just now")
	d.press("pane.tasks")
	d.waitForTexts("Mara Quist")
	other := c.newTask("Oskar Lind")
	d.waitForTexts("Oskar Lind")
	c.Do("DELETE", "/tasks/"+string(c.task.ID), nil).OK(nil)
	d.waitUntilGone("Ida Holm")

	d.press("look.events")
	d.waitForTexts("taskDeleted", "taskCreated")
	before := len(c.hooks())
	require.Equal(t, http.StatusUnauthorized, c.post("https://"+address+"/", `{"triggerId":6,"triggerName":"taskCreated"}`, "00"))
	unknown := `{"time":1,"triggerId":99,"triggerName":"moonLanding"}`
	require.Equal(t, http.StatusOK, c.post("https://"+address+"/", unknown, c.sign(unknown)))
	require.Equal(t, http.StatusBadRequest, c.post("https://"+address+"/", "?", c.sign("?")))
	d.waitForTexts("· 1 wrong signature · 1 unreadable · 1 unknown type")
	require.NotContains(t, d.screen(), "moonLanding")
	require.Len(t, c.hooks(), before)

	// A part of a task is as good as none: it is asked for.
	part := fmt.Sprintf(`{"time":1,"triggerId":7,"triggerName":"taskUpdated","taskId":%q,"data":{"task":{"id":%q}}}`, other.ID, other.ID)
	require.Equal(t, http.StatusOK, c.post("https://"+address+"/", part, c.sign(part)))
	d.press("look.connection")
	d.waitForTexts("receiving 17 of 17 event types", "listening on "+address, "ignored: 1 of an unknown type")
	d.press("back")
	d.press("pane.tasks")
	d.waitForTexts("Oskar Lind")
}

func TestOpeningAnEventShowsItsObject(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	d := c.openConsole(c.home(), consoleFlags{receive: address}, nil)
	d.press("look.events")
	d.waitForTexts("receiving on")
	c.Do("PUT", "/tasks/"+string(c.task.ID), `{"notes":"Ring twice"}`).OK(nil)
	d.waitForTexts("taskUpdated")
	d.press("look.raw")
	d.waitForTexts("Event", "received here", `"type": "API"`)
	d.press("back", "look.detail")
	d.waitForTexts("Task "+string(c.task.ShortID), "Ring twice")
}

// The event log of the service and the received events are one list with each event once.
func TestReceivedEventsAndLogAreMerged(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	d := c.openConsole(c.home(), consoleFlags{receive: address}, nil)
	d.waitForTexts("Ida Holm")
	d.press("look.events")
	d.waitForTexts("receiving on", "workerCreated") // from the log: it happened before anybody listened
	c.Do("PUT", "/tasks/"+string(c.task.ID), `{"notes":"Ring twice"}`).OK(nil)
	d.waitForTexts("taskUpdated", "1 of 1 delivered")
	c.Clock.Advance(10 * time.Second)
	d.press("look.events", "look.events") // leaves and comes back, which reads the log
	d.until("the log was read", func() bool { return d.m.Busy() == 0 })
	d.press("move.top", "look.raw")
	d.waitForTexts("taskUpdated (trigger 7), event 3", "webhook ")
	d.press("back")
	require.Equal(t, 1, strings.Count(d.screen(), "taskUpdated"), d.screen())
}

const twoProfiles = `default_profile = "north"

[profiles.north]
base_url = %q
key_source = "env"
key_env = "WAYBILL_API_KEY"

[profiles.north.webhooks]
listen = %q
triggers = ["taskUpdated", "taskDeleted"]

[profiles.south]
base_url = %q
key_source = "env"
key_env = "WAYBILL_API_KEY"
`

func TestSwitchingAccountsEndsTheReceiver(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	home := c.home()
	require.NoError(t, os.WriteFile(home+"/.config/waybill/config.toml", fmt.Appendf(nil, twoProfiles, c.URL, address, c.URL), 0o600))
	d := c.openConsole(home, consoleFlags{}, func(a *app) { a.flags.baseURL = "" })
	d.press("look.events")
	d.waitForTexts("receiving on https://" + address + "/")
	require.Len(t, c.hooks(), 2)

	d.press("console.profile")
	d.key('2')
	d.until("the webhooks are gone", func() bool { return len(c.hooks()) == 0 && isFree(address) })
	d.press("pane.tasks")
	d.waitForTexts("south", "Ida Holm")
	d.press("look.connection")
	d.waitForTexts("This account has no receiver")
	d.press("back", "console.profile")
	d.key('1')
	d.waitUntilGone("south")
	d.waitForTexts("north", "Ida Holm")
	d.press("look.events")
	d.waitForTexts("receiving on https://" + address + "/")
	require.Len(t, c.hooks(), 2)
	d.host.shutDown(t.Context())
	require.Empty(t, c.hooks())
	require.True(t, isFree(address))
}

func TestReadOnlyConsoleCreatesNoWebhooks(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	d := c.openConsole(c.home(), consoleFlags{receive: address}, func(a *app) { a.flags.readOnly = true })
	d.waitForTexts("Ida Holm")
	d.press("look.events")
	d.waitForTexts("read-only: no webhooks, so no events are received", "workerCreated")
	require.True(t, isFree(address))
	require.Empty(t, c.hooks())

	d.press("console.readonly")
	d.key('y')
	d.waitForTexts("receiving on")
	d.press("console.readonly") // what was made is removed also when the console is locked
	d.host.shutDown(t.Context())
	require.Empty(t, c.hooks())
}

func TestReceiverProblemsAreShownAndRefreshContinues(t *testing.T) {
	t.Parallel()
	c := newReceiverTest(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	d := c.openConsole(c.home(), consoleFlags{receive: taken.Addr().String()}, nil)
	d.press("look.events")
	d.waitForTexts("not receiving: " + taken.Addr().String() + " is in use by another program")
	d.press("look.connection")
	d.waitForTexts("choose another port with --receive")
	d.press("back", "pane.tasks")
	d.waitForTexts("Ida Holm")
	require.Empty(t, c.hooks())

	// An address that the service cannot call: the console shows what to do.
	d = c.openConsole(c.home(), consoleFlags{receive: freeAddress(t), receiveURL: "https://" + freeAddress(t) + "/events"}, nil)
	d.press("look.events")
	d.waitForTexts("not receiving: the service cannot reach https://127.0.0.1:")
	d.press("look.connection")
	d.waitForTexts("Check that the tunnel or proxy")
	require.Empty(t, c.hooks())
}

func TestReceiverAdviceOnAnInvalidSecret(t *testing.T) {
	t.Parallel()
	_, advice := new(consoleReceiver).describeProblem(errBadSecret)
	require.Equal(t, "Put the secret into secret_file as hex digits only.", advice)
}

func TestConsoleKeepsWebhooksIfConfigured(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	home := c.home()
	kept := strings.Replace(twoProfiles, "listen = %q", "listen = %q\nkeep = true", 1)
	require.NoError(t, os.WriteFile(home+"/.config/waybill/config.toml", fmt.Appendf(nil, kept, c.URL, address, c.URL), 0o600))
	for range 2 { // the second run finds those of the first
		d := c.openConsole(home, consoleFlags{}, func(a *app) { a.flags.baseURL = "" })
		d.press("look.events")
		d.waitForTexts("receiving on")
		d.host.shutDown(t.Context())
		require.Len(t, c.hooks(), 2)
		require.True(t, isFree(address))
	}
}

func TestReceiverFlagsAreChecked(t *testing.T) {
	t.Parallel()
	a, _, _ := newTestApp()
	for want, f := range map[string]consoleFlags{
		`--receive: "8581" must be a host and a port`:  {receive: "8581"},
		`--receive-url: "ops" must be a whole address`: {receive: "127.0.0.1:8581", receiveURL: "ops"},
		`--receive-url requires --receive`:             {receiveURL: "https://ops.example.com/"},
	} {
		h := newConsoleHost(a, &f, &settings.File{})
		require.ErrorContains(t, h.checkReceiver(settings.Profile{}), want)
	}
}
