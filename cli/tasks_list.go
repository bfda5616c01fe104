package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/taskimport"
)

// defaultSince is how far back a list goes by default.
const defaultSince = 7 * 24 * time.Hour

// defaultLimit is the default maximum length of a list.
const defaultLimit = 200

type taskListFlags struct {
	states          []string
	worker, team    string
	from, to, since string
	limit           int
	all             bool
	metadata        []string
}

func newTasksListCommand(a *app) *cobra.Command {
	var f taskListFlags
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List tasks, oldest first",
		Long: "Lists up to 200 tasks of the last seven days. Change that with --since, --limit and --all.\n" +
			"The time range applies to the completion of completed tasks and to the creation of all others.",
		Example: "waybill tasks ls --state unassigned\nwaybill tasks ls --since yesterday --worker 'D. Okafor'\n" +
			"waybill tasks ls --all --json | jq -r .trackingURL",
		Args: cobra.NoArgs,
		RunE: a.withSessionUntilDone(func(ctx context.Context, s *session, _ []string) error { return s.listTasks(ctx, f) }),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.states, "state", nil, "states: unassigned, assigned, active, completed, succeeded, failed")
	flags.StringVar(&f.worker, "worker", "", "only tasks of this worker, by id or name")
	flags.StringVar(&f.team, "team", "", "only tasks of this team that no worker has, by id or name")
	flags.StringVar(&f.from, "from", "", "from this time: 14:30, yesterday 9am, 2026-11-20")
	flags.StringVar(&f.to, "to", "", "up to this time; now by default")
	flags.StringVar(&f.since, "since", "", "like --from, or a duration: 2h, 3d")
	minIntVar(flags, &f.limit, "limit", defaultLimit, 1, "maximum number of tasks")
	flags.BoolVar(&f.all, "all", false, "list all tasks")
	flags.StringArrayVar(&f.metadata, "meta", nil, "only tasks with this metadata, as NAME=VALUE or NAME:TYPE=VALUE; ignores the time range")
	cmd.MarkFlagsMutuallyExclusive("from", "since")
	cmd.MarkFlagsMutuallyExclusive("limit", "all")
	cmd.MarkFlagsMutuallyExclusive("worker", "team", "meta")
	return cmd
}

func (s *session) listTasks(ctx context.Context, f taskListFlags) error {
	keep, states, err := parseTaskStates(f.states)
	if err != nil {
		return err
	}
	tasks, err := s.queryTasks(ctx, f, states)
	if err != nil {
		return err
	}
	show, end := s.startProgress()
	defer end()
	out := s.newTaskPrinter(ctx)
	count := 0
	for task, err := range tasks {
		if err != nil {
			return errors.Join(out.finish(""), err)
		}
		if !keep(&task) {
			continue
		}
		if !f.all && count == f.limit {
			end()
			if err := out.finish(""); err != nil {
				return err
			}
			s.printNote("There are more than %d tasks; use --limit or --all to see them.", f.limit)
			return nil
		}
		count++
		show(0, 0, fmt.Sprintf("%d tasks", count))
		if err := out.print(task); err != nil {
			return err
		}
	}
	end()
	return out.finish("No matching tasks.")
}

// queryTasks returns the tasks that match the flags, from the endpoint that supports them.
func (s *session) queryTasks(ctx context.Context, f taskListFlags, states []model.TaskState) (iter.Seq2[model.Task, error], error) {
	if len(f.metadata) > 0 {
		match, err := parseMetadata(f.metadata)
		if err != nil {
			return nil, err
		}
		found, err := s.client.FindTasks(ctx, match)
		return sequenceOf(found), err
	}
	from, to, err := s.parseListSpan(ctx, f)
	if err != nil {
		return nil, err
	}
	if f.team != "" {
		team, err := s.teamID(ctx, f.team)
		return s.client.TeamTasks(ctx, team, apiclient.OwnTasksQuery{From: from, To: to}), err
	}
	query := apiclient.TaskQuery{From: from, To: to, States: states}
	if f.worker != "" {
		query.Worker, err = s.workerID(ctx, f.worker)
	}
	return s.client.Tasks(ctx, query), err
}

