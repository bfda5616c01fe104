package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// decoder turns the tree into settings and collects every problem on the way.
type decoder struct {
	text     []byte
	problems []Problem
	// partial is set when the rest of the file could not be read; what seems to be missing may then be there after all.
	partial bool
}

// field is one name a table may hold.
type field[T any] struct {
	name string
	read func(d *decoder, value *node, into *T)
}

func (d *decoder) positionOf(offset int) Position { return positionAt(d.text, offset) }

func (d *decoder) report(offset int, format string, arguments ...any) {
	d.problems = append(d.problems, Problem{At: d.positionOf(offset), Message: fmt.Sprintf(format, arguments...)})
}

func (d *decoder) reportMissing(offset int, format string, arguments ...any) {
	if !d.partial {
		d.report(offset, format, arguments...)
	}
}

// readTable gives every entry of a table to its field and reports the ones that have none.
func readTable[T any](d *decoder, table *node, where string, fields []field[T], into *T) {
	if !table.isTable() {
		d.report(table.offset, "%s must be a table, not %s", where, describe(table))
		return
	}
	for _, found := range table.entries {
		known := slices.IndexFunc(fields, func(f field[T]) bool { return f.name == found.name })
		if known < 0 {
			d.reportUnknown(found, where, fieldNames(fields))
			continue
		}
		fields[known].read(d, found.value, into)
	}
}

func fieldNames[T any](fields []field[T]) []string {
	found := make([]string, 0, len(fields))
	for _, f := range fields {
		found = append(found, f.name)
	}
	return found
}

func (d *decoder) reportUnknown(found *entry, where string, valid []string) {
	place := " in " + where
	if where == topLevel {
		place = ""
	}
	hint := didYouMean(found.name, valid)
	switch {
	case slices.Contains([]string{"api_key", "apikey", "key", "token", "password"}, strings.ToLower(found.name)):
		hint = "; keys do not belong in this file: store it with 'waybill keys add'"
	case where != topLevel && slices.Contains(fieldNames(topFields()), found.name):
		// In TOML everything after a header belongs to it, which catches everyone once.
		hint = "; it belongs to no table: move it above the first [table] of the file"
	case where == topLevel && slices.Contains(fieldNames(profileFields()), found.name):
		hint = "; it belongs to a profile: put it under [profiles.NAME]"
	}
	d.report(found.offset, "unknown setting %s%s%s", quoted(found.name), place, hint)
}

func describe(value *node) string {
	switch value.kind {
	case unstable.String:
		return "a string (" + quoted(value.text) + ")"
	case unstable.Bool, unstable.Integer, unstable.Float:
		return value.text
	case unstable.Array:
		return "a list"
	case unstable.Table, unstable.InlineTable:
		return "a table"
	default:
		return "a date or time"
	}
}

// readString reads a string. The boolean is false when it was something else or unfit, which is then reported.
func (d *decoder) readString(value *node, name string) (string, bool) {
	if value.kind != unstable.String {
		d.report(value.offset, "%s must be a string in quotes, not %s", name, describe(value))
		return "", false
	}
	if len(value.text) > maxTextLength {
		d.report(value.offset, "%s is %d bytes long; at most %d are allowed", name, len(value.text), maxTextLength)
		return "", false
	}
	if strings.ContainsFunc(value.text, isControl) {
		d.report(value.offset, "%s holds a control character; write plain text", name)
		return "", false
	}
	return value.text, true
}

func isControl(char rune) bool { return char < ' ' || (char >= 0x7f && char < 0xa0) }

// readText reads a string that says something.
func (d *decoder) readText(value *node, name string) (string, bool) {
	text, ok := d.readString(value, name)
	if ok && strings.TrimSpace(text) == "" {
		d.report(value.offset, "%s is empty; give it a value or remove the line", name)
		return "", false
	}
	return text, ok
}

func (d *decoder) readBool(value *node, name string) bool {
	if value.kind != unstable.Bool {
		d.report(value.offset, "%s must be true or false, not %s", name, describe(value))
		return false
	}
	return value.text == "true"
}

func (d *decoder) readInt(value *node, name string, least, most int) int {
	// Base 0 takes every form TOML knows: decimal, 0x, 0o, 0b, and underscores between digits.
	number, err := strconv.ParseInt(value.text, 0, 64)
	if value.kind != unstable.Integer || err != nil {
		d.report(value.offset, "%s must be a whole number, not %s", name, describe(value))
		return least
	}
	if number < int64(least) || number > int64(most) {
		d.report(value.offset, "%s must be from %d to %d, not %d", name, least, most, number)
		return least
	}
	return int(number)
}

func (d *decoder) readDuration(value *node, name string, least, most time.Duration) time.Duration {
	if value.kind != unstable.String {
		d.report(value.offset, `%s must be a duration in quotes with its unit, such as "30s" or "5m", not %s`,
			name, describe(value))
		return least
	}
	parsed, err := time.ParseDuration(value.text)
	if err != nil {
		d.report(value.offset, `%s: %s is not a duration; write a number and a unit, such as "30s", "5m" or "1h"`,
			name, quoted(value.text))
		return least
	}
	if parsed < least || parsed > most {
		d.report(value.offset, "%s must be from %s to %s, not %s", name, shortDuration(least), shortDuration(most), parsed)
		return least
	}
	return parsed
}

// shortDuration writes 1h0m0s as 1h.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func readOneOf[T ~string](d *decoder, value *node, name string, valid ...T) T {
	text, ok := d.readString(value, name)
	if !ok {
		return valid[0]
	}
	if !slices.Contains(valid, T(text)) {
		d.report(value.offset, "%s: %s is not one of %s%s",
			name, quoted(text), strings.Join(toStrings(valid...), ", "), didYouMean(text, toStrings(valid...)))
		return valid[0]
	}
	return T(text)
}

// readList reads an array of strings, or a single string as a list of one.
func (d *decoder) readList(value *node, name string) []string {
	items := []*node{value}
	if value.kind == unstable.Array {
		items = value.items
	}
	var texts []string
	for _, item := range items {
		if text, ok := d.readText(item, name); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
