package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/web"
	"waybill/service/world"
)

// testPages is a service with its tracking pages and a driver on duty.
type testPages struct {
	*servicetest.Server
	t      testing.TB
	pages  *httptest.Server
	driver model.ID
}

func newTestPages(t testing.TB) *testPages {
	t.Helper()
	s := &testPages{Server: servicetest.Start(t), t: t}
	handler := web.New(web.Options{World: s.World, Live: s.Broker, Now: s.Clock.Now})
	s.pages = httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		s.pages.Close()
	})
	var team model.Team
	s.Do("POST", "/teams", `{"name":"Team","workers":[],"managers":[]}`).OK(&team)
	var worker model.Worker
	s.Do("POST", "/workers", `{"name":"Maria Secretname","displayName":"Maria","phone":"+14155550123","teams":["`+string(team.ID)+`"],
		"vehicle":{"type":"CAR","color":"Blue","description":"Honda Jazz","licensePlate":"7ABC123"}}`).OK(&worker)
	s.driver = worker.ID
	require.NoError(t, s.World.GoOnDuty(t.Context(), s.driver))
	return s
}

// createTask creates a task for a named recipient at house number n.
func (s *testPages) createTask(name string, n int, more string) (task model.Task) {
	s.t.Helper()
	s.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"%d","street":"Street of %s","city":"San Francisco","country":"USA"},
		"location":[%g,37.78]},"recipients":[{"name":"%s","phone":"+141555501%02d","notes":"secret note of %s"}]%s}`,
		n, name, -122.40-float64(n)/1000, name, n, name, more)).OK(&task)
	return task
}

func (s *testPages) assign(task model.Task) {
	s.t.Helper()
	s.Do("PUT", "/tasks/"+string(task.ID), `{"container":{"type":"WORKER","worker":"`+string(s.driver)+`"}}`).OK(nil)
}

func (s *testPages) get(path string) (int, string, http.Header) {
	s.t.Helper()
	resp, err := s.pages.Client().Get(s.pages.URL + path)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(body), resp.Header
}

func (s *testPages) page(task model.Task) string {
	s.t.Helper()
	status, body, _ := s.get("/t/" + string(task.ShortID))
	require.Equal(s.t, http.StatusOK, status)
	return body
}

func (s *testPages) exec(statement string, args ...any) {
	s.t.Helper()
	require.NoError(s.t, s.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), statement, args...)
		return err
	}))
}

func TestPageShowsTheStateOfATask(t *testing.T) {
	s := newTestPages(t)
	now := s.World.Now()
	window := fmt.Sprintf(`,"completeAfter":%d,"completeBefore":%d`, now.Add(time.Hour), now.Add(26*time.Hour))
	task := s.createTask("Ann", 5, window)
	body := s.page(task)
	require.Contains(t, body, "We have your delivery")
	require.Contains(t, body, "Bay Couriers")
	require.Contains(t, body, "10:00 AM PST to Tue 3 Mar, 11:00 AM PST", "the organization's clock")
	require.Contains(t, body, "5 Street of Ann, San Francisco")
	require.NotContains(t, body, "<svg")

	s.assign(task)
	s.exec("UPDATE tasks SET arrival = $2 WHERE id = $1", task.ID, int64(now.Add(40*time.Minute)))
	body = s.page(task)
	require.Contains(t, body, "Your delivery is planned")
	require.Contains(t, body, "Maria will come to you.")
	require.NotContains(t, body, "Secretname", "people see the display name")
	require.Contains(t, body, "9:40 AM PST")
	require.Contains(t, body, "in 40 minutes")
	require.Contains(t, body, `datetime="2026-03-02T17:40:00Z"`)
	require.Contains(t, body, "Blue Honda Jazz, 7ABC123")
	require.Contains(t, body, "You are the first stop.")

	require.NoError(t, s.World.ReportPositions(t.Context(), []world.Position{{
		Worker: s.driver, Location: model.Location{Lon: -122.42, Lat: 37.79},
	}}))
	require.NotContains(t, s.page(task), "<svg", "the position is private until the driver is on the way to this stop")
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, task.ID))
	s.exec("UPDATE tasks SET delay = 720 WHERE id = $1", task.ID)
	body = s.page(task)
	require.Contains(t, body, "On the way to you")
	require.Contains(t, body, "running about 12 minutes late")
	require.Contains(t, body, "You are the next stop.")
	require.Contains(t, body, "<svg")
	require.Contains(t, body, "about 1.1 mi away")

	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	body = s.page(task)
	require.Contains(t, body, "Delivered")
	require.NotContains(t, body, "<svg")
	require.Contains(t, body, "How was it?")
	require.NotContains(t, body, "noscript", "a completed task needs no refresh")
}

func TestPageOfAFailedPickup(t *testing.T) {
	s := newTestPages(t)
	task := s.createTask("Ann", 5, `,"pickupTask":true`)
	require.Contains(t, s.page(task), "We have your pickup")
	s.assign(task)
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, task.ID))
	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":false,"notes":"nobody home, dog bites"}}`).OK(nil)
	body := s.page(task)
	require.Contains(t, body, "The pickup failed")
	require.NotContains(t, body, "dog")
}

