package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
	"waybill/settings"
)

func newTestApp() (*app, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	env := settings.Environment{Home: "/nowhere", OS: "linux", Getenv: func(string) string { return "" }}
	return newApp(strings.NewReader(""), &out, &errs, env), &out, &errs
}

// documentedExitCodes are the exit codes as docs/cli.md describes them.
func documentedExitCodes() []struct {
	code    int
	meaning string
} {
	return []struct {
		code    int
		meaning string
	}{
		{exitOK, "It worked."},
		{exitFailure, "It failed: no network, a refusal by the service, an unreadable file, output that could not be written."},
		{exitUsage, "The command line or the data in it is wrong; nothing was sent."},
		{exitNotFound, "The service has nothing under that id or name."},
		{exitRefused, "The key is missing, wrong, or may not do this; or read-only mode is on."},
		{exitRateLimited, "The organization's request limit is used up."},
		{exitUnknownOutcome, "It is not known whether the change was made; look before sending it again."},
		{exitInterrupted, "You stopped it with Ctrl-C or a signal (also the console with SIGTERM or SIGHUP); no outcome is unknown."},
	}
}

func TestDocumentedExitCodesAreTheConstants(t *testing.T) {
	doc, err := os.ReadFile("../docs/cli.md")
	require.NoError(t, err)
	var documented []string
	for line := range strings.SplitSeq(section(t, string(doc), "## Exit codes"), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| code") {
			documented = append(documented, line)
		}
	}
	var want []string
	for _, m := range documentedExitCodes() {
		want = append(want, fmt.Sprintf("| %d | %s |", m.code, m.meaning))
	}
	require.Equal(t, want, documented)
}

func TestDocumentedColumnsAreTheFields(t *testing.T) {
	doc, err := os.ReadFile("../docs/cli.md")
	require.NoError(t, err)
	var documented []string
	for line := range strings.SplitSeq(section(t, string(doc), "### Columns"), "\n") {
		if strings.HasPrefix(line, "| `") {
			documented = append(documented, line)
		}
	}
	var want []string
	for _, f := range taskimport.Fields() {
		want = append(want, fmt.Sprintf("| `%s` | %s | `%s` |", f.Name, f.About, f.Example))
	}
	require.Equal(t, want, documented)
}

func TestEveryCommandIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/cli.md")
	require.NoError(t, err)
	a, _, _ := newTestApp()
	for _, group := range newRootCommand(a).Commands() {
		require.NotEmpty(t, group.Short, group.Name())
		require.Contains(t, string(doc), "`"+group.Name(), group.Name())
		for _, cmd := range group.Commands() {
			require.NotEmpty(t, cmd.Short, cmd.CommandPath())
			require.Contains(t, string(doc), strings.TrimPrefix(cmd.CommandPath(), "waybill "), cmd.CommandPath())
		}
	}
}

func section(t *testing.T, doc, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, heading+"\n")
	require.True(t, ok, heading)
	rest, _, _ = strings.Cut(rest, "\n#")
	return rest
}

func TestExitCodeOfSeveralFailures(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{errors.New("x"), exitFailure},
		{fmt.Errorf("x: %w", usageError{errors.New("y")}), exitUsage},
		{checkProblems("it", model.Problems{{Text: "z"}}), exitUsage},
		{failures{apiclient.ErrNotFound, apiclient.ErrUnknownOutcome}, exitUnknownOutcome},
		{failures{apiclient.ErrDryRun, apiclient.ErrNotFound}, exitNotFound},
		{failures{apiclient.ErrDryRun}, exitOK},
		{errors.Join(context.Canceled, apiclient.ErrUnknownOutcome), exitUnknownOutcome},
		{fmt.Errorf("stopped: %w", context.Canceled), exitInterrupted},
		{apiclient.ErrForbidden, exitRefused},
		{fmt.Errorf("x: %w", exitError{exitRateLimited}), exitRateLimited},
	} {
		require.Equal(t, test.want, exitCode(test.err), "%v", test.err)
	}
}

func TestRewordUsageError(t *testing.T) {
	for text, want := range map[string]string{
		"if any flags in the group [worker team none] are set none of the others can be; [team worker] were all set": "--team and --worker cannot be used together",
		"at least one of the flags in the group [a b c] is required":                                                 "use one of --a, --b or --c",
		`required flag(s) "field", "name" not set`:                                                                   "--field and --name must be set",
		"anything else": "anything else",
	} {
		require.Equal(t, want, rewordUsageError(text))
	}
}

