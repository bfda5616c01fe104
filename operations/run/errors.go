package run

import (
	"errors"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
)

// errorText is an error without the advice and the address that belong into its own place.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*apiclient.Error](err); ok {
		return failure.What()
	}
	return model.Clean(err.Error())
}

func requestID(err error) string {
	if failure, ok := errors.AsType[*apiclient.Error](err); ok {
		return failure.RequestID
	}
	return ""
}

// isEmpty reports that a step says it has done nothing.
func isEmpty(d *operations.Result) bool {
	c := &d.Change
	return d.Object == "" && d.Summary == "" && d.Undo == nil && d.Follow == nil && len(d.Report) == 0 &&
		len(c.Tasks)+len(c.Workers)+len(c.Orders)+len(c.Teams)+len(c.Hubs)+len(c.Templates)+len(c.Containers)+len(c.Removed) == 0
}

// StopsRun reports an error that every other step would meet too.
func StopsRun(err error) bool {
	for _, kind := range []error{
		apiclient.ErrNoKey, apiclient.ErrInvalidKey, apiclient.ErrReadOnly, apiclient.ErrUntrusted,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// maxOffline is how many steps in a row have to find no service until the rest is not even tried.
const maxOffline = 3

func countOffline(before int, err error) int {
	if errors.Is(err, apiclient.ErrOffline) {
		return before + 1
	}
	return 0
}
