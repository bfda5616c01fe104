package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"waybill/apiclient"
	"waybill/operations"
)

// Preview builds the requests of the first steps without sending them; limit is how many steps, 0 for all. A step that
// cannot be prepared is an error with its label.
func Preview(ctx context.Context, client *apiclient.Client, steps []operations.Step, limit int) ([]apiclient.Preview, error) {
	if limit > 0 {
		steps = steps[:min(limit, len(steps))]
	}
	var mu sync.Mutex
	var previews []apiclient.Preview
	ctx = apiclient.WithDryRun(ctx, func(p apiclient.Preview) {
		mu.Lock()
		defer mu.Unlock()
		previews = append(previews, p)
	})
	for i := range steps {
		_, err := recoverPanic(ctx, client, "internal error while preparing the request (%v); nothing was sent", steps[i].Do)
		if err != nil && !errors.Is(err, apiclient.ErrDryRun) {
			return previews, fmt.Errorf("%s: %w", cmp.Or(steps[i].Label, fmt.Sprintf("step %d", i+1)), err)
		}
	}
	return previews, nil
}
