package model

import (
	"math"
	"net/url"
	"slices"
	"time"
)

// Limits of webhooks and of the delivery of their events.
const (
	// MaxThresholdWebhooks is how many webhooks each of taskEta, taskArrival and taskDelayed can have.
	MaxThresholdWebhooks = 10
	// WebhookCheckParameter carries the random text that the server of a new webhook must return exactly.
	WebhookCheckParameter = "check"
	// WebhookRetryInterval is the time between two attempts of a delivery.
	WebhookRetryInterval = 30 * time.Minute
	// WebhookRetryPeriod is how long a delivery is retried.
	WebhookRetryPeriod = 24 * time.Hour
	// MaxWebhookAttempts is the first attempt and one at the end of each interval of the period.
	MaxWebhookAttempts = 1 + int(WebhookRetryPeriod/WebhookRetryInterval)
	// MaxWebhookFailures is how many failures in a row a webhook survives; one more disables it.
	MaxWebhookFailures = 300
)

// Check reports what is wrong with a webhook to be created. Whether its server answers is for the service to find out.
func (in WebhookInput) Check() Problems {
	var ps Problems
	ps.checkWebhookURL("url", in.URL.Value())
	trigger, ok := in.Trigger.Get()
	switch {
	case !ok:
		ps.add("trigger", ErrorMissing, "The id of a trigger is required.")
	case !slices.Contains(Triggers(), trigger):
		ps.add("trigger", ErrorInvalid, "There is no trigger %d.", trigger)
	}
	threshold, ok := in.Threshold.Get()
	switch {
	case !ok:
	case threshold < 0 || math.IsInf(threshold, 0) || math.IsNaN(threshold):
		ps.add("threshold", ErrorInvalid, "Must be 0 or more: seconds for triggers 1 and 12, meters for trigger 2.")
	case threshold > 0 && !trigger.HasThreshold() && in.Trigger.Has():
		ps.add("threshold", ErrorInvalid, "Only triggers 1 (taskEta), 2 (taskArrival) and 12 (taskDelayed) have a threshold.")
	}
	return ps
}

func (ps *Problems) checkWebhookURL(field, text string) {
	if isBlank(text) {
		ps.add(field, ErrorMissing, "The address that events are sent to is required.")
		return
	}
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Hostname() == "":
		ps.add(field, ErrorInvalid, "Must be a web address such as https://example.com/events.")
	case address.Scheme != "https":
		ps.add(field, ErrorInvalid, "Must start with https:// because events are only sent over encrypted connections.")
	}
}

// CheckWebhookLimit reports whether one more webhook of a trigger is too many.
func CheckWebhookLimit(trigger Trigger, existing int) Problems {
	var ps Problems
	if trigger.HasThreshold() && existing >= MaxThresholdWebhooks {
		ps.add("trigger", ErrorInvalid, "The limit of %d webhooks for trigger %d (%s) is reached. Delete one first.",
			existing, trigger, trigger.Name())
	}
	return ps
}

// ThresholdMet reports whether a value meets a webhook's threshold: an ETA in seconds or a distance in meters at or
// below it, a delay in seconds at or above it.
func ThresholdMet(trigger Trigger, measure, threshold float64) bool {
	switch trigger {
	case TriggerTaskETA, TriggerTaskArrival:
		return measure <= threshold
	case TriggerTaskDelayed:
		return measure >= threshold
	default:
		return false
	}
}

// ThresholdFiring decides whether a webhook with a threshold fires for a task.
type ThresholdFiring struct {
	Trigger   Trigger
	Threshold float64
	// Measure is the ETA, distance or delay now.
	Measure float64
	State   TaskState
	// FiredForTask says that the webhook has already fired for the task.
	FiredForTask bool
}

// ShouldFire reports whether the webhook fires now: once per task, while it is active. The interface also limits it to
// once every 30 seconds. That can only mean one task, where firing once satisfies it: applied to all tasks it would
// delay most arrivals in a busy hour.
func (f ThresholdFiring) ShouldFire() bool {
	return !f.FiredForTask && f.State == TaskActive && ThresholdMet(f.Trigger, f.Measure, f.Threshold)
}

// NextDelivery returns when a delivery is retried after a number of failed attempts, and whether it is.
func NextDelivery(first Millis, attempts int) (Millis, bool) {
	if attempts < 1 || attempts >= MaxWebhookAttempts {
		return 0, false
	}
	return first.Add(time.Duration(attempts) * WebhookRetryInterval), true
}

// DisablesWebhook reports whether a webhook has failed so often in a row that it is switched off.
func DisablesWebhook(failuresInARow int) bool { return failuresInARow > MaxWebhookFailures }

// IsDelivered reports whether an answer counts as success: only 200 does.
func IsDelivered(httpStatus int) bool { return httpStatus == 200 }

// CompletionTrigger returns the trigger that the end of a task fires.
func CompletionTrigger(success bool) Trigger {
	if success {
		return TriggerTaskCompleted
	}
	return TriggerTaskFailed
}
