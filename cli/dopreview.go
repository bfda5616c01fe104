package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
)

// doResult is everything that came of a verb, for scripts.
type doResult struct {
	Action   string      `json:"action"`
	Title    string      `json:"title"`
	Account  string      `json:"account"`
	Summary  string      `json:"summary,omitzero"`
	Words    []doLine    `json:"words,omitzero"`
	Danger   string      `json:"danger,omitzero"`
	Skipped  []doSkipped `json:"skipped,omitzero"`
	Requests []doRequest `json:"requests,omitzero"` // of a dry run
	Steps    []doStep    `json:"steps,omitzero"`
	Report   []doLine    `json:"report,omitzero"`
	Jobs     []doJob     `json:"jobs,omitzero"`
	Next     string      `json:"next,omitzero"` // a command
	Undo     []string    `json:"undo,omitzero"` // commands that take it back

	told bool // there is something to tell
}

type doLine struct {
	Text    string `json:"text"`
	Warning bool   `json:"warning,omitzero"`
	Good    bool   `json:"good,omitzero"`
}

type doSkipped struct {
	Label  string `json:"label"`
	Reason string `json:"reason"`
}

type doRequest struct {
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Body   model.Raw `json:"body,omitzero"`
}

type doStep struct {
	Object    model.ID `json:"object,omitzero"` // what it was about
	Label     string   `json:"label"`
	Status    string   `json:"status"` // done, failed, unknown or stopped
	Result    string   `json:"result,omitzero"`
	Made      model.ID `json:"made,omitzero"` // what was made or changed
	RequestID string   `json:"requestId,omitzero"`
}

type doJob struct {
	ID     model.ID   `json:"id"`
	Title  string     `json:"title"`
	State  string     `json:"state"`
	Ended  bool       `json:"ended"`
	Failed bool       `json:"failed"`
	Report []doLine   `json:"report,omitzero"`
	Left   []model.ID `json:"left,omitzero"`
}

func doLines(lines []operations.Line) []doLine {
	var all []doLine
	for _, line := range lines {
		all = append(all, doLine(line))
	}
	return all
}

// sayLines prints lines of words; a warning begins with the word, since there may be nobody to see a colour.
func (d *doing) sayLines(lines []operations.Line) {
	for _, line := range lines {
		text := strings.TrimSpace(line.Text)
		if stop, ok := strings.CutPrefix(text, "+ "); ok {
			text = "New: " + stop // a mark is for eyes
		}
		if line.Warning {
			text = "Warning: " + text
		}
		d.say("%s", text)
	}
}

// shownRequests is how many requests are shown in full; the others look alike. A dry run shows all.
const shownRequests = 3

// present shows what a plan would change, in words and as it would go over the wire.
func (d *doing) present(ctx context.Context, plan *operations.Proposal) error {
	d.result = doResult{
		Action: d.kind.action.ID, Title: d.verb.Title, Account: d.account(), Summary: plan.Summary, Words: doLines(plan.Lines), Danger: plan.Irreversible,
	}
	for _, s := range plan.Skipped {
		d.result.Skipped = append(d.result.Skipped, doSkipped(s))
	}
	d.sayLines(plan.Lines)
	d.saySkipped(plan)
	if len(plan.Steps) == 0 {
		d.say("There is nothing to do.")
		d.result.told = true
		return exitError{exitFailure}
	}
	d.sayObjects(plan)
	if plan.Direct && !d.app.flags.dryRun {
		return nil
	}
	most := shownRequests
	if d.app.flags.dryRun {
		most = 0
	}
	requests, err := run.Preview(ctx, d.client, plan.Steps, most)
	if err != nil {
		return err
	}
	if err := d.sayRoutes(ctx); err != nil {
		return err
	}
	d.sayRequests(requests, len(plan.Steps))
	if d.app.flags.dryRun {
		for _, r := range requests {
			d.result.Requests = append(d.result.Requests, doRequest(r))
		}
		d.result.told = true
		d.say("Nothing was sent.")
		return nil
	}
	d.sayStake(plan)
	return nil
}

func (d *doing) saySkipped(plan *operations.Proposal) {
	if len(plan.Skipped) == 0 {
		return
	}
	d.say("Left out, %d:", len(plan.Skipped))
	for _, s := range plan.Skipped {
		d.say("%s: %s", s.Label, s.Reason)
	}
}

// sayObjects names what many steps are about.
func (d *doing) sayObjects(plan *operations.Proposal) {
	if len(plan.Steps) < 2 {
		return
	}
	const most = 20
	var names []string
	for i := range plan.Steps[:min(most, len(plan.Steps))] {
		names = append(names, plan.Steps[i].Label)
	}
	if more := len(plan.Steps) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	d.say("%s: %s.", count(len(plan.Steps), "change"), strings.Join(names, ", "))
}

// sayRoutes plans a dispatch on this machine and tells what it would do.
func (d *doing) sayRoutes(ctx context.Context) error {
	if d.verb.ID != "route.dispatch" {
		return nil
	}
	team, request, problems := operations.ParseDispatch(d.scene, d.shownValues())
	if len(problems) > 0 {
		return nil // they were asked about before
	}
	planned, err := operations.PreviewDispatch(ctx, d.client, d.scene, team, request, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.say("Warning: the routes could not be planned here: %s", brief(err))
		return nil
	}
	d.say("")
	d.say("What it would do, planned here:")
	d.sayLines(planned.Lines())
	d.result.Words = append(d.result.Words, doLines(planned.Lines())...)
	return nil
}

func (d *doing) sayRequests(requests []apiclient.Preview, steps int) {
	d.say("")
	switch len(requests) {
	case 0:
		d.say("This only asks; nothing is changed.")
	case 1:
		d.say("The request:")
	default:
		d.say("The requests:")
	}
	for _, r := range requests {
		d.say("%s %s", r.Method, r.Path)
		body := r.Body.Clone()
		if len(body) == 0 {
			continue
		}
		if err := body.Indent(jsontext.WithIndent("  ")); err != nil {
			body = r.Body
		}
		d.sayBody(model.CleanMultiline(string(body)))
	}
	if more := steps - len(requests); more > 0 && len(requests) > 0 {
		d.say("And %d more like these.", more)
	}
	d.say("")
}

// sayBody prints a body, and of a long one the beginning: the whole is for a dry run.
func (d *doing) sayBody(body string) {
	lines := strings.Split(body, "\n")
	const most = 60
	if more := len(lines) - most; more > 0 && !d.app.flags.dryRun {
		lines = append(lines[:most], fmt.Sprintf("and %d more lines; --dry-run shows them all.", more))
	}
	fmt.Fprintln(d.out, strings.Join(lines, "\n"))
}

// sayStake tells what cannot be taken back, and whose it is.
func (d *doing) sayStake(plan *operations.Proposal) {
	where := d.account()
	if d.target.profile.Production {
		where += ", PRODUCTION"
	}
	d.say("%s at %s.", count(len(plan.Steps), "change"), where)
	if plan.Irreversible != "" {
		d.say("Warning: %s", plan.Irreversible)
	}
}

// account is what the profile is called, or its address without one; the activity keeps changes under it.
func (d *doing) account() string { return cmp.Or(d.target.profile.Name, d.target.profile.BaseURL) }
