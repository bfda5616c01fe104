package world

import (
	"errors"
	"fmt"
	"net/http"

	"waybill/model"
)

// Error is a refused request, in the form in which the interface reports it.
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

// BatchBody returns the error in the form that batches use, which always has a text as its cause.
func (e *Error) BatchBody() model.BatchErrorBody {
	cause := e.Message
	if known, ok := e.Cause.Get(); ok {
		cause = known.String()
	}
	return model.BatchErrorBody{
		StatusCode: model.Int(e.Status), Error: e.Subcode, Message: e.Message, Cause: model.Some(model.CauseText(cause)),
	}
}

// Is reports whether target has the same subcode, so that errors.Is can test for a kind of error.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Subcode == e.Subcode
}

// NewError returns the error for a refused request. Most causes have a function below.
func NewError(status int, code string, subcode model.Int, message string) *Error {
	return &Error{Status: status, Code: code, Subcode: subcode, Message: message}
}

// because adds the cause of the error.
func (e *Error) because(cause model.Cause) *Error {
	e.Cause = model.Some(cause)
	return e
}

// NotFound is the error for a resource that does not exist.
func NotFound() *Error {
	return NewError(http.StatusNotFound, model.CodeResourceNotFound, model.ErrorNotFound, "The requested resource does not exist.")
}

// notFoundBecause is NotFound with a cause.
func notFoundBecause(format string, args ...any) *Error {
	return NotFound().because(model.CauseText(fmt.Sprintf(format, args...)))
}

// OtherOrganization is the error for a resource that belongs to another organization.
func OtherOrganization() *Error {
	return NewError(http.StatusUnauthorized, model.CodeInvalidCredentials, model.ErrorScope,
		"The requested resource is outside of the permissions scope of the authenticated user.")
}

// Duplicate is the error for a value that must be unique and is taken.
func Duplicate(key, value string) *Error {
	return NewError(http.StatusBadRequest, model.CodeInvalidContent, model.ErrorDuplicate,
		"The values provided for one or more parameters are not unique.").because(model.DuplicateCause(key, value))
}

// Invalid is the error for a value that breaks a rule.
func Invalid(format string, args ...any) *Error { return invalid(model.ErrorInvalid, format, args...) }

func invalid(subcode model.Int, format string, args ...any) *Error {
	return NewError(http.StatusBadRequest, model.CodeInvalidContent, subcode,
		"The values provided for one or more parameters are invalid.").because(model.CauseText(fmt.Sprintf(format, args...)))
}

// maxListedProblems is how many broken rules a cause lists. Nobody reads more, and a body may break thousands.
const maxListedProblems = 100

// ProblemsError turns broken rules into an Error. The first problem decides the code; the cause lists them.
func ProblemsError(problems model.Problems) *Error {
	if more := len(problems) - maxListedProblems; more > 0 {
		problems = append(problems[:maxListedProblems:maxListedProblems], model.Problem{Text: fmt.Sprintf("And %d more.", more)})
	}
	first := problems[0]
	if first.Subcode == model.ErrorMissing || first.Subcode == model.ErrorNotUnique {
		return NewError(http.StatusBadRequest, model.CodeInvalidArgument, first.Subcode,
			"One or more required parameters are missing or in the wrong format.").because(model.CauseText(problems.Error()))
	}
	return invalid(first.Subcode, "%s", problems.Error())
}

// Conflict is the error for a change that the current state does not allow.
func Conflict(format string, args ...any) *Error {
	e := invalid(model.ErrorInvalid, format, args...)
	e.Status = http.StatusConflict
	return e
}

// DispatchActive is the error for a team that is already being dispatched.
func DispatchActive() *Error {
	return NewError(http.StatusConflict, model.CodePreconditionFailed, model.ErrorAutoDispatch,
		"Auto-dispatch is already in progress for this team.")
}
