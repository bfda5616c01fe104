package terminal

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Play types a script, one word after the other, and lets the screen come to rest after each.
//
//	j             a key or a text, typed as it stands
//	enter ctrl+r  a key by its name
//	j*5           a key several times
//	type:late>10m a text; an underscore is a blank
//	until:TEXT    waits until a text is on the screen
//	wait:2s       lets time pass
func (t *Terminal) Play(ctx context.Context, script string) error {
	for _, word := range strings.Fields(script) {
		if err := t.play(ctx, word); err != nil {
			return fmt.Errorf("at %q: %w", word, err)
		}
	}
	return nil
}

// rest is how long nothing must be sent for the screen to count as drawn.
const rest = 60 * time.Millisecond

func (t *Terminal) play(ctx context.Context, word string) error {
	verb, text, _ := strings.Cut(word, ":")
	text = strings.ReplaceAll(text, "_", " ")
	switch {
	case text == "":
	case verb == "until":
		return t.Until(ctx, text)
	case verb == "wait":
		pause, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		return ctx.Err()
	case verb == "type":
		if err := t.Type(text); err != nil {
			return err
		}
		return t.Settle(ctx, rest, rest)
	}
	key, times := repeated(word)
	for range times {
		if err := t.Type(Sequence(key)); err != nil {
			return err
		}
		if err := t.Settle(ctx, rest, rest); err != nil {
			return err
		}
	}
	return nil
}

// Type sends a text as it stands.
func (t *Terminal) Type(text string) error {
	_, err := io.WriteString(t.device, text)
	return err
}

// Sequence is what a terminal sends for a key.
func Sequence(key string) string {
	switch key {
	case "enter":
		return "\r"
	case "esc":
		return "\x1b"
	case "tab":
		return "\t"
	case "shift+tab":
		return "\x1b[Z"
	case "space":
		return " "
	case "backspace":
		return "\x7f"
	case "up", "down", "right", "left":
		return "\x1b[" + map[string]string{"up": "A", "down": "B", "right": "C", "left": "D"}[key]
	case "home":
		return "\x1b[H"
	case "end":
		return "\x1b[F"
	case "pgup":
		return "\x1b[5~"
	case "pgdown":
		return "\x1b[6~"
	case "delete":
		return "\x1b[3~"
	case "f2":
		return "\x1bOQ"
	case "f4":
		return "\x1bOS"
	case "f8":
		return "\x1b[19~"
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 {
		return string(letter[0] & 0x1f)
	}
	return key
}

// repeated splits "j*5" into its key and its count.
func repeated(word string) (key string, times int) {
	if at := strings.LastIndexByte(word, '*'); at > 0 {
		if n, err := strconv.Atoi(word[at+1:]); err == nil {
			return word[:at], n
		}
	}
	return word, 1
}
