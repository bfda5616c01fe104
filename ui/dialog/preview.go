package dialog

import (
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/operations"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Preview shows a proposal before it is sent: in words, then exactly as it goes over the wire. Only its own key sends,
// never the one that opened it.
type Preview struct {
	Reader
	PreviewOptions

	requests []apiclient.Preview
	err      error // why the requests could not be prepared
	ready    bool  // the requests are prepared, or err is set
	wasAway  bool  // the service could not be reached since
	plan     []operations.Line
	routes   *views.PlanMap
	width    int // for which the lines are laid out; 0 lays them out again
}

// PreviewOptions are what a preview shows.
type PreviewOptions struct {
	Operation  operations.Operation
	Proposal   operations.Proposal
	Hidden     int // selected rows that the filter hides
	Account    string
	Production bool
	HasForm    bool // going back leads to a form
	HasMap     bool // routes can be shown on a map once they are planned
}

// NewPreview returns a preview whose requests are not prepared yet.
func NewPreview(o PreviewOptions) *Preview {
	return &Preview{Reader: Reader{base: base{scope: keymaps.Preview}}, PreviewOptions: o}
}

// ResetRequests forgets the requests, which are being prepared again.
func (d *Preview) ResetRequests() { d.err, d.ready, d.wasAway, d.width = nil, false, false, 0 }

// SetRequests shows the prepared requests, or why they could not be prepared.
func (d *Preview) SetRequests(requests []apiclient.Preview, err error) {
	d.requests, d.err, d.ready, d.width = requests, err, true, 0
}

// Requests are the prepared requests.
func (d *Preview) Requests() []apiclient.Preview { return d.requests }

// SetPlan shows the routes that a dispatch would make; routes is nil while they are not known.
func (d *Preview) SetPlan(lines []operations.Line, routes *views.PlanMap) {
	d.plan, d.routes, d.width = lines, routes, 0
}

// Routes are the planned routes; nil while they are not known.
func (d *Preview) Routes() *views.PlanMap { return d.routes }

// IsSendable reports that the requests are prepared.
func (d *Preview) IsSendable() bool { return d.ready && d.err == nil }

// NeedsRetry reports that the requests could not be prepared because the service was away, and that it is back. It is
// asked regularly.
func (d *Preview) NeedsRetry(offline bool) bool {
	if d.err != nil && offline {
		d.wasAway = true
	}
	return d.err != nil && d.wasAway && !offline
}

// DisabledReason says why an action of the preview cannot run, or nothing.
func (d *Preview) DisabledReason(id string) string {
	switch {
	case id == "preview.map" && !d.HasMap:
		return "Only a dispatch has routes to show."
	case id == "preview.send" && !d.IsSendable():
		return "The request is not ready."
	case id == "preview.edit" && !d.HasForm:
		return "There is no form to go back to."
	}
	return ""
}

// Placement implements [Dialog].
func (d *Preview) Placement(c *Context) layout.Dialog {
	const minHeight, maxWidth = 12, 100 // the box must not jump when the requests arrive
	d.layOut(c, min(c.Width, maxWidth))
	return layout.Dialog{Kind: layout.Form, Height: max(len(d.Lines)+2, minHeight)}
}

// RunAction implements [Dialog].
func (d *Preview) RunAction(id string) (Action, bool) {
	switch id {
	case "preview.send":
		switch {
		case !d.ready:
			return Warn{"The request is still being prepared."}, true
		case d.err != nil:
			return RetryPreview{}, true
		}
		return SendProposal{}, true
	case "preview.edit", "back":
		return EditForm{}, true
	case "preview.curl":
		return CopyCurl{}, true
	case "preview.map":
		return ShowMap{}, true
	}
	return d.Reader.RunAction(id)
}

// AppendLine implements [Dialog].
func (d *Preview) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	d.layOut(c, width)
	box := views.Box{Title: d.Operation.Title + " · " + d.Account, Hints: d.hints(c, height-2)}
	if d.Proposal.Irreversible != "" {
		box.Token = theme.Warn
	}
	return d.appendText(dst, c, y, width, height, box)
}

func (d *Preview) hints(c *Context, height int) []keymaps.Hint {
	var hints []keymaps.Hint
	switch {
	case d.err != nil:
		hints = append(hints, hint(c.KeyFor("preview.send"), "retry"))
	case d.ready:
		hints = append(hints, hint(c.KeyFor("preview.send"), "confirm"))
	}
	if d.HasForm {
		hints = append(hints, hint(c.KeyFor("preview.edit")+"/esc", "edit"))
	} else {
		hints = append(hints, hint("esc", "cancel"))
	}
	if d.HasMap {
		hints = append(hints, hint(c.KeyFor("preview.map"), "map"))
	}
	if len(d.Lines) > height {
		hints = append(hints, hint(c.KeyFor("menu.down")+" "+c.KeyFor("menu.up"), "scroll"))
	}
	return append(hints, hint(c.KeyFor("preview.curl"), "copy as curl"))
}

