package journal_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/operations/journal"
)

const (
	childDir  = "WAYBILL_TEST_JOURNAL"
	childName = "WAYBILL_TEST_WRITER"

	childEntries = 20
)

// TestWriterChild is a program that [TestTwoProcessesShareAJournal] starts.
func TestWriterChild(t *testing.T) {
	dir, name := os.Getenv(childDir), os.Getenv(childName)
	if dir == "" {
		t.Skip("only runs as a child")
	}
	a := open(t, dir, journal.Options{MaxSize: 16 << 10})
	for i := range childEntries {
		id := begin(t, a, entry("north", fmt.Sprintf("%s-%d", name, i)))
		require.NoError(t, a.End(id, journal.Outcome{Result: fmt.Sprintf("result %s-%d", name, i)}))
	}
}

// A console and commands write the same journal at once, while it starts new files.
func TestTwoProcessesShareAJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var children []*exec.Cmd
	for _, name := range []string{"console", "command"} {
		child := exec.Command(os.Args[0], "-test.run=^TestWriterChild$")
		child.Env = append(os.Environ(), childDir+"="+dir, childName+"="+name)
		require.NoError(t, child.Start())
		children = append(children, child)
	}
	for _, child := range children {
		require.NoError(t, child.Wait())
	}
	page := read(t, open(t, dir, journal.Options{}), "north", journal.Query{})
	require.Zero(t, page.Damaged)
	written := map[string]int{}
	for _, e := range page.Entries {
		require.Equal(t, "result "+string(e.Object), e.Result)
		name, _, _ := strings.Cut(string(e.Object), "-")
		written[name]++
	}
	require.Equal(t, map[string]int{"console": childEntries, "command": childEntries}, written)
}
