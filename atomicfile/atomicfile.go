// Package atomicfile replaces a file completely or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Private is the mode of files with account data: readable and writable only by the user.
const Private os.FileMode = 0o600

const privateFolder os.FileMode = 0o700

// Write replaces the file at path so that a crash or a full disk never leaves half a file: it writes and syncs a temporary
// file in the same folder, then renames it. It creates missing folders for the user alone. It follows a symbolic link, so
// that a config file in a dotfiles repository stays a link.
func Write(path string, data []byte) error {
	target, err := followLinks(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(target)
	if err := os.MkdirAll(folder, privateFolder); err != nil {
		return fmt.Errorf("cannot create the folder %s: %w", folder, err)
	}
	temporary, err := writeTemporary(folder, filepath.Base(target), data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, target); err != nil {
		return errors.Join(fmt.Errorf("cannot replace %s: %w", target, err), os.Remove(temporary))
	}
	return SyncDir(folder)
}

func followLinks(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return target, nil
	case errors.Is(err, os.ErrNotExist):
		// If path itself exists it is a link without a target; replacing it would hide the broken link.
		if _, statErr := os.Lstat(path); statErr == nil {
			return "", fmt.Errorf("%s is a link to a missing file; remove the link or create its target: %w",
				path, err)
		}
		return path, nil
	default:
		return "", fmt.Errorf("cannot follow %s: %w", path, err)
	}
}

// writeTemporary writes and syncs data to a new file in folder and returns its name. os.CreateTemp uses mode 0600.
func writeTemporary(folder, base string, data []byte) (name string, err error) {
	file, err := os.CreateTemp(folder, "."+base+".*")
	if err != nil {
		return "", fmt.Errorf("cannot write in %s: %w", folder, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, writeErr := file.Write(data)
	syncErr := file.Sync()
	closeErr := file.Close()
	if err := errors.Join(writeErr, syncErr, closeErr); err != nil {
		return "", fmt.Errorf("cannot write %s: %w", file.Name(), err)
	}
	return file.Name(), nil
}

// SyncDir writes the directory entries of a folder to disk. Without it, a crash can undo a rename or lose a new file.
// Windows has no such call and orders renames itself.
func SyncDir(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	handle, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("cannot open %s to sync it: %w", folder, err)
	}
	return errors.Join(handle.Sync(), handle.Close())
}
