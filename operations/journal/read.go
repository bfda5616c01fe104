package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Query selects entries of an account.
type Query struct {
	// Text is words that an entry must contain, in any order and case; empty for all entries.
	Text string
	// Limit is how many entries are returned; 0 means all.
	Limit int
	// Before continues after the entry of this id.
	Before string
}

// Page is entries, newest first.
type Page struct {
	Entries []Entry
	// More says that older entries match too.
	More bool
	// Damaged counts the unreadable lines that were met.
	Damaged int
}

// Read finds entries of an account. It reads from the end, and only as far as needed.
func (a *Activity) Read(ctx context.Context, account string, q Query) (Page, error) {
	var page Page
	matches := matcher(q.Text)
	skipping := q.Before != ""
	var err error
	page.Damaged, err = a.walk(ctx, account, func(e Entry) bool {
		if skipping {
			skipping = e.ID != q.Before
			return true
		}
		if !matches(&e) {
			return true
		}
		if page.More = q.Limit > 0 && len(page.Entries) == q.Limit; page.More {
			return false
		}
		page.Entries = append(page.Entries, e)
		return true
	})
	return page, err
}

// Unfinished are the changes of an account whose program ended before the answer came, newest first. They are listed until
// [Activity.End] is called for them.
func (a *Activity) Unfinished(ctx context.Context, account string) ([]Entry, error) {
	var unfinished []Entry
	_, err := a.walk(ctx, account, func(e Entry) bool {
		if e.Unfinished {
			unfinished = append(unfinished, e)
		}
		return true
	})
	return unfinished, err
}

// matcher reports whether an entry contains every word of a text.
func matcher(text string) func(*Entry) bool {
	words := strings.Fields(strings.ToLower(text))
	return func(e *Entry) bool {
		if len(words) == 0 {
			return true
		}
		all := strings.ToLower(strings.Join([]string{
			e.Person, e.Action, e.What, string(e.Object), e.Label, e.Result, e.RequestID, e.Run, e.State(),
		}, "\n"))
		for _, word := range words {
			if !strings.Contains(all, word) {
				return false
			}
		}
		return true
	}
}

// State is the outcome in one word.
func (e *Entry) State() string {
	switch {
	case e.Running:
		return "running"
	case e.Unknown:
		return "unknown"
	case e.Failed:
		return "failed"
	}
	return "done"
}

// walk calls visit with the entries of an account, newest first, until it returns false.
func (a *Activity) walk(ctx context.Context, account string, visit func(Entry) bool) (damaged int, err error) {
	files, err := a.openFiles(ctx)
	if err != nil {
		return 0, err
	}
	defer func() {
		for _, file := range files {
			err = errors.Join(err, file.Close())
		}
	}()
	ends := map[string]Outcome{} // outcomes of entries further back; the latest comes first
	lives := map[string]bool{}
	more := true
	for _, file := range files {
		info, err := file.Stat()
		if err != nil {
			return damaged, fmt.Errorf("cannot read the activity: %w", err)
		}
		err = readBackwards(file, info.Size(), func(line []byte) bool {
			records, bad := decodeLine(line)
			if bad {
				damaged++
			}
			for i := len(records) - 1; i >= 0 && more; i-- {
				r := &records[i]
				if r.Event == eventEnded {
					if _, known := ends[r.ID]; !known {
						ends[r.ID] = r.Outcome
					}
					continue
				}
				if r.Account == account {
					more = visit(a.withOutcome(r.Entry, ends, lives))
				}
				delete(ends, r.ID)
			}
			more = more && ctx.Err() == nil
			return more
		})
		if err != nil {
			return damaged, fmt.Errorf("cannot read the activity: %w", err)
		}
	}
	return damaged, ctx.Err()
}

// withOutcome adds the outcome to an entry, as far as it is known.
func (a *Activity) withOutcome(e Entry, ends map[string]Outcome, lives map[string]bool) Entry {
	if outcome, ok := ends[e.ID]; ok {
		e.Outcome = outcome
		return e
	}
	session := sessionOf(e.ID)
	if _, asked := lives[session]; !asked {
		lives[session] = session == a.session || isSessionAlive(a.sessionPath(session))
	}
	if lives[session] {
		e.Running = true
	} else {
		e.Unfinished, e.Outcome = true, Outcome{Unknown: true, Result: UnfinishedResult}
	}
	return e
}

// openFiles opens the files that exist, newest first.
func (a *Activity) openFiles(ctx context.Context) (files []*os.File, err error) {
	// Under the lock, so that the newer file is not renamed between the two.
	unlock, _ := lockFile(ctx, filepath.Join(a.dir, lockName))
	defer unlock()
	for _, path := range []string{a.path(), a.olderPath()} {
		file, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			for _, opened := range files {
				_ = opened.Close()
			}
			return nil, fmt.Errorf("cannot read the activity: %w", err)
		}
		files = append(files, file)
	}
	return files, nil
}

// blockSize is how much is read at once.
const blockSize = 64 << 10

// readBackwards calls visit with the lines of a file, last first, until it returns false.
func readBackwards(file io.ReaderAt, size int64, visit func(line []byte) bool) error {
	var rest []byte // the start of this line is not read yet
	for end := size; end > 0; {
		n := min(blockSize, end)
		part := make([]byte, n, n+int64(len(rest)))
		if _, err := file.ReadAt(part, end-n); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		end -= n
		part = append(part, rest...)
		for {
			newline := bytes.LastIndexByte(part, '\n')
			if newline < 0 {
				break
			}
			if !visit(part[newline+1:]) {
				return nil
			}
			part = part[:newline]
		}
		rest = part
	}
	visit(rest)
	return nil
}
