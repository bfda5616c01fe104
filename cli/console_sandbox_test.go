package cli

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/sandbox"
	"waybill/service/server"
)

// A restarted sandbox has the same address, so that links still work, unless another program uses the port.
func TestSandboxKeepsItsAddress(t *testing.T) {
	dir := t.TempDir()
	start := func() *url.URL {
		a, _ := newTestProgram(t, "", "")
		host := newConsoleHost(a, &consoleFlags{box: server.Sandbox{Options: sandbox.Options{Tasks: 1, Workers: 1}, Speed: 1}}, nil)
		address, _, err := host.startSandbox(t.Context(), dir)
		require.NoError(t, err)
		host.shutDown(t.Context())
		at, err := url.Parse(address)
		require.NoError(t, err)
		noted, err := os.ReadFile(filepath.Join(dir, sandboxAddressFile))
		require.NoError(t, err)
		require.Equal(t, address+"\n", string(noted))
		return at
	}
	first := start()
	require.Equal(t, first.Host, sandboxListenAddress(dir))

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, sandboxAddressFile), []byte("http://"+taken.Addr().String()+"/v2\n"), 0o600))
	second := start()
	require.Equal(t, "127.0.0.1", second.Hostname())
	require.NotEqual(t, taken.Addr().String(), second.Host)
}

func TestSandboxListensOnLoopbackOnly(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, anyLocalPort, sandboxListenAddress(dir))
	for _, noted := range []string{"", "http://0.0.0.0:80/v2", "https://service.example/v2", "http://127.0.0.1/v2", "http://%zz"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, sandboxAddressFile), []byte(noted), 0o600))
		require.Equal(t, anyLocalPort, sandboxListenAddress(dir), noted)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, sandboxAddressFile), []byte("http://127.0.0.1:8123/v2\n"), 0o600))
	require.Equal(t, "127.0.0.1:8123", sandboxListenAddress(dir))
}
