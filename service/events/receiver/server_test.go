package receiver_test

import (
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/events/receiver"
)

// A server that is closed right after it was started may not serve yet. Its port is free all the same.
func TestCloseFreesPort(t *testing.T) {
	certificate, _, err := receiver.LocalCertificate(t.TempDir())
	require.NoError(t, err)
	for range 500 {
		server, err := receiver.Listen(t.Context(), "127.0.0.1:0", certificate, http.NotFoundHandler())
		require.NoError(t, err)
		server.Close()
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Address())
		if err == nil {
			conn.Close()
		}
		require.Error(t, err, "the port still accepts connections")
		require.NoError(t, <-server.Done())
	}
}
