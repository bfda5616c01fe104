// Package screen sends frames to a terminal.
//
// Bubble Tea draws at fixed times, so that a key waits for the next tick, and it rewrites a line from the first to the
// last changed cell. This package sends a frame as soon as it is ready, unless another one has just been sent, and only
// the cells that changed. Bubble Tea still handles modes, size and keys, and restores the terminal. A [Screen] stands
// between Bubble Tea and the terminal: Bubble Tea writes to it, and it passes on everything that does not draw.
package screen

import (
	"bytes"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Options say where and how frames are sent.
type Options struct {
	Output  io.Writer
	Profile colorprofile.Profile
	// FPS is the maximum number of frames per second. The first frame after a pause never waits.
	FPS int
	// OnPanic is called with the value of a panic while frames are sent; nil lets the process end.
	OnPanic func(value any)
}

// Screen sends frames to one terminal. It is safe for concurrent use.
type Screen struct {
	every   time.Duration
	onPanic func(value any)
	wake    chan struct{}
	stop    chan struct{}
	ended   chan struct{}
	once    sync.Once

	frameMu      sync.Mutex // guards the frame
	frame        string
	width        int
	height       int
	redraw       bool // the next frame is sent completely
	synchronized bool // the terminal supports synchronized output
	method       ansi.Method

	writeMu       sync.Mutex // guards the terminal: writes do not mix
	out           io.Writer
	onAltScreen   bool // on the alternate screen
	leftAltScreen bool // Bubble Tea has left the alternate screen
	painter       *Painter
}

// New returns a screen. Nothing is sent before its size is known.
func New(o Options) *Screen {
	s := &Screen{
		out: o.Output, every: time.Second / time.Duration(o.FPS), onPanic: o.OnPanic, painter: NewPainter(0, 0, o.Profile),
		wake: make(chan struct{}, 1), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go s.loop()
	return s
}

// Show sets the frame to send next and returns at once. Frames that come faster than they can be sent are skipped.
func (s *Screen) Show(frame string) {
	s.frameMu.Lock()
	changed := s.width > 0 && (s.redraw || frame != s.frame)
	s.frame = frame
	s.frameMu.Unlock()
	if changed {
		s.wakeLoop()
	}
}

// Resize sets the size of the terminal. The next frame is sent completely, since terminals differ in how they resize.
func (s *Screen) Resize(width, height int) {
	s.frameMu.Lock()
	defer s.frameMu.Unlock()
	s.width, s.height, s.redraw = width, height, true
}

// SetMode takes a report of the terminal about its modes.
func (s *Screen) SetMode(msg tea.ModeReportMsg) {
	s.frameMu.Lock()
	defer s.frameMu.Unlock()
	switch {
	case msg.Mode == ansi.ModeSynchronizedOutput:
		s.synchronized = msg.Value == ansi.ModeReset
	case ReportsGraphemeWidth(msg) && s.method != ansi.GraphemeWidth:
		s.method, s.redraw = ansi.GraphemeWidth, true
	}
}

// ReportsGraphemeWidth reports that the terminal can measure grapheme clusters, which is switched on then.
func ReportsGraphemeWidth(msg tea.ModeReportMsg) bool {
	return msg.Mode == ansi.ModeUnicodeCore &&
		(msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet)
}

// recoverPanic must be deferred itself: only then does it see the panic.
func (s *Screen) recoverPanic() {
	if s.onPanic == nil {
		return
	}
	if value := recover(); value != nil {
		s.onPanic(value)
	}
}

func (s *Screen) wakeLoop() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// loop sends frames and pauses after each one; frames that come meanwhile are sent as one.
func (s *Screen) loop() {
	defer close(s.ended)
	defer s.recoverPanic()
	for {
		select {
		case <-s.wake:
		case <-s.stop:
			return
		}
		began := time.Now()
		if s.sendFrame() != nil {
			return // the terminal is gone; the program learns that from its input
		}
		select {
		case <-time.After(s.every - time.Since(began)):
		case <-s.stop:
			return
		}
	}
}

// maxUnbracketed is the length in bytes up to which a frame arrives in one piece. A longer one is sent as synchronized
// output where the terminal supports it, so that no half of it is seen.
const maxUnbracketed = 2048

// sendFrame sends the newest frame.
func (s *Screen) sendFrame() error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.leftAltScreen {
		return nil
	}
	s.frameMu.Lock()
	frame, width, height, redraw, synchronized, method := s.frame, s.width, s.height, s.redraw, s.synchronized, s.method
	s.redraw = false
	s.frameMu.Unlock()

	p := s.painter
	p.out = p.out[:0]
	if !s.onAltScreen {
		s.onAltScreen, redraw = true, true
		p.out = append(p.out, ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable...)
	}
	if p.method != method {
		p.method = method
		p.out = append(p.out, ansi.SetModeUnicodeCore...)
	}
	if redraw {
		p.reset(width, height)
	}
	p.paint(frame)
	out := p.out
	if len(out) == 0 {
		return nil
	}
	if synchronized && len(out) > maxUnbracketed {
		out = bytes.Join([][]byte{[]byte(ansi.SetModeSynchronizedOutput), []byte(ansi.ResetModeSynchronizedOutput)}, out)
	}
	_, err := s.out.Write(out)
	return err
}

// Output is the writer for Bubble Tea.
func (s *Screen) Output() io.Writer {
	if file, ok := s.out.(*os.File); ok {
		return terminalFile{file, s}
	}
	return s
}

// terminalFile is the file of the terminal; writes go through the screen.
type terminalFile struct {
	*os.File
	screen *Screen
}

// Write implements [io.Writer].
func (f terminalFile) Write(p []byte) (int, error) { return f.screen.Write(p) }

// Write passes on the output of Bubble Tea that does not draw.
func (s *Screen) Write(p []byte) (n int, err error) {
	defer s.recoverPanic()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.leftAltScreen && !bytes.Contains(p, []byte(ansi.SetModeAltScreenSaveCursor)) {
		return s.out.Write(p) // output outside the alternate screen is passed on
	}
	kept, entered, left := removeDrawing(p)
	switch {
	case left:
		s.leftAltScreen, s.onAltScreen = true, false
	case entered && s.leftAltScreen: // back on the alternate screen
		s.leftAltScreen = false
		s.wakeLoop()
	}
	if len(kept) == 0 {
		return len(p), nil
	}
	if _, err := s.out.Write(kept); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close stops sending frames.
func (s *Screen) Close() {
	s.once.Do(func() {
		close(s.stop)
		<-s.ended
	})
}

// Restore closes the screen and leaves the alternate screen, unless Bubble Tea has done so.
func (s *Screen) Restore() {
	s.Close()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.onAltScreen {
		s.onAltScreen, s.leftAltScreen = false, true
		_, _ = io.WriteString(s.out, ansi.SetModeTextCursorEnable+ansi.ResetModeAltScreenSaveCursor)
	}
}
