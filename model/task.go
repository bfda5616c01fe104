package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Task is a pickup or a drop-off.
type Task struct {
	ID                           ID                      `json:"id"`
	TimeCreated                  Millis                  `json:"timeCreated"`
	TimeLastModified             Millis                  `json:"timeLastModified"`
	Organization                 ID                      `json:"organization"`
	ShortID                      ShortID                 `json:"shortId"`
	OrderShortID                 Opt[ShortID]            `json:"orderShortId,omitzero"`
	TrackingURL                  string                  `json:"trackingURL"`
	Worker                       Opt[ID]                 `json:"worker,omitzero"`
	Merchant                     ID                      `json:"merchant"`
	Executor                     ID                      `json:"executor"`
	Creator                      ID                      `json:"creator"`
	Dependencies                 []ID                    `json:"dependencies"`
	State                        TaskState               `json:"state"`
	CompleteAfter                Opt[Millis]             `json:"completeAfter,omitzero"`
	CompleteBefore               Opt[Millis]             `json:"completeBefore,omitzero"`
	PickupTask                   bool                    `json:"pickupTask"`
	Type                         Opt[Int]                `json:"type,omitzero"`
	Notes                        string                  `json:"notes"`
	CompletionDetails            CompletionDetails       `json:"completionDetails"`
	Feedback                     []Feedback              `json:"feedback"`
	Metadata                     []Metadata              `json:"metadata"`
	Overrides                    TaskOverrides           `json:"overrides"`
	Quantity                     float64                 `json:"quantity"`
	AdditionalQuantities         Quantities              `json:"additionalQuantities"`
	ServiceTime                  Minutes                 `json:"serviceTime"`
	Barcodes                     Opt[Barcodes]           `json:"barcodes,omitzero"`
	Identity                     Identity                `json:"identity"`
	Appearance                   Appearance              `json:"appearance"`
	ScanOnlyRequiredBarcodes     bool                    `json:"scanOnlyRequiredBarcodes"`
	CustomFields                 Opt[[]CustomFieldValue] `json:"customFields,omitzero"`
	CustomRequirements           Opt[[]Raw]              `json:"customRequirements,omitzero"`
	BulkTasks                    Opt[[]Raw]              `json:"bulkTasks,omitzero"`
	Requirements                 Opt[Requirements]       `json:"requirements,omitzero"`
	Container                    Opt[ContainerRef]       `json:"container,omitzero"`
	RoutePlan                    Opt[ID]                 `json:"routePlan,omitzero"`
	TrackingViewed               bool                    `json:"trackingViewed"`
	Recipients                   []IDOr[Recipient]       `json:"recipients"`
	Destination                  IDOr[Destination]       `json:"destination"`
	EstimatedCompletionTime      Opt[Millis]             `json:"estimatedCompletionTime,omitzero"`
	EstimatedArrivalTime         Opt[Millis]             `json:"estimatedArrivalTime,omitzero"`
	ETA                          Opt[Seconds]            `json:"eta,omitzero"`
	DelayTime                    Opt[Seconds]            `json:"delayTime,omitzero"`
	DidAutoAssign                Opt[bool]               `json:"didAutoAssign,omitzero"`
	SourceTaskID                 Opt[ID]                 `json:"sourceTaskId,omitzero"`
	AssignmentHistory            Opt[[]AssignmentEntry]  `json:"assignmentHistory,omitzero"`
	GeofenceAttempts             Opt[[]GeofenceAttempt]  `json:"geofenceAttempts,omitzero"`
	CompletedWithGeofenceWarning Opt[bool]               `json:"completedWithGeofenceWarning,omitzero"`
	Extra                        Extra                   `json:",embed"`
}

// TaskOverrides are what a task changes about its recipient, for itself only; null when unset.
type TaskOverrides struct {
	RecipientSkipSMSNotifications Opt[bool]   `json:"recipientSkipSMSNotifications,omitzero"`
	RecipientNotes                Opt[string] `json:"recipientNotes,omitzero"`
	RecipientName                 Opt[string] `json:"recipientName,omitzero"`
	UseMerchantForProxy           Opt[Raw]    `json:"useMerchantForProxy,omitzero"`
	Extra                         Extra       `json:",embed"`
}

// Quantities are the three further dimensions of a load.
type Quantities struct {
	A     float64 `json:"quantityA"`
	B     float64 `json:"quantityB"`
	C     float64 `json:"quantityC"`
	Extra Extra   `json:",embed"`
}

// Barcodes are what must be scanned and what was.
type Barcodes struct {
	Required []RequiredBarcode `json:"required"`
	Captured []CapturedBarcode `json:"captured"`
	Extra    Extra             `json:",embed"`
}

// RequiredBarcode is a barcode that the worker is asked to scan.
type RequiredBarcode struct {
	Data            Opt[string] `json:"data,omitzero"`
	BlockCompletion bool        `json:"blockCompletion"`
	ID              Opt[ID]     `json:"id,omitzero"`
	Extra           Extra       `json:",embed"`
}

