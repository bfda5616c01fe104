package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service"
	"waybill/service/events/receiver"
	"waybill/service/server"
	"waybill/service/world"
)

// The test program is also the server: with these variables set it serves a folder until it is told to stop.
const (
	folderVariable    = "WAYBILL_TEST_FOLDER"
	authorityVariable = "WAYBILL_TEST_AUTHORITY"
	testKey           = "00000000000000000000000000000000"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedVariable); dir != "" {
		if err := beBusy(dir, os.Getenv(authorityVariable), os.Getenv(hookVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if folder := os.Getenv(folderVariable); folder != "" {
		if err := serve(folder, os.Getenv(authorityVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(folder, authority string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := server.Start(ctx, server.Config{
		Dir: folder, Listen: "127.0.0.1:0", BootstrapKey: testKey, Output: os.Stdout,
		Organization: world.NewOrganization{Name: "Bay Couriers", Country: "US", Timezone: "America/Los_Angeles"},
		WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, WebhookCA: authority,
	})
	if err != nil {
		return err
	}
	fmt.Println("serving", s.BaseURL())
	<-ctx.Done()
	return s.Stop(context.Background())
}

// startProcess runs the server as a process of its own and returns its base URL.
func startProcess(t *testing.T, authority string) string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(context.Background(), program) // it must outlive the test, to be stopped by a signal
	command.Env = append(os.Environ(), folderVariable+"="+t.TempDir(), authorityVariable+"="+authority)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		require.NoError(t, command.Process.Signal(syscall.SIGTERM))
		require.NoError(t, command.Wait(), "the server ends well when it is told to")
	})
	var said bytes.Buffer
	found := regexp.MustCompile(`serving (\S+)\n`)
	buffer := make([]byte, 4096)
	for {
		n, err := output.Read(buffer)
		said.Write(buffer[:n])
		if match := found.FindSubmatch(said.Bytes()); match != nil {
			go io.Copy(io.Discard, output) //nolint:errcheck // keeps the pipe empty
			return string(match[1])
		}
		require.NoError(t, err, "the server did not start: %s", said.String())
	}
}

// Every command of docs/curl.md is run as it stands, against a server in a process of its own.
func TestTheCurlExamples(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	certificate, authority, err := receiver.LocalCertificate(t.TempDir())
	require.NoError(t, err)
	hook := httptest.NewUnstartedServer(receiver.New(receiver.Options{}))
	hook.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	hook.StartTLS()
	t.Cleanup(hook.Close)
	base := startProcess(t, authority)

	page, err := os.ReadFile("../../docs/curl.md")
	require.NoError(t, err)
	script := examples(string(page))
	// Each request reports itself; one that is refused ends the script.
	prelude := `set -eu -o pipefail
curl() { command curl --silent --show-error --fail-with-body -w '%{stderr}REQUEST %{http_code} %{method} %{url_effective}\n' "$@"; }
`
	command := exec.CommandContext(t.Context(), "bash")
	command.Stdin = strings.NewReader(prelude + script)
	command.Env = append(os.Environ(), "BASE="+base, "KEY="+testKey, "HOOK="+hook.URL)
	var output, report bytes.Buffer
	command.Stdout, command.Stderr = &output, &report
	require.NoError(t, command.Run(), "%s\n%s", output.String(), report.String())

	requests := regexp.MustCompile(`REQUEST (\d+) (\S+) (\S+)`).FindAllStringSubmatch(report.String(), -1)
	require.Len(t, requests, strings.Count(script, "curl -u"), "not every example was run")
	shown := map[string]bool{}
	for _, request := range requests {
		require.Equal(t, "200", request[1], "%s %s", request[2], request[3])
		shown[pattern(t, request[2], strings.TrimPrefix(request[3], base))] = true
	}
	for _, route := range service.Routes() {
		if name := route.Method + " " + route.Path; !route.Beyond {
			require.True(t, shown[name], "docs/curl.md has no example of %s", name)
		}
	}
}

// examples are the shell blocks of a page, one after the other.
func examples(page string) string {
	var script strings.Builder
	for _, block := range strings.Split(page, "```sh\n")[1:] {
		commands, _, _ := strings.Cut(block, "```")
		script.WriteString(commands + "\n")
	}
	return script.String()
}

// pattern is the route that takes a request.
func pattern(t *testing.T, method, address string) string {
	t.Helper()
	mux := http.NewServeMux()
	for _, route := range service.Routes() {
		mux.HandleFunc(route.Method+" "+route.Path, func(http.ResponseWriter, *http.Request) {})
	}
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	_, found := mux.Handler(&http.Request{Method: method, URL: parsed})
	require.NotEmpty(t, found, "%s %s is no route", method, address)
	return found
}
