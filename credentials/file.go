package credentials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// maxKeyFile is the maximum size of a key file; a larger one is the wrong file.
const maxKeyFile = 4096

// ReadKeyFile reads a file that contains only a key or the secret of a webhook. The file must belong to the user and must not
// be accessible to others. Windows has no such mode; its home folders are private.
func ReadKeyFile(path string) (Key, error) {
	text, err := readPrivateFile(path)
	if err != nil {
		return Key{}, err
	}
	return newKeyFrom(path, string(text))
}

func readPrivateFile(path string) ([]byte, error) {
	// Opening a pipe would block, so check the type before; the check after opening is the one that counts.
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("cannot read the key: %w", describePathError(path, err))
	} else if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the key: %w", describePathError(path, err))
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read the key: %w", err)
	}
	if err := errors.Join(checkRegular(path, info), checkPrivate(path, info)); err != nil {
		return nil, err
	}
	return readLimited(file, path)
}

// describePathError explains a missing or unreadable file and keeps errors.Is.
func describePathError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist (%w)", path, fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to read %s (%w)", path, fs.ErrPermission)
	}
	return err
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%w: %s is not a regular file; to pass a key through a pipe, use --api-key-fd 3 3< <(command)",
		ErrUnsafeFile, path)
}

func readLimited(reader io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(reader, maxKeyFile+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the key from %s: %w", name, err)
	}
	if len(text) > maxKeyFile {
		return nil, fmt.Errorf("%s: %w", name, &InvalidKeyError{
			Reason: fmt.Sprintf("it is larger than %d bytes; check the file", maxKeyFile),
		})
	}
	return text, nil
}

// readDescriptor reads a key from an open file descriptor to its end and closes it.
func readDescriptor(ctx context.Context, number int, limit time.Duration) (Key, error) {
	name := fmt.Sprintf("file descriptor %d", number)
	file, err := openDescriptor(number)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", name, err)
	}
	text, inTime, err := callWithin(ctx, limit, func() ([]byte, error) {
		text, err := readLimited(file, name)
		// Standard input stays open, because the next opened file would get its number.
		if file != os.Stdin {
			_ = file.Close()
		}
		return text, err
	})
	switch {
	case !inTime:
		return Key{}, fmt.Errorf("%s was not closed within %s; the writer must close it: %w", name, limit, err)
	case err != nil:
		return Key{}, err
	}
	return newKeyFrom(name, string(text))
}
