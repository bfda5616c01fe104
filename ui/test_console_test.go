package ui

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/sampleday"
	"waybill/settings"
	"waybill/views/theme"
)

// testConsole is a console without a terminal. It presses actions by id and is idle whenever it returns: everything that
// could be done without time passing has been done. It lives in a bubble of virtual time, where waiting costs nothing.
type testConsole struct {
	t       *testing.T
	m       *Model
	world   *sampleday.World
	results chan tea.Msg
	live    bool      // outside of a bubble, in real time
	running int       // commands that have not come back
	seen    []tea.Msg // messages meant for the terminal: clipboard, bell, quit
}

const basePath = "/api/v2"

// handlerTransport calls a handler without a socket.
type handlerTransport struct{ handler http.Handler }

func (h handlerTransport) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	defer func() {
		if recover() != nil {
			answer, err = nil, errors.New("connection reset by peer")
		}
	}()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	recorder := httptest.NewRecorder()
	h.handler.ServeHTTP(recorder, r)
	answer = recorder.Result()
	answer.Request = r
	return answer, nil
}

func newClient(t testing.TB, world *sampleday.World) *apiclient.Client {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{
		BaseURL: "http://localhost" + basePath, Key: apiclient.StaticKey("key"),
		RoundTripper: handlerTransport{world.Handler(basePath)},
		Limiter:      apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 10_000}),
	})
	require.NoError(t, err)
	return client
}

// withFakeClock runs a test at a fixed moment: synctest's clock starts at the same instant each time.
func withFakeClock(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(20 * time.Hour) // mid-day in San Francisco
		test(t)
	})
}

func worldOf(tasks int) *sampleday.World {
	return sampleday.New(sampleday.Options{Tasks: tasks, Workers: 24, Orders: 20, Seed: 1, Now: time.Now()})
}

func newTestConsole(t *testing.T, world *sampleday.World, change func(o *Options)) *testConsole {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	o := Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: zone, Now: time.Now,
		Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
	}
	if world != nil {
		o.Connection = &Connection{Client: newClient(t, world), Profile: settings.NewProfile("bay", "http://localhost"+basePath)}
	}
	if change != nil {
		change(&o)
	}
	d := &testConsole{t: t, m: New(context.Background(), o), world: world, results: make(chan tea.Msg, 1000)}
	t.Cleanup(func() {
		d.m.account.cancel()
		synctest.Wait()
	})
	d.do(d.m.Init())
	d.resize(120, 40)
	return d
}

// do carries out a command and everything that follows from it at this moment.
func (d *testConsole) do(cmd tea.Cmd) {
	d.start(cmd)
	for d.live && d.running > 0 {
		d.receiveResult(<-d.results)
	}
	for !d.live {
		synctest.Wait()
		select {
		case msg := <-d.results:
			d.receiveResult(msg)
		default:
			return
		}
	}
}

func (d *testConsole) receiveResult(msg tea.Msg) {
	d.running--
	d.take(msg)
}

// start runs a command until it is done or waits for time to pass, so that the order of things is always the same.
func (d *testConsole) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	d.running++
	go func() { d.results <- cmd() }()
	if !d.live {
		synctest.Wait()
	}
}

func (d *testConsole) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.start(cmd)
		}
		return
	case resultMsg, tickMsg:
		_, cmd := d.m.Update(msg)
		d.start(cmd)
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() { // a sequence
			d.start(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	d.seen = append(d.seen, msg)
}

func (d *testConsole) send(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.do(cmd)
}

func (d *testConsole) resize(width, height int) {
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// press runs actions by id.
func (d *testConsole) press(ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		_, ok := d.m.keys.Get(id)
		require.True(d.t, ok, "no action is called %q", id)
		d.m.computeLayout()
		d.do(d.m.Press(id))
	}
}

// typeText types letters one by one.
func (d *testConsole) typeText(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// pass lets time go by, a tick a second.
func (d *testConsole) pass(length time.Duration) {
	for range int(length / time.Second) {
		time.Sleep(time.Second)
		d.send(tickMsg(time.Now()))
	}
}

// emulated is the frame as a terminal would show it.
func (d *testConsole) emulated() *vt.Emulator {
	content := d.m.View().Content
	term := vt.NewEmulator(d.m.width, d.m.height)
	_, err := term.Write([]byte(strings.ReplaceAll(content, "\n", "\r\n")))
	require.NoError(d.t, err)
	return term
}

// screen is the text on the screen.
func (d *testConsole) screen() string {
	term := d.emulated()
	var b strings.Builder
	for y := range d.m.height {
		var line strings.Builder
		for x := 0; x < d.m.width; x++ {
			cell := term.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				line.WriteByte(' ')
				continue
			}
			line.WriteString(cell.Content)
			if cell.Width > 1 {
				x += cell.Width - 1
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (d *testConsole) shows(texts ...string) {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		require.Contains(d.t, screen, text)
	}
}

func (d *testConsole) showsNot(text string) {
	d.t.Helper()
	require.NotContains(d.t, d.screen(), text)
}
