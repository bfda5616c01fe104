package model

// TaskInput is the body that creates a task, alone or in a batch. An update takes the same names.
type TaskInput struct {
	Destination                   Opt[IDOr[DestinationInput]] `json:"destination,omitzero"`
	Recipients                    Opt[[]IDOr[RecipientInput]] `json:"recipients,omitzero"`
	Merchant                      Opt[ID]                     `json:"merchant,omitzero"`
	Executor                      Opt[ID]                     `json:"executor,omitzero"`
	CompleteAfter                 Opt[Millis]                 `json:"completeAfter,omitzero"`
	CompleteBefore                Opt[Millis]                 `json:"completeBefore,omitzero"`
	PickupTask                    Opt[bool]                   `json:"pickupTask,omitzero"`
	Type                          Opt[Int]                    `json:"type,omitzero"`
	Dependencies                  Opt[[]ID]                   `json:"dependencies,omitzero"`
	Notes                         Opt[string]                 `json:"notes,omitzero"`
	AutoAssign                    Opt[AutoAssign]             `json:"autoAssign,omitzero"`
	Container                     Opt[ContainerRef]           `json:"container,omitzero"`
	Quantity                      Opt[float64]                `json:"quantity,omitzero"`
	AdditionalQuantities          Opt[QuantitiesInput]        `json:"additionalQuantities,omitzero"`
	ServiceTime                   Opt[Minutes]                `json:"serviceTime,omitzero"`
	RecipientName                 Opt[string]                 `json:"recipientName,omitzero"`
	RecipientNotes                Opt[string]                 `json:"recipientNotes,omitzero"`
	RecipientSkipSMSNotifications Opt[bool]                   `json:"recipientSkipSMSNotifications,omitzero"`
	UseMerchantForProxy           Opt[bool]                   `json:"useMerchantForProxy,omitzero"`
	Requirements                  Opt[Requirements]           `json:"requirements,omitzero"`
	ScanOnlyRequiredBarcodes      Opt[bool]                   `json:"scanOnlyRequiredBarcodes,omitzero"`
	Barcode                       Opt[[]RequiredBarcode]      `json:"barcode,omitzero"`
	Barcodes                      Opt[[]RequiredBarcode]      `json:"barcodes,omitzero"`
	Appearance                    Opt[Appearance]             `json:"appearance,omitzero"`
	Metadata                      Opt[[]Metadata]             `json:"metadata,omitzero"`
	CustomFields                  Opt[[]CustomFieldInput]     `json:"customFields,omitzero"`
	Template                      Opt[ID]                     `json:"template,omitzero"`
	Extra                         Extra                       `json:",embed"`
}

// QuantitiesInput are the further load dimensions as they are sent.
type QuantitiesInput struct {
	A     Opt[float64] `json:"quantityA,omitzero"`
	B     Opt[float64] `json:"quantityB,omitzero"`
	C     Opt[float64] `json:"quantityC,omitzero"`
	Extra Extra        `json:",embed"`
}

// AutoAssign asks the service to choose a worker for a new task.
type AutoAssign struct {
	Mode                 string    `json:"mode,omitzero"`
	Team                 Opt[ID]   `json:"team,omitzero"`
	MaxAssignedTaskCount Opt[Int]  `json:"maxAssignedTaskCount,omitzero"`
	ConsiderDependencies Opt[bool] `json:"considerDependencies,omitzero"`
	ExcludedWorkerIDs    []ID      `json:"excludedWorkerIds,omitzero"`
	Extra                Extra     `json:",embed"`
}

// Ways of choosing a worker.
const (
	AutoAssignDistance = "distance"
	AutoAssignLoad     = "load"
)

// AutoAssignRequest asks the service to choose workers for tasks that exist.
type AutoAssignRequest struct {
	Tasks   []ID              `json:"tasks"`
	Options AutoAssignOptions `json:"options,omitzero"`
	Extra   Extra             `json:",embed"`
}

// AutoAssignOptions limit the choice of workers.
type AutoAssignOptions struct {
	Mode                         string    `json:"mode,omitzero"`
	Teams                        []ID      `json:"teams,omitzero"`
	MaxAssignedTaskCount         Opt[Int]  `json:"maxAssignedTaskCount,omitzero"`
	ConsiderDependencies         Opt[bool] `json:"considerDependencies,omitzero"`
	ExcludedWorkerIDs            []ID      `json:"excludedWorkerIds,omitzero"`
	RestrictAutoAssignmentToTeam Opt[bool] `json:"restrictAutoAssignmentToTeam,omitzero"`
	Extra                        Extra     `json:",embed"`
}

