package cli

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTasksGetCommand(a *app) *cobra.Command {
	var history bool
	cmd := &cobra.Command{
		Use: "get TASK...", Short: "Show tasks in full", Args: cobra.MinimumNArgs(1),
		Example: "waybill tasks get c77ff497\nwaybill tasks get --history c77ff497",
		RunE: a.online(func(ctx context.Context, s *session, args []string) error {
			return s.getTasks(ctx, args, history)
		}),
	}
	cmd.Flags().BoolVar(&history, "history", false, "with who had it when")
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
		if err := s.showTask(ctx, task, len(args) > 1); err != nil {
			return err
		}
	}
	return failed.err()
}

// showTask prints a task in full; one of several is a line of JSON.
func (s *session) showTask(ctx context.Context, t model.Task, oneOfMany bool) error {
	if s.flags.json && oneOfMany {
		return s.printJSONLine(t)
	}
	return s.show(t, func() {
		s.field("task", string(t.ShortID)+"  "+kindWord(&t)+", "+stateWord(&t))
		s.field("id", string(t.ID))
		s.field("order", string(t.OrderShortID.Value()))
		s.field("copy of", string(t.SourceTaskID.Value()))
		s.field("tracking", t.TrackingURL)
		s.showTaskPlace(t)
		s.showTaskTimes(ctx, t)
		s.showTaskLoad(t)
		s.text("notes", t.Notes)
		s.showTaskData(t)
		s.showTaskEnd(ctx, t)
		for _, step := range t.AssignmentHistory.Value() {
			at := step.ContainerDescription
			who := strings.ToLower(string(at.Type))
			if at.Type == model.ContainerWorker {
				who = "worker " + s.workerName(ctx, at.Worker)
			} else if owner := at.Owner(); owner != "" {
				who += " " + string(owner)
			}
			s.field("history", s.time(ctx, step.Time)+"  "+who)
		}
	})
}

func (s *session) showTaskPlace(t model.Task) {
	s.field("address", addressLine(t.Destination))
	if place := t.Destination.Object; place != nil {
		s.field("location", formatLocation(place.Location))
		s.text("place notes", place.Notes)
		s.field("warnings", strings.Join(place.Warnings.Value(), "; "))
	}
	for _, r := range t.Recipients {
		s.field("recipient", recipientLine([]model.IDOr[model.Recipient]{r}))
		if r.Object != nil {
			s.text("about them", r.Object.Notes)
			if model.SkipsSMS(r.Object.SkipSMSNotifications, t.Overrides.RecipientSkipSMSNotifications) {
				s.field("", "gets no SMS")
			}
		}
	}
	s.field("name here", t.Overrides.RecipientName.Value())
	s.text("notes here", t.Overrides.RecipientNotes.Value())
}

func (s *session) showTaskTimes(ctx context.Context, t model.Task) {
	s.optTime(ctx, "not before", t.CompleteAfter)
	s.optTime(ctx, "due", t.CompleteBefore)
	s.field("worker", s.workerName(ctx, t.Worker))
	s.optTime(ctx, "arrival", t.EstimatedArrivalTime)
	s.optTime(ctx, "completion", t.EstimatedCompletionTime)
	if eta, ok := t.ETA.Get(); ok {
		s.field("eta", model.FormatDuration(eta.Duration()))
	}
	s.field("delay", model.FormatDelay(t.DelayTime))
	s.field("created", s.time(ctx, t.TimeCreated))
	s.field("changed", s.time(ctx, t.TimeLastModified))
}

func (s *session) showTaskLoad(t model.Task) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	s.field("quantity", number(t.Quantity))
	if q := t.AdditionalQuantities; q.A != 0 || q.B != 0 || q.C != 0 {
		s.field("more load", number(q.A)+", "+number(q.B)+", "+number(q.C))
	}
	s.field("service time", number(float64(t.ServiceTime))+" min")
	var needs []string
	r := t.Requirements.Value()
	for _, need := range []struct {
		name string
		on   bool
	}{{"signature", r.Signature.Or(false)}, {"photo", r.Photo.Or(false)}, {"notes", r.Notes.Or(false)}} {
		if need.on {
			needs = append(needs, need.name)
		}
	}
	if age := r.MinimumAge.Value(); age > 0 {
		needs = append(needs, fmt.Sprintf("age %d", age))
	}
	s.field("requires", strings.Join(needs, ", "))
	for _, b := range t.Barcodes.Value().Required {
		s.field("barcode", barcodeText(b))
	}
	ids := make([]string, len(t.Dependencies))
	for i, id := range t.Dependencies {
		ids[i] = string(id)
	}
	s.field("after tasks", strings.Join(ids, " "))
}

func (s *session) showTaskData(t model.Task) {
	for _, f := range t.CustomFields.Value() {
		name := f.Name
		if name == "" {
			name = f.Key
		}
		s.field("field", name+": "+rawText(f.Value.Value()))
	}
	for _, m := range t.Metadata {
		s.field("metadata", m.Name+": "+rawText(m.Value))
	}
}

func (s *session) showTaskEnd(ctx context.Context, t model.Task) {
	d := t.CompletionDetails
	for _, event := range d.Events {
		s.field(event.Name, s.time(ctx, event.Time))
	}
	s.optTime(ctx, "completed", d.Time)
	if d.FailureReason != model.FailureNone {
		s.field("failure", d.FailureReason)
	}
	s.text("why failed", d.FailureNotes)
	s.text("on success", d.SuccessNotes)
	s.text("driver notes", d.Notes)
	for _, f := range t.Feedback {
		s.field("feedback", strings.TrimSpace(fmt.Sprintf("%d of 5 %s", f.Rating.Value(), f.Comments.Value())))
	}
}

// time is a moment with its zone and how far it is.
func (s *session) time(ctx context.Context, at model.Millis) string {
	if at == 0 {
		return ""
	}
	return model.FormatTime(at, s.zone(ctx)) + " (" + model.FormatRelative(at, s.moment()) + ")"
}

func (s *session) optTime(ctx context.Context, name string, at model.Opt[model.Millis]) {
	if t, ok := at.Get(); ok {
		s.field(name, s.time(ctx, t))
	}
}

func formatLocation(l model.Location) string {
	return fmt.Sprintf("%.6f,%.6f", l.Lon, l.Lat)
}

// rawText is a JSON value as people read it: texts without quotes.
func rawText(raw model.Raw) string {
	var text string
	if raw.Kind() == '"' && model.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

func barcodeText(b model.RequiredBarcode) string {
	text := "any"
	if data, ok := b.Data.Get(); ok {
		text = data
		if plain, err := base64.StdEncoding.DecodeString(data); err == nil {
			text = string(plain)
		}
	}
	if b.BlockCompletion {
		text += " (cannot be completed without)"
	}
	return text
}
