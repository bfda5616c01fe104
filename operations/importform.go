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
	fieldFormat       = "format"
	fieldFailed       = "failed"
	fieldJournal      = "journal"
)

// ImportChoices say what to do with rows that were sent before and with known recipients, and where files go.
type ImportChoices struct {
	Again        bool // send rows again that an earlier import sent
	RetryUnknown bool // send rows again whose outcome is unknown
	KeepNames    bool // known recipients keep their names; the file's names are for these tasks only
	// ReportStopped writes the failed rows and returns a result also when the import stops early. The step cannot be retried
	// then; the next import of the file continues.
	ReportStopped bool
	// Failed is the file for rows that fail, Journal the import's journal; empty for files beside the imported one.
	Failed, Journal string
}

// ImportPath is a typed file name, relative to the working folder.
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

// LoadImport reads a file of tasks and checks every row. It reads the disk, so call it in the background.
func LoadImport(s Input, path string) (*taskimport.File, error) {
	name := model.Clean(filepath.Base(path))
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("no file %s in %s", name, model.Clean(filepath.Dir(path)))
	case err != nil:
		return nil, fmt.Errorf("cannot open %s: %w", name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(file, taskimport.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	parsed, err := taskimport.Parse(taskimport.DetectFormat(path, data), data, draftOptions(s))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parsed, nil
}

func importFields(s Input) []form.Field {
	files := importFiles(s.WorkDir)
	hidden := func(name, title, usage string) form.Field {
		return hiddenField(form.Field{Name: name, Title: title, Flag: form.Flag{Usage: usage}})
	}
	return []form.Field{
		{
			Name: fieldFile, Title: "File", About: "CSV or JSON, relative to " + model.Clean(s.WorkDir), Hint: "tasks.csv",
			Flag: form.Flag{None: true},
			Suggest: func(text string, _ form.Values) []form.Option {
				wanted := strings.ToLower(strings.TrimSpace(text))
				return slices.DeleteFunc(slices.Clone(files), func(o form.Option) bool { return !containsFold(o.Value, wanted) })
			},
		},
		{
			Name: fieldKeepNames, Title: "Keep recipients' names", Kind: form.Yes,
			About: "the file's names are for these tasks only; otherwise known recipients are renamed",
		},
		{
			Name: fieldAgain, Title: "Send all rows again", Kind: form.Yes, About: "rows already sent will be created twice",
			Flag: form.Flag{Usage: "send rows again that were sent before"},
		},
		{
			Name: fieldRetryUnknown, Title: "Send unknown rows again", Kind: form.Yes,
			About: "rows with an unknown outcome; check first that they were not created",
			Flag: form.Flag{
				Name:  "retry-unknown",
				Usage: "resend rows whose outcome is unknown; check first that they were not created",
			},
		},
		hidden(fieldFormat, "Format", "csv or json, if the file's name does not say"),
		hidden(fieldFailed, "Failed rows", "where failed rows go, if not beside the file"),
		hidden(fieldJournal, "Journal", "where the journal is, if not beside the file"),
	}
}

// NewImport is create.import: creates tasks from a CSV or JSON file. LoadNotes reads the file as soon as it is named, and
// the proposal then says what is in it. A proposal made before that reads the file when it is carried out.
func NewImport(s Input) (Operation, error) {
	loaded := &loadedImport{input: s}
	v := Operation{ID: "create.import", Title: "Import tasks from a file"}
	v.Form = form.Form{Title: v.Title, Start: form.Values{fieldKeepNames: "yes"}, Fields: importFields(s)}
	if preset := strings.TrimSpace(s.Argument); preset != "" {
		v.Form.Start[fieldFile] = preset
	}
	v.LoadNotes = func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		return loaded.loadNotes(ctx, c, values.Get(fieldFile))
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		text := values.Get(fieldFile)
		if text == "" {
			return Proposal{}, form.Problems{fieldFile: "Choose a file."}
		}
		choices := ImportChoices{
			Again: values.Yes(fieldAgain), RetryUnknown: values.Yes(fieldRetryUnknown), KeepNames: values.Yes(fieldKeepNames),
			Failed: values.Get(fieldFailed), Journal: values.Get(fieldJournal),
		}
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

// NewImportFromFile imports a file that [LoadImport] or [taskimport.Parse] has read. It has no form.
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

// importFiles lists the files of a folder that can be imported, newest first.
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

// isImportable reports whether a file may contain tasks. Journals of imports do not.
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
	return model.FormatCount(int(bytes), "byte")
}

// loadedImport keeps the file that LoadNotes has read for Prepare, which must not read.
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
	file, err := LoadImport(l.input, ImportPath(l.input, text))
	l.mu.Lock()
	l.text, l.file, l.err = text, file, err
	l.mu.Unlock()
	if err != nil {
		return map[string]string{fieldFile: err.Error()}
	}
	note := model.FormatCount(len(file.Rows), "row")
	if bad := file.Refused(); len(bad) > 0 {
		note += fmt.Sprintf(", %d cannot be sent: %s", len(bad), file.Problems()[0])
	}
	people := l.recipients(file)
	if c != nil {
		// This is only for the note: recipients are looked up again before anything is sent.
		_ = people.readRecipients(ctx, c, people.renamedSample())
	}
	notes := map[string]string{fieldFile: note}
	if n := len(people.renamed()); n > 0 {
		notes[fieldKeepNames] = numbersText(n) + " known under other names."
	}
	return notes
}

// loadedFile is the file of that name, or nil when it was not read yet.
func (l *loadedImport) loadedFile(text string) (*taskimport.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text != text {
		return nil, nil
	}
	return l.file, l.err
}