func TestPageHidesOtherRecipients(t *testing.T) {
	s := newTestPages(t)
	first, second, mine, later := s.createTask("Bob", 1, ""), s.createTask("Cid", 2, ""), s.createTask("Ann", 5, ""), s.createTask("Dan", 9, "")
	for _, task := range []model.Task{first, second, mine, later} {
		s.assign(task)
	}
	require.Contains(t, s.page(mine), "There are 2 stops before yours.")
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, first.ID))
	require.NoError(t, s.World.ReportPositions(t.Context(), []world.Position{{
		Worker: s.driver, Location: model.Location{Lon: -122.401, Lat: 37.78},
	}}))
	body := s.page(mine)
	require.Contains(t, body, "There are 2 stops before yours.", "the stop that the driver is at counts")
	for _, secret := range []string{
		"Bob", "Cid", "Dan", string(first.ShortID), string(second.ID), "secret note", "-122.401", "+1415", "<svg",
	} {
		require.NotContains(t, body, secret)
	}
}

func TestSecurityHeaders(t *testing.T) {
	s := newTestPages(t)
	task := s.createTask("Ann", 5, "")
	for _, path := range []string{"/t/" + string(task.ShortID), "/t/00000000", "/t/-/tracking.css", "/elsewhere"} {
		_, _, header := s.get(path)
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", path)
		require.NotContains(t, header.Get("Content-Security-Policy"), "unsafe")
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
		require.Empty(t, header.Values("Set-Cookie"))
	}
	body := s.page(task)
	for _, forbidden := range []string{"http://", "https://", "style=", "onclick", "<script>"} {
		require.NotContains(t, body, forbidden)
	}
	for path, kind := range map[string]string{"/t/-/tracking.css": "text/css", "/t/-/tracking.js": "text/javascript"} {
		status, content, header := s.get(path)
		require.Equal(t, http.StatusOK, status)
		require.NotEmpty(t, content)
		require.Contains(t, header.Get("Content-Type"), kind)
	}
}

func TestUnknownPages(t *testing.T) {
	s := newTestPages(t)
	for _, path := range []string{"/t/00000000", "/t/ABCDEF01", "/t/123", "/t/00000000/events", "/t/", "/", "/t/00000000/x"} {
		status, body, _ := s.get(path)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Contains(t, body, "Tracking number not found")
	}
}

func TestTextsAreEscaped(t *testing.T) {
	s := newTestPages(t)
	s.Do("PUT", "/workers/"+string(s.driver), `{"displayName":"<img src=x onerror=alert(1)>"}`).OK(nil)
	task := s.createTask("Ann<script>alert(2)</script>", 5, "")
	s.assign(task)
	body := s.page(task)
	require.NotContains(t, body, "<img")
	require.NotContains(t, body, "alert(2)</script>")
	require.Contains(t, body, "&lt;img")
}

func TestAViewIsRecordedOnce(t *testing.T) {
	s := newTestPages(t)
	task := s.createTask("Ann", 5, "")
	var read model.Task
	resp, err := s.pages.Client().Head(s.pages.URL + "/t/" + string(task.ShortID))
	require.NoError(t, err)
	resp.Body.Close()
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	require.False(t, read.TrackingViewed)
	s.page(task)
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	require.True(t, read.TrackingViewed)
	require.Equal(t, task.TimeLastModified, read.TimeLastModified, "a view changes nothing else")
}

