package ui

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/sampleday"
	"waybill/settings"
)

func TestLockAndUnlockFromPalette(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(50), nil)
		d.press("console.unlock")
		require.False(t, d.m.readOnly.Load(), "what is open stays open")
		d.press("console.lock", "console.lock")
		require.True(t, d.m.readOnly.Load(), "what is locked stays locked, and nothing is asked")
		require.Nil(t, d.m.topDialog())
		d.press("console.unlock", "confirm.yes")
		require.False(t, d.m.readOnly.Load())
	})
}

// A prompt that refuses its text stays open, so that the next keys do not run actions on the board.
func TestConnectAsksAgainAfterError(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		var asked JoinRequest
		d := newTestConsole(t, worldOf(50), func(o *Options) {
			o.Join = func(_ context.Context, r JoinRequest) (Joined, error) {
				asked = r
				return Joined{}, errors.New("refused")
			}
		})
		answer := func(text string) {
			d.typeText(text)
			d.press("type.accept")
		}
		d.press("console.connect")
		answer("nowhere")
		d.shows("service address")
		for range len("nowhere") {
			d.do(d.m.handleDialogAction(d.m.topDialog().PressKey("backspace")))
		}
		answer("http://localhost:9/v2")
		answer("a b")
		d.shows("profile name")
		d.do(d.m.handleDialogAction(d.m.topDialog().PressKey("backspace")))
		d.do(d.m.handleDialogAction(d.m.topDialog().PressKey("backspace")))
		answer("")
		d.shows("API key")
		answer("")
		d.shows("enter a key")
		answer("secret")
		require.Equal(t, JoinRequest{Name: "a", BaseURL: "http://localhost:9/v2", Key: "secret"}, asked)
		d.shows("refused", "API key")
		time.Sleep(gracePeriod)
		answer("x")
		require.Equal(t, "secretx", asked.Key, "the key is asked for again, with what was typed")
		d.press("back")
		require.Nil(t, d.m.topDialog())
	})
}

// A cleared filter is not restored when the account is entered again.
func TestClearedFilterIsNotRestored(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(50)
		d := newTestConsole(t, world, func(o *Options) {
			o.StateDir = t.TempDir()
			o.Connect = func(_ context.Context, r ConnectRequest) (Connection, error) {
				return Connection{Client: newClient(t, world), Profile: settings.NewProfile(r.Profile, "")}, nil
			}
		})
		d.do(d.m.connect("first"))
		d.do(d.m.setFilter("late"))
		d.pass(20 * time.Second) // written
		d.do(d.m.setFilter(""))
		d.pass(20 * time.Second)
		d.do(d.m.connect("second"))
		d.do(d.m.setFilter("unassigned"))
		d.do(d.m.connect("first"))
		require.Empty(t, d.m.focusedPane().State().Filter)
		d.do(d.m.connect("second"))
		require.Equal(t, "unassigned", d.m.focusedPane().State().Filter, "even when there was no time to write it")
	})
}

// Without an answer the panes say that there is no data, not that there are no rows.
func TestNotConnectedIsShown(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, nil, func(o *Options) {
			o.Profile = "north"
			o.Connect = func(context.Context, ConnectRequest) (Connection, error) {
				return Connection{}, errors.New("no key for north:\n  variable: none.\n  keyring: none")
			}
		})
		d.shows("north", "– late", "no key for north: variable: none; keyring: none. @ switch profile")
		d.showsNot("0 late")
		d.showsNot("more on the way")
	})
}

// Lateness is computed with the clock of the service from the first answer on.
func TestTimesUseServiceClock(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(50)
		late := newTestConsole(t, world, nil).m.panes.Snapshot().Counters.Late
		slow := newTestConsole(t, world, func(o *Options) { // this machine is two hours ahead of the service
			o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
			o.Connection.Now = time.Now
		})
		require.Equal(t, late, slow.m.panes.Snapshot().Counters.Late)
		dated := newTestConsole(t, world, func(o *Options) {
			answers := handlerTransport{datedEarlier(world.Handler(basePath), 90*time.Minute)}
			client, err := apiclient.New(apiclient.Options{BaseURL: "http://localhost" + basePath, Key: apiclient.StaticKey("key"), RoundTripper: answers})
			require.NoError(t, err)
			o.Connection.Client = client
		})
		require.WithinDuration(t, time.Now().Add(-90*time.Minute), dated.m.panes.Snapshot().Now.Time(), time.Minute)
		require.WithinDuration(t, time.Now().Add(-90*time.Minute), dated.m.now(), time.Minute)
	})
}

