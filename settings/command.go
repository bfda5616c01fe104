package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// SplitCommand splits a command line into a program and its arguments. Quotes and backslashes work as in a shell, but no
// shell runs the command: pipes, variables and other shell syntax are refused with a hint how to use a shell.
func SplitCommand(text string) ([]string, error) {
	var splitter commandSplitter
	for _, char := range text {
		if err := splitter.addChar(char); err != nil {
			return nil, err
		}
	}
	return splitter.finish()
}

type commandSplitter struct {
	words   []string
	word    strings.Builder
	inWord  bool
	quote   rune
	escaped bool
}

func (s *commandSplitter) addChar(char rune) error {
	switch {
	case s.escaped:
		s.escaped = false
		if s.quote == '"' && char != '"' && char != '\\' {
			s.word.WriteRune('\\')
		}
		s.word.WriteRune(char)
	case char == '\\' && s.quote != '\'':
		s.escaped, s.inWord = true, true
	case s.quote != 0 && char == s.quote:
		s.quote = 0
	case s.quote == '"' && strings.ContainsRune("$`", char), s.quote == 0 && strings.ContainsRune("|&;<>()$`*?~", char):
		return fmt.Errorf(`%q only works in a shell, and key_command runs without one; `+
			`write ["sh", "-c", "…"] to use one, or quote it`, char)
	case s.quote != 0:
		s.word.WriteRune(char)
	case char == '"' || char == '\'':
		s.quote, s.inWord = char, true
	case char == ' ' || char == '\t':
		s.endWord()
	default:
		s.inWord = true
		s.word.WriteRune(char)
	}
	return nil
}

func (s *commandSplitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.inWord = false
	}
}

func (s *commandSplitter) finish() ([]string, error) {
	switch {
	case s.quote != 0:
		return nil, fmt.Errorf("the quote %q is never closed", s.quote)
	case s.escaped:
		return nil, errors.New("it ends in a backslash")
	}
	s.endWord()
	if len(s.words) == 0 || s.words[0] == "" {
		return nil, errors.New("it names no program")
	}
	return s.words, nil
}

// keyNames returns the keys that have a name instead of a character.
func keyNames() []string {
	named := []string{
		"enter", "tab", "space", "esc", "backspace", "delete", "insert",
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	}
	for number := 1; number <= 20; number++ {
		named = append(named, fmt.Sprintf("f%d", number))
	}
	return named
}

// maxSequence is the maximum number of keys in a sequence.
const maxSequence = 3

// CheckKeys returns nil for a key or a sequence of keys such as "g g".
func CheckKeys(text string) error {
	keys := strings.Split(text, " ")
	if len(keys) > maxSequence {
		return fmt.Errorf("%s is too long: a sequence has at most %d keys", quoted(text), maxSequence)
	}
	for _, key := range keys {
		if err := CheckKeystroke(key); err != nil {
			return err
		}
	}
	return nil
}

// CheckKeystroke returns nil for one key: a character or a name such as "enter" or "f5", with optional modifiers as in
// "ctrl+d" or "shift+tab".
func CheckKeystroke(text string) error {
	modifiers := []string{"ctrl", "alt", "shift", "meta", "super", "hyper"}
	key := text
	for {
		modifier, rest, found := strings.Cut(key, "+")
		// "+" itself is a key: then one side is empty.
		if !found || modifier == "" || rest == "" {
			break
		}
		if !slices.Contains(modifiers, modifier) {
			return fmt.Errorf("%s is not a key: %s is not a modifier%s", quoted(text), quoted(modifier),
				didYouMean(modifier, modifiers))
		}
		key = rest
	}
	if utf8.RuneCountInString(key) == 1 || slices.Contains(keyNames(), key) {
		return nil
	}
	if key == "" {
		return fmt.Errorf("%s names no key; separate the keys of a sequence with one space, and the space bar is \"space\"", quoted(text))
	}
	return fmt.Errorf(`%s is not a key; write one character, or a name such as "enter", "f5" or "ctrl+d"%s`,
		quoted(text), didYouMean(key, keyNames()))
}
