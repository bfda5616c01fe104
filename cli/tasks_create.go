package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// autoAssignFlags ask the service to choose a worker.
type autoAssignFlags struct {
	mode        string
	team        string
	max         int
	exclude     []string
	dependences bool
}

func (f *autoAssignFlags) add(set *pflag.FlagSet) {
	set.StringVar(&f.mode, "auto-assign", "", "let the service choose a worker: distance for the nearest, load for the shortest route")
	set.StringVar(&f.team, "auto-team", "", "choose among this team, by id or name")
	set.IntVar(&f.max, "auto-max", 0, "choose no worker who has this many tasks already")
	set.StringSliceVar(&f.exclude, "auto-exclude", nil, "never choose these workers, by id or name")
	set.BoolVar(&f.dependences, "auto-dependencies", false, "keep tasks that depend on each other together")
}

func (f *autoAssignFlags) isSet() bool { return f.mode != "" }

func (f *autoAssignFlags) request(ctx context.Context, s *session) (model.AutoAssign, error) {
	auto := model.AutoAssign{Mode: strings.ToLower(f.mode)}
	if f.team != "" {
		team, err := s.teamID(ctx, f.team)
		if err != nil {
			return auto, flagError("auto-team", err)
		}
		auto.Team = model.Some(team)
	}
	if f.max != 0 {
		auto.MaxAssignedTaskCount = model.Some(model.Int(f.max))
	}
	if f.dependences {
		auto.ConsiderDependencies = model.Some(true)
	}
	var err error
	auto.ExcludedWorkerIDs, err = resolveAll(ctx, f.exclude, s.workerID)
	if err != nil {
		return auto, flagError("auto-exclude", err)
	}
	return auto, nil
}

func newTasksCreateCommand(a *app) *cobra.Command {
	var fromJSON, worker string
	var auto autoAssignFlags
	cmd := &cobra.Command{
		Use: "create", Aliases: []string{"new"}, Short: "Create a task", Args: cobra.NoArgs,
		Long: "Creates a task from flags, or from a whole JSON body with --from-json.\n" +
			"Times are typed as people say them: 14:30, +2h, tomorrow 9am, mon 10:00, RFC 3339 or Unix milliseconds.",
		Example: "waybill tasks create --address '543 Howard St, San Francisco, CA 94105, USA' \\\n" +
			"  --name 'Ada Okafor' --phone '(415) 555-0123' --window 14:00-16:00 --notes 'Ring twice'\n" +
			"waybill tasks create --destination 2Ej*fTFUBsEMQPP1kZuTFUbE --before +2h --auto-assign distance\n" +
			"waybill tasks create --from-json task.json --dry-run",
	}
	fields := addFieldFlags(cmd.Flags(), taskimport.Fields(), anyField)
	fields.addDataFlags()
	cmd.Flags().StringVar(&worker, "worker", "", "the worker who gets it, by id or name")
	auto.add(cmd.Flags())
	addFromJSON(cmd, &fromJSON, "task")
	cmd.MarkFlagsMutuallyExclusive("worker", "team", "auto-assign")
	cmd.MarkFlagsMutuallyExclusive("window", "after")
	cmd.MarkFlagsMutuallyExclusive("window", "before")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, _ []string) error {
		task, err := s.newTask(ctx, fields, fromJSON, worker, &auto)
		if err != nil {
			return err
		}
		created, err := s.client.CreateTask(ctx, task)
		if err != nil {
			return err
		}
		if auto.isSet() && !created.DidAutoAssign.Or(false) {
			s.printNote("No worker could be chosen; the task is unassigned.")
		}
		return s.printTask(ctx, created, false)
	})
	return cmd
}

