package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"waybill/atomicfile"
	"waybill/model"
	"waybill/operations/form"
)

const (
	draftsName     = "drafts.json"
	draftsLockName = "drafts.lock"
	// draftAge is how long drafts are kept, maxDrafts how many.
	draftAge  = 7 * 24 * time.Hour
	maxDrafts = 100
)

// DraftKey identifies a draft: account, operation and objects.
type DraftKey struct {
	Account   string
	Operation string
	Object    string // ids of the selection; empty for what does not exist yet
}

// Draft is the values of a form that was not sent.
type Draft struct {
	Values form.Values
	Saved  time.Time
}

// Drafts keeps the values of forms until they are sent. All programs that use a folder share it. It is safe for concurrent
// use.
type Drafts struct {
	dir string
	now func() time.Time
	mu  sync.Mutex
}

// draftsFile is the drafts on the disk.
type draftsFile struct {
	Drafts []storedDraft `json:"drafts"`
}

type storedDraft struct {
	Account   string       `json:"account"`
	Operation string       `json:"verb"`
	Object    string       `json:"object,omitzero"`
	Saved     model.Millis `json:"saved"`
	Values    form.Values  `json:"values"`
}

func (d *storedDraft) key() DraftKey { return DraftKey{d.Account, d.Operation, d.Object} }

// NewDrafts keeps drafts in a folder, which is created when needed. now is the clock; nil means time.Now.
func NewDrafts(dir string, now func() time.Time) *Drafts {
	if now == nil {
		now = time.Now
	}
	return &Drafts{dir: dir, now: now}
}

// Load finds a draft.
func (d *Drafts) Load(key DraftKey) (Draft, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, err := d.read()
	if err != nil {
		return Draft{}, false, err
	}
	if i := file.find(key); i >= 0 {
		found := file.Drafts[i]
		return Draft{Values: found.Values, Saved: found.Saved.Time()}, true, nil
	}
	return Draft{}, false, nil
}

// Save saves the values of a form, without secrets. It returns when they are on disk.
func (d *Drafts) Save(key DraftKey, asked *form.Form, values form.Values) error {
	kept := form.Values{}
	for _, f := range asked.Fields {
		if text := values[f.Name]; f.Kind != form.Secret && text != "" {
			kept[f.Name] = text
		}
	}
	if len(kept) == 0 {
		return d.Delete(key)
	}
	return d.change(func(file *draftsFile) bool {
		i := file.find(key)
		if i >= 0 && maps.Equal(file.Drafts[i].Values, kept) {
			return false
		}
		if i >= 0 {
			file.Drafts = slices.Delete(file.Drafts, i, i+1)
		}
		file.Drafts = append(file.Drafts, storedDraft{key.Account, key.Operation, key.Object, model.MillisOf(d.now()), kept})
		file.Drafts = file.Drafts[max(0, len(file.Drafts)-maxDrafts):]
		return true
	})
}

// Delete removes a draft that was sent or discarded.
func (d *Drafts) Delete(key DraftKey) error {
	return d.change(func(file *draftsFile) bool {
		i := file.find(key)
		if i >= 0 {
			file.Drafts = slices.Delete(file.Drafts, i, i+1)
		}
		return i >= 0
	})
}

func (f *draftsFile) find(key DraftKey) int {
	return slices.IndexFunc(f.Drafts, func(d storedDraft) bool { return d.key() == key })
}

// change reads, changes and writes the drafts under a lock.
func (d *Drafts) change(do func(*draftsFile) bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return fmt.Errorf("cannot save the draft: %w", err)
	}
	unlock, _ := lockFile(context.Background(), filepath.Join(d.dir, draftsLockName))
	defer unlock()
	file, err := d.read()
	if err != nil || !do(&file) {
		return err
	}
	text, err := model.MarshalIndent(file)
	if err == nil {
		err = atomicfile.Write(d.path(), text)
	}
	if err != nil {
		return fmt.Errorf("cannot save the draft: %w", err)
	}
	return nil
}

// read returns the drafts that are not too old. A damaged file is renamed, so that it does not block new drafts and can
// still be inspected.
func (d *Drafts) read() (draftsFile, error) {
	var file draftsFile
	text, err := os.ReadFile(d.path())
	switch {
	case errors.Is(err, os.ErrNotExist):
		return file, nil
	case err != nil:
		return file, fmt.Errorf("cannot read the drafts: %w", err)
	}
	if model.Unmarshal(text, &file) != nil {
		if err := os.Rename(d.path(), d.path()+".damaged"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return draftsFile{}, fmt.Errorf("the drafts are damaged and cannot be renamed: %w", err)
		}
		return draftsFile{}, nil
	}
	oldest := model.MillisOf(d.now().Add(-draftAge))
	file.Drafts = slices.DeleteFunc(file.Drafts, func(d storedDraft) bool { return d.Saved < oldest })
	return file, nil
}

func (d *Drafts) path() string { return filepath.Join(d.dir, draftsName) }
