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

// serve gives a made-up day of this size on a loopback port. It lives in the process that measures, so that the
// console's own figures hold nothing of it.
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

// profileText is a config file with one account. It is asked as often as any other, so that what an idle console does is
// what it does in real life; all rows of a long board take a while to come.
func profileText(address string) string {
	return fmt.Sprintf("default_profile = \"bench\"\n\n[profiles.bench]\nbase_url = %q\nkey_env = %q\n",
		address, apiKeyVariable)
}
