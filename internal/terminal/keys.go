package terminal

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Play types a script word by word and waits after each word until the screen is drawn.
//
//	j             a key or a text, typed unchanged
//	enter ctrl+r  a key by its name
//	j*5           a key several times
//	type:late>10m a text; an underscore stands for a blank
//	until:TEXT    waits until the text is on the screen
//	wait:2s       waits for this long
func (t *Terminal) Play(ctx context.Context, script string) error {
	for _, word := range strings.Fields(script) {
		if err := t.play(ctx, word); err != nil {
			return fmt.Errorf("at %q: %w", word, err)
		}
	}
	return nil
}

// idleTime is how long the program must send nothing for the screen to count as drawn.
const idleTime = 60 * time.Millisecond

func (t *Terminal) play(ctx context.Context, word string) error {
	command, text, _ := strings.Cut(word, ":")
	text = strings.ReplaceAll(text, "_", " ")
	sequence, times := text, 1
	switch {
	case text != "" && command == "until":
		return t.WaitForText(ctx, text)
	case text != "" && command == "wait":
		pause, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		return sleep(ctx, pause)
	case text == "" || command != "type":
		var key string
		key, times = splitCount(word)
		sequence = Sequence(key)
	}
	for range times {
		if err := t.Type(sequence); err != nil {
			return err
		}
		if err := t.WaitUntilIdle(ctx, idleTime, idleTime); err != nil {
			return err
		}
	}
	return nil
}

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Type sends a text unchanged.
func (t *Terminal) Type(text string) error {
	_, err := io.WriteString(t.device, text)
	return err
}

// Sequence returns what a terminal sends for a key.
func Sequence(key string) string {
	sequence, ok := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
		"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
		"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~",
		"f2": "\x1bOQ", "f4": "\x1bOS", "f8": "\x1b[19~",
	}[key]
	if ok {
		return sequence
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 {
		return string(letter[0] & 0x1f)
	}
	return key
}

// splitCount splits "j*5" into its key and its count.
func splitCount(word string) (key string, times int) {
	if at := strings.LastIndexByte(word, '*'); at > 0 {
		if n, err := strconv.Atoi(word[at+1:]); err == nil {
			return word[:at], n
		}
	}
	return word, 1
}
