package addressfile

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// entry is a house with its street.
type entry struct {
	street uint32
	house
}

const entrySize = 4 + houseSize

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(a.street, b.street), cmp.Compare(a.number, b.number), cmp.Compare(a.postcode, b.postcode),
		cmp.Compare(a.lon, b.lon), cmp.Compare(a.lat, b.lat))
}

// runLength is how many entries are sorted in memory, 20 MB.
const runLength = 1 << 20

// runs sort more entries than fit in memory: sorted parts on disk, which are merged at the end.
type runs struct {
	prefix  string
	length  int
	pending []entry
	files   []string
}

// newRuns makes runs for about that many entries.
func newRuns(prefix string, expected int64) *runs {
	return &runs{prefix: prefix, length: runLength, pending: make([]entry, 0, min(expected, runLength))}
}

func (r *runs) add(e entry) error {
	r.pending = append(r.pending, e)
	if len(r.pending) < r.length {
		return nil
	}
	return r.flush()
}

// flush writes the pending entries to a file.
func (r *runs) flush() error {
	if len(r.pending) == 0 {
		return nil
	}
	slices.SortFunc(r.pending, compareEntries)
	name := fmt.Sprintf("%s%d", r.prefix, len(r.files))
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	r.files = append(r.files, name)
	w := bufio.NewWriterSize(file, 1<<18)
	var buffer []byte
	for _, e := range r.pending {
		buffer = e.house.append(binary.LittleEndian.AppendUint32(buffer[:0], e.street))
		if _, err := w.Write(buffer); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	r.pending = r.pending[:0]
	return errors.Join(w.Flush(), file.Close())
}

// merge calls f with all entries in order.
func (r *runs) merge(f func(entry) error) (err error) {
	if err := r.flush(); err != nil {
		return err
	}
	r.pending = nil
	var open runHeap
	defer func() {
		for _, run := range open {
			err = errors.Join(err, run.file.Close())
		}
	}()
	for _, name := range r.files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		run := &run{file: file, in: bufio.NewReaderSize(file, 1<<16)}
		open = append(open, run)
		if _, err := run.next(); err != nil {
			return err
		}
	}
	heap.Init(&open)
	for len(open) > 0 {
		first := open[0]
		if err := f(first.entry); err != nil {
			return err
		}
		more, err := first.next()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(&open, 0)
			continue
		}
		heap.Pop(&open)
		if err := first.file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the files.
func (r *runs) remove() {
	for _, name := range r.files {
		_ = os.Remove(name)
	}
}

// run is a sorted file that is being merged, with its next entry.
type run struct {
	entry

	file *os.File
	in   *bufio.Reader
}

func (r *run) next() (more bool, err error) {
	var buffer [entrySize]byte
	if _, err := io.ReadFull(r.in, buffer[:]); errors.Is(err, io.EOF) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.entry = entry{binary.LittleEndian.Uint32(buffer[:]), decodeHouse(buffer[4:])}
	return true, nil
}

// runHeap has the run with the smallest entry first.
type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return compareEntries(h[i].entry, h[j].entry) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *runHeap) Push(x any) { *h = append(*h, x.(*run)) }

// Pop implements heap.Interface.
func (h *runHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
