package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/internal/servicetest"
	"waybill/model"
)

// The client's own suite, against the real service instead of recorded answers. Every exchange is also checked
// against the OpenAPI document.
func TestTheClientsSuite(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	// The suite tells times by the wall.
	s.Clock.Advance(time.Since(s.Clock.Now()))
	s.RunJobs()
	_, stranger := s.AddOrganization("Valley Couriers", "")
	client := func(key string) *apiclient.Client {
		c, err := apiclient.New(apiclient.Options{
			BaseURL: s.URL, Key: apiclient.StaticKey(key), RoundTripper: servicetest.Transport(t),
			Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1_000_000}),
		})
		require.NoError(t, err)
		return c
	}
	start := func(ctx context.Context, worker, task model.ID) error {
		if err := s.World.GoOnDuty(ctx, worker); err != nil {
			return err
		}
		return s.World.StartTask(ctx, worker, task)
	}
	apitest.RunSuite(t, apitest.Subject{
		Client: client(s.Key), OtherOrganization: client(stranger), WrongKey: client("wrong"),
		StartTask: start, WebhookURL: newMailbox(t, s).URL,
	})
}