func (s *testPages) postFeedback(task model.Task, form url.Values) (int, string) {
	s.t.Helper()
	client := *s.pages.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.PostForm(s.pages.URL+"/t/"+string(task.ShortID)+"/feedback", form)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(body)
}

func TestFeedbackIsSavedOnce(t *testing.T) {
	s := newTestPages(t)
	task := s.createTask("Ann", 5, "")
	good := url.Values{"rating": {"4"}, "comments": {"Very kind.\r\nThank you <3"}}
	status, _ := s.postFeedback(task, good)
	require.Equal(t, http.StatusBadRequest, status, "the task is not completed yet")
	s.assign(task)
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, task.ID))
	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	for _, bad := range []url.Values{
		{}, {"rating": {"0"}}, {"rating": {"6"}}, {"rating": {"x"}}, {"rating": {"3"}, "comments": {strings.Repeat("é", 2001)}},
	} {
		status, body := s.postFeedback(task, bad)
		require.Equal(t, http.StatusBadRequest, status)
		require.Contains(t, body, `role="alert"`)
	}
	status, body := s.postFeedback(task, url.Values{"rating": {"9"}, "comments": {"long <text>"}})
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, body, "long &lt;text&gt;</textarea>", "the form keeps the comment")

	s.Clock.Advance(time.Minute)
	status, _ = s.postFeedback(task, good)
	require.Equal(t, http.StatusSeeOther, status)
	var read model.Task
	s.Do("GET", "/tasks/"+string(task.ID), nil).OK(&read)
	require.Equal(t, []model.Feedback{{
		Rating: model.Some(model.Int(4)), Comments: model.Some("Very kind.\nThank you <3"), Time: model.Some(s.World.Now()),
	}}, read.Feedback)
	var log model.EventLog
	s.Do("GET", "/webhooks/events?trigger=taskUpdated&limit=1", nil).OK(&log)
	require.Equal(t, s.World.Now(), log.Events[0].Time)
	require.Contains(t, s.page(task), "Thank you for your feedback.")
	status, _ = s.postFeedback(task, good)
	require.Equal(t, http.StatusBadRequest, status)
}

// TestAnOpenPageIsUpdated reads the stream of a page while its task changes.
func TestAnOpenPageIsUpdated(t *testing.T) {
	s := newTestPages(t)
	task := s.createTask("Ann", 5, "")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.pages.URL+"/t/"+string(task.ShortID)+"/events", nil)
	require.NoError(t, err)
	resp, err := s.pages.Client().Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	lines := bufio.NewScanner(resp.Body)
	await := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("the stream ended before %q: %v", text, lines.Err())
	}
	await("We have your delivery")
	s.assign(task)
	await("Your delivery is planned")
	require.NoError(t, s.World.StartTask(t.Context(), s.driver, task.ID))
	await("On the way to you")
	s.Do("POST", "/tasks/"+string(task.ID)+"/complete", `{"completionDetails":{"success":true}}`).OK(nil)
	await("Delivered")
	await("event: done")
	for lines.Scan() {
		require.NotContains(t, lines.Text(), "event: page", "no update after the end")
	}
}

// Short ids are so short that a client could try them all.
func TestPagesCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := newTestPages(t)
	task := s.createTask("Ann", 1, "")
	for i := range 60 {
		status, _, _ := s.get(fmt.Sprintf("/t/%08x", i))
		require.Equal(t, http.StatusNotFound, status)
	}
	status, body, header := s.get("/t/" + string(task.ShortID))
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Equal(t, "1", header.Get("Retry-After"))
	require.Contains(t, body, "Please wait a moment")
	require.NotContains(t, body, "Ann")
	status, _, _ = s.get("/t/" + string(task.ShortID) + "/events")
	require.Equal(t, http.StatusTooManyRequests, status)
	status, _, _ = s.get("/t/-/tracking.css")
	require.Equal(t, http.StatusOK, status, "the stylesheet is not limited")
	s.Clock.Advance(100 * time.Millisecond)
	s.page(task)
}
