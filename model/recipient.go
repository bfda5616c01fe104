package model

// Recipient is the person at a destination.
type Recipient struct {
	ID                   ID         `json:"id"`
	Organization         ID         `json:"organization"`
	TimeCreated          Millis     `json:"timeCreated"`
	TimeLastModified     Millis     `json:"timeLastModified"`
	Name                 string     `json:"name"`
	Phone                string     `json:"phone"`
	Notes                string     `json:"notes"`
	SkipSMSNotifications bool       `json:"skipSMSNotifications"`
	UseLongCodeForText   Opt[bool]  `json:"useLongCodeForText,omitzero"`
	Metadata             []Metadata `json:"metadata"`
	Extra                Extra      `json:",embed"`
}

// RecipientInput is the body that creates or updates a recipient, alone or inside a task.
type RecipientInput struct {
	Name                      Opt[string]     `json:"name,omitzero"`
	Phone                     Opt[string]     `json:"phone,omitzero"`
	Notes                     Opt[string]     `json:"notes,omitzero"`
	SkipSMSNotifications      Opt[bool]       `json:"skipSMSNotifications,omitzero"`
	SkipPhoneNumberValidation Opt[bool]       `json:"skipPhoneNumberValidation,omitzero"`
	UseLongCodeForText        Opt[bool]       `json:"useLongCodeForText,omitzero"`
	Metadata                  Opt[[]Metadata] `json:"metadata,omitzero"`
	Extra                     Extra           `json:",embed"`
}
