package credentials

import (
	"errors"
	"io/fs"
	"os"
)

func checkPrivate(string, fs.FileInfo) error { return nil }

// openDescriptor knows only standard input: Windows hands no other descriptors on by number.
func openDescriptor(number int) (*os.File, error) {
	if number != 0 {
		return nil, errors.New("on Windows only 0, standard input, can carry a key; use --api-key-file")
	}
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice != 0 {
		return nil, errors.New("standard input is a terminal; give it a file or a pipe")
	}
	return os.Stdin, nil
}
