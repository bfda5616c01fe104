package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"waybill/model"
)

// FilterError says what is wrong with a filter, where, and what may have been meant.
type FilterError struct {
	From, To   int // the bytes of the text that are meant
	Problem    string
	Suggestion string // what to do instead; may be empty
}

// Error implements error.
func (e *FilterError) Error() string {
	if e.Suggestion == "" {
		return e.Problem
	}
	return e.Problem + "; " + e.Suggestion
}

// ParseFilter reads what was typed for a pane. The error is a *FilterError.
func ParseFilter(pane Pane, text string) (Filter, error) {
	p := filterParser{pane: pane, text: text}
	f := Filter{pane: pane}
	for {
		p.skipSpace()
		if p.at >= len(p.text) {
			return f, nil
		}
		term, err := p.term()
		if err != nil {
			return Filter{}, err
		}
		f.terms = append(f.terms, term)
	}
}

type filterParser struct {
	pane Pane
	text string
	at   int
}

func (p *filterParser) skipSpace() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += size
	}
}

func (p *filterParser) fail(from int, suggestion, problem string, args ...any) error {
	return &FilterError{From: from, To: max(p.at, from), Problem: fmt.Sprintf(problem, args...), Suggestion: suggestion}
}

func (p *filterParser) term() (filterTerm, error) {
	start := p.at
	term := filterTerm{op: opIs}
	if p.text[p.at] == '!' {
		term.not = true
		p.at++
		if p.at >= len(p.text) || p.text[p.at] == '!' || isSpaceAt(p.text, p.at) {
			return term, p.fail(start, "write for example !done", "nothing follows the !")
		}
	}
	if word, op, ok := p.key(); ok {
		return p.keyed(term, start, word, op)
	}
	values, err := p.values()
	if err != nil {
		return term, err
	}
	if len(values) == 0 {
		return term, p.fail(start, "put it in quotes to search for it", "there is nothing but commas here")
	}
	term.values = values
	states := stateWords(p.pane)
	term.bare = !slices.ContainsFunc(values, func(v filterValue) bool {
		return v.quoted || !slices.Contains(states, v.folded)
	})
	if term.bare {
		term.key = keyState
	}
	for i := range values {
		values[i].quoted = values[i].quoted && slices.Contains(states, values[i].folded)
		if term.bare {
			values[i] = newFilterValue(stateSynonym(values[i].folded), false)
		}
	}
	return term, nil
}

// key takes a key and the operator after it, if that is what comes next.
func (p *filterParser) key() (string, filterOp, bool) {
	end := p.at
	for end < len(p.text) && (lowerByte(p.text[end]) >= 'a' && lowerByte(p.text[end]) <= 'z') {
		end++
	}
	if end == p.at || end == len(p.text) {
		return "", 0, false
	}
	op := filterOp(p.text[end])
	if op != opIs && op != opLess && op != opMore {
		return "", 0, false
	}
	word := foldText(p.text[p.at:end])
	p.at = end + 1
	return word, op, true
}

func (p *filterParser) keyed(term filterTerm, start int, word string, op filterOp) (filterTerm, error) {
	help, ok := findTerm(p.pane, word)
	if !ok {
		return term, p.unknownKey(start, word, op)
	}
	term.key, term.op = help.key, op
	compared := help.form == formLength || help.form == formNumber
	if op != opIs {
		if !compared {
			return term, p.fail(start, fmt.Sprintf("write %s:…", word), "%s is not a number to compare", word)
		}
		return p.limit(term, start, help)
	}
	values, err := p.values()
	switch {
	case err != nil:
		return term, err
	case len(values) == 0:
		return term, p.fail(start, "write "+example(help), "%s: needs a value", word)
	case compared && (len(values) > 1 || !values[0].isNone()):
		return term, p.fail(start, "write "+example(help), "%s is compared with < or >", word)
	}
	for i := range values {
		values[i].quoted = values[i].quoted && values[i].folded == noneWord
		if err := p.checkWord(start, help, &values[i]); err != nil {
			return term, err
		}
	}
	term.values = values
	return term, nil
}

