package atomicfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/atomicfile"
)

func TestWriteMakesFoldersAndAPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "config.toml")
	require.NoError(t, atomicfile.Write(path, []byte("one")))
	require.NoError(t, atomicfile.Write(path, []byte("two")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(text))
	requireOnly(t, filepath.Dir(path), "config.toml")
	if runtime.GOOS == "windows" {
		return
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, atomicfile.Private, info.Mode().Perm())
	folder, err := os.Stat(filepath.Dir(path))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), folder.Mode().Perm())
}

func TestWriteFollowsALink(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	target, link := filepath.Join(folder, "dotfiles.toml"), filepath.Join(folder, "config.toml")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	if err := os.Symlink(target, link); err != nil {
		t.Skip("symbolic links are not available here")
	}
	require.NoError(t, atomicfile.Write(link, []byte("new")))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "the link must still be a link")
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
}

func TestWriteRefusesABrokenLink(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "config.toml")
	if err := os.Symlink(filepath.Join(t.TempDir(), "gone"), link); err != nil {
		t.Skip("symbolic links are not available here")
	}
	require.ErrorContains(t, atomicfile.Write(link, []byte("x")), "link to a missing file")
}

func TestWriteLeavesNothingBehindWhenItFails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// A folder cannot be replaced by a file, so the rename fails after the temporary file was written.
	path := filepath.Join(folder, "taken")
	require.NoError(t, os.Mkdir(path, 0o700))
	require.ErrorContains(t, atomicfile.Write(path, []byte("x")), "cannot replace")
	requireOnly(t, folder, "taken")
}

func requireOnly(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	require.Equal(t, names, found)
}
