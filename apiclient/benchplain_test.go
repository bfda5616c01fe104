package apiclient_test

import stdjson "encoding/json"

// The types of this file are the task as one would write it for encoding/json: the measure for the codec of model.

type plainPage struct {
	LastID *string     `json:"lastId"`
	Tasks  []plainTask `json:"tasks"`
}

type plainTask struct {
	ID               string   `json:"id"`
	TimeCreated      int64    `json:"timeCreated"`
	TimeLastModified int64    `json:"timeLastModified"`
	Organization     string   `json:"organization"`
	ShortID          string   `json:"shortId"`
	OrderShortID     *string  `json:"orderShortId"`
	TrackingURL      string   `json:"trackingURL"`
	Worker           *string  `json:"worker"`
	Merchant         string   `json:"merchant"`
	Executor         string   `json:"executor"`
	Creator          string   `json:"creator"`
	Dependencies     []string `json:"dependencies"`
	State            int      `json:"state"`
	CompleteAfter    *int64   `json:"completeAfter"`
	CompleteBefore   *int64   `json:"completeBefore"`
	PickupTask       bool     `json:"pickupTask"`
	Type             *int64   `json:"type"`
	Notes            string   `json:"notes"`

	CompletionDetails struct {
		Events []struct {
			Name     string    `json:"name"`
			Time     int64     `json:"time"`
			Location []float64 `json:"location"`
		} `json:"events"`
		FailureReason          string               `json:"failureReason"`
		FailureNotes           string               `json:"failureNotes"`
		SuccessNotes           string               `json:"successNotes"`
		Notes                  string               `json:"notes"`
		Time                   *int64               `json:"time"`
		Success                *bool                `json:"success"`
		SignatureUploadID      *string              `json:"signatureUploadId"`
		PhotoUploadID          *string              `json:"photoUploadId"`
		PhotoUploadIDs         []string             `json:"photoUploadIds"`
		FirstLocation          []float64            `json:"firstLocation"`
		LastLocation           []float64            `json:"lastLocation"`
		Distance               *float64             `json:"distance"`
		Actions                []stdjson.RawMessage `json:"actions"`
		UnavailableAttachments []stdjson.RawMessage `json:"unavailableAttachments"`
	} `json:"completionDetails"`
	Feedback  []stdjson.RawMessage `json:"feedback"`
	Metadata  []plainMetadata      `json:"metadata"`
	Overrides struct {
		RecipientSkipSMSNotifications *bool              `json:"recipientSkipSMSNotifications"`
		RecipientNotes                *string            `json:"recipientNotes"`
		RecipientName                 *string            `json:"recipientName"`
		UseMerchantForProxy           stdjson.RawMessage `json:"useMerchantForProxy"`
	} `json:"overrides"`
	Quantity             float64            `json:"quantity"`
	AdditionalQuantities map[string]float64 `json:"additionalQuantities"`
	ServiceTime          float64            `json:"serviceTime"`
	Barcodes             *struct {
		Required []struct {
			Data            string `json:"data"`
			BlockCompletion bool   `json:"blockCompletion"`
			ID              string `json:"id"`
		} `json:"required"`
		Captured []stdjson.RawMessage `json:"captured"`
	} `json:"barcodes"`
	Identity struct {
		FailedScanCount int                `json:"failedScanCount"`
		Checksum        stdjson.RawMessage `json:"checksum"`
	} `json:"identity"`
	Appearance struct {
		TriangleColor *int `json:"triangleColor"`
	} `json:"appearance"`
	ScanOnlyRequiredBarcodes bool               `json:"scanOnlyRequiredBarcodes"`
	CustomFields             []plainCustomField `json:"customFields"`
	Requirements             map[string]any     `json:"requirements"`
	Container                map[string]string  `json:"container"`
	TrackingViewed           bool               `json:"trackingViewed"`
	Recipients               []plainRecipient   `json:"recipients"`
	Destination              plainDestination   `json:"destination"`
	EstimatedCompletionTime  *int64             `json:"estimatedCompletionTime"`
	EstimatedArrivalTime     *int64             `json:"estimatedArrivalTime"`
	ETA                      *float64           `json:"eta"`
	DelayTime                *float64           `json:"delayTime"`
	GeofenceAttempts         []plainGeofence    `json:"geofenceAttempts"`
	CompletedWithWarning     *bool              `json:"completedWithGeofenceWarning"`
}

type plainGeofence struct {
	Type      int       `json:"type"`
	Location  []float64 `json:"location"`
	Timestamp int64     `json:"timestamp"`
}

type plainMetadata struct {
	Name       string             `json:"name"`
	Type       string             `json:"type"`
	Visibility []string           `json:"visibility"`
	Value      stdjson.RawMessage `json:"value"`
}

type plainCustomField struct {
	Description string               `json:"description"`
	AsArray     bool                 `json:"asArray"`
	Visibility  []string             `json:"visibility"`
	Editability []string             `json:"editability"`
	Key         string               `json:"key"`
	Name        string               `json:"name"`
	Type        string               `json:"type"`
	Contexts    []stdjson.RawMessage `json:"contexts"`
	Value       stdjson.RawMessage   `json:"value"`
}

type plainRecipient struct {
	ID                   string          `json:"id"`
	Organization         string          `json:"organization"`
	TimeCreated          int64           `json:"timeCreated"`
	TimeLastModified     int64           `json:"timeLastModified"`
	Name                 string          `json:"name"`
	Phone                string          `json:"phone"`
	Notes                string          `json:"notes"`
	SkipSMSNotifications bool            `json:"skipSMSNotifications"`
	Metadata             []plainMetadata `json:"metadata"`
}

type plainDestination struct {
	ID               string            `json:"id"`
	TimeCreated      int64             `json:"timeCreated"`
	TimeLastModified int64             `json:"timeLastModified"`
	Location         []float64         `json:"location"`
	Address          map[string]string `json:"address"`
	Notes            string            `json:"notes"`
	Metadata         []plainMetadata   `json:"metadata"`
	GooglePlaceID    *string           `json:"googlePlaceId"`
	Warnings         []string          `json:"warnings"`
	UseGPS           *bool             `json:"useGPS"`
}
