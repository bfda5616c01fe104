package model

// Forms of a route's end.
const (
	RouteEndTeamHub       = "teams://DEFAULT"
	RouteEndWorkerAddress = "workers://ROUTING_ADDRESS"
	RouteEndHubPrefix     = "hub://"
)

// DispatchRequest asks for a team's tasks to be planned onto its workers. Windows are in seconds, unlike every
// other time of the interface.
type DispatchRequest struct {
	MaxTasksPerRoute   Opt[Int]             `json:"maxTasksPerRoute,omitzero"`
	TaskTimeWindow     Opt[[]UnixSeconds]   `json:"taskTimeWindow,omitzero"`
	ScheduleTimeWindow Opt[[]UnixSeconds]   `json:"scheduleTimeWindow,omitzero"`
	ServiceTime        Opt[Int]             `json:"serviceTime,omitzero"`
	RouteEnd           Opt[string]          `json:"routeEnd,omitzero"`
	MaxAllowedDelay    Opt[Int]             `json:"maxAllowedDelay,omitzero"`
	Filters            Opt[DispatchFilters] `json:"filters,omitzero"`
	Extra              Extra                `json:",embed"`
}

// DispatchFilters limit who takes part.
type DispatchFilters struct {
	Workers Opt[WorkerFilters] `json:"workers,omitzero"`
	Extra   Extra              `json:",embed"`
}

// WorkerFilters limit the workers of a dispatch.
type WorkerFilters struct {
	MaxContainerSize Opt[Int]         `json:"maxContainerSize,omitzero"`
	VehicleType      Opt[VehicleType] `json:"vehicleType,omitzero"`
	Extra            Extra            `json:",embed"`
}

// DispatchAccepted is the answer to a dispatch request.
type DispatchAccepted struct {
	DispatchID ID    `json:"dispatchId"`
	Extra      Extra `json:",embed"`
}

// Dispatch is a planned dispatch as autoDispatchJobCompleted carries it.
type Dispatch struct {
	ID                ID                 `json:"id"`
	Organization      ID                 `json:"organization"`
	Team              ID                 `json:"team"`
	Options           Raw                `json:"options,omitzero"`
	Tasks             []DispatchTask     `json:"tasks"`
	Plan              DispatchPlan       `json:"plan"`
	ProcessingDetails DispatchProcessing `json:"processingDetails"`
	Extra             Extra              `json:",embed"`
}

// DispatchTask is a task that a dispatch considered.
type DispatchTask struct {
	ID                   ID          `json:"id"`
	ShortID              ShortID     `json:"shortId"`
	PickupTask           bool        `json:"pickupTask"`
	CompleteAfter        Opt[Millis] `json:"completeAfter,omitzero"`
	CompleteBefore       Opt[Millis] `json:"completeBefore,omitzero"`
	Quantity             float64     `json:"quantity"`
	AdditionalQuantities Quantities  `json:"additionalQuantities"`
	Extra                Extra       `json:",embed"`
}

// DispatchPlan is who goes where, and what no one could take.
type DispatchPlan struct {
	Routes    []DispatchRoute `json:"routes"`
	Unplanned []Unplanned     `json:"unplanned"`
	Extra     Extra           `json:",embed"`
}

// DispatchRoute is the route of one worker; RouteID is the worker's id.
type DispatchRoute struct {
	RouteID ID             `json:"routeId"`
	Type    string         `json:"type"`
	Stops   []DispatchStop `json:"stops"`
	Extra   Extra          `json:",embed"`
}

// DispatchStop is a task on a route.
type DispatchStop struct {
	ID          ID     `json:"id"`
	Type        string `json:"type"`
	ArrivalTime Millis `json:"arrivalTime"`
	DepartTime  Millis `json:"departTime"`
	Extra       Extra  `json:",embed"`
}

// Unplanned is a task that a dispatch left out, with the reason where the service gives one.
type Unplanned struct {
	ID     ID          `json:"id"`
	Reason Opt[string] `json:"reason,omitzero"`
	Extra  Extra       `json:",embed"`
}

// DispatchProcessing is when and how a dispatch ran.
type DispatchProcessing struct {
	StartTime Millis      `json:"startTime"`
	EndTime   Opt[Millis] `json:"endTime,omitzero"`
	Status    string      `json:"status"`
	Extra     Extra       `json:",embed"`
}

// States of a dispatch job.
const (
	DispatchRunning   = "running"
	DispatchSucceeded = "success"
	DispatchFailed    = "failed"
)

// DispatchJob is a dispatch as it runs and when it has run.
type DispatchJob struct {
	ID            ID                    `json:"id"`
	Organization  ID                    `json:"organization"`
	Team          ID                    `json:"team"`
	Status        string                `json:"status"`
	ActionContext Opt[ActionContext]    `json:"actionContext,omitzero"`
	TimeCreated   Millis                `json:"timeCreated"`
	TimeFinished  Opt[Millis]           `json:"timeFinished,omitzero"`
	Progress      Opt[DispatchProgress] `json:"progress,omitzero"`
	Dispatch      Opt[Dispatch]         `json:"dispatch,omitzero"`
	// Reason is why a failed dispatch failed, or why the last attempt at a running one did.
	Reason Opt[string] `json:"reason,omitzero"`
	Extra  Extra       `json:",embed"`
}

// DispatchProgress is how far a running dispatch has come.
type DispatchProgress struct {
	// Fraction is the part of the search's budget that is used, from 0 to 1.
	Fraction  float64 `json:"fraction"`
	Planned   Int     `json:"planned"`
	Unplanned Int     `json:"unplanned"`
	Lateness  Seconds `json:"lateness"`
	Extra     Extra   `json:",embed"`
}
