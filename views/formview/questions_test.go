package formview

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"waybill/operations/form"
)

// answers are the lines that a person types.
func answers(lines ...string) io.Reader { return strings.NewReader(strings.Join(lines, "\n")) }

func TestQuestionsAskForEveryField(t *testing.T) {
	var out strings.Builder
	values, err := AskQuestions(answers(
		"both",                        // there is no such kind
		"2",                           // pick-up
		"",                            // an address is needed
		"88 Colin P Kelly Jr St, SF",  //
		"+1 415 555 0134",             //
		"Ada \x1b[31mOkafor\u202e",    //
		"Ring twice.", "Gate 47", ".", // notes
		"14:30",  // after
		"",       // before
		"-",      // service time: none
		"WORKER", // to a worker
		"ad",     // Ada or Adam
		"9",      // there is no ninth
		"2",      // Adam
		"maybe",  // is no answer
		"y",      // signature
		"1234",   // pin
	), &out, taskForm(), taskForm().Start)
	require.NoError(t, err)
	require.Equal(t, form.Values{
		"kind": "pick", "address": "88 Colin P Kelly Jr St, SF", "phone": "+1 415 555 0134", "name": "Ada Okafor",
		"notes": "Ring twice.\nGate 47", "after": "14:30", "to": "worker", "worker": "w2", "sign": "yes", "pin": "1234",
	}, values)
	golden.RequireEqual(t, []byte(out.String()))
}

func TestQuestionsKeepValues(t *testing.T) {
	draft := form.Values{
		"kind": "pick", "address": "here", "notes": "two\nlines", "service": "5m", "to": "worker", "worker": "w1",
		"sign": "yes", "pin": "1", "other": "kept",
	}
	values, err := AskQuestions(answers(strings.Split(strings.Repeat("\n", 12), "")...), io.Discard, taskForm(), draft)
	require.NoError(t, err)
	require.Equal(t, draft, values)
}

func TestQuestionsSuggestions(t *testing.T) {
	spec := form.Form{Fields: []form.Field{{Name: "worker", Title: "Worker"}}}
	full := taskForm()
	worker, _ := full.Field("worker")
	spec.Fields[0].Suggest = worker.Suggest
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"the only one":      {[]string{"mina"}, "w3"},
		"in full":           {[]string{"Ada Okafor"}, "w1"},
		"from the list":     {[]string{"?", "7"}, "w7"},
		"list and then not": {[]string{"?", "", "jo"}, "w4"},
		"as typed":          {[]string{"ad", "", ""}, "ad"},
		"nobody known":      {[]string{"Zoe"}, "Zoe"},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := AskQuestions(answers(c.lines...), io.Discard, spec, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, values["worker"])
		})
	}
}

func TestQuestionsSkipRest(t *testing.T) {
	start := form.Values{"kind": "pick", "notes": "kept", "sign": "yes"}
	for _, lines := range [][]string{{".."}, {"", "here", ".."}, {"", "here", "", "", ".."}, {"", "here", "", "", "new", "..", ".", ".."}} {
		values, err := AskQuestions(answers(lines...), io.Discard, taskForm(), start)
		require.NoError(t, err)
		require.Equal(t, "pick", values["kind"])
		require.Equal(t, "yes", values["sign"])
		switch len(lines) {
		case 1:
			require.Empty(t, values["address"])
		case 8:
			require.Equal(t, "new\n..", values["notes"], "inside a text they are a text")
		default:
			require.Equal(t, "here", values["address"])
			require.Equal(t, "kept", values["notes"])
		}
	}
}

func TestQuestionsInputEnds(t *testing.T) {
	for _, lines := range [][]string{nil, {"1"}, {"no such kind"}, {"1", "x", "y", "z", "one line"}} {
		values, err := AskQuestions(answers(lines...), io.Discard, taskForm(), form.Values{"other": "kept"})
		require.ErrorIs(t, err, ErrInputEnded)
		require.Equal(t, "kept", values["other"])
		if len(lines) > 1 {
			require.Equal(t, "x", values["address"], "what was answered is there for a draft")
		}
	}
}

func TestQuestionsSecretOnATerminal(t *testing.T) {
	terminal, tty, err := pty.Open()
	require.NoError(t, err)
	defer terminal.Close()
	defer tty.Close()
	_, err = terminal.WriteString("hush\n")
	require.NoError(t, err)
	var out strings.Builder
	values, err := AskQuestions(tty, &out, form.Form{Fields: []form.Field{{Name: "key", Kind: form.Secret}}}, nil)
	require.NoError(t, err)
	require.Equal(t, form.Values{"key": "hush"}, values)
	require.NotContains(t, out.String(), "hush")
}

// broken fails as a terminal that went away does.
type broken struct{}

var errGone = errors.New("gone")

func (broken) Read([]byte) (int, error) { return 0, errGone }

func TestQuestionsReadError(t *testing.T) {
	_, err := AskQuestions(broken{}, io.Discard, taskForm(), nil)
	require.ErrorIs(t, err, errGone)
}

// An example is called one; what to do, and what nothing means, are not.
func TestQuestionsMarkExamples(t *testing.T) {
	var out strings.Builder
	_, err := AskQuestions(answers("", "", "", ""), &out, form.Form{Fields: []form.Field{
		{Name: "phone", Title: "Phone", Hint: "415 555 0123"},
		{Name: "worker", Title: "Worker", Prompt: "type a part of the name"},
		{Name: "position", Title: "Position", Hint: "1", Empty: "last"},
	}}, form.Values{})
	require.NoError(t, err)
	require.Contains(t, out.String(), "Phone\nExample: 415 555 0123\n")
	require.Contains(t, out.String(), "Worker\nType a part of the name.\n")
	require.Contains(t, out.String(), "Position\nExample: 1\nIf empty: last.\n")
	require.NotContains(t, out.String(), "Example: type")
}