// layOut lays the text out for a width, once.
func (d *Preview) layOut(c *Context, width int) {
	if d.width == width {
		return
	}
	d.width = width
	t, warning := NewText(c.Theme.Measure, width-4), c.Theme.Glyphs.Late+" "
	if d.Proposal.Irreversible != "" {
		t.AddParagraph(theme.Warn, warning+d.Proposal.Irreversible)
		t.AddParagraph(theme.Muted, d.scopeText())
		t.AddGap()
	}
	for _, line := range d.Proposal.Lines {
		if line.Warning {
			t.AddParagraph(theme.Warn, warning+line.Text)
		} else {
			t.AddParagraph(theme.Text, line.Text)
		}
	}
	d.addObjects(t)
	if d.Hidden > 0 {
		t.AddParagraph(theme.Warn, fmt.Sprintf("%s%d of the selected rows are hidden by the filter.", warning, d.Hidden))
	}
	d.addSkipped(t)
	t.AddGap()
	t.AddLines(d.plan)
	t.AddGap()
	d.addRequests(t)
	d.SetLines(t.Lines)
}

// scopeText says how many changes are made in which account.
func (d *Preview) scopeText() string {
	what := "1 change"
	if label := d.Proposal.Steps[0].Label; label != "" {
		what = "1 change (" + label + ")"
	}
	if n := len(d.Proposal.Steps); n > 1 {
		what = views.Count(n) + " changes"
	}
	account := d.Account
	if d.Production {
		account += ", PRODUCTION"
	}
	return what + " in " + account + "."
}

// addObjects names the objects of several steps.
func (d *Preview) addObjects(t *Text) {
	const most = 10
	if len(d.Proposal.Steps) < 2 {
		return
	}
	var names []string
	for i := range d.Proposal.Steps[:min(most, len(d.Proposal.Steps))] {
		names = append(names, d.Proposal.Steps[i].Label)
	}
	if more := len(d.Proposal.Steps) - most; more > 0 {
		names = append(names, "and "+views.Count(more)+" more")
	}
	t.AddParagraph(theme.Text, strings.Join(names, ", "))
}

func (d *Preview) addSkipped(t *Text) {
	const most = 5
	skipped := d.Proposal.Skipped
	if len(skipped) == 0 {
		return
	}
	t.AddGap()
	t.AddParagraph(theme.Warn, fmt.Sprintf("Skipped: %d", len(skipped)))
	for _, s := range skipped[:min(most, len(skipped))] {
		t.AddParagraph(theme.Muted, "  "+s.Label+": "+s.Reason)
	}
	if more := len(skipped) - most; more > 0 {
		t.AddParagraph(theme.Muted, fmt.Sprintf("  and %d more", more))
	}
}

func (d *Preview) addRequests(t *Text) {
	switch {
	case !d.ready:
		t.AddParagraph(theme.Muted, "Preparing request…")
		return
	case d.err != nil:
		t.AddParagraph(theme.Bad, "Cannot send: "+d.err.Error())
		return
	}
	for _, request := range d.requests {
		t.AddGap()
		t.AddParagraph(theme.ColumnHead, request.Method+" "+request.Path)
		t.AddJSON(theme.Muted, request.Body)
	}
	if more := len(d.Proposal.Steps) - len(d.requests); more > 0 && len(d.requests) > 0 {
		t.AddGap()
		t.AddParagraph(theme.Muted, fmt.Sprintf("and %s more like these.", views.Count(more)))
	}
}

// PlanMap shows the planned routes of a dispatch on a map.
type PlanMap struct {
	base
	routes *views.PlanMap
}

// NewPlanMap returns a map of planned routes.
func NewPlanMap(routes *views.PlanMap) *PlanMap {
	return &PlanMap{base{keymaps.Menu, layout.Dialog{Kind: layout.Full}}, routes}
}

// RunAction implements [Dialog].
func (d *PlanMap) RunAction(id string) (Action, bool) {
	if id == "menu.choose" {
		return Close{}, true
	}
	n, move := steps(id)
	d.routes.Move(n)
	return nil, move
}

// AppendLine implements [Dialog].
func (d *PlanMap) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: "Planned routes", Hints: []keymaps.Hint{hint("j k", "one route at a time"), hint("esc", "back")}}
	d.routes.Prepare(width-4, height-2, c.Theme)
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		d.routes.AppendLine(l, line, width-4, c.Theme)
	})
}
