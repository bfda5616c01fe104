package board

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

func mustFilter(t require.TestingT, pane Pane, text string) Filter {
	f, err := ParseFilter(pane, text)
	require.NoError(t, err, text)
	return f
}

func TestFilterMatches(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	at := func(minutes int) model.Opt[model.Millis] {
		return model.Some(noon.Add(time.Duration(minutes) * time.Minute))
	}
	snapshot, _ := b.Apply(Change{
		Teams:   []model.Team{{ID: testID('t', 1), Name: "North Bay"}},
		Workers: []model.Worker{{ID: testID('w', 1), Name: "Sofía Gómez", OnDuty: true}},
		Tasks: []model.Task{
			{
				ID: testID('k', 1), ShortID: "c77ff497", State: model.TaskAssigned, Worker: model.Some(testID('w', 1)),
				CompleteBefore: at(-34), Quantity: 3, OrderShortID: model.Some(model.ShortID("18fa03cc")), Notes: "Ring twice",
				TimeCreated: noon.Add(-2 * time.Hour),
				Recipients:  []model.IDOr[model.Recipient]{model.Embedded(model.Recipient{Name: "Émile Zola", Phone: "+33123456789"})},
				Destination: model.Embedded(model.Destination{Address: model.Address{Number: "543", Street: "Howard St", City: "San Francisco"}}),
			},
			{
				ID: testID('k', 2), ShortID: "9e01ab42", State: model.TaskUnassigned, PickupTask: true, CompleteBefore: at(20),
				Container: model.Some(model.TeamContainer(testID('t', 1))),
			},
			{ID: testID('k', 3), ShortID: "5d20c1aa", State: model.TaskCompleted, CompletionDetails: model.CompletionDetails{Success: model.Some(true)}},
		},
	})
	for text, want := range map[string]string{
		"":                            "123",
		"late":                        "1",
		"late>10m":                    "1",
		"late>34m":                    "",
		"late<1h":                     "1",
		"late:none":                   "23",
		"!done":                       "12",
		"!done !late":                 "2",
		"done,unassigned":             "23",
		"state:open":                  "12",
		"worker:none":                 "23",
		"!worker:none":                "1",
		"worker:GÓMEZ":                "1",
		"worker:gomez":                "",
		`worker:"sofía gómez"`:        "1",
		"worker:w" + zeros(22) + "1":  "1",
		"team:north":                  "2",
		"team:north,south late,open":  "2",
		"kind:pickup":                 "2",
		"kind:dropoff !done":          "1",
		"due<30m":                     "12",
		"due>10m":                     "2",
		"due:none":                    "3",
		"howard":                      "1",
		`"howard st"`:                 "1",
		`"543 howard" "san"`:          "1",
		"!howard":                     "23",
		"howard,9e01":                 "12",
		"émile":                       "1",
		"ÉMILE":                       "1",
		"address:san recipient:zola":  "1",
		"address:zola":                "",
		"notes:none":                  "23",
		"phone:3456":                  "1",
		"order:18fa":                  "1",
		"order:18FA":                  "1",
		"order:none":                  "23",
		"id:c77f":                     "1",
		"id:k" + zeros(22) + "2":      "2",
		"k" + zeros(22) + "2":         "2",
		"qty>2":                       "1",
		"qty<3":                       "23",
		"age>1h":                      "1",
		"slack<0m":                    "1",
		`"late"`:                      "",
		`!"late" state:late,done`:     "13",
		`"north bay"`:                 "2",
		"eta:none":                    "123",
		"atrisk":                      "",
		"State:Active,Unassigned":     "2",
		"state:done,failed !due<5000": "3",
	} {
		f := mustFilter(t, PaneTasks, text)
		got := ""
		for _, n := range []int{1, 2, 3} {
			if f.MatchTask(snapshot.Tasks.Get(testID('k', n)), noon) {
				got += string(rune('0' + n))
			}
		}
		require.Equal(t, want, got, text)
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestFilterMatchesWorkers(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	ago := func(minutes int) model.Opt[model.Millis] {
		return model.Some(noon.Add(-time.Duration(minutes) * time.Minute))
	}
	snapshot, _ := b.Apply(Change{
		Teams: []model.Team{{ID: testID('t', 1), Name: "North"}},
		Workers: []model.Worker{
			{
				ID: testID('w', 1), Name: "Dayo", OnDuty: true, TimeLastSeen: ago(1), ActiveTask: model.Some(testID('k', 1)),
				DelayTime: model.Some(model.Seconds(1200)), Teams: []model.ID{testID('t', 1)}, Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}),
			},
			{
				ID: testID('w', 2), Name: "Mar", OnDuty: true, TimeLastSeen: ago(30), Tasks: []model.ID{testID('k', 2)},
				UserData: model.Some(model.UserData{BatteryLevel: model.Some(0.14)}),
			},
			{ID: testID('w', 3), Name: "Jabu"},
		},
	})
	for text, want := range map[string]string{
		"busy": "1", "silent": "2", "off": "3", "onduty": "12", "late": "1", "late>10m": "1", "late>30m": "",
		"seen>10m": "2", "seen:none": "3", "load>0": "12", "battery<20%": "2", "battery:none": "13",
		"team:north": "1", "team:none": "23", "vehicle:car": "1", "vehicle:none": "23", "mar": "2", "worker:day,jab": "13",
	} {
		f := mustFilter(t, PaneWorkers, text)
		got := ""
		for _, n := range []int{1, 2, 3} {
			if f.MatchWorker(snapshot.Workers.Get(testID('w', n)), noon) {
				got += string(rune('0' + n))
			}
		}
		require.Equal(t, want, got, text)
	}
}

