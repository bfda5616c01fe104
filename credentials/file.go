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

// maxKeyFile is more than any key with its newline takes; a larger file is the wrong file.
const maxKeyFile = 4096

// ReadKeyFile reads a key, or a webhook's secret, that stands alone in a file. The file must belong to the user and be closed
// to everyone else; Windows has no such bits, and its home folders are closed by themselves.
func ReadKeyFile(path string) (Key, error) {
	text, err := readPrivateFile(path)
	if err != nil {
		return Key{}, err
	}
	key, err := NewKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

func readPrivateFile(path string) ([]byte, error) {
	// Opening a pipe would wait for a writer, so look before opening; what counts is the look after it.
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

// describePathError says a missing file in plain words and keeps errors.Is.
func describePathError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist (%w)", path, fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("you may not read %s (%w)", path, fs.ErrPermission)
	}
	return err
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%w: %s is not a plain file; to pass a key through a pipe use --api-key-fd 3 3< <(command)",
		ErrUnsafeFile, path)
}

func readLimited(reader io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(reader, maxKeyFile+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the key from %s: %w", name, err)
	}
	if len(text) > maxKeyFile {
		return nil, fmt.Errorf("%s: %w", name, &InvalidKeyError{
			Reason: fmt.Sprintf("there are more than %d bytes; is this the right file?", maxKeyFile),
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
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := readLimited(file, name)
		// Standard input stays open: its number would otherwise go to the next file opened.
		if file != os.Stdin {
			_ = file.Close()
		}
		answers <- answer{text, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case got := <-answers:
		if got.err != nil {
			return Key{}, got.err
		}
		key, err := NewKey(string(got.text))
		if err != nil {
			return Key{}, fmt.Errorf("%s: %w", name, err)
		}
		return key, nil
	case <-ctx.Done():
		return Key{}, fmt.Errorf("%s stayed open without a whole key for %s; the writer must close it: %w", name, limit, ctx.Err())
	}
}
