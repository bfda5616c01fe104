package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// decoder converts the tree to settings and collects all problems. A setting with a problem keeps its default.
type decoder struct {
	text     []byte
	problems []Problem
	// partial is set if the rest of the file could not be read; missing settings are then not reported.
	partial bool
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

// readTable reads the entries of a table and reports unknown ones.
func (d *decoder) readTable(table *node, where string, fields []field) {
	if !table.isTable() {
		d.report(table.offset, "%s must be a table, not %s", where, describeValue(table))
		return
	}
	for _, found := range table.entries {
		known := slices.IndexFunc(fields, func(f field) bool { return f.name == found.name })
		if known < 0 {
			d.reportUnknown(found, where, fieldNames(fields))
			continue
		}
		fields[known].read(d, found.value, found.name)
	}
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
	case where != topLevel && slices.Contains(fieldNames(topFields(new(Settings))), found.name):
		// In TOML everything after a header belongs to its table, which is a common mistake.
		hint = "; it is a top-level setting: move it above the first [table] of the file"
	case where == topLevel && slices.Contains(fieldNames(profileFields(new(Profile))), found.name):
		hint = "; it belongs to a profile: put it under [profiles.NAME]"
	}
	d.report(found.offset, "unknown setting %s%s%s", quoted(found.name), place, hint)
}

func describeValue(value *node) string {
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

// readString reads a string, or reports the problem and returns false.
func (d *decoder) readString(value *node, name string) (string, bool) {
	switch {
	case value.kind != unstable.String:
		d.report(value.offset, "%s must be a string in quotes, not %s", name, describeValue(value))
	case len(value.text) > maxTextLength:
		d.report(value.offset, "%s is %d bytes long; at most %d are allowed", name, len(value.text), maxTextLength)
	case strings.ContainsFunc(value.text, isControl):
		d.report(value.offset, "%s contains a control character; write plain text", name)
	default:
		return value.text, true
	}
	return "", false
}

func isControl(char rune) bool { return char < ' ' || (char >= 0x7f && char < 0xa0) }

// readText reads a string that is not blank and passes the checks.
func (d *decoder) readText(value *node, name string, checks ...check) (string, bool) {
	text, ok := d.readString(value, name)
	if ok && strings.TrimSpace(text) == "" {
		d.report(value.offset, "%s is empty; give it a value or remove the line", name)
		return "", false
	}
	for _, check := range checks {
		if !ok {
			break
		}
		if err := check(text); err != nil {
			d.report(value.offset, "%s: %s", name, err)
			ok = false
		}
	}
	return text, ok
}

// readList reads an array of strings, or a single string as a list of one.
func (d *decoder) readList(value *node, name string, checks ...check) []string {
	var texts []string
	for _, item := range value.asList() {
		if text, ok := d.readText(item, name, checks...); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func (d *decoder) readInt(value *node, name string, least, most int) (int, bool) {
	// Base 0 accepts all forms of TOML: decimal, 0x, 0o, 0b, and underscores between digits.
	number, err := strconv.ParseInt(value.text, 0, 64)
	switch {
	case value.kind != unstable.Integer || err != nil:
		d.report(value.offset, "%s must be a whole number, not %s", name, describeValue(value))
	case number < int64(least) || number > int64(most):
		d.report(value.offset, "%s must be from %d to %d, not %d", name, least, most, number)
	default:
		return int(number), true
	}
	return 0, false
}

func (d *decoder) readDuration(value *node, name string, least, most time.Duration) (time.Duration, bool) {
	parsed, err := time.ParseDuration(value.text)
	switch {
	case value.kind != unstable.String:
		d.report(value.offset, `%s must be a duration in quotes with its unit, such as "30s" or "5m", not %s`,
			name, describeValue(value))
	case err != nil:
		d.report(value.offset, `%s: %s is not a duration; write a number and a unit, such as "30s", "5m" or "1h"`,
			name, quoted(value.text))
	case parsed < least || parsed > most:
		d.report(value.offset, "%s must be from %s to %s, not %s", name, shortDuration(least), shortDuration(most), parsed)
	default:
		return parsed, true
	}
	return 0, false
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
