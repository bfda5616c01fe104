package settings

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// AddProfile returns the file with a new profile at its end.
func (f *File) AddProfile(profile Profile) (*File, error) {
	if err := CheckProfileName(profile.Name); err != nil {
		return nil, err
	}
	if _, taken := f.Settings.Profile(profile.Name); taken {
		return nil, fmt.Errorf("there is already a profile named %q in %s; remove it first or choose another name",
			profile.Name, f.Path)
	}
	profile, err := profile.withDefaults()
	if err != nil {
		return nil, err
	}
	want := f.Settings.clone()
	want.Profiles = append(want.Profiles, profile)
	return f.replaceText(appendBlock(f.doc.text, writeProfile(profile)), want)
}

// withDefaults checks a profile and fills in defaults, as reading it from a file would.
func (p Profile) withDefaults() (Profile, error) {
	baseURL, err := CheckBaseURL(p.BaseURL)
	if err != nil {
		return Profile{}, err
	}
	usual := NewProfile(p.Name, baseURL)
	p.BaseURL = baseURL
	p.RequestsPerSecond = cmp.Or(p.RequestsPerSecond, usual.RequestsPerSecond)
	p.Poll = Poll{
		Tasks:   cmp.Or(p.Poll.Tasks, usual.Poll.Tasks),
		Workers: cmp.Or(p.Poll.Workers, usual.Poll.Workers),
		Delays:  cmp.Or(p.Poll.Delays, usual.Poll.Delays),
		Orders:  cmp.Or(p.Poll.Orders, usual.Poll.Orders),
	}
	switch {
	case p.KeySource != "":
	case p.KeyEnv != "":
		p.KeySource = KeyFromEnv
	case p.KeyFile != "":
		p.KeySource = KeyFromFile
	case len(p.KeyCommand) > 0:
		p.KeySource = KeyFromCommand
	}
	return p, nil
}

// checkProfile returns an error if the file has no profile of that name.
func (f *File) checkProfile(name string) error {
	if _, ok := f.Settings.Profile(name); !ok {
		return fmt.Errorf("there is no profile named %s in %s%s", quoted(name), f.Path, didYouMean(name, f.Settings.ProfileNames()))
	}
	return nil
}

// RemoveProfile returns the file without a profile, and without default_profile if that is the profile. Comments inside the
// table are removed too; those above its header stay.
func (f *File) RemoveProfile(name string) (*File, error) {
	if err := f.checkProfile(name); err != nil {
		return nil, err
	}
	want := f.Settings.clone()
	want.Profiles = slices.DeleteFunc(want.Profiles, func(p Profile) bool { return p.Name == name })
	removed := [][]string{{"profiles", name}}
	if want.DefaultProfile == name {
		want.DefaultProfile = ""
		removed = append(removed, []string{"default_profile"})
	}
	return f.replaceText(f.doc.removePaths(removed), want)
}

// SetDefaultProfile returns the file with another profile as the default.
func (f *File) SetDefaultProfile(name string) (*File, error) {
	if err := f.checkProfile(name); err != nil {
		return nil, err
	}
	want := f.Settings.clone()
	want.DefaultProfile = name
	text, err := f.doc.setValue(nil, "default_profile", quote(name))
	if err != nil {
		return nil, err
	}
	return f.replaceText(text, want)
}

// SetProfileValue returns the file with a new value for one setting of a profile: a string, a bool, an int or a []string.
// An unknown setting or an invalid value is an error.
func (f *File) SetProfileValue(profile, setting string, value any) (*File, error) {
	if err := f.checkProfile(profile); err != nil {
		return nil, err
	}
	written, err := writeValue(reflect.ValueOf(value))
	if err != nil {
		return nil, err
	}
	text, err := f.doc.setValue([]string{"profiles", profile}, setting, written)
	if err != nil {
		return nil, err
	}
	after, err := f.reparse(text)
	if err != nil {
		return nil, err
	}
	others := func(s Settings) Settings {
		s = s.clone()
		s.Profiles = slices.DeleteFunc(s.Profiles, func(p Profile) bool { return p.Name == profile })
		return s
	}
	if !sameSettings(others(after.Settings), others(f.Settings)) {
		return nil, fmt.Errorf("%w: setting %s of profile %q would change something else in %s", ErrNotEditable, setting, profile, f.Path)
	}
	return after, nil
}

