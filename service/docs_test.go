package service_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service"
)

var updateDocs = flag.Bool("update", false, "write the route tables of docs/interface.md")

const interfacePage = "../docs/interface.md"

// TestDocsListEveryRoute compares docs/interface.md with the route table.
func TestDocsListEveryRoute(t *testing.T) {
	page, err := os.ReadFile(interfacePage)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(page), "<!-- routes:")
	require.True(t, ok)
	note, rest, ok := strings.Cut(rest, "-->\n")
	require.True(t, ok)
	_, tail, ok := strings.Cut(rest, "<!-- /routes -->")
	require.True(t, ok)
	written := head + "<!-- routes:" + note + "-->\n" + routeTables(t) + "<!-- /routes -->" + tail
	if *updateDocs {
		require.NoError(t, os.WriteFile(interfacePage, []byte(written), 0o644)) //nolint:gosec // a source file
		return
	}
	require.Equal(t, written, string(page), "run: go test ./service -run TestDocsListEveryRoute -update")
}

// routeTables returns a table per section, in the order of the route table.
func routeTables(t *testing.T) string {
	t.Helper()
	_, doc := documented(t)
	var sections []string
	rows := map[string][]string{}
	for _, route := range service.Routes() {
		operation := doc.Paths.Find(route.Path).GetOperation(route.Method)
		origin := "document"
		if route.Extension {
			origin = "extension"
		}
		if rows[route.Section] == nil {
			sections = append(sections, route.Section)
		}
		rows[route.Section] = append(rows[route.Section],
			fmt.Sprintf("| `%s %s` | %s | %s |\n", route.Method, route.Path, operation.Summary, origin))
	}
	var b strings.Builder
	for _, section := range sections {
		fmt.Fprintf(&b, "\n### %s\n\n| route | what it does | from |\n|---|---|---|\n%s", section, strings.Join(rows[section], ""))
	}
	fmt.Fprintf(&b, "\n### Driver routes\n\nUnder `%s`, for a driver's app. All of them are extensions.\n\n", service.DriverBasePath)
	b.WriteString("| route | needs |\n|---|---|\n")
	for _, route := range service.DriverRoutes() {
		needs := "a session with the driver's own password"
		switch {
		case route.Public:
			needs = "nothing"
		case route.TemporaryPassword:
			needs = "a session"
		}
		fmt.Fprintf(&b, "| `%s %s` | %s |\n", route.Method, route.Path, needs)
	}
	return b.String() + "\n"
}
