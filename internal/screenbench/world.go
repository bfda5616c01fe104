package screenbench

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"waybill/internal/sampleday"
)

const (
	basePath       = "/api/v2"
	apiKeyVariable = "WAYBILL_API_KEY"
)

// serve starts a service with a sample day of this size on a loopback port. It runs in the measuring process, so that it
// does not count for the console.
func serve(ctx context.Context, tasks, workers int) (address string, stop func(), err error) {
	const orders = 60
	world := sampleday.New(sampleday.Options{Tasks: tasks, Workers: workers, Orders: orders, Seed: 1, Now: time.Now()})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: world.Handler(basePath), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + basePath, func() { _ = server.Close() }, nil
}

// profileText returns a config file with one account. It has the default refresh intervals, so that the idle console is
// measured as it is used.
func profileText(address string) string {
	return fmt.Sprintf("default_profile = \"bench\"\n\n[profiles.bench]\nbase_url = %q\nkey_env = %q\n",
		address, apiKeyVariable)
}
