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

// The package table in docs/architecture.md lists every package and exactly what it imports.
func TestPackageTableMatchesTheCode(t *testing.T) {
	allowed, imports := packageTable(t), importsOfPackages(t)
	for pkg := range allowed {
		require.Contains(t, imports, pkg, "docs/architecture.md has a row for a package that is not there")
	}
	for pkg, imported := range imports {
		may, ok := allowed[pkg]
		require.True(t, ok, "%s has no row in docs/architecture.md; it needs one, and a rule in .golangci.yml", pkg)
		if slices.Contains(may, "*") {
			continue
		}
		for _, other := range imported {
			require.True(t, slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, other) }),
				"%s imports %s; docs/architecture.md does not let it", pkg, other)
		}
		for _, pattern := range may {
			require.True(t, slices.ContainsFunc(imported, func(other string) bool { return covers(pattern, other) }),
				"docs/architecture.md lets %s import %s, which it does not", pkg, pattern)
		}
	}
}

// covers reports whether a pattern of the table names a package; a star at the end matches everything below.
func covers(pattern, pkg string) bool {
	if above, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(pkg, above)
	}
	return pattern == pkg
}

// packageTable returns the imports that the table lists for each package; "everything" becomes a star.
func packageTable(t *testing.T) map[string][]string {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| package | what it does | imports |\n|---|---|---|\n")
	require.True(t, found, "the package table has another header")
	table, _, _ = strings.Cut(table, "\n\n")
	named := regexp.MustCompile("`([^`]+)`")
	packages := map[string][]string{}
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
		for _, pkg := range named.FindAllStringSubmatch(cells[1], -1) {
			packages[pkg[1]] = may
		}
	}
	return packages
}

// importsOfPackages returns what each package imports from the others, without test files and for every system.
func importsOfPackages(t *testing.T) map[string][]string {
	packages := map[string][]string{}
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
		pkg := path.Dir(filepath.ToSlash(file))
		if pkg == "." {
			pkg = "main.go"
		}
		if packages[pkg] == nil {
			packages[pkg] = []string{}
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if other, ok := strings.CutPrefix(imported, modulePrefix); ok && !slices.Contains(packages[pkg], other) {
				packages[pkg] = append(packages[pkg], other)
			}
		}
		return nil
	}))
	return packages
}
