package model

// RoutePlan is a route planned in advance. It is not part of the core interface.
type RoutePlan struct {
	ID                   ID               `json:"id"`
	ShortID              ShortID          `json:"shortId"`
	Name                 string           `json:"name"`
	State                string           `json:"state"`
	Color                Opt[string]      `json:"color,omitzero"`
	Tasks                []ID             `json:"tasks"`
	TaskStates           Opt[[]TaskState] `json:"taskStates,omitzero"`
	Organization         ID               `json:"organization"`
	Team                 Opt[ID]          `json:"team,omitzero"`
	Worker               Opt[ID]          `json:"worker,omitzero"`
	VehicleType          Opt[VehicleType] `json:"vehicleType,omitzero"`
	StartTime            Opt[Millis]      `json:"startTime,omitzero"`
	EndTime              Opt[Millis]      `json:"endTime,omitzero"`
	ActualStartTime      Opt[Millis]      `json:"actualStartTime,omitzero"`
	ActualEndTime        Opt[Millis]      `json:"actualEndTime,omitzero"`
	StartAt              Opt[string]      `json:"startAt,omitzero"`
	EndAt                Opt[string]      `json:"endAt,omitzero"`
	StartingHubID        Opt[ID]          `json:"startingHubId,omitzero"`
	EndingHubID          Opt[ID]          `json:"endingHubId,omitzero"`
	TimeCreated          Millis           `json:"timeCreated"`
	TimeLastModified     Millis           `json:"timeLastModified"`
	Timezone             Opt[string]      `json:"timezone,omitzero"`
	PlannedDistance      Opt[float64]     `json:"plannedDistance,omitzero"`
	PlannedDuration      Opt[Seconds]     `json:"plannedDuration,omitzero"`
	IsOverdue            Opt[bool]        `json:"isOverdue,omitzero"`
	Status               Opt[string]      `json:"status,omitzero"`
	StatusTimeDifference Opt[Raw]         `json:"statusTimeDifference,omitzero"`
	Extra                Extra            `json:",embed"`
}

// RoutePlanInput is the body that creates or updates a route plan.
type RoutePlanInput struct {
	Name          Opt[string]      `json:"name,omitzero"`
	StartTime     Opt[Millis]      `json:"startTime,omitzero"`
	EndTime       Opt[Millis]      `json:"endTime,omitzero"`
	Tasks         Opt[[]ID]        `json:"tasks,omitzero"`
	Color         Opt[string]      `json:"color,omitzero"`
	VehicleType   Opt[VehicleType] `json:"vehicleType,omitzero"`
	Worker        Opt[ID]          `json:"worker,omitzero"`
	Team          Opt[ID]          `json:"team,omitzero"`
	StartAt       Opt[string]      `json:"startAt,omitzero"`
	EndAt         Opt[string]      `json:"endAt,omitzero"`
	StartingHubID Opt[ID]          `json:"startingHubId,omitzero"`
	EndingHubID   Opt[ID]          `json:"endingHubId,omitzero"`
	Timezone      Opt[string]      `json:"timezone,omitzero"`
	Extra         Extra            `json:",embed"`
}
