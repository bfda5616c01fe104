package server_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/events/receiver"
	"waybill/service/server"
)

func TestMetricsThatOthersCanReachAreAnnounced(t *testing.T) {
	t.Parallel()
	for address, warned := range map[string]bool{"127.0.0.1:0": false, "localhost:0": false, "0.0.0.0:0": true, ":0": true} {
		var log bytes.Buffer
		s := start(t, server.Config{Dir: t.TempDir(), MetricsListen: address, Log: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, s.Stop(t.Context()))
		require.Equal(t, warned, bytes.Contains(log.Bytes(), []byte("other machines can read the metrics")), address)
	}
}

func TestAKeyThatOthersCanReadIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions")
	}
	certificates := t.TempDir()
	_, _, err := receiver.LocalCertificate(certificates)
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(certificates, "*"))
	require.NoError(t, err)
	config := server.Config{Dir: t.TempDir(), Listen: "127.0.0.1:0", CertFile: files[0], KeyFile: filepath.Join(t.TempDir(), "key.pem")}
	require.NoError(t, os.WriteFile(config.KeyFile, []byte("a key"), 0o600))
	require.NoError(t, os.Chmod(config.KeyFile, 0o644))
	_, err = server.Start(t.Context(), config)
	require.ErrorContains(t, err, "chmod 600 "+config.KeyFile)
	require.NoError(t, os.Chmod(config.KeyFile, 0o640))
	_, err = server.Start(t.Context(), config)
	require.ErrorContains(t, err, "load the certificate", "a group may read it, as services for certificates do")
}
