package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views/formview"
)

// readLine reads one line and no further byte, because the rest answers later questions.
func readLine(in io.Reader) (string, error) {
	var line []byte
	letter := make([]byte, 1)
	for len(line) < maxSecret {
		n, err := in.Read(letter)
		switch {
		case n > 0 && letter[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, letter[0])
		case errors.Is(err, io.EOF):
			return string(line), formview.ErrInputEnded
		case err != nil:
			return "", err
		}
	}
	return string(line), nil
}

// answerReader reads answers until the context ends, so that Ctrl-C works at a question. It echoes answers from a pipe as
// a terminal would.
type answerReader struct {
	ctx     context.Context //nolint:containedctx // io.Reader takes no context
	in      io.Reader
	echo    io.Writer // nil when the terminal echoes input
	line    []byte    // the incomplete line
	results chan readResult
}

type readResult struct {
	data []byte
	err  error
}

func (d *doCommand) newAnswerReader(ctx context.Context) io.Reader {
	r := &answerReader{ctx: ctx, in: d.stdin, results: make(chan readResult, 1)}
	secret := slices.ContainsFunc(d.Form.Fields, func(f form.Field) bool { return f.Kind == form.Secret })
	if !isTerminal(d.stdin) && !secret {
		r.echo = d.out
	}
	return r
}

func (r *answerReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	size := len(p)
	go func() {
		data := make([]byte, size)
		n, err := r.in.Read(data)
		r.results <- readResult{data[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err() // later input is lost, but the program ends
	case got := <-r.results:
		r.echoLine(got)
		return copy(p, got.data), got.err
	}
}

// echoLine prints a line when it is complete, because only then it can be made safe for a terminal.
func (r *answerReader) echoLine(got readResult) {
	if r.echo == nil {
		return
	}
	r.line = append(r.line, got.data...)
	if n := len(r.line); n > 0 && (got.err != nil || r.line[n-1] == '\n') {
		fmt.Fprintln(r.echo, model.Clean(strings.TrimRight(string(r.line), "\r\n")))
		r.line = nil
	}
}

// Fd returns the descriptor of the terminal, so that secrets can be typed without echo.
func (r *answerReader) Fd() uintptr {
	if file, ok := r.in.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}