func datedEarlier(next http.Handler, by time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(-by).UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// Switching to an unknown or unreachable profile keeps the current account.
func TestFailedSwitchKeepsAccount(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(50), func(o *Options) {
			o.Settings.Profiles = []settings.Profile{settings.NewProfile("night", "http://localhost/n")}
			o.Connect = func(context.Context, ConnectRequest) (Connection, error) {
				return Connection{}, errors.New("the keyring is locked")
			}
		})
		tasks := d.m.panes.Snapshot().Tasks.Len()
		for profile, said := range map[string]string{"nosuch": "Choose one of sandbox, night", "night": "the keyring is locked"} {
			d.do(d.m.actions["console.profile"](d.m, profile))
			d.shows(said)
			require.NotNil(t, d.m.account.Client)
			require.Equal(t, tasks, d.m.panes.Snapshot().Tasks.Len())
			require.False(t, d.m.account.connecting)
		}
	})
}

func TestReadOnlyAsksBeforeItUnlocks(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(50), func(o *Options) { o.ReadOnly = true })
		d.shows("read-only")
		d.press("console.readonly", "confirm.no")
		require.True(t, d.m.readOnly.Load())
		d.press("console.readonly", "confirm.yes")
		require.False(t, d.m.readOnly.Load())
	})
}

func TestProfileSwitchSeparatesAccounts(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		first, second := worldOf(100), sampleday.New(sampleday.Options{Tasks: 30, Workers: 4, Seed: 9, Now: time.Now()})
		d := newTestConsole(t, first, func(o *Options) {
			o.Settings.Profiles = []settings.Profile{settings.NewProfile("other", "http://localhost"+basePath)}
			o.Connect = func(_ context.Context, r ConnectRequest) (Connection, error) {
				if r.Profile != "other" {
					return Connection{}, errors.New("no such profile")
				}
				return Connection{Client: newClient(t, second), Profile: settings.NewProfile("other", "")}, nil
			}
		})
		d.press("data.refresh")
		_, late := d.m.Update(tickMsg(time.Now())) // answers of the first account that are still under way
		d.press("console.profile", "menu.choose")
		d.do(late)
		d.pass(30 * time.Second)
		d.shows("other")
		s := d.m.panes.Snapshot()
		require.Equal(t, 4, s.Workers.Len())
		require.LessOrEqual(t, s.Tasks.Len(), 30)
		d.do(d.m.connect("nobody"))
		d.shows("Staying in other")
	})
}

// connectTo is a host with this one account.
func connectTo(c Connection) func(context.Context, ConnectRequest) (Connection, error) {
	return func(context.Context, ConnectRequest) (Connection, error) { return c, nil }
}

func TestLayoutIsRestored(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world, dir := worldOf(100), t.TempDir()
		keep := func(o *Options) {
			o.StateDir = dir
			o.Connect = connectTo(*o.Connection) // as a person's console does, which begins without one
			o.Connection = nil
		}
		d := newTestConsole(t, world, keep)
		d.do(d.m.openStart(Start{Pane: "tasks", Filter: "unassigned", Sort: "address"})[0])
		d.press("find.sort-right", "move.down", "move.down", "mark.toggle", "view.save")
		d.typeText("7 mine")
		d.press("type.accept")
		d.do(d.m.chooseColumns([]string{"address", "state"}))
		id := d.m.focusedPane().CursorID()
		d.press("quit")
		again := newTestConsole(t, world, keep)
		require.Equal(t, board.PaneTasks, again.m.focus)
		require.Equal(t, "unassigned", again.m.focusedPane().State().Filter)
		require.Equal(t, d.m.focusedPane().State().Sort, again.m.focusedPane().State().Sort)
		require.Equal(t, id, again.m.focusedPane().CursorID())
		require.Equal(t, 1, again.m.focusedPane().State().Marks)
		require.Equal(t, "mine", again.m.views.keyed[2].Name)
		require.Equal(t, []string{"address", "state"}, again.m.focusedPane().State().Columns)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "session.json"), []byte("{broken"), 0o600))
		broken := newTestConsole(t, world, keep)
		broken.shows("Cannot read the saved layout")
	})
}
