package screen

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// cells is what a frame looks like on a terminal that understands it.
func cells(frame string, width, height int, method ansi.Method) []uv.Line {
	b := uv.NewScreenBuffer(width, height)
	b.Method = method
	for y, line := range strings.Split(frame, "\n") {
		if y < height {
			uv.NewStyledString(line).Draw(b, uv.Rect(0, y, width, 1))
		}
	}
	return b.Lines
}

func drawLine(t *rapid.T) string {
	texts := rapid.SampledFrom([]string{
		"a", "late", "          ", " ", "x y", "東京", "한", "é", "─", "▶", "👍", "👍🏽", "👨\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "\x1b[m",
	})
	styles := rapid.SampledFrom([]string{"", "\x1b[m", "\x1b[1m", "\x1b[31m", "\x1b[38;5;245m", "\x1b[7m", "\x1b[22m", "\x1b[48;5;17m", "\x1b[4m"})
	var line strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "pieces") {
		line.WriteString(styles.Draw(t, "style") + texts.Draw(t, "text"))
	}
	return line.String()
}

// After any sequence of frames the terminal shows the last one. A character whose width terminals disagree on may be
// missing, but everything around it is right.
func TestTheTerminalShowsTheLastFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 24).Draw(t, "width"), rapid.IntRange(1, 5).Draw(t, "height")
		method := rapid.SampledFrom([]ansi.Method{ansi.WcWidth, ansi.GraphemeWidth}).Draw(t, "method")
		terminal := vt.NewEmulator(width, height)
		if method == ansi.GraphemeWidth {
			_, _ = terminal.WriteString(ansi.SetModeUnicodeCore)
		}
		p := Painter{profile: colorprofile.ANSI256, method: method}
		p.reset(width, height)
		lines := make([]string, height)
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			for y := range lines {
				if rapid.Bool().Draw(t, "changes") {
					lines[y] = drawLine(t)
				}
			}
			frame := strings.Join(lines, "\n")
			p.paint(frame)
			_, err := terminal.Write(p.out)
			require.NoError(t, err)
			for y, line := range cells(frame, width, height, method) {
				for x := range line {
					if _, steady := maxWidth(&line[x]); !steady || line[x].Width == 0 {
						continue
					}
					want, got := line[x], terminal.CellAt(x, y)
					if got == nil {
						got = &uv.EmptyCell
					}
					require.Equal(t, want.Content, got.Content, "%d,%d of %q after %q", x, y, frame, p.out)
					require.True(t, want.Style.Equal(&got.Style), "style at %d,%d of %q after %q", x, y, frame, p.out)
				}
			}
			p.out = p.out[:0]
		}
	})
}

func TestOnlyWhatChangedIsSent(t *testing.T) {
	p := Painter{profile: colorprofile.ANSI256}
	p.reset(40, 3)
	p.paint("one two three\nfour\nfive")
	for _, c := range []struct{ frame, sent string }{
		{"one two three\nfour\nfive", ""},
		{"one two three\nfour\nfivE", "\x1b[4GE"},
		{"One two threE\nfour\nfivE", "\x1b[HO\x1b[11CE"},
		{"one Two threE\nfour\nfivE", "\rone T"}, // what lies between is as short as a jump
		{"\nfour\nfivE", "\r\x1b[K"},
		{"\nfour\n\x1b[31mfivE\x1b[m", "\x1b[3H\x1b[31mfivE\x1b[m"},
	} {
		p.out = p.out[:0]
		p.paint(c.frame)
		require.Equal(t, c.sent, string(p.out), "%q", c.frame)
	}
}

func TestBubbleTeaSetsModesAndDrawsNothing(t *testing.T) {
	drawn := "\x1b[H\x1b[2J text\r\n\x1b[31mred\x1b[m\x1b[K\x1b[5;3H"
	passed := ansi.SetModeBracketedPaste + ansi.SetModifyOtherKeys2 + ansi.PushKittyKeyboard(1) + ansi.SetWindowTitle("late: 3") +
		ansi.SetSystemClipboard("a text") + "\a" + ansi.RequestBackgroundColor + ansi.RequestModeSynchronizedOutput
	kept, entered, left := removeDrawing([]byte(drawn + passed + ansi.SetModeAltScreenSaveCursor + drawn))
	require.Equal(t, passed, string(kept))
	require.True(t, entered)
	require.False(t, left)
	_, _, left = removeDrawing([]byte(ansi.ResetModeAltScreenSaveCursor))
	require.True(t, left)
}

// log keeps what is written, and when.
type log struct {
	mu     sync.Mutex
	writes []string
	times  []time.Time
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes, l.times = append(l.writes, string(p)), append(l.times, time.Now())
	return len(p), nil
}

