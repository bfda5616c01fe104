package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"waybill/atomicfile"
)

// Errors of writing the config file.
var (
	// ErrChanged means that the file was changed after it was read.
	ErrChanged = errors.New("the config file changed after it was read")
	// ErrNotEditable means that a change would need to rewrite other lines of the user.
	ErrNotEditable = errors.New("edit the config file by hand")
)

// maxFileSize limits what is read if the path is wrong.
const maxFileSize = 1 << 20

const byteOrderMark = "\xef\xbb\xbf"

// File is a config file. Its methods return changed copies; only Save writes to the disk.
type File struct {
	// Path is where the file is, or will be.
	Path string
	// Settings is the content.
	Settings Settings

	doc *document
	// onDisk is the content as read, nil when there was no file.
	onDisk []byte
}

// Load reads the config file. A missing file means the defaults. An invalid file returns a *ProblemsError.
func Load(path string) (*File, error) {
	content, err := readAll(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Path: path, Settings: Default(), doc: parseDocument(nil)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the config file: %w", err)
	}
	file, err := parseFile(path, bytes.TrimPrefix(content, []byte(byteOrderMark)))
	if err != nil {
		return nil, err
	}
	file.onDisk = content
	return file, nil
}

// Exists reports whether there was a file to read.
func (f *File) Exists() bool { return f.onDisk != nil }

// Text returns the file as Save would write it.
func (f *File) Text() string {
	if bytes.HasPrefix(f.onDisk, []byte(byteOrderMark)) {
		return byteOrderMark + string(f.doc.text)
	}
	return string(f.doc.text)
}

// Save writes the file completely or not at all. It returns ErrChanged if the file on disk changed since it was read, so that
// no edit is lost.
func (f *File) Save() error {
	current, err := readAll(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read the config file before writing it: %w", err)
	}
	if gone := err != nil; gone == f.Exists() || !bytes.Equal(current, f.onDisk) {
		return fmt.Errorf("%w: %s was not written; run the command again", ErrChanged, f.Path)
	}
	text := []byte(f.Text())
	if err := atomicfile.Write(f.Path, text); err != nil {
		return fmt.Errorf("cannot save the config file: %w", err)
	}
	f.onDisk = text
	return nil
}

// CheckActions reports every binding of an unknown action, with the most similar known one.
func (f *File) CheckActions(known []string) error {
	var problems []Problem
	for _, binding := range f.Settings.Keys {
		if !slices.Contains(known, binding.Action) {
			problems = append(problems, Problem{At: binding.At, Message: fmt.Sprintf("unknown action %s in [keys]%s",
				quoted(binding.Action), didYouMean(binding.Action, known))})
		}
	}
	return problemsError(f.Path, problems)
}

// CheckViews reports every saved view for which check returns an error, with its position. What a filter may contain is not
// known here.
func (f *File) CheckViews(check func(View) error) error {
	var problems []Problem
	for _, view := range f.Settings.Views {
		if err := check(view); err != nil {
			problems = append(problems, Problem{At: view.At, Message: err.Error()})
		}
	}
	return problemsError(f.Path, problems)
}

func parseFile(path string, text []byte) (*File, error) {
	file := &File{Path: path, Settings: Default(), doc: parseDocument(text)}
	d := &decoder{text: file.doc.text, partial: file.doc.broken != nil}
	d.readTable(file.doc.root, topLevel, topFields(&file.Settings))
	if file.doc.broken != nil {
		d.problems = append(d.problems, *file.doc.broken)
	} else {
		d.checkDefaultProfile(file.doc.root, &file.Settings)
	}
	if err := problemsError(path, d.problems); err != nil {
		return nil, err
	}
	return file, nil
}

func readAll(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxFileSize {
		return nil, fmt.Errorf("%s is larger than %d bytes; it cannot be a config file", path, maxFileSize)
	}
	return content, nil
}
