package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Names of the fields of an import.
const (
	fieldFile         = "file"
	fieldAgain        = "again"
	fieldRetryUnknown = "retryUnknown"
	fieldKeepNames    = "keepNames"
)

// ImportChoices say what to do with rows that an earlier import of the same file has sent, and with recipients who are
// known.
type ImportChoices struct {
	Again        bool // send them once more
	RetryUnknown bool // send those once more of which it is not known whether they arrived
	KeepNames    bool // known recipients keep their names; those of the file are for the tasks only
}

// ImportOptions are what a file needs to be understood on this board.
func ImportOptions(s Input) taskimport.Options {
	return taskimport.Options{
		Now: s.Now, Zone: s.zone(), Country: s.Organization.Country,
		Team: func(name string) (model.ID, error) {
			team, err := FindTeam(s.Board, name)
			if err != nil {
				return "", err
			}
			return team.ID, nil
		},
	}
}

// ImportPath is the file that someone typed: in the scene's folder unless it says otherwise.
func ImportPath(s Input, text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(s.WorkDir, text)
}

// LoadImport reads a file of tasks and checks every row. It waits for the disk, so call it aside.
func LoadImport(path string, o taskimport.Options) (*taskimport.File, error) {
	name := model.Clean(filepath.Base(path))
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s in %s", name, model.Clean(filepath.Dir(path)))
	case err != nil:
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(file, taskimport.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	parsed, err := taskimport.Parse(taskimport.DetectFormat(path, data), data, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parsed, nil
}

// NewImport makes tasks from a CSV or JSON file. Its Look reads the file as soon as it is named, and from then on the
// plan tells what is in it; a plan made before that reads the file when it is carried out.
func NewImport(s Input) (Operation, error) {
	files := importFiles(s.WorkDir)
	loaded := &loadedImport{input: s}
	v := Operation{ID: "create.import", Title: "Import tasks from a file"}
	v.Form = form.Form{Title: v.Title, Start: form.Values{fieldKeepNames: "yes"}, Fields: []form.Field{
		{
			Name: fieldFile, Title: "File", About: "CSV or JSON; names are looked for in " + model.Clean(s.WorkDir), Hint: "tasks.csv",
			Suggest: func(text string, _ form.Values) []form.Option {
				wanted := strings.ToLower(strings.TrimSpace(text))
				return slices.DeleteFunc(slices.Clone(files), func(o form.Option) bool { return !containsFold(o.Value, wanted) })
			},
		},
		{
			Name: fieldKeepNames, Title: "Known recipients keep their names", Kind: form.Yes,
			About: "Else a known number is renamed for all of its tasks; names of the file are for these tasks only",
		},
		{
			Name: fieldAgain, Title: "Send everything once more", Kind: form.Yes,
			About: "Rows that an earlier import of this file has sent would be made twice",
		},
		{
			Name: fieldRetryUnknown, Title: "Send unknown rows once more", Kind: form.Yes,
			About: "Those of unknown outcome, after you have looked that the service did not take them",
		},
	}}
	if preset := strings.TrimSpace(s.Argument); preset != "" {
		v.Form.Start[fieldFile] = preset
	}
	v.LoadNotes = func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		return loaded.loadNotes(ctx, c, values.Get(fieldFile))
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		text := values.Get(fieldFile)
		if text == "" {
			return Proposal{}, form.Problems{fieldFile: "say which file"}
		}
		choices := ImportChoices{Again: values.Yes(fieldAgain), RetryUnknown: values.Yes(fieldRetryUnknown), KeepNames: values.Yes(fieldKeepNames)}
		file, err := loaded.loadedFile(text)
		switch {
		case err != nil:
			return Proposal{}, form.Problems{fieldFile: err.Error()}
		case file == nil:
			return proposeUnread(s, ImportPath(s, text), choices), nil
		}
		run := &importRun{input: s, path: ImportPath(s, text), file: file, choices: choices, recipients: loaded.recipients(file)}
		plan, err := run.proposeLoaded()
		if err != nil {
			return Proposal{}, form.Problems{fieldFile: err.Error()}
		}
		return plan, nil
	}
	return v, nil
}

// NewImportFromFile is the import of a file that was read already, by [LoadImport]. It asks for nothing more.
func NewImportFromFile(s Input, path string, file *taskimport.File, choices ImportChoices) (Operation, error) {
	run := &importRun{input: s, path: path, file: file, choices: choices, recipients: newImportRecipients(s, &recipientCache{}, file)}
	plan, err := run.proposeLoaded()
	if err != nil {
		return Operation{}, err
	}
	v := Operation{ID: "create.import", Title: "Import " + model.Clean(filepath.Base(path))}
	v.Form.Title = v.Title
	v.Prepare = func(form.Values) (Proposal, form.Problems) { return plan, nil }
	return v, nil
}

// importFiles lists the files of a folder that could be imported, the newest first.
func importFiles(folder string) []form.Option {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // the name can still be typed
	}
	type found struct {
		form.Option
		modified int64
	}
	var files []found
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || !isImportable(entry.Name()) {
			continue
		}
		files = append(files, found{
			form.Option{Value: entry.Name(), Label: model.Clean(entry.Name()), Note: sizeText(info.Size())}, info.ModTime().UnixNano(),
		})
	}
	slices.SortFunc(files, func(a, b found) int {
		return cmp.Or(-cmp.Compare(a.modified, b.modified), cmp.Compare(a.Value, b.Value))
	})
	options := make([]form.Option, len(files))
	for i, f := range files {
		options[i] = f.Option
	}
	return options
}

// isImportable tells files of tasks from others, and from the journals that imports leave beside them.
func isImportable(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, taskimport.JournalPath("")) {
		return false
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".json", ".jsonl", ".ndjson":
		return true
	}
	return false
}

func sizeText(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%d kB", bytes>>10)
	}
	return routeCountNoun(int(bytes), "byte")
}

// loadedImport keeps the file that Look has read for Prepare, which may not wait.
type loadedImport struct {
	input Input

	known recipientCache

	mu   sync.Mutex
	text string
	file *taskimport.File
	err  error
}

func (l *loadedImport) recipients(file *taskimport.File) *importRecipients {
	return newImportRecipients(l.input, &l.known, file)
}

func (l *loadedImport) loadNotes(ctx context.Context, c *apiclient.Client, text string) map[string]string {
	if text == "" {
		return nil
	}
	file, err := LoadImport(ImportPath(l.input, text), ImportOptions(l.input))
	l.mu.Lock()
	l.text, l.file, l.err = text, file, err
	l.mu.Unlock()
	if err != nil {
		return map[string]string{fieldFile: err.Error()}
	}
	note := routeCountNoun(len(file.Rows), "row")
	if bad := file.Refused(); len(bad) > 0 {
		note += fmt.Sprintf(", %d cannot be sent: %s", len(bad), file.Problems()[0])
	}
	people := l.recipients(file)
	if c != nil {
		// Whose they are is asked again before anything is sent; here it is only told.
		_ = people.readRecipients(ctx, c, people.renamedSample())
	}
	notes := map[string]string{fieldFile: note}
	if n := len(people.renamed()); n > 0 {
		notes[fieldKeepNames] = numbersText(n) + " known under other names."
	}
	return notes
}

// loadedFile is what is known of a file; nothing when it was not read yet.
func (l *loadedImport) loadedFile(text string) (*taskimport.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text != text {
		return nil, nil
	}
	return l.file, l.err
}