func TestFilterErrors(t *testing.T) {
	for _, c := range []struct {
		pane     Pane
		text     string
		from, to int
		want     string
	}{
		{PaneTasks, "done tean:north", 5, 10, `tasks have no "tean" to filter by; did you mean team:?`},
		{PaneTasks, "lat>10m", 0, 4, `tasks have no "lat" to filter by; did you mean late>?`},
		{PaneOrders, "vehicle:car", 0, 8, `orders have no "vehicle" to filter by; put it in quotes to search for it as text`},
		{PaneTasks, "team:", 0, 5, "team: needs a value; write team:text or team:none"},
		{PaneTasks, "state:actve", 0, 11, `state is never "actve"; did you mean active?`},
		{PaneTasks, "kind:zzzzzz", 0, 11, `kind is never "zzzzzz"; choose one of pickup, dropoff`},
		{PaneTasks, "late:10m", 0, 8, "late is compared with < or >; write late<30m or late>1h"},
		{PaneTasks, "late>soon", 5, 9, `"soon" is not a length of time; write 45s, 10m, 1h30m or 2d`},
		{PaneTasks, "late>", 0, 5, "late> needs a number; write late<30m or late>1h"},
		{PaneTasks, "qty>many", 4, 8, `"many" is not a number; write qty<5 or qty>20`},
		{PaneTasks, "team>3", 0, 5, "team is not a number to compare; write team:…"},
		{PaneTasks, `late "ring`, 5, 10, `the quote is not closed; add a " at the end`},
		{PaneTasks, `""`, 0, 2, "there is nothing between the quotes; write the phrase between them"},
		{PaneTasks, "done !", 5, 6, "nothing follows the !; write for example !done"},
		{PaneTasks, ",,", 0, 2, "there is nothing but commas here; put it in quotes to search for it"},
	} {
		_, err := ParseFilter(c.pane, c.text)
		var problem *FilterError
		require.True(t, errors.As(err, &problem), c.text)
		require.Equal(t, c.want, problem.Error(), c.text)
		require.Equal(t, []int{c.from, c.to}, []int{problem.From, problem.To}, c.text)
	}
}

func TestFilterString(t *testing.T) {
	for text, want := range map[string]string{
		`late>10m  team:north worker:none !done`: `late>10m team:north worker:none !done`,
		`LATE>90 Team:"Old Town",north`:          `late>1h30m team:"Old Town",north`,
		`"late" 12:30`:                           `"late" "12:30"`,
		`worker:"none" battery`:                  `worker:"none" battery`,
		`"a\"b\\c"`:                              `"a\"b\\c"`,
		`Done,LATE`:                              `done,late`,
		`"x"y`:                                   `x y`,
		`due<1d45s qty>1.50`:                     `due<1d45s qty>1.5`,
	} {
		require.Equal(t, want, mustFilter(t, PaneTasks, text).String(), text)
	}
}

