package model

// Worker is a driver.
type Worker struct {
	ID                              ID                   `json:"id"`
	TimeCreated                     Millis               `json:"timeCreated"`
	TimeLastModified                Millis               `json:"timeLastModified"`
	Organization                    ID                   `json:"organization"`
	Name                            string               `json:"name"`
	DisplayName                     Opt[string]          `json:"displayName,omitzero"`
	Phone                           string               `json:"phone"`
	ActiveTask                      Opt[ID]              `json:"activeTask,omitzero"`
	Tasks                           []ID                 `json:"tasks"`
	OnDuty                          bool                 `json:"onDuty"`
	TimeLastSeen                    Opt[Millis]          `json:"timeLastSeen,omitzero"`
	Capacity                        float64              `json:"capacity"`
	AdditionalCapacities            Opt[Capacities]      `json:"additionalCapacities,omitzero"`
	UserData                        Opt[UserData]        `json:"userData,omitzero"`
	AccountStatus                   string               `json:"accountStatus"`
	Metadata                        []Metadata           `json:"metadata"`
	ImageURL                        Opt[string]          `json:"imageUrl,omitzero"`
	Teams                           []ID                 `json:"teams"`
	DelayTime                       Opt[Seconds]         `json:"delayTime,omitzero"`
	Vehicle                         Opt[Vehicle]         `json:"vehicle,omitzero"`
	Location                        Opt[Location]        `json:"location,omitzero"`
	Timezone                        Opt[string]          `json:"timezone,omitzero"`
	Addresses                       Opt[WorkerAddresses] `json:"addresses,omitzero"`
	HasRecentlyUsedSpoofedLocations Opt[bool]            `json:"hasRecentlyUsedSpoofedLocations,omitzero"`
	IsResponding                    Opt[bool]            `json:"isResponding,omitzero"`
	Password                        Opt[PasswordDetails] `json:"password,omitzero"`
	Analytics                       Opt[WorkerAnalytics] `json:"analytics,omitzero"`
	Extra                           Extra                `json:",embed"`
}

// Account states of a worker.
const (
	AccountInvited  = "INVITED"
	AccountAccepted = "ACCEPTED"
)

// Capacities are the three further dimensions of what a worker can carry.
type Capacities struct {
	A     float64 `json:"capacityA"`
	B     float64 `json:"capacityB"`
	C     float64 `json:"capacityC"`
	Extra Extra   `json:",embed"`
}

// UserData is what the driver's device says of itself.
type UserData struct {
	AppVersion        Opt[string]  `json:"appVersion,omitzero"`
	BatteryLevel      Opt[float64] `json:"batteryLevel,omitzero"`
	DeviceDescription Opt[string]  `json:"deviceDescription,omitzero"`
	Platform          Opt[string]  `json:"platform,omitzero"`
	Extra             Extra        `json:",embed"`
}

// WorkerAddresses holds the address that routes may end at: an id, a whole destination, or null.
type WorkerAddresses struct {
	Routing Opt[IDOr[Destination]] `json:"routing,omitzero"`
	Extra   Extra                  `json:",embed"`
}

// PasswordDetails say whether a worker still has the temporary password of the invitation.
type PasswordDetails struct {
	IsPermanent bool        `json:"isPermanent"`
	Value       Opt[string] `json:"value,omitzero"`
	Extra       Extra       `json:",embed"`
}

// WorkerAnalytics is what a worker did in a span of time.
type WorkerAnalytics struct {
	Events     []WorkerEvent `json:"events"`
	Distances  EnrouteIdle   `json:"distances"`
	Times      EnrouteIdle   `json:"times"`
	TaskCounts TaskCounts    `json:"taskCounts"`
	Extra      Extra         `json:",embed"`
}

// WorkerEvent is a change of a worker's duty.
type WorkerEvent struct {
	Action string `json:"action"`
	Time   Millis `json:"time"`
	Extra  Extra  `json:",embed"`
}

