// Package screen sends frames to a terminal.
//
// Bubble Tea draws on a clock, so that a key waits for the next tick, and it rewrites a line from the first to the last
// cell that changed. Here a frame is sent the moment it is there, unless another one just was, and only cells that
// changed are sent. Everything else about the terminal remains Bubble Tea's: its modes, its size, its keys, and that it
// is left as it was found. So a [Screen] stands between Bubble Tea and the terminal: it is what Bubble Tea writes to,
// and lets everything through but what would draw.
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

// Options say where frames go.
type Options struct {
	Output  io.Writer
	Profile colorprofile.Profile
	// FPS is how many frames are sent a second at most. The first after a pause never waits.
	FPS int
	// OnPanic is called with the value of a panic while frames are sent; nil lets the process end.
	OnPanic func(value any)
}

// Screen is one terminal that frames are sent to. It is safe for concurrent use.
type Screen struct {
	every   time.Duration
	onPanic func(value any)
	wake    chan struct{}
	stop    chan struct{}
	ended   chan struct{}
	once    sync.Once

	frameMu      sync.Mutex // of what is to be shown
	frame        string
	width        int
	height       int
	redraw       bool // nothing of the frame before is on the terminal
	synchronized bool // the terminal shows a frame in one go when it is asked to
	method       ansi.Method

	writeMu       sync.Mutex // of the terminal: what is sent arrives whole
	out           io.Writer
	onAltScreen   bool // on the alternate screen
	leftAltScreen bool // that was left again, by Bubble Tea
	painter       Painter
}

// New is a screen that has shown nothing. Nothing is sent before its size is known.
func New(o Options) *Screen {
	s := &Screen{
		out: o.Output, every: time.Second / time.Duration(o.FPS), onPanic: o.OnPanic, painter: Painter{profile: o.Profile},
		wake: make(chan struct{}, 1), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go s.loop()
	return s
}

// Show makes a frame the next to be seen. It returns at once; frames that come faster than they can be sent are
// skipped.
func (s *Screen) Show(frame string) {
	s.frameMu.Lock()
	changed := s.width > 0 && (s.redraw || frame != s.frame)
	s.frame = frame
	s.frameMu.Unlock()
	if changed {
		s.wakeLoop()
	}
}

// Resize says how large the terminal is. The next frame is sent whole: what a terminal does to its lines when it is
// made smaller or larger is its own business.
func (s *Screen) Resize(width, height int) {
	s.frameMu.Lock()
	defer s.frameMu.Unlock()
	s.width, s.height, s.redraw = width, height, true
}

// SetMode takes what the terminal says it can do.
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

// ReportsGraphemeWidth reports that the terminal gives a cluster of characters the width of what is seen, from now on: it
// is asked to when it says that it can.
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

// loop sends frames, and after each one leaves the line alone for a moment: what comes meanwhile is sent as one.
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

// maxUnbracketed is how long a frame may be and still arrive in one piece; a longer one is bracketed where the terminal knows
// how, so that no half of it is seen.
const maxUnbracketed = 2048

// sendFrame sends the newest frame.
func (s *Screen) sendFrame() error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.leftAltScreen {
		return nil
	}
	s.frameMu.Lock()
	frame, width, height, wiped, framed, method := s.frame, s.width, s.height, s.redraw, s.synchronized, s.method
	s.redraw = false
	s.frameMu.Unlock()

	p := &s.painter
	p.out = p.out[:0]
	if !s.onAltScreen {
		s.onAltScreen, wiped = true, true
		p.out = append(p.out, ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable...)
	}
	if p.method != method {
		p.method = method
		p.out = append(p.out, ansi.SetModeUnicodeCore...)
	}
	if wiped {
		p.reset(width, height)
	}
	p.paint(frame)
	out := p.out
	if len(out) == 0 {
		return nil
	}
	if framed && len(out) > maxUnbracketed {
		out = bytes.Join([][]byte{[]byte(ansi.SetModeSynchronizedOutput), []byte(ansi.ResetModeSynchronizedOutput)}, out)
	}
	_, err := s.out.Write(out)
	return err
}

// Output is what Bubble Tea must write to.
func (s *Screen) Output() io.Writer {
	if file, ok := s.out.(*os.File); ok {
		return terminalFile{file, s}
	}
	return s
}

// terminalFile is a file that can be asked for its size and its modes, and is written to through the screen.
type terminalFile struct {
	*os.File
	screen *Screen
}

// Write implements [io.Writer].
func (f terminalFile) Write(p []byte) (int, error) { return f.screen.Write(p) }

// Write takes what Bubble Tea sends and lets through what does not draw.
func (s *Screen) Write(p []byte) (n int, err error) {
	defer s.recoverPanic()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.leftAltScreen && !bytes.Contains(p, []byte(ansi.SetModeAltScreenSaveCursor)) {
		return s.out.Write(p) // whatever is said outside is not ours
	}
	kept, entered, left := removeDrawing(p)
	switch {
	case left:
		s.leftAltScreen, s.onAltScreen = true, false
	case entered && s.leftAltScreen: // back from outside
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

// Close ends the drawing. Bubble Tea has left the alternate screen by then, or does so next; if it ended too soon to
// know of it, it is left here.
func (s *Screen) Close() {
	s.once.Do(func() {
		close(s.stop)
		<-s.ended
	})
}

// Restore closes the screen and makes sure that the terminal is back where it was.
func (s *Screen) Restore() {
	s.Close()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.onAltScreen {
		s.onAltScreen, s.leftAltScreen = false, true
		_, _ = io.WriteString(s.out, ansi.SetModeTextCursorEnable+ansi.ResetModeAltScreenSaveCursor)
	}
}