// newTask puts the task of a creation together and checks it.
func (s *session) newTask(ctx context.Context, fields *fieldFlags, fromJSON, worker string, auto *autoAssignFlags) (model.TaskInput, error) {
	var task model.TaskInput
	if fromJSON != "" {
		if fields.isSet() || worker != "" || auto.isSet() {
			return task, errJSONAndFlags
		}
		if err := s.readJSON(fromJSON, &task); err != nil {
			return task, err
		}
		return task, checkProblems("the task", task.Check(s.checkContext(ctx, phonesOf(task)...)))
	}
	draft, err := fields.draft(ctx, s)
	if err != nil {
		return task, err
	}
	if task, err = draft.Task(); err != nil {
		return task, usageError{err}
	}
	if worker != "" {
		id, err := s.workerID(ctx, worker)
		if err != nil {
			return task, flagError("worker", err)
		}
		task.Container = model.Some(model.WorkerContainer(id))
	}
	if auto.isSet() {
		request, err := auto.request(ctx, s)
		if err != nil {
			return task, err
		}
		task.AutoAssign = model.Some(request)
	}
	return task, checkProblems("the task", inFlagWords(task.Check(s.checkContext(ctx, phonesOf(task)...))))
}

func phonesOf(task model.TaskInput) []string {
	var phones []string
	for _, r := range task.Recipients.Value() {
		if r.Object != nil {
			phones = append(phones, r.Object.Phone.Value())
		}
	}
	return phones
}

func newTasksCloneCommand(a *app) *cobra.Command {
	var metadata, barcodes, dependencies bool
	cmd := &cobra.Command{
		Use: "clone TASK", Short: "Create a task from an existing one, with changes", Args: cobra.ExactArgs(1),
		Long: "Copies a task. A completed task cannot be changed, so a clone is the way to do it again.\n" +
			"Times of the clone must be in the future.",
		Example: "waybill tasks clone c77ff497 --window 'tomorrow 9am-11am'",
	}
	fields := addFieldFlags(cmd.Flags(), taskimport.Fields(), cloneable)
	cmd.Flags().StringArrayVar(&fields.metadata, "meta", nil, "metadata in place of the source's, as NAME=VALUE or NAME:TYPE=VALUE")
	cmd.Flags().BoolVar(&metadata, "with-metadata", false, "copy the metadata")
	cmd.Flags().BoolVar(&barcodes, "with-barcodes", false, "copy the barcodes")
	cmd.Flags().BoolVar(&dependencies, "with-dependencies", false, "copy the dependencies")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		options, err := s.cloneOptions(ctx, fields)
		if err != nil {
			return err
		}
		for _, flag := range []struct {
			on bool
			to *model.Opt[bool]
		}{{metadata, &options.IncludeMetadata}, {barcodes, &options.IncludeBarcodes}, {dependencies, &options.IncludeDependencies}} {
			if flag.on {
				*flag.to = model.Some(true)
			}
		}
		id, err := s.taskID(ctx, args[0])
		if err != nil {
			return err
		}
		clone, err := s.client.CloneTask(ctx, id, options)
		if err != nil {
			return err
		}
		return s.printTask(ctx, clone, false)
	})
	return cmd
}

// cloneable are the fields that a clone can change.
func cloneable(name string) bool {
	switch name {
	case "notes", "kind", "service_time", "after", "before", "window",
		"recipient_id", "recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "skip_phone_check":
		return true
	}
	for _, field := range taskimport.PlaceFields() {
		if field.Name == name {
			return true
		}
	}
	return false
}

func (s *session) cloneOptions(ctx context.Context, fields *fieldFlags) (model.CloneOptions, error) {
	var options model.CloneOptions
	if !fields.isSet() {
		return options, nil
	}
	draft, err := fields.draft(ctx, s)
	if err != nil {
		return options, err
	}
	changes, err := draft.Changes()
	if err != nil {
		return options, usageError{err}
	}
	options.Overrides = model.Some(model.CloneOverrides{
		Destination: changes.Destination, Recipients: changes.Recipients, Notes: changes.Notes, PickupTask: changes.PickupTask,
		ServiceTime: changes.ServiceTime, Metadata: changes.Metadata,
		CompleteAfter: changes.CompleteAfter, CompleteBefore: changes.CompleteBefore,
	})
	problems := options.Check(s.checkContext(ctx, phonesOf(changes)...))
	for i := range problems {
		problems[i].Field = strings.TrimPrefix(problems[i].Field, "overrides.")
	}
	return options, checkProblems("the clone", inFlagWords(problems))
}