func genTerm(pane Pane) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		word := rapid.OneOf(
			rapid.StringMatching(`[a-zA-Z0-9é:<>!,.-]{1,8}`), rapid.SampledFrom(append(stateWords(pane), noneWord)),
			rapid.StringMatching(`"[a-z ,:!]{1,8}"`),
		)
		help := rapid.SampledFrom(termsOf(pane)).Draw(t, "term")
		term := word.Draw(t, "word")
		switch help.form {
		case formLength:
			term = string(help.key) + rapid.StringMatching(`[<>][0-9]{1,3}[smhd]?`).Draw(t, "limit")
		case formNumber:
			term = string(help.key) + rapid.StringMatching(`[<>]-?[0-9]{1,4}(\.[0-9]{1,2})?`).Draw(t, "limit")
		case formWord:
			term = string(help.key) + ":" + rapid.SampledFrom(help.words).Draw(t, "value")
		case formText, formName:
			if rapid.Bool().Draw(t, "keyed") {
				term = string(help.key) + ":" + term
			}
		}
		return rapid.SampledFrom([]string{"", "!"}).Draw(t, "not") + term
	})
}

// TestFilterRoundTrip checks that what a filter writes is read as the same filter.
func TestFilterRoundTrip(t *testing.T) {
	for _, pane := range []Pane{PaneTasks, PaneWorkers, PaneOrders, PaneDelays} {
		rapid.Check(t, func(t *rapid.T) {
			text := strings.Join(rapid.SliceOfN(genTerm(pane), 0, 5).Draw(t, "terms"), " ")
			f, err := ParseFilter(pane, text)
			if err != nil {
				return
			}
			require.Equal(t, f, mustFilter(t, pane, f.String()), "%q became %q", text, f.String())
		})
	}
}

// TestFilterNarrows checks that a filter said to narrow another never shows what the other hides.
func TestFilterNarrows(t *testing.T) {
	b, _ := boardOf(300, 20)
	s := b.Snapshot()
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfN(genTerm(PaneTasks), 1, 3).Draw(t, "terms")
		typed := strings.Join(terms, " ")
		cut := rapid.IntRange(0, len(typed)).Draw(t, "cut")
		wide, err1 := ParseFilter(PaneTasks, typed[:cut])
		narrow, err2 := ParseFilter(PaneTasks, typed)
		if err1 != nil || err2 != nil || !narrow.narrows(&wide) {
			return
		}
		for row := range s.Tasks.All() {
			if narrow.MatchTask(row, s.Now) {
				require.True(t, wide.MatchTask(row, s.Now), "%q shows %s and %q does not", typed, row.ShortID, typed[:cut])
			}
		}
	})
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		`late>10m team:north worker:none !done`, `"ring twice" state:active,late`, `due<1h30m id:c77ff497`, `!"`, `a"b"c`,
		"worker:\"no\\\"ne\"", "qty>1e3", "late>99999999999d", "\u00a0x\u2003y", "\xff:\xfe", `"\`, "!none,none", "battery<5%",
	} {
		f.Add(seed)
	}
	panes := []Pane{PaneTasks, PaneWorkers, PaneOrders, PaneDelays}
	snapshot, _ := boardOf(5, 2)
	s := snapshot.Snapshot()
	f.Fuzz(func(t *testing.T, text string) {
		for _, pane := range panes {
			filter, err := ParseFilter(pane, text)
			if err != nil {
				var problem *FilterError
				require.True(t, errors.As(err, &problem))
				require.LessOrEqual(t, problem.From, problem.To)
				require.LessOrEqual(t, problem.To, len(text))
				continue
			}
			again := mustFilter(t, pane, filter.String())
			require.Equal(t, filter, again)
			for row := range s.Tasks.All() {
				require.Equal(t, filter.MatchTask(row, s.Now), again.MatchTask(row, s.Now))
			}
			if utf8.ValidString(text) {
				for _, c := range CompleteFilter(s, pane, text, len(text), 5) {
					require.LessOrEqual(t, c.From, c.To)
					require.Equal(t, len(text), c.To)
				}
			}
		}
	})
}

func TestCompleteFilter(t *testing.T) {
	b, _ := boardOf(0, 20)
	s := b.Snapshot()
	complete := func(pane Pane, text string) []string {
		var out []string
		for _, c := range CompleteFilter(s, pane, text, len(text), 5) {
			out = append(out, text[:c.From]+c.Text)
		}
		return out
	}
	require.Equal(t, []string{"done late>", "done late"}, complete(PaneTasks, "done la"))
	require.Equal(t, []string{"!team:"}, complete(PaneTasks, "!te"))
	require.Equal(t, []string{"team:none", "team:North"}, complete(PaneTasks, "team:no"))
	require.Equal(t, []string{`team:North,"Old Town"`}, complete(PaneTasks, "team:North,ol"))
	require.Equal(t, []string{`team:"Old Town"`}, complete(PaneTasks, `team:"old t`))
	require.Equal(t, []string{"state:unassigned"}, complete(PaneTasks, "state:una"))
	require.Equal(t, []string{"state:cancelled"}, complete(PaneOrders, "state:canc"))
	require.Empty(t, complete(PaneTasks, "nothing:x"))
	for _, c := range CompleteFilter(s, PaneWorkers, "worker:jabu", 11, 3) {
		f := mustFilter(t, PaneWorkers, "worker:jabu"[:c.From]+c.Text)
		require.Equal(t, 1, BuildWorkers(s, f, Sort{}).Finish().Len(), "a completed name finds that worker: %s", c.Text)
	}
}

