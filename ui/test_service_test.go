package ui

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations/journal"
	"waybill/settings"
	"waybill/ui/dialog"
	"waybill/views/theme"
)

// testService is a real service with a small courier company: a team, its hub, and drivers on duty.
type testService struct {
	*servicetest.Server
	team    model.Team
	workers []model.Worker
}

func newTestService(t *testing.T, drivers ...string) *testService {
	t.Helper()
	d := &testService{Server: servicetest.Start(t)}
	d.RunJobs()
	var hub model.Hub
	d.Do("POST", "/hubs", `{"name":"Depot","address":{"number":"1","street":"Ferry Building","city":"San Francisco","country":"United States"},
		"location":[-122.3937,37.7955]}`).OK(&hub)
	d.Do("POST", "/teams", fmt.Sprintf(`{"name":"North","workers":[],"managers":[],"hub":%q}`, hub.ID)).OK(&d.team)
	for i, name := range drivers {
		var w model.Worker
		d.Do("POST", "/workers", fmt.Sprintf(`{"name":%q,"phone":"+1415555%04d","teams":[%q],"vehicle":{"type":"CAR"}}`, name, 200+i, d.team.ID)).OK(&w)
		require.NoError(t, d.World.GoOnDuty(context.Background(), w.ID))
		d.workers = append(d.workers, w)
	}
	return d
}

// task makes a task that is due in a while.
func (d *testService) task(t *testing.T, number int, due time.Duration) model.Task {
	t.Helper()
	var made model.Task
	d.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"%d","street":"Howard St","city":"San Francisco","country":"United States"},
		"location":[%f,37.78]},"recipients":[{"name":"Recipient %d","phone":"+1415555%04d"}],"completeBefore":%d,"notes":"Note %d"}`,
		number, -122.40-float64(number)/1000, number, 1000+number, d.Clock.Now().Add(due).UnixMilli(), number)).OK(&made)
	return made
}

func (d *testService) read(t *testing.T, id model.ID) model.Task {
	t.Helper()
	var task model.Task
	d.Do("GET", "/tasks/"+string(id), nil).OK(&task)
	return task
}

// console opens a console on the service, in real time. Folders are the test's own.
func (d *testService) console(t *testing.T, change func(o *Options)) *testConsole {
	return d.consoleThrough(t, http.DefaultTransport, change)
}

// consoleThrough is a console whose requests go through a transport that may break them.
func (d *testService) consoleThrough(t *testing.T, transport http.RoundTripper, change func(o *Options)) *testConsole {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	folder := t.TempDir()
	activity, err := journal.Open(folder, journal.Options{Now: d.Clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, activity.Close()) })
	o := Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: zone, Now: d.Clock.Now, Person: "mara",
		StateDir: folder, WorkDir: folder, Activity: activity, Drafts: journal.NewDrafts(folder, d.Clock.Now),
		Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
	}
	if change != nil {
		change(&o)
	}
	driven := &testConsole{t: t, live: true, results: make(chan tea.Msg, 1000)}
	driven.m = New(context.Background(), o)
	locked := driven.m.readOnly.Load
	client, err := apiclient.New(apiclient.Options{
		BaseURL: d.URL, Key: apiclient.StaticKey(d.Key), RoundTripper: transport, ReadOnly: locked,
		Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 10_000}),
	})
	require.NoError(t, err)
	driven.m.options.Connection = &Connection{Client: client, Profile: settings.NewProfile("bay", d.URL)}
	t.Cleanup(driven.m.account.cancel)
	driven.do(driven.m.Init())
	driven.resize(120, 40)
	return driven
}

// find puts the cursor of the tasks on a task.
func (d *testConsole) find(id model.ID) {
	d.t.Helper()
	d.press("pane.tasks")
	require.True(d.t, d.m.focusedPane().SetCursor(id), "the board has no task %s", id)
}

// fill types into a field of the open form.
func (d *testConsole) fill(name, text string) {
	d.t.Helper()
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(d.t, ok, "no form is open:\n%s", d.screen())
	form.Focus(name)
	require.Equal(d.t, name, form.Focused())
	d.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	if text != "" {
		d.send(tea.PasteMsg{Content: text})
	}
}

// choose takes an option of a field of the open form.
func (d *testConsole) choose(name, value string) {
	d.t.Helper()
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(d.t, ok, "no form is open:\n%s", d.screen())
	form.Focus(name)
	require.Equal(d.t, name, form.Focused())
	form.ChooseOption(value)
}

// showsWrapped requires texts on the screen, ignoring line breaks and the frames of boxes.
func (d *testConsole) showsWrapped(texts ...string) {
	d.t.Helper()
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(d.screen())), " ")
	for _, text := range texts {
		require.Contains(d.t, flat, text, "%s", d.screen())
	}
}
