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

// FilterError is a mistake in a filter, with where it is and what to do.
type FilterError struct {
	From, To   int // the bytes with the mistake
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

// ParseFilter parses a filter of a pane. The error is a *FilterError.
func ParseFilter(pane Pane, text string) (Filter, error) {
	p := filterParser{pane: pane, text: text}
	f := Filter{pane: pane}
	for {
		p.skipSpace()
		if p.at >= len(p.text) {
			return f, nil
		}
		term, err := p.parseTerm()
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

func (p *filterParser) newError(from int, suggestion, problem string, args ...any) error {
	return &FilterError{From: from, To: max(p.at, from), Problem: fmt.Sprintf(problem, args...), Suggestion: suggestion}
}

func (p *filterParser) parseTerm() (filterTerm, error) {
	start := p.at
	term := filterTerm{op: opIs}
	if p.text[p.at] == '!' {
		term.negated = true
		p.at++
		if p.at >= len(p.text) || p.text[p.at] == '!' || isSpaceAt(p.text, p.at) {
			return term, p.newError(start, "write for example !done", "nothing follows the !")
		}
	}
	if word, op, ok := p.parseKey(); ok {
		return p.parseKeyed(term, start, word, op)
	}
	values, err := p.parseValues()
	if err != nil {
		return term, err
	}
	if len(values) == 0 {
		return term, p.newError(start, "put it in quotes to search for it", "there are only commas")
	}
	term.values = values
	states := stateWords(p.pane)
	term.bare = !slices.ContainsFunc(values, func(v filterValue) bool {
		return v.quoted || !slices.Contains(states, v.folded)
	})
	if term.bare {
		term.key = keyState
	} else {
		term.wide, term.substring = true, true
	}
	for i := range values {
		values[i].quoted = values[i].quoted && slices.Contains(states, values[i].folded)
		if term.bare {
			values[i] = newFilterValue(stateSynonym(values[i].folded), false)
		}
	}
	return term, nil
}

// parseKey reads a key and the operator after it, if they come next.
func (p *filterParser) parseKey() (string, filterOp, bool) {
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

func (p *filterParser) parseKeyed(term filterTerm, start int, word string, op filterOp) (filterTerm, error) {
	info, ok := findFilterInfo(p.pane, word)
	if !ok {
		return term, p.unknownKeyError(start, word, op)
	}
	term.key, term.op = info.key, op
	term.form, term.wide, term.substring = info.form, info.wide, info.substring
	if op != opIs {
		if !info.form.compared() {
			return term, p.newError(start, fmt.Sprintf("write %s:…", word), "%s cannot be compared", word)
		}
		return p.parseLimit(term, start, info)
	}
	values, err := p.parseValues()
	switch {
	case err != nil:
		return term, err
	case len(values) == 0:
		return term, p.newError(start, "write "+exampleOf(info), "%s: needs a value", word)
	case info.form.compared() && (len(values) > 1 || !values[0].isNone()):
		return term, p.newError(start, "write "+exampleOf(info), "%s needs < or >", word)
	}
	for i := range values {
		values[i].quoted = values[i].quoted && values[i].folded == noneWord
		if err := p.checkWord(start, info, &values[i]); err != nil {
			return term, err
		}
	}
	term.values = values
	return term, nil
}

func (p *filterParser) checkWord(start int, info filterInfo, value *filterValue) error {
	if info.form != formWord {
		return nil
	}
	value.quoted = false
	if slices.Contains(info.words, value.folded) {
		*value = newFilterValue(value.folded, false)
		if info.key == keyState {
			*value = newFilterValue(stateSynonym(value.folded), false)
		}
		return nil
	}
	advice := "choose one of " + strings.Join(info.words, ", ")
	if near := model.ClosestName(value.folded, info.words); near != "" {
		advice = "did you mean " + near + "?"
	}
	return p.newError(start, advice, "%s cannot be %q", info.key, value.text)
}

func (p *filterParser) unknownKeyError(start int, word string, op filterOp) error {
	names := make([]string, 0, 16)
	for _, info := range filterInfos(p.pane) {
		names = append(names, info.key)
	}
	advice := "put it in quotes to search for it as text"
	if near := model.ClosestName(word, names); near != "" {
		advice = fmt.Sprintf("did you mean %s%c?", near, op)
	}
	return p.newError(start, advice, "cannot filter %s by %q", p.pane, word)
}

func exampleOf(info filterInfo) string {
	switch info.form {
	case formDuration:
		return info.key + "<30m or " + info.key + ">1h"
	case formNumber:
		return info.key + "<5 or " + info.key + ">20"
	case formWord:
		return info.key + ":" + info.words[0]
	default:
		return info.key + ":text or " + info.key + ":none"
	}
}

func (p *filterParser) parseLimit(term filterTerm, start int, info filterInfo) (filterTerm, error) {
	from := p.at
	for p.at < len(p.text) && !isSpaceAt(p.text, p.at) {
		p.at++
	}
	text := p.text[from:p.at]
	if text == "" {
		return term, p.newError(start, "write "+exampleOf(info), "%s%c needs a number", info.key, term.op)
	}
	if info.form == formNumber {
		number, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil || number != number || number < -maxFilterNumber || number > maxFilterNumber {
			return term, p.newError(from, "write "+exampleOf(info), "%q is not a number", text)
		}
		term.limit = number
		return term, nil
	}
	duration, ok := parseDuration(text)
	if !ok {
		return term, p.newError(from, "write 45s, 10m, 1h30m or 2d", "%q is not a duration", text)
	}
	term.limit = float64(duration.Milliseconds())
	return term, nil
}

const maxFilterNumber = 1e12

// parseDuration reads 45s, 10m, 1h30m or 2d; a bare number is minutes.
func parseDuration(text string) (time.Duration, bool) {
	if model.AllDigits(text) {
		text += "m"
	}
	length, err := model.ParseDuration(text)
	return length, err == nil
}

// parseValues reads words and phrases separated by commas, up to a space.
func (p *filterParser) parseValues() ([]filterValue, error) {
	var values []filterValue
	for p.at < len(p.text) && !isSpaceAt(p.text, p.at) {
		switch p.text[p.at] {
		case ',':
			p.at++
			continue
		case '"':
			text, err := p.parseQuoted()
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
			break // a quote right after a word begins another term
		}
	}
	return values, nil
}

func (p *filterParser) parseQuoted() (string, error) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			if b.Len() == 0 {
				return "", p.newError(start, "write a phrase between them", "the quotes are empty")
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
	return "", p.newError(start, "add a \" at the end", "the quote is not closed")
}

func isSpaceAt(text string, at int) bool {
	if text[at] < utf8.RuneSelf {
		return text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(r)
}
