package keymaps

import (
	"fmt"
	"strings"
)

// renderMarkdown returns the key reference for docs/keys.md.
func renderMarkdown(t *Table) string {
	var b strings.Builder
	b.WriteString(`# Keys

All actions of the console, generated from its action table. Every action works without control keys; where a control key is
listed, there is another way too. In the console, ` + "`?`" + ` lists the keys that work where you are, and ` + "`:`" + ` finds an
action by name.

Change keys in the settings file, by the id in the first column:

` + "```toml" + `
[keys]
"route.assign" = ["a", "ctrl+a"]
"task.delete" = ["` + Disabled + `"]
` + "```" + `

The console refuses to start if a key would run two actions in the same place, and names both. The last column: **w** changes
something at the service and is disabled in read-only mode, **!** asks for confirmation, **n** acts on the whole selection.
`)
	for _, g := range groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| id | keys | what it does | where | |\n|---|---|---|---|---|\n", g)
		for _, a := range t.actions {
			if a.Group == g {
				fmt.Fprintf(&b, "| `%s` | %s | **%s** %s | %s | %s |\n", a.ID, markdownKeys(a),
					escapeMarkdown(a.Title), escapeMarkdown(a.Help), describeScopes(a.Scopes), flagLetters(a))
			}
		}
	}
	return b.String()
}

func markdownKeys(a Action) string {
	var shown []string
	for _, key := range a.Keys {
		shown = append(shown, codeSpan(DisplayKey(key)))
	}
	for _, word := range a.Commands {
		shown = append(shown, codeSpan(":"+word))
	}
	if len(shown) == 0 {
		return "palette"
	}
	return strings.Join(shown, " ")
}

// codeSpan returns s as inline code. A bar is escaped because it would end the table cell.
func codeSpan(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

func escapeMarkdown(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

func flagLetters(a Action) string {
	var letters []string
	if a.Writes {
		letters = append(letters, "w")
	}
	if a.Dangerous {
		letters = append(letters, "!")
	}
	if a.Bulk {
		letters = append(letters, "n")
	}
	return strings.Join(letters, " ")
}

// groups returns the groups in the order of the help.
func groups() []Group {
	return []Group{
		GroupMove, GroupFind, GroupSelect, GroupView, GroupTask, GroupRoute, GroupCreate,
		GroupOrder, GroupExport, GroupData, GroupConsole, GroupDialogs,
	}
}
