// Package atomicfile replaces a file whole or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Private is the mode of every file Waybill writes about a person's account: theirs to read, nobody else's.
const Private os.FileMode = 0o600

const privateFolder os.FileMode = 0o700

// Write puts data at path so that a reader, a crash or a full disk never leaves a half-written file: the text goes to a
// temporary file beside it, reaches the disk, and only then takes the name. Missing folders are made for the user alone.
// A symbolic link is followed, so that a config kept in a dotfiles repository stays a link.
func Write(path string, data []byte) error {
	target, err := followLinks(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(target)
	if err := os.MkdirAll(folder, privateFolder); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, err)
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
		// Lstat tells a new file from a link whose target is gone; replacing the latter would hide the broken link.
		if _, statErr := os.Lstat(path); statErr == nil {
			return "", fmt.Errorf("%s is a link to a file that does not exist: remove the link or make its target: %w",
				path, err)
		}
		return path, nil
	default:
		return "", fmt.Errorf("cannot follow %s: %w", path, err)
	}
}

// writeTemporary returns the name of a synced file with data in folder. os.CreateTemp makes it with mode 0600.
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

// SyncDir makes the names of the files in a folder durable: without it a crash can bring back what was there before a
// rename, or lose a file that was made. Windows has no such call and orders renames on its own.
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