// replaceText parses the new text and checks that it says exactly what is wanted. An edit that would change anything else is
// refused.
func (f *File) replaceText(text []byte, want Settings) (*File, error) {
	after, err := f.reparse(text)
	if err != nil {
		return nil, err
	}
	if !sameSettings(after.Settings, want) {
		return nil, fmt.Errorf("%w: %s is written in a form that this change would damage", ErrNotEditable, f.Path)
	}
	return after, nil
}

func (f *File) reparse(text []byte) (*File, error) {
	after, err := parseFile(f.Path, text)
	if err != nil {
		return nil, fmt.Errorf("the change was not made because the file would become invalid:\n%w", err)
	}
	after.onDisk = f.onDisk
	return after, nil
}

// sameSettings compares settings without their positions in the file.
func sameSettings(a, b Settings) bool {
	return reflect.DeepEqual(a.withoutPositions(), b.withoutPositions())
}

// clone copies the lists, so that editing the copy does not change the original. Empty lists become nil.
func (s Settings) clone() Settings {
	s.Keys, s.Views, s.Profiles = slices.Concat(s.Keys), slices.Concat(s.Views), slices.Concat(s.Profiles)
	return s
}

func (s Settings) withoutPositions() Settings {
	s = s.clone()
	for i := range s.Keys {
		s.Keys[i].At = Position{}
	}
	for i := range s.Views {
		s.Views[i].At = Position{}
	}
	for i := range s.Profiles {
		profile := &s.Profiles[i]
		profile.At = Position{}
		profile.KeyCommand, profile.Teams = slices.Concat(profile.KeyCommand), slices.Concat(profile.Teams)
	}
	return s
}

// setValue replaces the value of a setting in a table, or adds the setting. A nil table is the top of the file.
func (d *document) setValue(table []string, name, value string) ([]byte, error) {
	path := append(slices.Clone(table), name)
	for _, e := range d.expressions {
		if e.kind == unstable.KeyValue && slices.Equal(e.path, path) {
			return slices.Concat(d.text[:e.valueStart], []byte(value), d.text[e.end:]), nil
		}
	}
	line := quoteKey(name) + " = " + value + d.newline()
	if len(table) == 0 {
		return d.insertAtTop(line), nil
	}
	header := slices.IndexFunc(d.expressions, func(e expression) bool {
		return e.kind == unstable.Table && slices.Equal(e.path, table)
	})
	if header < 0 {
		return nil, fmt.Errorf("%w: there is no table %s for %s; add the line yourself", ErrNotEditable, tableName(table...), name)
	}
	last := header
	for i, e := range d.expressions {
		if e.kind == unstable.KeyValue && e.header == header {
			last = i
		}
	}
	return d.insertLine(d.lineEnd(d.expressions[last].end), d.indentation(d.expressions[last].start)+line), nil
}

// insertAtTop inserts a line after the last setting above the first table, or else before the first table and its comment.
func (d *document) insertAtTop(line string) []byte {
	lastTop, firstHeader := -1, -1
	for i, e := range d.expressions {
		switch {
		case e.kind == unstable.KeyValue && e.header < 0:
			lastTop = i
		case e.kind != unstable.KeyValue && firstHeader < 0:
			firstHeader = i
		}
	}
	switch {
	case lastTop >= 0:
		return d.insertLine(d.lineEnd(d.expressions[lastTop].end), line)
	case firstHeader >= 0:
		return d.insertLine(d.attachedComment(d.expressions[firstHeader].start), line+d.newline())
	default:
		return d.insertLine(len(d.text), line)
	}
}

