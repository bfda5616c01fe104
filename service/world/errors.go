package world

import (
	"errors"
	"fmt"
	"net/http"

	"waybill/model"
)

// Error is a refusal in the interface's terms.
type Error struct {
	Status  int
	Code    string
	Subcode model.Int
	Message string
	Cause   model.Opt[model.Cause]
}

func (e *Error) Error() string {
	if cause, ok := e.Cause.Get(); ok {
		return fmt.Sprintf("%s (%d): %s: %s", e.Code, e.Subcode, e.Message, cause)
	}
	return fmt.Sprintf("%s (%d): %s", e.Code, e.Subcode, e.Message)
}

// BatchBody is the refusal in the shape that batches have: always with a cause, which is a text.
func (e *Error) BatchBody() model.BatchErrorBody {
	cause := e.Message
	if known, ok := e.Cause.Get(); ok {
		cause = known.String()
	}
	return model.BatchErrorBody{
		StatusCode: model.Int(e.Status), Error: e.Subcode, Message: e.Message, Cause: model.Some(model.CauseText(cause)),
	}
}

// Is matches errors of the same subcode, so that errors.Is can ask for a kind of refusal.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Subcode == e.Subcode
}

// NotFound says that a resource does not exist.
func NotFound() *Error {
	return &Error{
		Status: http.StatusNotFound, Code: model.CodeResourceNotFound, Subcode: model.ErrorNotFound,
		Message: "The requested resource does not exist.",
	}
}

// OtherOrganization says that a resource belongs to someone else.
func OtherOrganization() *Error {
	return &Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorScope,
		Message: "The requested resource is outside of the permissions scope of the authenticated user.",
	}
}

// Duplicate says that a value which must be unique is taken.
func Duplicate(key, value string) *Error {
	return &Error{
		Status: http.StatusBadRequest, Code: model.CodeInvalidContent, Subcode: model.ErrorDuplicate,
		Message: "The values provided for one or more parameters are not unique.",
		Cause:   model.Some(model.DuplicateCause(key, value)),
	}
}

// Invalid says that a value breaks a rule.
func Invalid(format string, args ...any) *Error { return invalid(model.ErrorInvalid, format, args...) }

func invalid(subcode model.Int, format string, args ...any) *Error {
	return &Error{
		Status: http.StatusBadRequest, Code: model.CodeInvalidContent, Subcode: subcode,
		Message: "The values provided for one or more parameters are invalid.",
		Cause:   model.Some(model.CauseText(fmt.Sprintf(format, args...))),
	}
}

// ProblemsError makes the refusal that a broken rule stands for: the first problem decides the code, and the cause lists
// them all.
func ProblemsError(problems model.Problems) *Error {
	first := problems[0]
	if first.Subcode == model.ErrorMissing || first.Subcode == model.ErrorNotUnique {
		return &Error{
			Status: http.StatusBadRequest, Code: model.CodeInvalidArgument, Subcode: first.Subcode,
			Message: "One or more required parameters are missing or in the wrong format.",
			Cause:   model.Some(model.CauseText(problems.Error())),
		}
	}
	return invalid(first.Subcode, "%s", problems.Error())
}

// Conflict says that the state of things does not allow the change.
func Conflict(format string, args ...any) *Error {
	e := invalid(model.ErrorInvalid, format, args...)
	e.Status = http.StatusConflict
	return e
}

// DispatchActive says that a team is being dispatched already.
func DispatchActive() *Error {
	return &Error{
		Status: http.StatusConflict, Code: model.CodePreconditionFailed, Subcode: model.ErrorAutoDispatch,
		Message: "Auto-dispatch is already in progress for this team.",
	}
}
