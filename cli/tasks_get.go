package cli

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTasksGetCommand(a *app) *cobra.Command {
	var history bool
	cmd := &cobra.Command{
		Use: "get TASK...", Short: "Show tasks in full", Args: cobra.MinimumNArgs(1),
		Example: "waybill tasks get c77ff497\nwaybill tasks get --history c77ff497",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			return s.getTasks(ctx, args, history)
		}),
	}
	cmd.Flags().BoolVar(&history, "history", false, "include the assignment history")
	return cmd
}

func (s *session) getTasks(ctx context.Context, args []string, history bool) error {
	var failed failures
	for i, arg := range args {
		task, err := s.findTask(ctx, arg)
		if err == nil && history {
			task, err = s.client.TaskWithHistory(ctx, task.ID)
		}
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if i > 0 && !s.flags.json {
			fmt.Fprintln(s.stdout)
		}
		if s.flags.json && len(args) > 1 {
			err = s.printJSONLine(task)
		} else {
			err = s.printResult(task, func() { s.printTaskDetails(ctx, task) })
		}
		if err != nil {
			return err
		}
	}
	return failed.err()
}

func (s *session) printTaskDetails(ctx context.Context, t model.Task) {
	s.printField("task", string(t.ShortID)+"  "+taskKindName(&t)+", "+taskStateName(&t))
	s.printField("id", string(t.ID))
	s.printField("order", string(t.OrderShortID.Value()))
	s.printField("copy of", string(t.SourceTaskID.Value()))
	s.printField("tracking", t.TrackingURL)
	s.printTaskDestination(t)
	s.printTaskTimes(ctx, t)
	s.printTaskLoad(t)
	s.printMultiline("notes", t.Notes)
	s.printTaskData(t)
	s.printTaskCompletion(ctx, t)
	for _, step := range t.AssignmentHistory.Value() {
		at := step.ContainerDescription
		who := strings.ToLower(string(at.Type))
		if at.Type == model.ContainerWorker {
			who = "worker " + s.workerName(ctx, at.Worker)
		} else if owner := at.Owner(); owner != "" {
			who += " " + string(owner)
		}
		s.printField("history", s.formatTime(ctx, step.Time)+"  "+who)
	}
}

func (s *session) printTaskDestination(t model.Task) {
	s.printField("address", formatDestination(t.Destination))
	if place := t.Destination.Object; place != nil {
		s.printField("lat, lon", place.Location.Text())
		s.printMultiline("place notes", place.Notes)
		s.printField("warnings", strings.Join(place.Warnings.Value(), "; "))
	}
	for _, r := range t.Recipients {
		s.printField("recipient", formatRecipient([]model.IDOr[model.Recipient]{r}))
		if r.Object != nil {
			s.printMultiline("recipient notes", r.Object.Notes)
			if model.SkipsSMS(r.Object.SkipSMSNotifications, t.Overrides.RecipientSkipSMSNotifications) {
				s.printField("", "gets no SMS")
			}
		}
	}
	s.printField("name on this task", t.Overrides.RecipientName.Value())
	s.printMultiline("notes on this task", t.Overrides.RecipientNotes.Value())
}

func (s *session) printTaskTimes(ctx context.Context, t model.Task) {
	s.printTime(ctx, "not before", t.CompleteAfter)
	s.printTime(ctx, "due", t.CompleteBefore)
	s.printField("worker", s.workerName(ctx, t.Worker))
	s.printTime(ctx, "expected arrival", t.EstimatedArrivalTime)
	s.printTime(ctx, "expected completion", t.EstimatedCompletionTime)
	if eta, ok := t.ETA.Get(); ok {
		s.printField("eta", model.FormatDuration(eta.Duration()))
	}
	s.printField("delay", model.FormatDelay(t.DelayTime))
	s.printField("created", s.formatTime(ctx, t.TimeCreated))
	s.printField("changed", s.formatTime(ctx, t.TimeLastModified))
}

func (s *session) printTaskLoad(t model.Task) {
	s.printField("quantity", formatNumber(t.Quantity))
	if q := t.AdditionalQuantities; q.A != 0 || q.B != 0 || q.C != 0 {
		s.printField("quantity A, B, C", formatNumber(q.A)+", "+formatNumber(q.B)+", "+formatNumber(q.C))
	}
	s.printField("service time", formatNumber(float64(t.ServiceTime))+" min")
	s.printField("requires", t.Requirements.Value().Text())
	for _, b := range t.Barcodes.Value().Required {
		s.printField("barcode", formatBarcode(b))
	}
	s.printField("depends on", strings.Join(toStrings(t.Dependencies), " "))
}

func (s *session) printTaskData(t model.Task) {
	for _, f := range t.CustomFields.Value() {
		s.printField("field", cmp.Or(f.Name, f.Key)+": "+formatRawValue(f.Value.Value()))
	}
	s.printMetadata(t.Metadata)
}

func (a *app) printMetadata(entries []model.Metadata) {
	for _, m := range entries {
		a.printField("metadata", m.Name+": "+formatRawValue(m.Value))
	}
}

func (s *session) printTaskCompletion(ctx context.Context, t model.Task) {
	d := t.CompletionDetails
	for _, event := range d.Events {
		s.printField(event.Name, s.formatTime(ctx, event.Time))
	}
	s.printTime(ctx, "completed", d.Time)
	if d.FailureReason != model.FailureNone {
		s.printField("failure", d.FailureReason)
	}
	s.printMultiline("failure notes", d.FailureNotes)
	s.printMultiline("success notes", d.SuccessNotes)
	s.printMultiline("driver notes", d.Notes)
	for _, f := range t.Feedback {
		s.printField("feedback", strings.TrimSpace(fmt.Sprintf("%d of 5 %s", f.Rating.Value(), f.Comments.Value())))
	}
}

// formatTime returns a time with its zone and its distance from now.
func (s *session) formatTime(ctx context.Context, at model.Millis) string {
	if at == 0 {
		return ""
	}
	return model.FormatTime(at, s.loadTimeZone(ctx)) + " (" + model.FormatRelative(at, s.nowMillis()) + ")"
}

func (s *session) printTime(ctx context.Context, name string, at model.Opt[model.Millis]) {
	if t, ok := at.Get(); ok {
		s.printField(name, s.formatTime(ctx, t))
	}
}

// formatRawValue returns a JSON value for people: strings without quotes.
func formatRawValue(raw model.Raw) string {
	var text string
	if raw.Kind() == '"' && model.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

func formatBarcode(b model.RequiredBarcode) string {
	text := "any"
	if data, ok := b.Data.Get(); ok {
		text = data
		if plain, err := base64.StdEncoding.DecodeString(data); err == nil {
			text = string(plain)
		}
	}
	if b.BlockCompletion {
		text += " (required to complete)"
	}
	return text
}
