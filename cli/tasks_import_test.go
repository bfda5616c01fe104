package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func TestStoppedImportWritesTheFailedRows(t *testing.T) {
	service := servicetest.Start(t)
	service.RunJobs()
	var batches atomic.Int32
	var isRepaired atomic.Bool
	address := startProxy(t, service, func(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		if r.Method != http.MethodPost || batches.Add(1) < 2 || isRepaired.Load() {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	rows := []string{"address,notes", `"zzqqxx 99999",lost`}
	for i := range model.MaxBatchTasks {
		rows = append(rows, fmt.Sprintf(`"%s",row %d`, anAddress, i))
	}
	path := t.TempDir() + "/tasks.csv"
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600))
	args := []string{"tasks", "import", path, "--base-url", address}

	a, output := newTestProgram(t, service.Key, "")
	require.NotEqual(t, exitOK, execute(context.Background(), a, args), output)
	require.Contains(t, output.String(), "499 tasks created.")
	require.Contains(t, output.String(), "1 row failed. See the causes in ")
	require.Contains(t, output.String(), "1 row not sent. Run the same command again to continue.")
	failed, err := os.ReadFile(strings.TrimSuffix(path, ".csv") + ".failed.csv")
	require.NoError(t, err)
	require.Contains(t, string(failed), "zzqqxx 99999")

	isRepaired.Store(true)
	a, output = newTestProgram(t, service.Key, "")
	require.Equal(t, exitOK, execute(context.Background(), a, args), output)
	require.Contains(t, output.String(), "1 task created.")
	require.Contains(t, output.String(), "500 rows sent by an earlier run")
	require.NoFileExists(t, strings.TrimSuffix(path, ".csv")+".failed-2.csv", "failed rows are written once")
}
