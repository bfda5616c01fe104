package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// preview is the last look before something is sent: in words, then exactly as it goes over the wire. It is the
// question too: only its own key sends, never the one that opened it.
type preview struct {
	plain
	reader
	verb  operations.Operation
	scene operations.Input
	plan  operations.Proposal
	form  *formOverlay // where it came from; nil without a form

	calls []apiclient.Preview
	err   error
	ready bool
	away  bool              // the service could not be reached since the request could not be made up
	extra []operations.Line // what was found out aside, such as the routes of a dispatch
	wide  int               // width the lines were made for

	routes *views.PlanMap // of a dispatch, once they are planned
	// goOn sends what a stopped job has left, in place of the plan anew; nil for everything else.
	goOn func(m *Model) tea.Cmd
}

// previewCalls is how many requests are shown in full; the others look alike.
const previewCalls = 3

const previewLimit = 20 * time.Second

// propose shows a plan before it is sent. Small steps that can be taken back are sent at once.
func (m *Model) propose(v operations.Operation, scene operations.Input, plan operations.Proposal, from *formOverlay) tea.Cmd {
	client := m.account.Client
	switch {
	case client == nil:
		m.warn("There is no connection yet; nothing was sent.")
		return nil
	case len(plan.Steps) == 0:
		m.warn(nothingToDo(plan))
		return nil
	case plan.Direct:
		if from != nil && m.top() == overlay(from) {
			m.closeOverlay()
		}
		return m.send(v, scene, plan, from)
	}
	o := &preview{verb: v, scene: scene, plan: plan, form: from}
	return tea.Batch(m.open(o), o.lookUp(m))
}

// lookUp finds out what would be sent, with everything that has to be read for it.
func (o *preview) lookUp(m *Model) tea.Cmd {
	o.err, o.ready, o.away, o.wide = nil, false, false, 0
	client, steps := m.account.Client, o.plan.Steps
	return tea.Batch(m.run(previewLimit, func(ctx context.Context) any {
		calls, err := run.Preview(ctx, client, steps, previewCalls)
		return previewed{o, calls, err}
	}), m.previewAside(o))
}

// lookAgain makes up the request of an open preview once the service is back, if it could not be made up before.
func (m *Model) lookAgain() tea.Cmd {
	o, ok := m.top().(*preview)
	if !ok || o.err == nil || m.account.Client == nil {
		return nil
	}
	if m.feed.Status().Offline {
		o.away = true
		return nil
	}
	if !o.away {
		return nil
	}
	return o.lookUp(m)
}

func nothingToDo(plan operations.Proposal) string {
	if len(plan.Skipped) > 0 {
		return "Nothing to do: " + plan.Skipped[0].Label + ": " + plan.Skipped[0].Reason
	}
	return "Nothing to do."
}

// previewed is what would be sent, from a dry run.
type previewed struct {
	preview *preview
	calls   []apiclient.Preview
	err     error
}

func (p previewed) arrive(*Model) tea.Cmd {
	p.preview.calls, p.preview.err, p.preview.ready, p.preview.wide = p.calls, p.err, true, 0
	return nil
}

func (o *preview) place(m *Model) layout.Dialog {
	const least, widest = 12, 100 // so that it does not jump when the request comes in
	o.fit(m, min(m.width, widest))
	return layout.Dialog{Kind: layout.Form, Height: max(len(o.lines)+2, least)}
}

func (o *preview) scope() keymaps.Scope { return keymaps.Preview }

func (o *preview) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "preview.send":
		return o.send(m), true
	case "preview.edit":
		m.closeOverlay()
		return nil, true
	case "preview.curl":
		return o.curl(m), true
	case "preview.map":
		return m.showPlanned(o), true
	}
	return o.reader.act(m, id)
}

func (o *preview) edit(m *Model, key string) tea.Cmd { return o.reader.edit(m, key) }