// UnmarshalJSONFrom implements the codec's interface. Null is refused: as an empty barcode it would require a scan that
// nobody wanted.
func (b *RequiredBarcode) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if kind := dec.PeekKind(); kind == jsontext.KindNull {
		return wrongKindError("an object", kind)
	}
	type members RequiredBarcode // without this method
	return json.UnmarshalDecode(dec, (*members)(b))
}

// CapturedBarcode is a barcode that the worker scanned.
type CapturedBarcode struct {
	ID           Opt[ID]            `json:"id,omitzero"`
	Symbology    Opt[string]        `json:"symbology,omitzero"`
	Data         string             `json:"data"`
	Location     Opt[MaybeLocation] `json:"location,omitzero"`
	Time         Opt[Millis]        `json:"time,omitzero"`
	WasRequested Opt[bool]          `json:"wasRequested,omitzero"`
	Extra        Extra              `json:",embed"`
}

// Identity is the state of an identity check.
type Identity struct {
	FailedScanCount Int      `json:"failedScanCount"`
	Checksum        Opt[Raw] `json:"checksum,omitzero"`
	Extra           Extra    `json:",embed"`
}

// Appearance is how a task is drawn on a map.
type Appearance struct {
	TriangleColor Opt[Int] `json:"triangleColor,omitzero"`
	Extra         Extra    `json:",embed"`
}

// Requirements are what a worker must provide to complete a task.
type Requirements struct {
	Signature  Opt[bool] `json:"signature,omitzero"`
	Notes      Opt[bool] `json:"notes,omitzero"`
	Photo      Opt[bool] `json:"photo,omitzero"`
	MinimumAge Opt[Int]  `json:"minimumAge,omitzero"`
	Extra      Extra     `json:",embed"`
}

// Text lists the requirements in words: "signature, age 18".
func (r Requirements) Text() string {
	var needs []string
	for _, need := range []struct {
		name   string
		wanted Opt[bool]
	}{{"signature", r.Signature}, {"photo", r.Photo}, {"notes", r.Notes}} {
		if need.wanted.Value() {
			needs = append(needs, need.name)
		}
	}
	if age := r.MinimumAge.Value(); age > 0 {
		needs = append(needs, fmt.Sprintf("age %d", age))
	}
	return strings.Join(needs, ", ")
}

// Feedback is a recipient's rating and comment.
type Feedback struct {
	Rating   Opt[Int]    `json:"rating,omitzero"`
	Comments Opt[string] `json:"comments,omitzero"`
	Time     Opt[Millis] `json:"time,omitzero"`
	Extra    Extra       `json:",embed"`
}

// ActionContext says who caused a change: an administrator, an API key or a worker.
type ActionContext struct {
	Type          string  `json:"type"`
	ID            ID      `json:"id"`
	APIKeyScopeID Opt[ID] `json:"apiKeyScopeId,omitzero"`
	Extra         Extra   `json:",embed"`
}

// AssignmentEntry is one container in a task's assignment history.
type AssignmentEntry struct {
	ActionContext        Opt[ActionContext] `json:"actionContext,omitzero"`
	ContainerDescription ContainerRef       `json:"containerDescription"`
	Time                 Millis             `json:"time"`
	Extra                Extra              `json:",embed"`
}

// GeofenceAttempt is an attempt to complete a task away from its destination: 1 warned, 2 blocked.
type GeofenceAttempt struct {
	Type      Int           `json:"type"`
	Location  MaybeLocation `json:"location"`
	Timestamp Millis        `json:"timestamp"`
	Extra     Extra         `json:",embed"`
}

// CompletionDetails describe how a task was carried out.
type CompletionDetails struct {
	Events                 []CompletionEvent `json:"events"`
	FailureReason          string            `json:"failureReason"`
	FailureNotes           string            `json:"failureNotes"`
	SuccessNotes           string            `json:"successNotes"`
	Notes                  string            `json:"notes"`
	Time                   Opt[Millis]       `json:"time,omitzero"`
	Success                Opt[bool]         `json:"success,omitzero"`
	SignatureUploadID      Opt[string]       `json:"signatureUploadId,omitzero"`
	SignatureText          Opt[string]       `json:"signatureText,omitzero"`
	PhotoUploadID          Opt[string]       `json:"photoUploadId,omitzero"`
	PhotoUploadIDs         Opt[[]string]     `json:"photoUploadIds,omitzero"`
	FirstLocation          MaybeLocation     `json:"firstLocation"`
	LastLocation           MaybeLocation     `json:"lastLocation"`
	Distance               Opt[float64]      `json:"distance,omitzero"`
	Actions                []Raw             `json:"actions"`
	UnavailableAttachments []Raw             `json:"unavailableAttachments"`
	Extra                  Extra             `json:",embed"`
}

// Names of completion events.
const (
	EventStart     = "start"
	EventArrival   = "arrival"
	EventDeparture = "departure"
)

// FailureNone is the failureReason of a task that has not failed.
const FailureNone = "NONE"

// CompletionEvent is a moment of a task's execution.
type CompletionEvent struct {
	Name     string             `json:"name"`
	Time     Millis             `json:"time"`
	Location Opt[MaybeLocation] `json:"location,omitzero"`
	Extra    Extra              `json:",embed"`
}
