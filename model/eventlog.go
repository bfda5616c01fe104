package model

// LoggedEvent is an event in the service's log, which is an addition to the interface.
type LoggedEvent struct {
	ID            Int                `json:"id"`
	Time          Millis             `json:"time"`
	TriggerID     Trigger            `json:"triggerId"`
	TriggerName   string             `json:"triggerName"`
	TaskID        Opt[ID]            `json:"taskId,omitzero"`
	WorkerID      Opt[ID]            `json:"workerId,omitzero"`
	ActionContext Opt[ActionContext] `json:"actionContext,omitzero"`
	Deliveries    []Delivery         `json:"deliveries"`
	// Body is what webhooks received, or null when none listened.
	Body  Opt[Raw] `json:"body,omitzero"`
	Extra Extra    `json:",embed"`
}

// States of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryGivenUp   = "givenUp"
	DeliveryStopped   = "stopped"
)

// Delivery is the delivery of an event to a webhook.
type Delivery struct {
	ID       ID     `json:"id"`
	Webhook  ID     `json:"webhook"`
	State    string `json:"state"`
	Attempts Int    `json:"attempts"`
	// NextAttempt is when the delivery is retried; null when it is not.
	NextAttempt Opt[Millis] `json:"nextAttempt,omitzero"`
	// Outcome describes the result of the last attempt.
	Outcome string `json:"outcome"`
	Extra   Extra  `json:",embed"`
}

// EventLog is a page of the log, newest first. LastID is present when older events follow; pass it as `before`.
type EventLog struct {
	LastID Opt[Int]      `json:"lastId,omitzero"`
	Events []LoggedEvent `json:"events"`
	Extra  Extra         `json:",embed"`
}

// SampleEventInput requests a sample event. Trigger is an id or a name.
type SampleEventInput struct {
	Trigger Opt[Raw] `json:"trigger,omitzero"`
	TaskID  Opt[ID]  `json:"taskId,omitzero"`
	Extra   Extra    `json:",embed"`
}

// WebhookSecret is the key that an organization's events are signed with, in hex.
type WebhookSecret struct {
	Secret string `json:"secret"`
	Extra  Extra  `json:",embed"`
}
