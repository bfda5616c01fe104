package settings

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// AddProfile returns the file with one more profile, written at its end.
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

// withDefaults gives a profile made in the program the form that one read from a file has.
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

// AddView returns the file with one more saved view, written at its end.
func (f *File) AddView(view View) (*File, error) {
	want := f.Settings.clone()
	want.Views = append(want.Views, view)
	return f.replaceText(appendBlock(f.doc.text, writeView(view)), want)
}

// RemoveProfile returns the file without a profile, and without default_profile when that named it. Comments inside the
// profile's table go with it; those above its header stay.
func (f *File) RemoveProfile(name string) (*File, error) {
	if _, ok := f.Settings.Profile(name); !ok {
		return nil, fmt.Errorf("there is no profile named %s in %s%s", quoted(name), f.Path, didYouMean(name, f.Settings.ProfileNames()))
	}
	want := f.Settings.clone()
	want.Profiles = slices.DeleteFunc(want.Profiles, func(p Profile) bool { return p.Name == name })
	doomed := [][]string{{"profiles", name}}
	if want.DefaultProfile == name {
		want.DefaultProfile = ""
		doomed = append(doomed, []string{"default_profile"})
	}
	return f.replaceText(f.doc.removePaths(doomed), want)
}

// SetDefaultProfile returns the file with another profile as the default.
func (f *File) SetDefaultProfile(name string) (*File, error) {
	if _, ok := f.Settings.Profile(name); !ok {
		return nil, fmt.Errorf("there is no profile named %s in %s%s", quoted(name), f.Path, didYouMean(name, f.Settings.ProfileNames()))
	}
	want := f.Settings.clone()
	want.DefaultProfile = name
	text, err := f.doc.setValue(nil, "default_profile", quote(name))
	if err != nil {
		return nil, err
	}
	return f.replaceText(text, want)
}

// SetProfileValue returns the file with one setting of a profile given a value: a string, a bool, an int or a []string.
// The result is checked like any file, so a bad name or value is an error.
func (f *File) SetProfileValue(profile, setting string, value any) (*File, error) {
	if _, ok := f.Settings.Profile(profile); !ok {
		return nil, fmt.Errorf("there is no profile named %s in %s%s",
			quoted(profile), f.Path, didYouMean(profile, f.Settings.ProfileNames()))
	}
	written, err := writeValue(value)
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

// replaceText parses the new text and makes sure that it means exactly what was wanted: an edit that would touch anything else
// is refused, however odd the file.
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
		return nil, fmt.Errorf("the change was not made, because the file would then have problems:\n%w", err)
	}
	after.onDisk = f.onDisk
	return after, nil
}

// sameSettings compares what two files say, not where they say it.
func sameSettings(a, b Settings) bool {
	return reflect.DeepEqual(a.clone().withoutPositions(), b.clone().withoutPositions())
}

// clone copies the lists so that appending to or editing the copy leaves the original alone.
func (s Settings) clone() Settings {
	s.Keys, s.Views, s.Profiles = slices.Clone(s.Keys), slices.Clone(s.Views), slices.Clone(s.Profiles)
	return s
}

func (s Settings) withoutPositions() Settings {
	for i := range s.Keys {
		s.Keys[i].At = Position{}
	}
	for i := range s.Views {
		s.Views[i].At = Position{}
	}
	for i := range s.Profiles {
		s.Profiles[i].At = Position{}
		s.Profiles[i].KeyCommand = append([]string{}, s.Profiles[i].KeyCommand...)
		s.Profiles[i].Teams = append([]string{}, s.Profiles[i].Teams...)
	}
	// A list that was never there and one that became empty say the same.
	s.Keys, s.Views, s.Profiles = append([]Binding{}, s.Keys...), append([]View{}, s.Views...), append([]Profile{}, s.Profiles...)
	return s
}

// setValue replaces the value of a name in a table, or adds the name to it. A nil table is the top of the file.
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
		return nil, fmt.Errorf("%w: there is no %s to put %s in; add the line yourself", ErrNotEditable, tableName(table...), name)
	}
	last := header
	for i, e := range d.expressions {
		if e.kind == unstable.KeyValue && e.header == header {
			last = i
		}
	}
	return d.insertLine(d.lineEnd(d.expressions[last].end), d.indentation(d.expressions[last].start)+line), nil
}

// insertAtTop puts a line after the last setting above the first table; without one, before the first table and the comment
// that belongs to it.
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

// removePaths cuts every expression whose path begins with one of the prefixes, with the lines it fills.
func (d *document) removePaths(prefixes [][]string) []byte {
	isDoomed := func(e expression) bool {
		return slices.ContainsFunc(prefixes, func(prefix []string) bool {
			return len(e.path) >= len(prefix) && slices.Equal(e.path[:len(prefix)], prefix)
		})
	}
	var kept []byte
	from := 0
	for i := 0; i < len(d.expressions); i++ {
		if !isDoomed(d.expressions[i]) {
			continue
		}
		// A header takes everything down to the last line of its table, including the comments between.
		last := i
		for d.expressions[i].kind != unstable.KeyValue && last+1 < len(d.expressions) && isDoomed(d.expressions[last+1]) {
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

// trailingComments returns the end of the comment lines that follow a table's last line without a blank line between. When
// they lead straight to the next header they describe that one and stay.
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

// joinBlankLines skips blank lines after a cut when the text before it already ends in one, or is empty.
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

// attachedComment returns the start of the comment lines right above a line.
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

// appendBlock puts a table after everything else, with a blank line between.
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
