package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePrefix = "waybill/"

// The table of rooms says of every package what it may import, and says it truly: nothing is imported that is not
// listed, and nothing is listed that is not imported.
func TestTableOfRoomsIsTrue(t *testing.T) {
	allowed, imports := tableOfRooms(t), importsOfPackages(t)
	for room := range allowed {
		require.Contains(t, imports, room, "docs/architecture.md has a row for a package that is not there")
	}
	for room, imported := range imports {
		may, ok := allowed[room]
		require.True(t, ok, "%s has no row in docs/architecture.md; it needs one, and a rule in .golangci.yml", room)
		if slices.Contains(may, "*") {
			continue
		}
		for _, other := range imported {
			require.True(t, slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, other) }),
				"%s imports %s; docs/architecture.md does not let it", room, other)
		}
		for _, pattern := range may {
			require.True(t, slices.ContainsFunc(imported, func(other string) bool { return covers(pattern, other) }),
				"docs/architecture.md lets %s import %s, which it does not", room, pattern)
		}
	}
}

// covers tells whether a name of the table stands for a package; a star at the end stands for everything below.
func covers(pattern, room string) bool {
	if above, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(room, above)
	}
	return pattern == room
}

// tableOfRooms reads what each package may import; everything is a star.
func tableOfRooms(t *testing.T) map[string][]string {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| room | what lives there | may import |\n|---|---|---|\n")
	require.True(t, found, "the table of rooms has another head")
	table, _, _ = strings.Cut(table, "\n\n")
	named := regexp.MustCompile("`([^`]+)`")
	rooms := map[string][]string{}
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(line, "|")
		require.Len(t, cells, 5, line)
		may := []string{}
		for _, name := range named.FindAllStringSubmatch(cells[3], -1) {
			may = append(may, name[1])
		}
		switch strings.TrimSpace(cells[3]) {
		case "everything":
			may = []string{"*"}
		case "nothing":
		default:
			require.NotEmpty(t, may, line)
		}
		for _, room := range named.FindAllStringSubmatch(cells[1], -1) {
			rooms[room[1]] = may
		}
	}
	return rooms
}

// importsOfPackages reads what the packages import of each other, on every system and leaving their tests aside.
func importsOfPackages(t *testing.T) map[string][]string {
	rooms := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != "." && (name[0] == '.' || name == "testdata" || name == "tools") { // tools is a module of its own
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		room := path.Dir(filepath.ToSlash(file))
		if room == "." {
			room = "main.go"
		}
		if rooms[room] == nil {
			rooms[room] = []string{}
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if other, ok := strings.CutPrefix(imported, modulePrefix); ok && !slices.Contains(rooms[room], other) {
				rooms[room] = append(rooms[room], other)
			}
		}
		return nil
	}))
	return rooms
}
