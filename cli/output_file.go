package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// descriptor is an open file of the system.
type descriptor interface{ Fd() uintptr }

// outputFile is standard output. It remembers the first error, so that no command reports success although its output is
// lost: most commands print without looking at errors. A broken pipe is not among them; it ends the program at once, as
// it ends any other.
type outputFile struct {
	*os.File
	failed atomic.Pointer[error]
}

// Write implements [io.Writer].
func (f *outputFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if err != nil {
		f.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// WriteString implements [io.StringWriter].
func (f *outputFile) WriteString(text string) (int, error) { return f.Write([]byte(text)) }

// ReadFrom implements [io.ReaderFrom].
func (f *outputFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// outputError returns the first error of writing to standard output, or nil.
func (a *app) outputError() error {
	if a.output == nil {
		return nil
	}
	if failed := a.output.failed.Load(); failed != nil {
		return fmt.Errorf("cannot write the output, part of it is lost: %w", *failed)
	}
	return nil
}
