package screen

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// removeDrawing removes everything from the output of Bubble Tea that draws, moves the cursor or erases, and the switch to
// the alternate screen, which the first frame does itself. What remains are modes, queries, titles, copied texts and the
// bell.
func removeDrawing(p []byte) (kept []byte, entered, left bool) {
	parser := ansi.NewParser()
	var state byte
	for len(p) > 0 {
		sequence, _, n, next := ansi.DecodeSequence(p, state, parser)
		state, p = next, p[n:]
		switch {
		case bytes.Equal(sequence, []byte(ansi.SetModeAltScreenSaveCursor)):
			entered = true
		case isDrawing(sequence, parser):
		default:
			left = left || bytes.Equal(sequence, []byte(ansi.ResetModeAltScreenSaveCursor))
			kept = append(kept, sequence...)
		}
	}
	return kept, entered, left
}

// isDrawing reports that a sequence draws, moves the cursor or erases.
func isDrawing(sequence []byte, parser *ansi.Parser) bool {
	switch {
	case ansi.HasCsiPrefix(sequence):
		command := ansi.Cmd(parser.Command())
		return command.Prefix() == 0 && command.Intermediate() == 0 && bytes.IndexByte([]byte("ABCDEFGHdefJKLMPSTX@bmr"), command.Final()) >= 0
	case ansi.HasOscPrefix(sequence), ansi.HasDcsPrefix(sequence), ansi.HasApcPrefix(sequence):
		return false
	case len(sequence) > 0 && sequence[0] == ansi.ESC:
		return false
	}
	return len(sequence) != 1 || sequence[0] != ansi.BEL
}