func TestAFrameNeverWaitsButAHeldKeyDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &log{}
		s := New(Options{Output: out, FPS: 50})
		defer s.Close()
		s.Show("before the size is known")
		synctest.Wait()
		require.Empty(t, out.writes)
		s.Resize(30, 1)
		start := time.Now()
		for _, frame := range []string{"a", "b", "c", "d"} { // faster than it may be sent
			s.Show(frame)
			synctest.Wait()
			time.Sleep(4 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, out.writes, 2)
		require.Equal(t, []time.Duration{0, 20 * time.Millisecond}, []time.Duration{out.times[0].Sub(start), out.times[1].Sub(start)})
		require.Equal(t, "\rd", out.writes[1])
		s.Show("d")
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, out.writes, 2, "the same frame again is nothing new")
		s.Show("e")
		synctest.Wait()
		require.Equal(t, time.Now(), out.times[2])
	})
}

func TestTheAlternateScreenIsLeftOnce(t *testing.T) {
	for name, c := range map[string]struct{ bubbleTea string }{
		"by Bubble Tea":     {ansi.ResetModeAltScreenSaveCursor},
		"when it is not up": {""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out := &log{}
				s := New(Options{Output: out, FPS: 50})
				s.Resize(10, 1)
				s.Show("hello")
				synctest.Wait()
				_, _ = io.WriteString(s.Output(), c.bubbleTea)
				s.Show("never seen")
				s.Restore()
				all := strings.Join(out.writes, "")
				require.Equal(t, 1, strings.Count(all, ansi.SetModeAltScreenSaveCursor))
				require.Equal(t, 1, strings.Count(all, ansi.ResetModeAltScreenSaveCursor))
				require.NotContains(t, all, "never")
			})
		})
	}
}

func TestLongFramesAreBracketed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &log{}
		s := New(Options{Output: out, FPS: 50})
		defer s.Close()
		s.Resize(100, 40)
		s.SetMode(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
		s.Show(strings.Repeat(strings.Repeat("x", 100)+"\n", 40))
		synctest.Wait()
		require.True(t, strings.HasPrefix(out.writes[0], ansi.SetModeSynchronizedOutput))
		require.True(t, strings.HasSuffix(out.writes[0], ansi.ResetModeSynchronizedOutput))
		time.Sleep(time.Second)
		synctest.Wait()
		s.Show("short" + strings.Repeat("x", 95) + "\n" + strings.Repeat(strings.Repeat("x", 100)+"\n", 39))
		synctest.Wait()
		require.Equal(t, "\x1b[Hshort", out.writes[1])
	})
}

func BenchmarkPaint(b *testing.B) {
	var frames [2]bytes.Buffer
	for i := range frames {
		for y := range 60 {
			for range 20 {
				frames[i].WriteString("\x1b[38;5;245mcell " + strings.Repeat("x", 4) + string(rune('a'+(y*i)%3)) + "\x1b[m")
			}
			frames[i].WriteByte('\n')
		}
	}
	p := Painter{profile: colorprofile.ANSI256}
	p.reset(200, 60)
	texts := [2]string{frames[0].String(), frames[1].String()}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.out = p.out[:0]
		p.paint(texts[i%2])
	}
}

// A control character that reaches a frame is not sent, and drawing it ends.
func TestControlCharactersAreNotSent(t *testing.T) {
	for _, line := range []string{"late\x01", "\x01", "\a", "wide 東\x7f", "東\r\x02", "late\x1b[5n", "late\x1b", "x\x1b[31m\x03", "0\xe6\x02", "\u0085", "\x1b]8;;http://a\x1b\\link\x04"} {
		p := NewPainter(8, 2, colorprofile.ANSI256)
		for _, frame := range []string{line, line + "x", "other\n" + line, ""} {
			requireOnlyDrawing(t, p.Paint(frame))
		}
	}
}

// requireOnlyDrawing fails if the bytes do anything but draw.
func requireOnlyDrawing(t *testing.T, sent []byte) {
	t.Helper()
	kept, _, _ := removeDrawing(sent)
	require.Empty(t, kept)
	for _, b := range sent {
		require.False(t, b < ' ' && b != '\x1b' && b != '\r' && b != '\n' || b == 0x7f, "%q", sent)
	}
}

func FuzzPaint(f *testing.F) {
	f.Add("late\x01", "\x1b[31m東京\x1b[m\n\x02", uint8(9))
	f.Fuzz(func(t *testing.T, first, second string, width uint8) {
		p := NewPainter(int(width), 3, colorprofile.ANSI256)
		for _, frame := range []string{first, second, first} {
			requireOnlyDrawing(t, p.Paint(frame))
		}
	})
}
