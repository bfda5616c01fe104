package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"waybill/apiclient"
	"waybill/model"
)

// errorStream writes to standard error and keeps a progress line at its end. Everything that is written appears above
// that line.
type errorStream struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	live     string
}

func (e *errorStream) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.erase()
	n, err := e.out.Write(p)
	e.draw()
	return n, err
}

// setLive replaces the progress line; an empty text removes it.
func (e *errorStream) setLive(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text == e.live {
		return
	}
	e.erase()
	e.live = text
	e.draw()
}

func (e *errorStream) erase() {
	if e.live != "" {
		fmt.Fprint(e.out, "\r"+ansi.EraseEntireLine)
	}
}

func (e *errorStream) draw() {
	if e.live != "" {
		fmt.Fprint(e.out, e.live)
	}
}

// printNote prints a line on standard error, made safe for a terminal.
func (a *app) printNote(format string, args ...any) {
	fmt.Fprintln(a.stderr, model.Clean(fmt.Sprintf(format, args...)))
}

// startProgress returns a function that shows progress on a terminal, and one that removes the progress line.
func (a *app) startProgress() (show func(done, total int, text string), end func()) {
	if !a.stderr.terminal || a.flags.noProgress || a.env.Getenv("TERM") == dumbTerminal {
		return func(int, int, string) {}, func() {}
	}
	width, _ := terminalSize(a.stderr.out)
	show = func(done, total int, text string) {
		line := text
		if total > 0 {
			line = bar(done, total) + " " + text
		}
		a.stderr.setLive(ansi.Truncate(model.Clean(line), max(10, width-1), "…"))
	}
	return show, func() { a.stderr.setLive("") }
}

const barWidth = 24

// bar returns a progress bar in ASCII, which every terminal can draw.
func bar(done, total int) string {
	full := min(barWidth, barWidth*done/max(1, total))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
}

// printRequest prints a request of the log with --verbose.
func (a *app) printRequest(e apiclient.Entry) {
	if a.flags.verbose {
		a.printNote("%s", requestLine(e))
	}
}

func requestLine(e apiclient.Entry) string {
	status := fmt.Sprint(e.Status)
	if e.Status == 0 {
		status = "no answer"
	}
	line := fmt.Sprintf("%s %s %s %dms", e.Method, e.Path, status, e.Duration.Milliseconds())
	if e.Waited >= time.Millisecond {
		line += fmt.Sprintf(" after waiting %dms", e.Waited.Milliseconds())
	}
	if e.Attempts > 1 {
		line += fmt.Sprintf(", %d attempts", e.Attempts)
	}
	if e.RequestID != "" {
		line += ", request " + e.RequestID
	}
	if e.Error != "" {
		line += ": " + e.Error
	}
	return line
}
