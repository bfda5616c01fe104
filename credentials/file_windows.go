package credentials

import (
	"errors"
	"io/fs"
	"os"
)

func checkPrivate(string, fs.FileInfo) error { return nil }

// openDescriptor accepts only standard input: Windows does not pass other descriptors by number.
func openDescriptor(number int) (*os.File, error) {
	if number != 0 {
		return nil, errors.New("on Windows, use 0 (standard input) or --api-key-file")
	}
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice != 0 {
		return nil, errors.New("standard input is a terminal; use a file or a pipe")
	}
	return os.Stdin, nil
}