func newTasksUpdateCommand(a *app) *cobra.Command {
	var fromJSON string
	var clear []string
	cmd := &cobra.Command{
		Use: "update TASK", Aliases: []string{"edit"}, Short: "Change a task", Args: cobra.ExactArgs(1),
		Long: "Changes a task. A started task keeps everything but notes and metadata, a completed one everything but metadata\n" +
			"and custom fields. A new destination or recipient must exist already and is given by its id.",
		Example: "waybill tasks update c77ff497 --before 17:30 --notes 'Ask for Sam'\nwaybill tasks update c77ff497 --clear after,before",
	}
	fields := addFieldFlags(cmd.Flags(), taskimport.Fields(), updatable)
	fields.addDataFlags()
	cmd.Flags().StringSliceVar(&clear, "clear", nil, "take these away: after, before, color, depends-on, override-name, override-notes, override-skip-sms")
	addFromJSON(cmd, &fromJSON, "change")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		changes, err := s.taskChanges(ctx, fields, fromJSON, clear)
		if err != nil {
			return err
		}
		current, err := s.currentTask(ctx, args[0])
		if err != nil {
			return err
		}
		if err := checkProblems("the change", inFlagWords(changes.CheckUpdate(&current))); err != nil {
			return err
		}
		updated, err := s.client.UpdateTask(ctx, current.ID, changes)
		if err != nil {
			return err
		}
		return s.printTask(ctx, updated, false)
	})
	return cmd
}

// currentTask is the task that an update starts from. A dry run without a key takes it for one that was never touched.
func (s *session) currentTask(ctx context.Context, text string) (model.Task, error) {
	current, err := s.findTask(ctx, text)
	if s.flags.dryRun && model.ID(text).Valid() && errors.Is(err, apiclient.ErrNoKey) {
		return model.Task{ID: model.ID(text)}, nil
	}
	return current, err
}

// updatable are the fields that an update can change: places and people by id only.
func updatable(name string) bool {
	switch name {
	case "destination":
		return true
	case "recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "skip_phone_check":
		return false
	}
	for _, field := range taskimport.PlaceFields() {
		if field.Name == name {
			return false
		}
	}
	return true
}

func (s *session) taskChanges(ctx context.Context, fields *fieldFlags, fromJSON string, clear []string) (model.TaskInput, error) {
	var changes model.TaskInput
	if fromJSON != "" {
		if fields.isSet() || len(clear) > 0 {
			return changes, errJSONAndFlags
		}
		return changes, s.readJSON(fromJSON, &changes)
	}
	draft, err := fields.draft(ctx, s)
	if err != nil {
		return changes, err
	}
	if changes, err = draft.Changes(); err != nil {
		return changes, usageError{err}
	}
	for _, name := range clear {
		if err := clearMember(&changes, name); err != nil {
			return changes, err
		}
	}
	if len(changes.Members()) == 0 {
		return changes, usageError{errors.New("say what to change; the flags are in: waybill tasks update --help")}
	}
	return changes, nil
}

// clearMember sends null for what is to go.
func clearMember(changes *model.TaskInput, name string) error {
	switch strings.ReplaceAll(name, "_", "-") {
	case "after":
		changes.CompleteAfter = model.Null[model.Millis]()
	case "before":
		changes.CompleteBefore = model.Null[model.Millis]()
	case "color":
		changes.Appearance = model.Some(model.Appearance{TriangleColor: model.Null[model.Int]()})
	case "depends-on":
		changes.Dependencies = model.Some([]model.ID{})
	case "override-name":
		changes.RecipientName = model.Null[string]()
	case "override-notes":
		changes.RecipientNotes = model.Null[string]()
	case "override-skip-sms":
		changes.RecipientSkipSMSNotifications = model.Null[bool]()
	default:
		return usageError{fmt.Errorf("--clear: %.40q cannot be taken away", model.Clean(name))}
	}
	return nil
}