// EnrouteIdle splits meters or seconds into travelling and standing.
type EnrouteIdle struct {
	Enroute float64 `json:"enroute"`
	Idle    float64 `json:"idle"`
	Extra   Extra   `json:",embed"`
}

// TaskCounts are completed tasks by outcome.
type TaskCounts struct {
	Succeeded Int   `json:"succeeded"`
	Failed    Int   `json:"failed"`
	Extra     Extra `json:",embed"`
}

// VehicleType is what a worker drives; no vehicle means on foot.
type VehicleType string

// Vehicle types.
const (
	VehicleCar        VehicleType = "CAR"
	VehicleMotorcycle VehicleType = "MOTORCYCLE"
	VehicleBicycle    VehicleType = "BICYCLE"
	VehicleTruck      VehicleType = "TRUCK"
)

// Vehicle is what a worker drives.
type Vehicle struct {
	ID               Opt[ID]     `json:"id,omitzero"`
	Type             VehicleType `json:"type"`
	Description      Opt[string] `json:"description,omitzero"`
	LicensePlate     Opt[string] `json:"licensePlate,omitzero"`
	Color            Opt[string] `json:"color,omitzero"`
	TimeLastModified Opt[Millis] `json:"timeLastModified,omitzero"`
	Extra            Extra       `json:",embed"`
}

// WorkerInput is the body that creates or updates a worker. The routing address is read from `addresses` and from
// `address`: the interface names one and shows the other.
type WorkerInput struct {
	Name                 Opt[string]               `json:"name,omitzero"`
	Phone                Opt[string]               `json:"phone,omitzero"`
	Teams                Opt[[]ID]                 `json:"teams,omitzero"`
	Vehicle              Opt[Vehicle]              `json:"vehicle,omitzero"`
	Capacity             Opt[float64]              `json:"capacity,omitzero"`
	DisplayName          Opt[string]               `json:"displayName,omitzero"`
	Addresses            Opt[WorkerAddressesInput] `json:"addresses,omitzero"`
	Address              Opt[WorkerAddressesInput] `json:"address,omitzero"`
	AdditionalCapacities Opt[CapacitiesInput]      `json:"additionalCapacities,omitzero"`
	Metadata             Opt[[]Metadata]           `json:"metadata,omitzero"`
	Timezone             Opt[string]               `json:"timezone,omitzero"`
	Extra                Extra                     `json:",embed"`
}

// WorkerAddressesInput is the routing address as it is sent.
type WorkerAddressesInput struct {
	Routing Opt[IDOr[DestinationInput]] `json:"routing,omitzero"`
	Extra   Extra                       `json:",embed"`
}

// Routing returns the routing address, wherever it was sent.
func (w WorkerInput) Routing() Opt[IDOr[DestinationInput]] {
	if addresses, ok := w.Addresses.Get(); ok && addresses.Routing.Present() {
		return addresses.Routing
	}
	return w.Address.Value().Routing
}

// CapacitiesInput are the further capacities as they are sent.
type CapacitiesInput struct {
	A     Opt[float64] `json:"capacityA,omitzero"`
	B     Opt[float64] `json:"capacityB,omitzero"`
	C     Opt[float64] `json:"capacityC,omitzero"`
	Extra Extra        `json:",embed"`
}

// WorkersNear is the answer to a search by location.
type WorkersNear struct {
	Workers []Worker `json:"workers"`
	Extra   Extra    `json:",embed"`
}

// Schedule is when a worker is meant to work.
type Schedule struct {
	Entries []ScheduleEntry `json:"entries"`
	Extra   Extra           `json:",embed"`
}

// ScheduleEntry is one day of a schedule.
type ScheduleEntry struct {
	Date     string      `json:"date"`
	Shifts   [][2]Millis `json:"shifts"`
	Timezone string      `json:"timezone"`
	Extra    Extra       `json:",embed"`
}