// Terms narrow what the pane shows by itself. Words and ids look further, and so does naming what is finished.
func TestFilterInPane(t *testing.T) {
	for text, want := range map[string]string{
		"":                "open",
		"!assigned":       "open !assigned",
		"team:x late>10m": "open team:x late>10m",
		"!done":           "open !done",
		"open":            "open",
		"done":            "done",
		"state:failed":    "state:failed",
		"finished":        "finished",
		"!open":           "!open",
		"howard":          "howard",
		"howard team:x":   "howard team:x",
		"!howard":         "open !howard",
		"id:c77f":         "id:c77f",
		"phone:3456":      "phone:3456",
		"worker:ada":      "open worker:ada",
	} {
		require.Equal(t, want, mustFilter(t, PaneTasks, text).InPane().String(), text)
	}
	require.Equal(t, "onduty team:north", mustFilter(t, PaneWorkers, "team:north").InPane().String())
	require.Equal(t, "worker:ada", mustFilter(t, PaneWorkers, "worker:ada").InPane().String())
	require.Equal(t, "off", mustFilter(t, PaneWorkers, "off-duty").InPane().String())
	require.Equal(t, "completed", mustFilter(t, PaneOrders, "completed").InPane().String())
	require.Equal(t, "open unassigned", mustFilter(t, PaneOrders, "unassigned").InPane().String())
	require.Equal(t, "late,atrisk team:x", mustFilter(t, PaneDelays, "team:x").InPane().String())
}

func TestStatesHaveSynonyms(t *testing.T) {
	for _, text := range []string{"risk", "at-risk", "atrisk", "AT-RISK"} {
		require.Equal(t, "atrisk", mustFilter(t, PaneTasks, text).String(), text)
		require.Equal(t, "atrisk", mustFilter(t, PaneOrders, text).String(), text)
	}
	require.Equal(t, "state:atrisk", mustFilter(t, PaneTasks, "state:at-risk").String())
	b := NewBoard(DefaultSettings(), noon)
	offered := func(typed string) (texts []string) {
		for _, c := range CompleteFilter(b.Snapshot(), PaneTasks, typed, len(typed), 20) {
			texts = append(texts, c.Text)
		}
		return texts
	}
	require.Contains(t, offered("ri"), "risk")
	require.Contains(t, offered("at-"), "at-risk")
}

func TestEveryFilterTermIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/console.md")
	require.NoError(t, err)
	for _, pane := range []Pane{PaneTasks, PaneDelays, PaneWorkers, PaneOrders} {
		for _, term := range FilterTerms(pane) {
			require.Contains(t, string(page), "| `"+term.Term+"` | "+term.Means+" |")
			for _, text := range strings.Fields(term.Term) {
				_, err := ParseFilter(pane, text)
				require.NoError(t, err, "what is documented works")
			}
		}
	}
}
