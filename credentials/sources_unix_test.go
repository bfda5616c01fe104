//go:build !windows

package credentials_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/credentials"
)

func TestReadKeyFile(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o400, 0o700} {
		key, err := credentials.ReadKeyFile(writeFile(t, "s3cret\n", mode))
		require.NoError(t, err, mode)
		require.Equal(t, "s3cret", key.Reveal())
	}
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(writeFile(t, "linked", 0o600), link))
	key, err := credentials.ReadKeyFile(link)
	require.NoError(t, err)
	require.Equal(t, "linked", key.Reveal())
}

func TestReadKeyFileRefusesWhatOthersCanReach(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o777} {
		path := writeFile(t, "s3cret", mode)
		_, err := credentials.ReadKeyFile(path)
		require.ErrorIs(t, err, credentials.ErrUnsafeFile, mode)
		require.ErrorContains(t, err, "run: chmod 600 "+path)
		require.NotContains(t, err.Error(), "s3cret")
	}
}

func TestReadKeyFileRefusesAnothersFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	path := writeFile(t, "s3cret", 0o600)
	require.NoError(t, os.Chown(path, 12345, -1))
	_, err := credentials.ReadKeyFile(path)
	require.ErrorIs(t, err, credentials.ErrUnsafeFile)
	require.ErrorContains(t, err, "belongs to user 12345 and you are user 0")
}

func TestReadKeyFileRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	_, err := credentials.ReadKeyFile(t.TempDir())
	require.ErrorIs(t, err, credentials.ErrUnsafeFile)

	// A pipe without a writer would hold the program forever.
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err = credentials.ReadKeyFile(pipe)
	require.ErrorIs(t, err, credentials.ErrUnsafeFile)
	require.ErrorContains(t, err, "--api-key-fd")

	_, err = credentials.ReadKeyFile(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = credentials.ReadKeyFile(writeFile(t, strings.Repeat("k\n", 4096), 0o600))
	require.ErrorIs(t, err, credentials.ErrInvalidKey)
	require.ErrorContains(t, err, "is this the right file?")

	_, err = credentials.ReadKeyFile(writeFile(t, "", 0o600))
	require.ErrorIs(t, err, credentials.ErrInvalidKey)
}

// handOver returns a descriptor number that nothing else in the test will close.
func handOver(t *testing.T, file *os.File) int {
	t.Helper()
	number, err := syscall.Dup(int(file.Fd()))
	require.NoError(t, err)
	return number
}

func TestDescriptor(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	ask := request(prod)
	ask.Descriptor = handOver(t, reader)
	require.NoError(t, reader.Close())
	_, err = writer.WriteString("from-pipe\n")
	require.NoError(t, err)
	require.NoError(t, writer.Close())

	vault := newWorld(t).vault()
	for range 2 { // the second time from memory: the pipe is empty and closed
		got, err := vault.Resolve(t.Context(), ask)
		require.NoError(t, err)
		require.Equal(t, credentials.SourceFlagFD, got.Source)
		require.Equal(t, "from-pipe", got.Key.Reveal())
	}
}

func TestDescriptorThatStaysOpen(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = writer.Close() })
	ask := request(prod)
	ask.Descriptor = handOver(t, reader)
	require.NoError(t, reader.Close())
	w := newWorld(t)
	w.env.DescriptorTimeout = 20 * time.Millisecond
	_, err = w.vault().Resolve(t.Context(), ask)
	require.ErrorContains(t, err, "the writer must close it")
}

func TestDescriptorRefuses(t *testing.T) {
	t.Parallel()
	device, err := os.Open(os.DevNull)
	require.NoError(t, err)
	t.Cleanup(func() { _ = device.Close() })
	for number, want := range map[int]string{
		1: "only 0, 3 and higher", 2: "only 0, 3 and higher", -7: "only 0, 3 and higher",
		1 << 20: "it is not open", handOver(t, device): "a terminal or device",
	} {
		ask := request(prod)
		ask.Descriptor = number
		_, err := newWorld(t).vault().Resolve(t.Context(), ask)
		require.ErrorContains(t, err, want)
	}
}

func command(script string) credentials.Request {
	return request(credentials.Profile{
		Name: "prod", Source: credentials.SourceCommand, Command: []string{"sh", "-c", script},
	})
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`echo s3cret`:                            "s3cret",
		`printf 's3cret\nuser: ada\nurl: x\n'`:   "s3cret",
		`printf '\n\ns3cret\r\n'`:                "s3cret",
		`echo "key-of-$WAYBILL_PROFILE"`:         "key-of-prod",
		`echo "seen${WAYBILL_API_KEY:-nothing}"`: "seennothing",
	} {
		w := newWorld(t)
		w.env.Environ = append(os.Environ(), "WAYBILL_API_KEY=of-another-account")
		got, err := w.vault().Resolve(t.Context(), command(script))
		require.NoError(t, err, script)
		require.Equal(t, credentials.SourceCommand, got.Source)
		require.Equal(t, want, got.Key.Reveal())
	}
}

func TestCommandFailures(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`echo s3cret; echo "store is \033[31mlocked" >&2; exit 3`: `the key command "sh" failed (exit status 3); it said: store is`,
		`set -x; echo s3cret-key-12; exit 1`:                      `it said: + echo [redacted] + exit 1`,
		`exit 0`:                                                  "printed no usable key: it is empty",
		`echo two words`:                                          "printed no usable key: character 4 is a blank",
		`head -c 100000 /dev/zero`:                                "printed no usable key: it is 4096 bytes long",
		`kill -9 $$`:                                              "failed (signal: killed)",
		`yes error | head -c 100000 >&2; exit 1`:                  "it said: error error",
	} {
		_, err := newWorld(t).vault().Resolve(t.Context(), command(script))
		require.ErrorIs(t, err, credentials.ErrCommand, script)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "s3cret", "what it printed is never shown")
		require.NotContains(t, err.Error(), "\x1b")
		require.Less(t, len(err.Error()), 2000)
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"waybill-no-such-program", "/nonexistent/program"} {
		_, err := newWorld(t).vault().Resolve(t.Context(), request(
			credentials.Profile{Name: "prod", Source: credentials.SourceCommand, Command: []string{program, "s3cret"}}))
		require.ErrorIs(t, err, credentials.ErrCommand)
		require.NotContains(t, err.Error(), "s3cret", "arguments may hold secrets")
	}
}

// TestCommandThatHangs leaves a grandchild with the pipes in its hands, which must not hold the program.
func TestCommandThatHangs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env.CommandTimeout = 50 * time.Millisecond
	_, err := w.vault().Resolve(t.Context(), command(`sleep 30 & sleep 30`))
	require.ErrorIs(t, err, credentials.ErrCommand)
	require.ErrorContains(t, err, "took longer than 50ms and was stopped")
	require.NotErrorIs(t, err, credentials.ErrKeyringUnavailable)
}

func TestCommandSaysOnSuccess(t *testing.T) {
	t.Parallel()
	got, err := newWorld(t).vault().Resolve(t.Context(), command(`echo 'token expires soon' >&2; echo abc`))
	require.NoError(t, err)
	require.Equal(t, "token expires soon", got.Attempts[len(got.Attempts)-1].Stderr)
}
