package operations_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// rows is a file of n good rows, then those given.
func rows(n int, more ...string) string {
	lines := []string{"street,number,city,country,location,notes,recipient_phone,team"}
	for i := range n {
		lines = append(lines, fmt.Sprintf(`Main St,%d,San Francisco,USA,"-122.4,37.77",parcel %d,,`, i+1, i))
	}
	return strings.Join(append(lines, more...), "\n") + "\n"
}

const (
	badPhone = `Main St,1,San Francisco,USA,"-122.4,37.77",bad phone,12,`
	badTeam  = `Main St,1,San Francisco,USA,"-122.4,37.77",bad team,,Nowhere`
	noPlace  = `X,1,Nowhereville-on-Void,USA,,no place,,` // only the service can tell
)

func writeFile(t *testing.T, s operations.Input, name, content string) string {
	t.Helper()
	path := filepath.Join(s.WorkDir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func (d *teamFixture) count() int {
	n := 0
	for _, err := range d.api.Tasks(d.t.Context(), apiclient.TaskQuery{From: 1}) {
		require.NoError(d.t, err)
		n++
	}
	return n
}

func TestImportSendsValidRowsAndWritesInvalidOnes(t *testing.T) {
	d := newTeamFixture(t)
	d.RunJobs()
	s := d.input()
	path := writeFile(t, s, "tasks.csv", rows(8, badPhone, badTeam, noPlace))
	v, err := operations.NewImport(s)
	require.NoError(t, err)
	file, _ := v.Form.Field("file")
	require.Equal(t, "tasks.csv", file.Suggest("tas", nil)[0].Value)
	values := form.Values{"file": "tasks.csv"}
	notes := v.LoadNotes(t.Context(), d.api, values)
	require.Contains(t, notes["file"], "11 rows, 2 cannot be sent: line 10")

	plan, problems := v.Prepare(values)
	require.Empty(t, problems)
	require.Equal(t, "import 9 tasks from tasks.csv", plan.Summary)
	require.Len(t, plan.Skipped, 2)
	words := lineTexts(plan.Lines)
	require.Contains(t, words, "9 rows of tasks.csv become tasks, in 1 batch.")
	require.Contains(t, plan.Skipped[0].Label, "line ")
	require.NotContains(t, words, "! line ", "what is left out is listed once")
	shown := d.dryRun(plan.Steps[0])
	require.Equal(t, "/tasks/batch-async", shown[0].Path)
	require.Equal(t, 9, strings.Count(string(shown[0].Body), `"destination"`))
	require.Zero(t, d.count(), "a preview makes nothing")
	require.NoFileExists(t, taskimport.JournalPath(path), "and leaves no trace")

	var heard []operations.StepProgress
	done, err := plan.Steps[0].Do(operations.WithProgress(t.Context(), func(p operations.StepProgress) { heard = append(heard, p) }), d.api)
	require.NoError(t, err)
	require.Equal(t, "8 tasks created, 3 rows failed: see tasks.failed.csv", done.Summary)
	require.Equal(t, operations.StepProgress{Done: 9, Total: 9, Text: "8 of 9 created, 1 failed"}, heard[len(heard)-1])
	require.Equal(t, 8, d.count())
	report := lineTexts(done.Report)
	require.Contains(t, report, "Correct them in tasks.failed.csv")
	require.Contains(t, report, "! line 12: ")

	// The rows that were written out are corrected and imported.
	failed, err := os.ReadFile(filepath.Join(s.WorkDir, "tasks.failed.csv"))
	require.NoError(t, err)
	fixed := strings.NewReplacer(`,12,`, `,,`, "Nowhere\n", "\n", "Nowhereville-on-Void", "San Francisco").Replace(string(failed))
	writeFile(t, s, "tasks.failed.csv", fixed)
	values = form.Values{"file": "tasks.failed.csv"}
	v.LoadNotes(t.Context(), d.api, values)
	plan, problems = v.Prepare(values)
	require.Empty(t, problems)
	require.Empty(t, plan.Skipped)
	require.Equal(t, "3 tasks created, 1 with warnings", d.do(plan.Steps[0]).Summary)
	require.Equal(t, 11, d.count())
}

func TestImportedFileIsNotSentTwice(t *testing.T) {
	d := newTeamFixture(t)
	d.RunJobs()
	s := d.input()
	path := writeFile(t, s, "tasks.json", `[{"destination":{"address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"},"location":[-122.4,37.77]},"recipients":[]}]`)
	run := func(choices operations.ImportChoices) operations.Result {
		file, err := operations.LoadImport(s, path)
		require.NoError(t, err)
		v, err := operations.NewImportFromFile(s, path, file, choices)
		require.NoError(t, err)
		require.Empty(t, v.Form.Fields)
		return d.do(prepare(t, v, nil).Steps[0])
	}
	require.Equal(t, "1 task created", run(operations.ImportChoices{}).Summary)
	require.Contains(t, lineTexts(run(operations.ImportChoices{}).Report), "1 row was sent by an earlier import")
	require.Equal(t, 1, d.count())
	run(operations.ImportChoices{Again: true})
	require.Equal(t, 2, d.count())
}

func TestInterruptedImportContinues(t *testing.T) {
	d := newTeamFixture(t) // no jobs run yet, so the batch stays pending
	s := d.input()
	writeFile(t, s, "tasks.csv", rows(3))
	v, err := operations.NewImport(s)
	require.NoError(t, err)
	plan, problems := v.Prepare(form.Values{"file": "tasks.csv"}) // without a look before it
	require.Empty(t, problems)
	require.Greater(t, plan.Steps[0].Timeout.Hours(), 1.0)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = plan.Steps[0].Do(operations.WithProgress(ctx, func(operations.StepProgress) { cancel() }), d.api)
	require.ErrorIs(t, err, context.Canceled)
	d.RunJobs()
	require.Equal(t, "3 tasks created", d.do(plan.Steps[0]).Summary)
	require.Equal(t, 3, d.count())
}

func TestUnknownRowsAreSentAgainOnlyOnRequest(t *testing.T) {
	d := newTeamFixture(t)
	d.RunJobs()
	s := d.input()
	writeFile(t, s, "tasks.csv", rows(2))
	v, err := operations.NewImport(s)
	require.NoError(t, err)
	values := form.Values{"file": "tasks.csv"}
	d.cut = true
	for range 2 {
		plan, _ := v.Prepare(values)
		_, err = plan.Steps[0].Do(t.Context(), d.api)
		require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	}
	values["retryUnknown"] = "yes"
	plan, _ := v.Prepare(values)
	require.Contains(t, lineTexts(plan.Lines), "! Rows with an unknown outcome")
	require.Equal(t, "2 tasks created", d.do(plan.Steps[0]).Summary)
}

func TestFilesThatCannotBeImported(t *testing.T) {
	d := newTeamFixture(t)
	s := d.input()
	writeFile(t, s, "bad.csv", rows(0, badPhone))
	writeFile(t, s, "empty.json", `[]`)
	require.NoError(t, os.Mkdir(filepath.Join(s.WorkDir, "folder.csv"), 0o700))
	writeFile(t, s, "tasks.csv.waybill-import.jsonl", "")
	v, err := operations.NewImport(s)
	require.NoError(t, err)
	file, _ := v.Form.Field("file")
	names := []string{}
	for _, option := range file.Suggest("", nil) {
		names = append(names, option.Value)
	}
	require.ElementsMatch(t, []string{"bad.csv", "empty.json"}, names)
	for name, problem := range map[string]string{
		"": "Choose a file", "bad.csv": "one of the 1 row of bad.csv can be sent: line 2", "empty.json": "it contains no tasks",
		"missing.csv": "no file missing.csv", "folder.csv": "folder.csv is not a file",
	} {
		values := form.Values{"file": name}
		v.LoadNotes(t.Context(), d.api, values)
		_, problems := v.Prepare(values)
		require.Contains(t, problems["file"], problem, name)
	}
	s.Argument = "day.csv"
	v, err = operations.NewImport(s)
	require.NoError(t, err)
	require.Equal(t, "day.csv", v.Form.Start["file"])
	require.Equal(t, filepath.Join(s.WorkDir, "day.csv"), operations.ImportPath(s, " day.csv "))
	require.Equal(t, model.MillisOf(d.Clock.Now()), s.Now)
}

// A file renames known recipients only on request.
func TestImportKeepsNamesOfKnownRecipients(t *testing.T) {
	for name, c := range map[string]struct {
		keep, stays, words string
	}{
		"kept": {
			"yes", "Maria Gonzalez",
			"1 number is known under other names (Maria Gonzalez as M. G.). The recipients keep their names; the file's names are for these tasks only.",
		},
		"renamed": {"", "M. G.", "! 1 known number would be renamed on all tasks: Maria Gonzalez as M. G."},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTeamFixture(t)
			d.RunJobs()
			d.Do("POST", "/tasks", `{"destination":{"address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"},"location":[-122.4,37.77]},
				"recipients":[{"name":"Maria Gonzalez","phone":"+14155550111"}]}`).OK(nil)
			d.Do("POST", "/recipients", `{"name":"Old Friend","phone":"+14155550112"}`).OK(nil) // the board has not met this one
			s := d.input()
			line := `Main St,%d,San Francisco,USA,"-122.4,37.77",%s,%s` + "\n"
			writeFile(t, s, "tasks.csv", "street,number,city,country,location,recipient_name,recipient_phone\n"+
				fmt.Sprintf(line, 1, "M. G.", "415 555 0111")+fmt.Sprintf(line, 2, "Friend", "415 555 0112")+fmt.Sprintf(line, 3, "New", "415 555 0113"))
			v, err := operations.NewImport(s)
			require.NoError(t, err)
			require.True(t, v.Form.Start.Yes("keepNames"))
			values := form.Values{"file": "tasks.csv", "keepNames": c.keep}
			require.Equal(t, "1 number is known under other names.", v.LoadNotes(t.Context(), d.api, values)["keepNames"])
			plan, problems := v.Prepare(values)
			require.Empty(t, problems)
			require.Contains(t, lineTexts(plan.Lines), c.words)
			require.Equal(t, "3 tasks created", d.do(plan.Steps[0]).Summary)
			known, err := d.api.RecipientByPhone(t.Context(), "+14155550111", false)
			require.NoError(t, err)
			require.Equal(t, c.stays, known.Name)
			known, err = d.api.RecipientByPhone(t.Context(), "+14155550112", false)
			require.NoError(t, err)
			require.Equal(t, map[bool]string{true: "Old Friend", false: "Friend"}[c.keep != ""], known.Name)
			names := []string{}
			for task := range d.board().Tasks.All() {
				names = append(names, task.RecipientName)
			}
			require.Subset(t, names, []string{"M. G.", "Friend", "New"}, "the tasks have the names of the file")
		})
	}
}

// The report contains the warnings of the service about addresses.
func TestImportReportsWarningsOfTheService(t *testing.T) {
	d := newTeamFixture(t)
	d.RunJobs()
	s := d.input()
	writeFile(t, s, "tasks.csv", "street,number,city,country\nNo Such Street Anywhere,999999,San Francisco,United States\n")
	v, err := operations.NewImport(s)
	require.NoError(t, err)
	plan, problems := v.Prepare(form.Values{"file": "tasks.csv"})
	require.Empty(t, problems)
	done := d.do(plan.Steps[0])
	require.Equal(t, "1 task created, 1 with warnings", done.Summary)
	require.Contains(t, lineTexts(done.Report), "! 1 task was created with warnings about the address:")
	require.Contains(t, lineTexts(done.Report), "approximate")
}