func sequenceOf[T any](elements []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range elements {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// parseListSpan parses the time range of a list.
func (s *session) parseListSpan(ctx context.Context, f taskListFlags) (from, to model.Millis, err error) {
	from = s.nowMillis().Add(-defaultSince)
	switch {
	case f.from != "":
		from, err = s.parsePastTime(ctx, "from", f.from)
	case f.since != "":
		if length, failure := model.ParseDuration(f.since); failure == nil {
			from = s.nowMillis().Add(-length)
		} else {
			from, err = s.parsePastTime(ctx, "since", f.since)
		}
	}
	if err == nil && f.to != "" {
		to, err = s.parsePastTime(ctx, "to", f.to)
	}
	if err == nil && to != 0 && to <= from {
		err = usageError{fmt.Errorf("the time range must end after it starts: %s to %s",
			model.FormatTime(from, s.loadTimeZone(ctx)), model.FormatTime(to, s.loadTimeZone(ctx)))}
	}
	return from, to, err
}

// taskStates are the state names of tasks. The service has no states succeeded and failed, so those tasks are filtered.
func taskStates() map[string]taskFilter {
	inState := func(state model.TaskState) taskFilter {
		return taskFilter{state, func(t *model.Task) bool { return t.State == state }}
	}
	return map[string]taskFilter{
		"unassigned": inState(model.TaskUnassigned), "0": inState(model.TaskUnassigned),
		"assigned": inState(model.TaskAssigned), "1": inState(model.TaskAssigned),
		"active": inState(model.TaskActive), "2": inState(model.TaskActive),
		"completed": inState(model.TaskCompleted), "3": inState(model.TaskCompleted),
		"succeeded": {model.TaskCompleted, (*model.Task).Succeeded}, "done": {model.TaskCompleted, (*model.Task).Succeeded},
		"failed": {model.TaskCompleted, (*model.Task).Failed},
	}
}

// taskFilter is a state to ask the service for and a test of the tasks in it.
type taskFilter struct {
	state model.TaskState
	keep  func(*model.Task) bool
}

// parseTaskStates parses state names.
func parseTaskStates(words []string) (keep func(*model.Task) bool, states []model.TaskState, err error) {
	var filters []taskFilter
	for _, word := range words {
		filter, ok := taskStates()[strings.ToLower(strings.TrimSpace(word))]
		if !ok {
			return nil, nil, usageError{fmt.Errorf(
				"--state: unknown state %.40q; use unassigned, assigned, active, completed, succeeded or failed", model.Clean(word))}
		}
		filters, states = append(filters, filter), append(states, filter.state)
	}
	return func(t *model.Task) bool {
		return len(filters) == 0 || slices.ContainsFunc(filters, func(f taskFilter) bool { return f.keep(t) })
	}, states, nil
}

// parseMetadata parses entries such as isVip:boolean=true.
func parseMetadata(texts []string) ([]model.Metadata, error) {
	entries := make([]model.Metadata, len(texts))
	for i, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("--meta: %.60q has no value; use NAME=VALUE or NAME:TYPE=VALUE", model.Clean(text))}
		}
		entry, err := taskimport.ParseMetadata(name, value)
		if err != nil {
			return nil, usageError{fmt.Errorf("--meta %.60s: %w", model.Clean(name), err)}
		}
		entries[i] = entry
	}
	return entries, nil
}

// newTaskPrinter returns a printer of tasks as rows.
func (s *session) newTaskPrinter(ctx context.Context) *listPrinter[model.Task] {
	return newListPrinter(s.app, func(t model.Task) []string {
		return []string{
			string(t.ShortID), taskStateName(&t), taskKindName(&t), s.formatWindow(ctx, t.CompleteAfter, t.CompleteBefore),
			s.workerName(ctx, t.Worker), formatDestination(t.Destination), formatRecipient(t.Recipients),
		}
	}, "TASK", "STATE", "KIND", "WINDOW", "WORKER", "ADDRESS", "RECIPIENT")
}

// taskStateName returns the state of a task with its outcome and delay.
func taskStateName(t *model.Task) string {
	word := t.State.String()
	switch {
	case t.Failed():
		word = "failed"
	case t.Succeeded():
		word = "succeeded"
	}
	if late := model.FormatDelay(t.DelayTime); late != "" && t.State != model.TaskCompleted {
		word += ", " + late
	}
	return word
}

func taskKindName(t *model.Task) string {
	switch kind, ok := t.Type.Get(); {
	case ok && kind == model.TypeEndAtHub:
		return "to hub"
	case ok && kind == model.TypeEndAtWorkerHome:
		return "to home"
	}
	return board.KindText(t.PickupTask)
}

// formatWindow returns a window in its shortest form.
func (s *session) formatWindow(ctx context.Context, after, before model.Opt[model.Millis]) string {
	zone := s.loadTimeZone(ctx)
	window := model.AppendWindow(nil, after.Value(), before.Value(), zone, "-", func(dst []byte, at model.Millis) []byte {
		return append(dst, model.FormatClock(at, s.nowMillis(), zone)...)
	})
	return dashIfEmpty(string(window))
}

func formatDestination(of model.IDOr[model.Destination]) string {
	if of.Object == nil {
		return string(of.ID)
	}
	return of.Object.Address.Line()
}

func formatRecipient(recipients []model.IDOr[model.Recipient]) string {
	if len(recipients) == 0 {
		return "-"
	}
	if r := recipients[0].Object; r != nil {
		return strings.TrimSpace(r.Name + " " + r.Phone)
	}
	return string(recipients[0].ID)
}
