package model

import (
	"strconv"
	"strings"
)

// Webhook sends one kind of event to an address.
type Webhook struct {
	ID        ID           `json:"id"`
	Name      Opt[string]  `json:"name,omitzero"`
	URL       string       `json:"url"`
	Trigger   Trigger      `json:"trigger"`
	Count     Int          `json:"count"`
	IsEnabled Opt[bool]    `json:"isEnabled,omitzero"`
	Threshold Opt[float64] `json:"threshold,omitzero"`
	Extra     Extra        `json:",embed"`
}

// WebhookInput is the body that creates a webhook.
type WebhookInput struct {
	Name      Opt[string]  `json:"name,omitzero"`
	URL       Opt[string]  `json:"url,omitzero"`
	Trigger   Opt[Trigger] `json:"trigger,omitzero"`
	Threshold Opt[float64] `json:"threshold,omitzero"`
	Extra     Extra        `json:",embed"`
}

// Event is what a webhook delivers. Properties that do not belong to the trigger are null or absent.
type Event struct {
	ActionContext Opt[ActionContext] `json:"actionContext,omitzero"`
	AdminID       Opt[ID]            `json:"adminId,omitzero"`
	TaskID        Opt[ID]            `json:"taskId,omitzero"`
	WorkerID      Opt[ID]            `json:"workerId,omitzero"`
	Data          Opt[EventData]     `json:"data,omitzero"`
	Time          Millis             `json:"time"`
	TriggerID     Trigger            `json:"triggerId"`
	TriggerName   string             `json:"triggerName"`

	ETASeconds Opt[Seconds] `json:"etaSeconds,omitzero"`
	Distance   Opt[float64] `json:"distance,omitzero"`
	Delay      Opt[Seconds] `json:"delay,omitzero"`
	Status     Opt[Raw]     `json:"status,omitzero"`

	From Opt[string] `json:"from,omitzero"`
	To   Opt[string] `json:"to,omitzero"`
	Body Opt[string] `json:"body,omitzero"`

	Recipient Opt[EventRecipient] `json:"recipient,omitzero"`
	Timestamp Opt[Millis]         `json:"timestamp,omitzero"`

	DispatchID Opt[ID] `json:"dispatchId,omitzero"`

	JobID                Opt[ID]           `json:"jobId,omitzero"`
	TasksReceived        Opt[Int]          `json:"tasksReceived,omitzero"`
	TasksCreated         Opt[Int]          `json:"tasksCreated,omitzero"`
	TasksErrored         Opt[Int]          `json:"tasksErrored,omitzero"`
	Errors               Opt[[]BatchError] `json:"errors,omitzero"`
	FailedTasks          Opt[[]TaskInput]  `json:"failedTasks,omitzero"`
	NewTasks             Opt[[]Task]       `json:"newTasks,omitzero"`
	NewTasksWithWarnings Opt[[]Task]       `json:"newTasksWithWarnings,omitzero"`

	Extra Extra `json:",embed"`
}

// EventData are the objects an event is about.
type EventData struct {
	Task     Opt[Task]     `json:"task,omitzero"`
	Worker   Opt[Worker]   `json:"worker,omitzero"`
	Dispatch Opt[Dispatch] `json:"dispatch,omitzero"`
	Extra    Extra         `json:",embed"`
}

// EventRecipient is a recipient as SMS events name it.
type EventRecipient struct {
	ID    ID     `json:"id"`
	Name  string `json:"name"`
	Phone string `json:"phone"`
	Extra Extra  `json:",embed"`
}

// Trigger is what makes a webhook fire.
type Trigger int

// Triggers of the interface.
const (
	TriggerTaskStarted           Trigger = 0
	TriggerTaskETA               Trigger = 1
	TriggerTaskArrival           Trigger = 2
	TriggerTaskCompleted         Trigger = 3
	TriggerTaskFailed            Trigger = 4
	TriggerWorkerDuty            Trigger = 5
	TriggerTaskCreated           Trigger = 6
	TriggerTaskUpdated           Trigger = 7
	TriggerTaskDeleted           Trigger = 8
	TriggerTaskAssigned          Trigger = 9
	TriggerTaskUnassigned        Trigger = 10
	TriggerTaskDelayed           Trigger = 12
	TriggerTaskCloned            Trigger = 13
	TriggerSMSMissed             Trigger = 14
	TriggerWorkerCreated         Trigger = 15
	TriggerWorkerDeleted         Trigger = 16
	TriggerSMSOptOut             Trigger = 17
	TriggerAutoDispatchDone      Trigger = 18
	TriggerBatchDone             Trigger = 19
	TriggerRouteOptimizationDone Trigger = 20
)

// triggerNames returns the names of the triggers by their ids.
func triggerNames() [TriggerRouteOptimizationDone + 1]string {
	return [...]string{
		TriggerTaskStarted:           "taskStarted",
		TriggerTaskETA:               "taskEta",
		TriggerTaskArrival:           "taskArrival",
		TriggerTaskCompleted:         "taskCompleted",
		TriggerTaskFailed:            "taskFailed",
		TriggerWorkerDuty:            "workerDuty",
		TriggerTaskCreated:           "taskCreated",
		TriggerTaskUpdated:           "taskUpdated",
		TriggerTaskDeleted:           "taskDeleted",
		TriggerTaskAssigned:          "taskAssigned",
		TriggerTaskUnassigned:        "taskUnassigned",
		TriggerTaskDelayed:           "taskDelayed",
		TriggerTaskCloned:            "taskCloned",
		TriggerSMSMissed:             "smsRecipientResponseMissed",
		TriggerWorkerCreated:         "workerCreated",
		TriggerWorkerDeleted:         "workerDeleted",
		TriggerSMSOptOut:             "SMSRecipientOptOut",
		TriggerAutoDispatchDone:      "autoDispatchJobCompleted",
		TriggerBatchDone:             "taskBatchCreateJobCompleted",
		TriggerRouteOptimizationDone: "routeOptimizationJobCompleted",
	}
}

// Triggers lists the triggers that a webhook can be created for, in order of their ids.
func Triggers() []Trigger {
	var all []Trigger
	for id, name := range triggerNames() {
		if name != "" {
			all = append(all, Trigger(id))
		}
	}
	return all
}

// TriggerNames lists the names of [Triggers].
func TriggerNames() []string {
	var names []string
	for _, trigger := range Triggers() {
		names = append(names, trigger.Name())
	}
	return names
}

// ParseTrigger finds a trigger by its name in events, in any case, or by its id.
func ParseTrigger(text string) (Trigger, bool) {
	for _, trigger := range Triggers() {
		if strings.EqualFold(trigger.Name(), text) || strconv.Itoa(int(trigger)) == text {
			return trigger, true
		}
	}
	return 0, false
}

// Name is the trigger's name in events; empty for a trigger this version does not know.
func (t Trigger) Name() string {
	if t < 0 || t > TriggerRouteOptimizationDone {
		return ""
	}
	return triggerNames()[t]
}

// HasThreshold reports whether webhooks of the trigger fire at a threshold: taskEta in seconds, taskArrival in
// meters, taskDelayed in seconds.
func (t Trigger) HasThreshold() bool {
	return t == TriggerTaskETA || t == TriggerTaskArrival || t == TriggerTaskDelayed
}