func TestErrorsAreSafeToPrint(t *testing.T) {
	a, out, errs := newTestApp()
	a.printError(errors.New("one\x1b]0;title\a\ntwo\u202e"))
	require.Equal(t, "waybill: one\ntwo\n", errs.String())
	require.Empty(t, out.String())
}

func TestListsAreSafeToPrint(t *testing.T) {
	a, out, _ := newTestApp()
	require.NoError(t, printList(a, []string{"a\x1b[31m\nb", "c"}, "", func(s string) []string { return []string{s, "x"} }, "NAME", "X"))
	require.Equal(t, "NAME  X\na b   x\nc     x\n", out.String())
}

func TestLongCellsAreTruncated(t *testing.T) {
	a, out, _ := newTestApp()
	names := []string{strings.Repeat("x", 1000), "short"}
	require.NoError(t, printList(a, names, "", func(s string) []string { return []string{s, "y"} }, "NAME", "Y"))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, ansi.StringWidth(line), maxCellWidth+columnGap+2)
	}
	require.Contains(t, out.String(), "x…  y\n")
	out.Reset()
	require.NoError(t, printList(a, names, "", func(s string) []string { return []string{s} }, "NAME"))
	require.True(t, strings.Contains(out.String(), names[0]), "the last column pads nothing")
}

func TestDescribeJSONError(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                            "the document: must be an object, not a list",
		`{"notes": 5}`:                  "notes: must be a text, not a number",
		`{"destination": 5}`:            "destination: must be an id or an object, not a number",
		`{"pickupTask": "yes"}`:         "pickupTask: must be true or false, not a text",
		`{"recipients": "x"}`:           "recipients: must be a list, not a text",
		`{"completeAfter": "x"}`:        "completeAfter: must be a whole number, not a text",
		`{"recipients": [{"name": 5}]}`: "recipients.0.name: must be a text, not a number",
		`{"notes":`:                     "invalid JSON: unexpected EOF at byte 10",
	} {
		var task model.TaskInput
		err := model.Unmarshal([]byte(text), &task)
		require.Error(t, err, text)
		require.Equal(t, want, describeJSONError(err), text)
	}
}

func TestNoColorWithAnyValue(t *testing.T) {
	env := func(values map[string]string) func(string) string {
		return func(name string) string { return values[name] }
	}
	require.True(t, mayColor(env(nil)))
	for _, value := range []string{"1", "yes", "0", "false"} {
		require.False(t, mayColor(env(map[string]string{"NO_COLOR": value})), value)
	}
	require.False(t, mayColor(env(map[string]string{"TERM": "dumb"})))
}

func TestInterruptedCommandPrintsStopped(t *testing.T) {
	a, _, errs := newTestApp()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a.env.Getenv = func(name string) string { return map[string]string{"WAYBILL_API_KEY": strings.Repeat("a", 32)}[name] }
	require.Equal(t, exitInterrupted, execute(ctx, a, []string{"tasks", "ls", "--base-url", "http://127.0.0.1:1/v2"}))
	require.Equal(t, "waybill: stopped\n", errs.String())
}

func TestFormatLineRanges(t *testing.T) {
	rows := []taskimport.RowRef{{Line: 2}, {Line: 3}, {Line: 4}, {Line: 7}, {Line: 9}, {Line: 10}}
	require.Equal(t, "2-4, 7, 9-10", formatLineRanges(rows))
}

func TestErrorStreamKeepsTheLiveLineLast(t *testing.T) {
	var out bytes.Buffer
	e := &errorStream{out: &out, terminal: true}
	e.setLive("50%")
	fmt.Fprintln(e, "note")
	e.setLive("")
	require.Equal(t, "50%\r\x1b[2Knote\n50%\r\x1b[2K", out.String())
}

// "done" means the same as in the console: completed, and not failed.
func TestDoneTasksAreNotFailed(t *testing.T) {
	keep, states, err := parseTaskStates([]string{"done"})
	require.NoError(t, err)
	require.Equal(t, []model.TaskState{model.TaskCompleted}, states)
	for success, want := range map[bool]bool{true: true, false: false} {
		task := model.Task{State: model.TaskCompleted, CompletionDetails: model.CompletionDetails{Success: model.Some(success)}}
		require.Equal(t, want, keep(&task))
	}
}
