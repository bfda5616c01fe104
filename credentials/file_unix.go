//go:build !windows

package credentials

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

func checkPrivate(path string, info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%w: others can read or change %s (mode %04o); run: chmod 600 %s", ErrUnsafeFile, path, mode, path)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%w: the owner of %s is unknown", ErrUnsafeFile, path)
	}
	if user := os.Geteuid(); int(owner.Uid) != user {
		return fmt.Errorf("%w: %s belongs to user %d, not to you (user %d); copy it or change its owner",
			ErrUnsafeFile, path, owner.Uid, user)
	}
	return nil
}

// openDescriptor opens a descriptor that the caller of the program passed. Standard output, standard error and terminals are
// refused.
func openDescriptor(number int) (*os.File, error) {
	if number < 0 || number == 1 || number == 2 {
		return nil, errors.New("use 0, or 3 and higher")
	}
	// Check before os.NewFile: its finalizer would close the terminal.
	var status syscall.Stat_t
	if err := syscall.Fstat(number, &status); err != nil {
		return nil, errors.New("it is not open; open it with 3<FILE or 3< <(command)")
	}
	if status.Mode&syscall.S_IFMT == syscall.S_IFCHR {
		return nil, errors.New("it is a terminal or device; use a file or a pipe")
	}
	if number == 0 {
		return os.Stdin, nil
	}
	return os.NewFile(uintptr(number), fmt.Sprintf("descriptor %d", number)), nil
}