func (p *filterParser) checkWord(start int, help filterTermHelp, value *filterValue) error {
	if help.form != formWord {
		return nil
	}
	value.quoted = false
	if slices.Contains(help.words, value.folded) {
		*value = newFilterValue(value.folded, false)
		if help.key == keyState {
			*value = newFilterValue(stateSynonym(value.folded), false)
		}
		return nil
	}
	advice := "choose one of " + strings.Join(help.words, ", ")
	if near := model.ClosestName(value.folded, help.words); near != "" {
		advice = "did you mean " + near + "?"
	}
	return p.fail(start, advice, "%s is never %q", help.key, value.text)
}

func (p *filterParser) unknownKey(start int, word string, op filterOp) error {
	names := make([]string, 0, 16)
	for _, t := range termsOf(p.pane) {
		names = append(names, string(t.key))
	}
	advice := "put it in quotes to search for it as text"
	if near := model.ClosestName(word, names); near != "" {
		advice = fmt.Sprintf("did you mean %s%c?", near, op)
	}
	return p.fail(start, advice, "%s have no %q to filter by", p.pane, word)
}

func example(help filterTermHelp) string {
	switch help.form {
	case formLength:
		return string(help.key) + "<30m or " + string(help.key) + ">1h"
	case formNumber:
		return string(help.key) + "<5 or " + string(help.key) + ">20"
	case formWord:
		return string(help.key) + ":" + help.words[0]
	}
	return string(help.key) + ":text or " + string(help.key) + ":none"
}

func (p *filterParser) limit(term filterTerm, start int, help filterTermHelp) (filterTerm, error) {
	from := p.at
	for p.at < len(p.text) && !isSpaceAt(p.text, p.at) {
		p.at++
	}
	text := p.text[from:p.at]
	if text == "" {
		return term, p.fail(start, "write "+example(help), "%s%c needs a number", help.key, term.op)
	}
	if help.form == formNumber {
		number, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil || number != number || number < -maxFilterNumber || number > maxFilterNumber {
			return term, p.fail(from, "write "+example(help), "%q is not a number", text)
		}
		term.limit = number
		return term, nil
	}
	length, ok := parseLength(text)
	if !ok {
		return term, p.fail(from, "write 45s, 10m, 1h30m or 2d", "%q is not a length of time", text)
	}
	term.limit = float64(length.Milliseconds())
	return term, nil
}

const maxFilterNumber = 1e12

// parseLength reads 45s, 10m, 1h30m, 2d; a bare number is minutes.
func parseLength(text string) (time.Duration, bool) {
	if strings.Trim(text, "0123456789") == "" {
		text += "m"
	}
	length, err := model.ParseDuration(text)
	return length, err == nil
}

// values takes words and phrases with commas between them, up to a space.
func (p *filterParser) values() ([]filterValue, error) {
	var values []filterValue
	for p.at < len(p.text) && !isSpaceAt(p.text, p.at) {
		switch p.text[p.at] {
		case ',':
			p.at++
			continue
		case '"':
			text, err := p.quoted()
			if err != nil {
				return nil, err
			}
			values = append(values, newFilterValue(text, true))
		default:
			from := p.at
			for p.at < len(p.text) && p.text[p.at] != ',' && p.text[p.at] != '"' && !isSpaceAt(p.text, p.at) {
				p.at++
			}
			word := p.text[from:p.at]
			values = append(values, newFilterValue(word, false))
		}
		if p.at < len(p.text) && p.text[p.at] != ',' {
			break // a quote against a word begins another term
		}
	}
	return values, nil
}

func (p *filterParser) quoted() (string, error) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			if b.Len() == 0 {
				return "", p.fail(start, "write the phrase between them", "there is nothing between the quotes")
			}
			return b.String(), nil
		case '\\':
			if p.at+1 < len(p.text) {
				p.at++
			}
			b.WriteByte(p.text[p.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fail(start, "add a \" at the end", "the quote is not closed")
}

func isSpaceAt(text string, at int) bool {
	if text[at] < utf8.RuneSelf {
		return text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(r)
}
