package keymaps

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown is the key reference in docs, written from the table.
func Markdown(t *Table) string {
	var b strings.Builder
	b.WriteString(`# Keys

Every action of the console, written from its action table. No key needs a control chord; where one is listed there is another
way. Press ` + "`?`" + ` in the console for the keys that work where you are, ` + "`:`" + ` to find an action by typing.

Rebind by the id in the first column, in the settings file:

` + "```toml" + `
[keys]
"route.assign" = ["a", "ctrl+a"]
"task.delete" = ["` + Disabled + `"]
` + "```" + `

A key that would mean two actions in one place is refused at start, with both named. In the column of marks, **w** writes at the
service and is off in read-only mode, **!** asks first, **n** acts on everything that is selected.
`)
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| id | keys | what it does | where | |\n|---|---|---|---|---|\n", g)
		for _, a := range t.actions {
			if a.Group == g {
				fmt.Fprintf(&b, "| `%s` | %s | **%s** %s | %s | %s |\n", a.ID, markdownKeys(a), escapeMarkdown(a.Title), escapeMarkdown(a.Help), describeScopes(a.Scopes), flagLetters(a))
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

// codeSpan is an inline code span; a key that is itself a backtick or a bar must
// not end the span or the table cell.
func codeSpan(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

func escapeMarkdown(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

// describeScopes names the scopes, groups of them by one word.
func describeScopes(scopes []Scope) string {
	rest := slices.Clone(scopes)
	var words []string
	for _, group := range []struct {
		name   string
		scopes []Scope
	}{
		{"lists", listScopes()}, {"overlays", dialogScopes()}, {"panes", paneScopes()}, {"pages", pageScopes()}, {"details", detailScopes()},
	} {
		if len(group.scopes) > 0 && containsAll(rest, group.scopes) {
			words = append(words, group.name)
			rest = slices.DeleteFunc(rest, func(s Scope) bool { return slices.Contains(group.scopes, s) })
		}
	}
	for _, s := range rest {
		if s == Global || s == Always {
			words = append([]string{"everywhere"}, words...)
			continue
		}
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

func containsAll(all, some []Scope) bool {
	return !slices.ContainsFunc(some, func(s Scope) bool { return !slices.Contains(all, s) })
}

func flagLetters(a Action) string {
	var marks []string
	for _, f := range []struct {
		on   bool
		mark string
	}{{a.Writes, "w"}, {a.Dangerous, "!"}, {a.Bulk, "n"}} {
		if f.on {
			marks = append(marks, f.mark)
		}
	}
	return strings.Join(marks, " ")
}
