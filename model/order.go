package model

import "github.com/go-json-experiment/json"

// Order is a pickup and a drop-off that belong together.
type Order struct {
	ID                     ID           `json:"id"`
	ShortID                ShortID      `json:"shortId"`
	TimeCreated            Millis       `json:"timeCreated"`
	TimeLastModified       Millis       `json:"timeLastModified"`
	Source                 string       `json:"source"`
	Events                 []Raw        `json:"events"`
	PickupTask             Task         `json:"pickupTask"`
	DropoffTask            Task         `json:"dropoffTask"`
	DeliveryService        Opt[string]  `json:"deliveryService,omitzero"`
	OrchestrationDetails   Opt[Raw]     `json:"orchestrationDetails,omitzero"`
	Price                  Opt[float64] `json:"price,omitzero"`
	PriceBreakdown         []PricePart  `json:"priceBreakdown"`
	Currency               Opt[string]  `json:"currency,omitzero"`
	DeliveryServiceInvoice Opt[Raw]     `json:"deliveryServiceInvoice,omitzero"`
	Status                 OrderStatus  `json:"status"`
	ClientID               Opt[ID]      `json:"clientId,omitzero"`
	CourierID              Opt[ID]      `json:"courierId,omitzero"`
	ClientName             Opt[string]  `json:"clientName,omitzero"`
	Extra                  Extra        `json:",embed"`
}

// OrderStatus is the status of an order. Unknown values are shown as they are.
type OrderStatus string

// Order stages.
const (
	OrderUnassigned OrderStatus = "unassigned"
	OrderAssigned   OrderStatus = "assigned"
	OrderActive     OrderStatus = "active"
	OrderCompleted  OrderStatus = "completed"
	OrderFailed     OrderStatus = "failed"
	OrderCancelled  OrderStatus = "cancelled"
	OrderRejected   OrderStatus = "rejected"
)

// Closed reports that nothing more happens to the order. An unknown status counts as open.
func (s OrderStatus) Closed() bool {
	return s == OrderCompleted || s == OrderFailed || s == OrderCancelled || s == OrderRejected
}

// PricePart is one line of a price.
type PricePart struct {
	Name       string  `json:"name"`
	RatingType string  `json:"ratingType"`
	IsBaseRate bool    `json:"isBaseRate"`
	Cost       float64 `json:"cost"`
	ID         Opt[ID] `json:"id,omitzero"`
	Extra      Extra   `json:",embed"`
}

// OrderInput is the body that creates or updates an order.
type OrderInput struct {
	PickupTask        Opt[OrderTaskInput] `json:"pickupTask,omitzero"`
	DropoffTask       Opt[OrderTaskInput] `json:"dropoffTask,omitzero"`
	DeliveryServiceID Opt[ID]             `json:"deliveryServiceId,omitzero"`
	ClientID          Opt[ID]             `json:"clientId,omitzero"`
	Extra             Extra               `json:",embed"`
}

// OrderTaskInput is one of the two tasks of an order as it is sent.
type OrderTaskInput struct {
	Destination    Opt[IDOr[DestinationInput]] `json:"destination,omitzero"`
	Recipient      Opt[IDOr[RecipientInput]]   `json:"recipient,omitzero"`
	Recipients     Opt[[]IDOr[RecipientInput]] `json:"recipients,omitzero"`
	Notes          Opt[string]                 `json:"notes,omitzero"`
	CompleteAfter  Opt[Millis]                 `json:"completeAfter,omitzero"`
	CompleteBefore Opt[Millis]                 `json:"completeBefore,omitzero"`
	Requirements   Opt[Requirements]           `json:"requirements,omitzero"`
	Quantity       Opt[float64]                `json:"quantity,omitzero"`
	ServiceTime    Opt[Minutes]                `json:"serviceTime,omitzero"`
	Metadata       Opt[[]Metadata]             `json:"metadata,omitzero"`
	Extra          Extra                       `json:",embed"`
}

// CancelOrders names the orders to cancel.
type CancelOrders struct {
	OrderIDs []ID  `json:"orderIds"`
	Extra    Extra `json:",embed"`
}

// OrdersCancelled is the answer to a cancellation.
type OrdersCancelled struct {
	Status             string `json:"status"`
	TotalOrdersRemoved Int    `json:"totalOrdersRemoved"`
	Extra              Extra  `json:",embed"`
}

// QuoteRequest asks what a delivery would cost.
type QuoteRequest struct {
	ReadyBy  Opt[Millis]     `json:"readyBy,omitzero"`
	DueBy    Opt[Millis]     `json:"dueBy,omitzero"`
	Quantity Opt[float64]    `json:"quantity,omitzero"`
	Weight   Opt[Weight]     `json:"weight,omitzero"`
	Pickup   Opt[QuotePlace] `json:"pickup,omitzero"`
	Dropoff  Opt[QuotePlace] `json:"dropoff,omitzero"`
	Extra    Extra           `json:",embed"`
}

// QuotePlace is where a quoted delivery starts or ends. The address is given as in a destination; clients send it
// under `address` or spread over the object itself.
type QuotePlace struct {
	Address  Opt[AddressInput] `json:"address,omitzero"`
	Location Opt[Location]     `json:"location,omitzero"`
	AddressParts
}

// UnmarshalJSON implements the codec's interface, with the parts beside an address in one line ignored as
// [AddressInput.UnmarshalJSON] does.
func (p *QuotePlace) UnmarshalJSON(data []byte) error {
	type members QuotePlace // without this method
	var all members
	err := json.Unmarshal(data, &all)
	if err == nil {
		*p = QuotePlace(all)
		return nil
	}
	var known struct {
		Address  Opt[AddressInput] `json:"address,omitzero"`
		Location Opt[Location]     `json:"location,omitzero"`
	}
	if line, ok := decodeUnparsedAddress(data); ok && json.Unmarshal(data, &known) == nil {
		*p = QuotePlace{Address: known.Address, Location: known.Location, AddressParts: AddressParts(line)}
		return nil
	}
	return err
}

// EffectiveAddress returns the address, wherever it was sent.
func (p QuotePlace) EffectiveAddress() AddressInput {
	if a, ok := p.Address.Get(); ok {
		return a
	}
	return AddressInput(p.AddressParts)
}

// Weight units.
const (
	UnitsKilograms = "kg"
	UnitsPounds    = "lbs"
)

// Weight is a mass with its unit.
type Weight struct {
	Value Opt[float64] `json:"value,omitzero"`
	Units string       `json:"units,omitzero"`
	Extra Extra        `json:",embed"`
}

// Quote is one service option with its price.
type Quote struct {
	ID                     ID          `json:"id"`
	RateID                 ID          `json:"rateId"`
	Organization           ID          `json:"organization"`
	DisplayName            string      `json:"displayName"`
	DueBy                  Millis      `json:"dueBy"`
	EstimatedCost          float64     `json:"estimatedCost"`
	EstimatedCostBreakdown []PricePart `json:"estimatedCostBreakdown"`
	Currency               string      `json:"currency"`
	Extra                  Extra       `json:",embed"`
}
