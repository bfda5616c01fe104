package model

// Team is a group of workers with its own list of tasks.
type Team struct {
	ID                   ID              `json:"id"`
	Name                 string          `json:"name"`
	TimeCreated          Millis          `json:"timeCreated"`
	TimeLastModified     Millis          `json:"timeLastModified"`
	Workers              []ID            `json:"workers"`
	Managers             []ID            `json:"managers"`
	Hub                  Opt[ID]         `json:"hub,omitzero"`
	Tasks                []ID            `json:"tasks"`
	EnableSelfAssignment Opt[bool]       `json:"enableSelfAssignment,omitzero"`
	Metadata             Opt[[]Metadata] `json:"metadata,omitzero"`
	Extra                Extra           `json:",embed"`
}

// TeamInput is the body that creates or updates a team.
type TeamInput struct {
	Name                 Opt[string]     `json:"name,omitzero"`
	Workers              Opt[[]ID]       `json:"workers,omitzero"`
	Managers             Opt[[]ID]       `json:"managers,omitzero"`
	Hub                  Opt[ID]         `json:"hub,omitzero"`
	EnableSelfAssignment Opt[bool]       `json:"enableSelfAssignment,omitzero"`
	Metadata             Opt[[]Metadata] `json:"metadata,omitzero"`
	Extra                Extra           `json:",embed"`
}

// TeamEstimate is who of a team could serve a place, and when.
type TeamEstimate struct {
	WorkerID ID             `json:"workerId"`
	Vehicle  Opt[Raw]       `json:"vehicle,omitzero"`
	Steps    []EstimateStep `json:"steps"`
	Extra    Extra          `json:",embed"`
}

// EstimateStep is one stop of an estimate; its times are in seconds.
type EstimateStep struct {
	Location       Location    `json:"location"`
	TravelTime     Seconds     `json:"travelTime"`
	Distance       float64     `json:"distance"`
	ServiceTime    Seconds     `json:"serviceTime"`
	ArrivalTime    UnixSeconds `json:"arrivalTime"`
	CompletionTime UnixSeconds `json:"completionTime"`
	Extra          Extra       `json:",embed"`
}

// Hub is a depot.
type Hub struct {
	ID       ID          `json:"id"`
	Name     string      `json:"name"`
	Location Location    `json:"location"`
	Address  Address     `json:"address"`
	Teams    []ID        `json:"teams"`
	Phone    Opt[string] `json:"phone,omitzero"`
	Extra    Extra       `json:",embed"`
}

// HubInput is the body that creates or updates a hub.
type HubInput struct {
	Name     Opt[string]       `json:"name,omitzero"`
	Address  Opt[AddressInput] `json:"address,omitzero"`
	Location Opt[Location]     `json:"location,omitzero"`
	Teams    Opt[[]ID]         `json:"teams,omitzero"`
	Phone    Opt[string]       `json:"phone,omitzero"`
	Extra    Extra             `json:",embed"`
}

// Organization is the business that owns a key.
type Organization struct {
	ID                 ID          `json:"id"`
	Name               string      `json:"name"`
	Email              string      `json:"email"`
	Image              Opt[string] `json:"image,omitzero"`
	Timezone           string      `json:"timezone"`
	Country            string      `json:"country"`
	TimeCreated        Opt[Millis] `json:"timeCreated,omitzero"`
	TimeLastModified   Opt[Millis] `json:"timeLastModified,omitzero"`
	DriverSupportEmail Opt[string] `json:"driverSupportEmail,omitzero"`
	Delegatees         []ID        `json:"delegatees,omitzero"`
	IsFulfillment      Opt[bool]   `json:"isFulfillment,omitzero"`
	Extra              Extra       `json:",embed"`
}

// Admin is a person who administers an organization.
type Admin struct {
	ID               ID          `json:"id"`
	TimeCreated      Millis      `json:"timeCreated"`
	TimeLastModified Millis      `json:"timeLastModified"`
	Organization     ID          `json:"organization"`
	Email            string      `json:"email"`
	Type             string      `json:"type"`
	Name             string      `json:"name"`
	Phone            Opt[string] `json:"phone,omitzero"`
	IsActive         bool        `json:"isActive"`
	IsAccountOwner   bool        `json:"isAccountOwner"`
	IsReadOnly       bool        `json:"isReadOnly"`
	Teams            []ID        `json:"teams"`
	Metadata         []Metadata  `json:"metadata"`
	Extra            Extra       `json:",embed"`
}

// Greeting is the answer of the auth test.
type Greeting struct {
	Message string `json:"message"`
	Extra   Extra  `json:",embed"`
}

// AdminInput is the body that creates or updates an administrator.
type AdminInput struct {
	Name       Opt[string]     `json:"name,omitzero"`
	Email      Opt[string]     `json:"email,omitzero"`
	Phone      Opt[string]     `json:"phone,omitzero"`
	IsReadOnly Opt[bool]       `json:"isReadOnly,omitzero"`
	Type       Opt[string]     `json:"type,omitzero"`
	Metadata   Opt[[]Metadata] `json:"metadata,omitzero"`
	Extra      Extra           `json:",embed"`
}