func (d *document) insertLine(offset int, line string) []byte {
	before := d.text[:offset]
	if offset > 0 && before[offset-1] != '\n' {
		line = d.newline() + line
	}
	return slices.Concat(before, []byte(line), d.text[offset:])
}

// removePaths removes every expression whose path starts with one of the prefixes, with its lines.
func (d *document) removePaths(prefixes [][]string) []byte {
	isRemoved := func(e expression) bool {
		return slices.ContainsFunc(prefixes, func(prefix []string) bool {
			return len(e.path) >= len(prefix) && slices.Equal(e.path[:len(prefix)], prefix)
		})
	}
	var kept []byte
	from := 0
	for i := 0; i < len(d.expressions); i++ {
		if !isRemoved(d.expressions[i]) {
			continue
		}
		// A header is removed with everything down to the last line of its table, including comments.
		last := i
		for d.expressions[i].kind != unstable.KeyValue && last+1 < len(d.expressions) && isRemoved(d.expressions[last+1]) {
			last++
		}
		start := d.lineStart(d.expressions[i].start)
		end := d.lineEnd(d.expressions[last].end)
		if d.expressions[i].kind != unstable.KeyValue {
			end = d.trailingComments(end)
		}
		kept = append(kept, d.text[from:start]...)
		from, i = end, last
		from = d.joinBlankLines(kept, from)
	}
	return append(kept, d.text[from:]...)
}

// trailingComments returns the end of the comment lines directly after a table. Comments directly above the next header
// belong to that one and stay.
func (d *document) trailingComments(offset int) int {
	end := offset
	for end < len(d.text) {
		lineEnd := d.lineEnd(end)
		line := strings.TrimSpace(string(d.text[end:lineEnd]))
		switch {
		case strings.HasPrefix(line, "#"):
			end = lineEnd
		case line == "":
			return end
		default:
			return offset
		}
	}
	return end
}

// joinBlankLines skips blank lines after removed text if the text before it is empty or ends in a blank line.
func (d *document) joinBlankLines(before []byte, offset int) int {
	text := strings.ReplaceAll(string(before), "\r\n", "\n")
	if text != "" && !strings.HasSuffix(text, "\n\n") {
		return offset
	}
	for offset < len(d.text) {
		end := d.lineEnd(offset)
		if strings.TrimSpace(string(d.text[offset:end])) != "" {
			break
		}
		offset = end
	}
	return offset
}

// attachedComment returns the start of the comment lines directly above a line.
func (d *document) attachedComment(offset int) int {
	start := d.lineStart(offset)
	for start > 0 {
		previous := d.lineStart(start - 1)
		if !strings.HasPrefix(strings.TrimSpace(string(d.text[previous:start])), "#") {
			break
		}
		start = previous
	}
	return start
}

func (d *document) lineStart(offset int) int {
	for offset > 0 && d.text[offset-1] != '\n' {
		offset--
	}
	return offset
}

// lineEnd returns the offset after the line's newline, or the end of the text.
func (d *document) lineEnd(offset int) int {
	if next := slices.Index(d.text[offset:], '\n'); next >= 0 {
		return offset + next + 1
	}
	return len(d.text)
}

func (d *document) indentation(offset int) string { return string(d.text[d.lineStart(offset):offset]) }

// newline returns the line end this file uses.
func (d *document) newline() string {
	if first := slices.Index(d.text, '\n'); first > 0 && d.text[first-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// appendBlock appends a table after a blank line.
func appendBlock(text []byte, block string) []byte {
	doc := document{text: text}
	newline := doc.newline()
	gap := newline
	switch {
	case len(text) == 0:
		gap = ""
	case text[len(text)-1] != '\n':
		gap = newline + newline
	}
	return slices.Concat(text, []byte(gap), []byte(strings.ReplaceAll(block, "\n", newline)))
}