func (o *preview) send(m *Model) tea.Cmd {
	a, _ := m.keys.Get("preview.send")
	switch reason := m.keys.DisabledReason(a, m.situation()); {
	case o.sendable() && reason != "":
		m.warn(reason)
		return nil
	case !o.ready:
		m.warn("Not yet: what would be sent is still being looked up.")
		return nil
	case o.err != nil:
		m.inform("Looking it up again; nothing is sent before you have seen it.")
		return o.lookUp(m)
	}
	m.closeOverlay()
	if o.form != nil && m.top() == overlay(o.form) {
		m.closeOverlay()
	}
	if o.goOn != nil {
		return o.goOn(m)
	}
	return m.send(o.verb, o.scene, o.plan, o.form)
}

// sendable reports that what would be sent is known.
func (o *preview) sendable() bool { return o.ready && o.err == nil }

func (o *preview) curl(m *Model) tea.Cmd {
	if len(o.calls) == 0 {
		m.warn("There is nothing to copy yet.")
		return nil
	}
	var all []string
	for _, c := range o.calls {
		all = append(all, fmt.Sprintf("curl -u \"$WAYBILL_API_KEY:\" -X %s -H 'Content-Type: application/json' -d %s '%s%s'",
			c.Method, quote(string(c.Body)), m.account.Client.BaseURL(), c.Path))
	}
	return m.copyText("curl", strings.Join(all, "\n"))
}

func (o *preview) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	o.fit(m, width)
	o.tall = height - 2
	box := views.Box{Title: strings.TrimSuffix(o.verb.Title, "…") + " · " + m.accountName(), Foot: o.foot(m), Note: o.more()}
	if o.plan.Irreversible != "" {
		box.Token = theme.Warn
	}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if at := o.top + line; at < len(o.lines) {
			l.Put(o.lines[at].Token, o.lines[at].Text)
		}
	})
}

// fit lays the text out for a width, once.
func (o *preview) fit(m *Model, width int) {
	if o.wide != width {
		o.wide = width
		o.lines = o.compose(m, width-4)
	}
}

func (o *preview) foot(m *Model) string {
	foot := ""
	switch {
	case o.err != nil:
		foot = m.keyOf("preview.send") + " looks again  "
	case o.ready:
		foot = m.keyOf("preview.send") + " sends it  "
	}
	if o.form != nil {
		foot += m.keyOf("preview.edit") + " or esc back to the form  "
	}
	if o.verb.ID == "route.dispatch" {
		foot += m.keyOf("preview.map") + " map  "
	}
	if len(o.lines) > o.tall {
		foot += m.keyOf("menu.down") + " " + m.keyOf("menu.up") + " scroll  "
	}
	foot += m.keyOf("preview.curl") + " copies as curl"
	if o.form == nil {
		foot += "  esc leaves"
	}
	return foot
}

// compose is the text of the preview.
func (o *preview) compose(m *Model, width int) []views.Span {
	t := &textLines{measure: m.look.theme.Measure, width: width}
	if o.plan.Irreversible != "" {
		t.add(theme.Warn, m.look.theme.Glyphs.Late+" "+o.plan.Irreversible)
		t.add(theme.Muted, o.stake(m))
		t.gap()
	}
	for _, line := range o.plan.Lines {
		if line.Warning {
			t.add(theme.Warn, m.look.theme.Glyphs.Late+" "+line.Text)
		} else {
			t.add(theme.Text, line.Text)
		}
	}
	o.composeObjects(t)
	if o.scene.Hidden > 0 {
		t.add(theme.Warn, fmt.Sprintf("%s %d of the chosen are out of sight: the filter hides them.", m.look.theme.Glyphs.Late, o.scene.Hidden))
	}
	o.composeSkipped(t)
	t.gap()
	t.addLines(o.extra)
	t.gap()
	o.composeCalls(t)
	return t.lines
}

// stake says how many objects of which account are at stake.
func (o *preview) stake(m *Model) string {
	what := "1 change"
	if label := o.plan.Steps[0].Label; label != "" {
		what = "1 change, " + label + ","
	}
	if n := len(o.plan.Steps); n > 1 {
		what = count(n) + " changes"
	}
	where := m.accountName()
	if m.account.Profile.Production {
		where += ", PRODUCTION"
	}
	return what + " at " + where + ". Enter does nothing here."
}

