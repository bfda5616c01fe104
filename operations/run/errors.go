package run

import (
	"errors"
	"slices"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
)

// errorText is an error without its advice and the address of the request.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*apiclient.Error](err); ok {
		return failure.Description()
	}
	return model.Clean(err.Error())
}

func requestID(err error) string {
	if failure, ok := errors.AsType[*apiclient.Error](err); ok {
		return failure.RequestID
	}
	return ""
}

// isEmpty reports that a step has done nothing.
func isEmpty(d *operations.Result) bool {
	c := &d.Change
	return d.Object == "" && d.Summary == "" && d.Undo == nil && d.Follow == nil && len(d.Report) == 0 &&
		len(c.Tasks)+len(c.Workers)+len(c.Orders)+len(c.Teams)+len(c.Hubs)+len(c.Templates)+len(c.Containers)+len(c.Removed) == 0
}

// StopsRun reports an error that every other step would meet too. A used-up request limit is none: the step waits for it.
func StopsRun(err error) bool {
	return slices.ContainsFunc([]error{
		apiclient.ErrNoKey, apiclient.ErrInvalidKey, apiclient.ErrReadOnly, apiclient.ErrUntrusted, apiclient.ErrUnsupportedRoute,
	}, func(kind error) bool { return errors.Is(err, kind) })
}

// maxOffline is how many steps in a row may be offline before the run stops.
const maxOffline = 3

func countOffline(before int, err error) int {
	if errors.Is(err, apiclient.ErrOffline) {
		return before + 1
	}
	return 0
}