// AutoAssignResult says who got what.
type AutoAssignResult struct {
	AssignedTasksCount Int           `json:"assignedTasksCount"`
	AssignedTasks      AssignedTasks `json:"assignedTasks"`
	Extra              Extra         `json:",embed"`
}

// CloneRequest is the body of a clone. Clients send the flags under options or at the top level; both are read.
type CloneRequest struct {
	Options Opt[CloneOptions] `json:"options,omitzero"`
	CloneOptions
}

// Effective returns the options that apply, wherever they were sent.
func (r CloneRequest) Effective() CloneOptions {
	if o, ok := r.Options.Get(); ok {
		return o
	}
	return r.CloneOptions
}

// CloneOptions say what a clone copies and what it changes.
type CloneOptions struct {
	IncludeMetadata     Opt[bool]           `json:"includeMetadata,omitzero"`
	IncludeBarcodes     Opt[bool]           `json:"includeBarcodes,omitzero"`
	IncludeDependencies Opt[bool]           `json:"includeDependencies,omitzero"`
	Overrides           Opt[CloneOverrides] `json:"overrides,omitzero"`
	Extra               Extra               `json:",embed"`
}

// CloneOverrides replace parts of the source task in its clone.
type CloneOverrides struct {
	Destination    Opt[IDOr[DestinationInput]] `json:"destination,omitzero"`
	Recipients     Opt[[]IDOr[RecipientInput]] `json:"recipients,omitzero"`
	Notes          Opt[string]                 `json:"notes,omitzero"`
	PickupTask     Opt[bool]                   `json:"pickupTask,omitzero"`
	ServiceTime    Opt[Minutes]                `json:"serviceTime,omitzero"`
	Metadata       Opt[[]Metadata]             `json:"metadata,omitzero"`
	CompleteAfter  Opt[Millis]                 `json:"completeAfter,omitzero"`
	CompleteBefore Opt[Millis]                 `json:"completeBefore,omitzero"`
	Extra          Extra                       `json:",embed"`
}

// CompleteRequest completes a task from the dispatcher's side.
type CompleteRequest struct {
	CompletionDetails CompleteDetails `json:"completionDetails"`
	Extra             Extra           `json:",embed"`
}

// CompleteDetails are what a dispatcher can say of a completion.
type CompleteDetails struct {
	Success Opt[bool]   `json:"success,omitzero"`
	Notes   Opt[string] `json:"notes,omitzero"`
	Extra   Extra       `json:",embed"`
}

// TaskPage is one page of a task list. The list goes on as long as LastID is there, whatever the page's size.
type TaskPage struct {
	LastID Opt[ID] `json:"lastId,omitzero"`
	Tasks  []Task  `json:"tasks"`
	Extra  Extra   `json:",embed"`
}

// BatchRequest creates many unassigned tasks.
type BatchRequest struct {
	Tasks []TaskInput `json:"tasks"`
	Extra Extra       `json:",embed"`
}

// BatchAccepted is the answer to a batch request.
type BatchAccepted struct {
	Status string `json:"status"`
	JobID  ID     `json:"jobId"`
	Extra  Extra  `json:",embed"`
}

// Batch job states.
const (
	BatchPending             = "pending"
	BatchSucceeded           = "succeeded"
	BatchCompletedWithErrors = "completedWithErrors"
	BatchFailed              = "failed"
)

// BatchJob is the state of a batch.
type BatchJob struct {
	Status               string       `json:"status"`
	Submitted            string       `json:"submitted"`
	TasksReceived        Int          `json:"tasksReceived"`
	TasksCreated         Int          `json:"tasksCreated"`
	TasksErrored         Int          `json:"tasksErrored"`
	NewTasks             []Task       `json:"newTasks"`
	NewTasksWithWarnings []Task       `json:"newTasksWithWarnings"`
	FailedTasks          []TaskInput  `json:"failedTasks"`
	Errors               []BatchError `json:"errors"`
	Extra                Extra        `json:",embed"`
}

// BatchError is why one task of a batch was not created.
type BatchError struct {
	StatusCode Int            `json:"statusCode"`
	ErrorCode  Int            `json:"errorCode"`
	Message    string         `json:"message"`
	Cause      Opt[Cause]     `json:"cause,omitzero"`
	TaskData   Opt[TaskInput] `json:"taskData,omitzero"`
	Extra      Extra          `json:",embed"`
}

// BatchSyncResult is the answer of the older, synchronous batch.
type BatchSyncResult struct {
	Tasks  []Task           `json:"tasks"`
	Errors []BatchSyncError `json:"errors"`
	Extra  Extra            `json:",embed"`
}

// BatchSyncError is a task that the synchronous batch refused.
type BatchSyncError struct {
	Error BatchErrorBody `json:"error"`
	Task  TaskInput      `json:"task"`
	Extra Extra          `json:",embed"`
}