// composeObjects names what many steps are about.
func (o *preview) composeObjects(t *textLines) {
	const most = 10
	if len(o.plan.Steps) < 2 {
		return
	}
	var names []string
	for i := range o.plan.Steps[:min(most, len(o.plan.Steps))] {
		names = append(names, o.plan.Steps[i].Label)
	}
	if more := len(o.plan.Steps) - most; more > 0 {
		names = append(names, "and "+count(more)+" more")
	}
	t.add(theme.Text, strings.Join(names, ", "))
}

func (o *preview) composeSkipped(t *textLines) {
	if len(o.plan.Skipped) == 0 {
		return
	}
	t.gap()
	t.add(theme.Warn, fmt.Sprintf("Left out, %d:", len(o.plan.Skipped)))
	const most = 5
	for i, s := range o.plan.Skipped {
		if i == most {
			t.add(theme.Muted, fmt.Sprintf("  and %d more", len(o.plan.Skipped)-most))
			break
		}
		t.add(theme.Muted, "  "+s.Label+": "+s.Reason)
	}
}

func (o *preview) composeCalls(t *textLines) {
	switch {
	case !o.ready:
		t.add(theme.Muted, "Making up the request…")
		return
	case o.err != nil:
		t.add(theme.Bad, "It cannot be sent now: "+o.err.Error())
		return
	}
	for i, c := range o.calls {
		if i > 0 {
			t.gap()
		}
		t.add(theme.ColumnHead, c.Method+" "+c.Path)
		for line := range strings.SplitSeq(indented(c.Body), "\n") {
			t.verbatim(theme.Muted, line)
		}
	}
	if more := len(o.plan.Steps) - len(o.calls); more > 0 && len(o.calls) > 0 {
		t.gap()
		t.add(theme.Muted, fmt.Sprintf("and %s more like these.", count(more)))
	}
}

func indented(body model.Raw) string {
	if len(body) == 0 {
		return "no body"
	}
	pretty := body.Clone()
	if err := pretty.Indent(jsontext.WithIndent("  ")); err != nil {
		return indentedPart(string(body))
	}
	return string(pretty)
}

// indentedPart breaks a body into lines that is not whole, such as one that the log has cut. What is no object and no
// list stays as it is.
func indentedPart(body string) string {
	if body[0] != '{' && body[0] != '[' {
		return body
	}
	var b strings.Builder
	depth, quoted, escaped := 0, false, false
	newLine := func() { b.WriteString("\n" + strings.Repeat("  ", max(depth, 0))) }
	for i, r := range body {
		switch {
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = r != '"', r == '\\'
		case r == '"':
			quoted = true
		case r == '}' || r == ']':
			depth--
			if last := body[i-1]; last != '{' && last != '[' {
				newLine()
			}
		}
		b.WriteRune(r)
		switch {
		case quoted || escaped:
		case r == '{' || r == '[':
			depth++
			if next := body[i+1:]; next != "" && next[0] != '}' && next[0] != ']' {
				newLine()
			}
		case r == ',':
			newLine()
		case r == ':':
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// textLines is a text laid out for a width.
type textLines struct {
	measure theme.Measure
	width   int
	lines   []views.Span
}

// add wraps a paragraph, its further lines as far in as the first.
func (t *textLines) add(token theme.Token, text string) {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	for _, line := range views.Wrap(text, max(t.width-len(indent), 10), t.measure) {
		t.lines = append(t.lines, views.Span{Token: token, Text: indent + line})
	}
}

// verbatim keeps the spaces of a line.
func (t *textLines) verbatim(token theme.Token, line string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	rest := line[len(indent):]
	for i, part := range views.Wrap(rest, max(t.width-len(indent)-2, 10), t.measure) {
		if i > 0 {
			part = "  " + part
		}
		t.lines = append(t.lines, views.Span{Token: token, Text: indent + part})
	}
}

func (t *textLines) gap() {
	if n := len(t.lines); n > 0 && t.lines[n-1].Text != "" {
		t.lines = append(t.lines, views.Span{})
	}
}
