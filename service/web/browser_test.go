package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/world"
)

// browser controls a chromium over its debugging pipe.
type browser struct {
	t       testing.TB
	in      *os.File
	out     *bufio.Reader
	session string
	id      int
}

type message struct {
	ID        int         `json:"id,omitzero"`
	Method    string      `json:"method,omitzero"`
	SessionID string      `json:"sessionId,omitzero"`
	Params    model.Raw   `json:"params,omitzero"`
	Result    model.Raw   `json:"result,omitzero"`
	Error     model.Raw   `json:"error,omitzero"`
	Extra     model.Extra `json:",embed"`
}

// newBrowser starts the browser WAYBILL_CHROMIUM with a phone's window. Without the variable the test is skipped.
func newBrowser(t testing.TB) *browser {
	t.Helper()
	path := os.Getenv("WAYBILL_CHROMIUM")
	if path == "" {
		t.Skip("set WAYBILL_CHROMIUM to the path of a chromium to run this test")
	}
	toBrowser, in, err := os.Pipe()
	require.NoError(t, err)
	out, fromBrowser, err := os.Pipe()
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "--window-size=390,844", "about:blank")
	command.ExtraFiles = []*os.File{toBrowser, fromBrowser} // file descriptors 3 and 4
	var stderr bytes.Buffer
	command.Stderr = &stderr
	command.WaitDelay = 10 * time.Second
	require.NoError(t, command.Start())
	toBrowser.Close()
	fromBrowser.Close()
	t.Cleanup(func() {
		in.Close()
		cancel()
		command.Wait() //nolint:errcheck // it was killed
		if t.Failed() {
			t.Log(stderr.String())
		}
	})
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.call("Page.enable", nil, nil)
	b.call("Runtime.enable", nil, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true,
	}, nil)
	return b
}

// call sends a command to the browser that must succeed.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	require.Empty(b.t, b.send(method, params, result), method)
}

// send sends a command to the browser and waits for its answer, ignoring events. It returns the browser's error.
func (b *browser) send(method string, params map[string]any, result any) (failure string) {
	b.t.Helper()
	b.id++
	if params == nil {
		params = map[string]any{}
	}
	encoded, err := model.Marshal(params)
	require.NoError(b.t, err)
	request, err := model.Marshal(message{ID: b.id, Method: method, SessionID: b.session, Params: encoded})
	require.NoError(b.t, err)
	_, err = b.in.Write(append(request, 0))
	require.NoError(b.t, err)
	for {
		line, err := b.out.ReadBytes(0)
		require.NoError(b.t, err, "the browser ended")
		var answer message
		require.NoError(b.t, model.UnmarshalLenient(line[:len(line)-1], &answer))
		if answer.ID != b.id {
			continue
		}
		if len(answer.Error) == 0 && result != nil {
			require.NoError(b.t, model.UnmarshalLenient(answer.Result, result))
		}
		return string(answer.Error)
	}
}

// try runs a script in the page and returns its result as text. It returns false if the page is being replaced.
func (b *browser) try(script string) (string, bool) {
	b.t.Helper()
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Exception model.Raw `json:"exceptionDetails,omitzero"`
	}
	failure := b.send("Runtime.evaluate", map[string]any{"expression": "String(" + script + ")"}, &answer)
	return answer.Result.Value, failure == "" && len(answer.Exception) == 0
}

// eval runs a script that must succeed.
func (b *browser) eval(script string) string {
	b.t.Helper()
	text, ok := b.try(script)
	require.True(b.t, ok, script)
	return text
}

func (b *browser) open(url string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	b.await("document.readyState", "complete")
}

// await waits until the result of a script contains want.
func (b *browser) await(script, want string) {
	b.t.Helper()
	last := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		text, ok := b.try(script)
		if ok && strings.Contains(text, want) {
			return
		}
		last = text
	}
	b.t.Fatalf("%s never returned %q; the last result was %q", script, want, last)
}

// screenshot saves a picture of the page in the folder WAYBILL_SCREENSHOTS.
func (b *browser) screenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("WAYBILL_SCREENSHOTS")
	if dir == "" {
		return
	}
	var picture struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &picture)
	content, err := base64.StdEncoding.DecodeString(picture.Data)
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), content, 0o600))
}

// requireFits requires that the page fits a phone's screen.
func (b *browser) requireFits() {
	b.t.Helper()
	require.Equal(b.t, "true", b.eval("document.documentElement.scrollWidth <= window.innerWidth"))
}

const text = "document.body.innerText"

func TestBrowserUpdatesAndFeedback(t *testing.T) {
	b := newBrowser(t)
	s := newTestPages(t)
	task := s.createTask("Ann", 5, fmt.Sprintf(`,"completeBefore":%d`, s.World.Now().Add(2*time.Hour)))
	b.open(s.pages.URL + "/t/" + string(task.ShortID))
	b.await(text, "We have your delivery")
	b.requireFits()

	s.assign(task)
	b.await(text, "Your delivery is planned")
	require.NoError(t, s.World.ReportPositions(t.Context(), []world.Position{{
		Worker: s.driver, Location: model.Location{Lon: -122.43, Lat: 37.8},
	}}))
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, task.ID))
	b.await(text, "On the way to you")
	b.await("document.querySelectorAll('svg circle.driver').length", "1")
	b.requireFits()
	b.screenshot("on-the-way")
	require.Equal(t, "0", b.eval("document.cookie.length"))
	require.Equal(t, "0", b.eval("localStorage.length"))
	require.Equal(t, "", b.eval(
		"performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin) && !n.startsWith('data:')).join()"),
		"no requests to other servers")

	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	b.await(text, "How was it?")
	b.requireFits()
	b.screenshot("delivered")
	b.eval("document.querySelector('input[value=\"5\"]').click()")
	b.eval("document.querySelector('textarea').value = 'All good'")
	b.eval("document.querySelector('button').click()")
	b.await(text, "Thank you for your feedback.")
	var read model.Task
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	require.Equal(t, model.Int(5), read.Feedback[0].Rating.Value())
	require.Equal(t, "All good", read.Feedback[0].Comments.Value())
}

func TestBrowserWithoutJavaScriptInDarkMode(t *testing.T) {
	b := newBrowser(t)
	s := newTestPages(t)
	task := s.createTask("Ann", 5, "")
	s.assign(task)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.open(s.pages.URL + "/t/" + string(task.ShortID))
	b.await(text, "Your delivery is planned")
	b.await(text, "You are the first stop.")
	require.Equal(t, "rgb(20, 22, 26)", b.eval("getComputedStyle(document.body).backgroundColor"))
	b.screenshot("dark")
}
