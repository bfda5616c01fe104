package run_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/run"
)

// Each step gets the id of its own request while other steps begin and end.
func TestRequestIDsOfParallelSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := start(t)
		ids := createTasks(t, client, 2)
		network.faults[ids[0]] = slow
		first, before, second := deletion(ids[0]), step("before", takes(time.Second, nil), "lock"), deletion(ids[1])
		second.Locks = before.Locks // so that it begins when the first is under way
		remove := second.Do
		second.Do = func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
			done, err := remove(ctx, c)
			time.Sleep(15 * time.Second) // the first ends before this step does
			return done, err
		}
		p := finish(t, run.Start(t.Context(), client, []operations.Step{first, before, second}, run.Options{}))
		require.Equal(t, 3, p.Done)
		require.Len(t, p.Steps[0].RequestID, 36)
		require.Len(t, p.Steps[2].RequestID, 36)
		require.NotEqual(t, p.Steps[0].RequestID, p.Steps[2].RequestID)
	})
}

// The request id is known even if the step names no object.
func TestRequestIDWithoutAnObject(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, _ := start(t)
		ids := createTasks(t, client, 1)
		anonymous := deletion(ids[0])
		anonymous.Object = ""
		remove := anonymous.Do
		anonymous.Do = func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
			_, err := remove(ctx, c)
			return operations.Result{Summary: "deleted"}, err
		}
		p := finish(t, run.Start(t.Context(), client, []operations.Step{anonymous}, run.Options{}))
		require.Len(t, p.Steps[0].RequestID, 36)
	})
}
