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
				fmt.Fprintf(&b, "| `%s` | %s | **%s** %s | %s | %s |\n", a.ID, markdownKeys(a), escape(a.Title), escape(a.Help), where(a.Scopes), flags(a))
			}
		}
	}
	return b.String()
}

func markdownKeys(a Action) string {
	var shown []string
	for _, key := range a.Keys {
		shown = append(shown, code(DisplayKey(key)))
	}
	for _, word := range a.Commands {
		shown = append(shown, code(":"+word))
	}
	if len(shown) == 0 {
		return "palette"
	}
	return strings.Join(shown, " ")
}

// code is an inline code span; a key that is itself a backtick or a bar must
// not end the span or the table cell.
func code(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

// where names the scopes, groups of them by one word.
func where(scopes []Scope) string {
	rest := slices.Clone(scopes)
	var words []string
	for _, group := range []struct {
		name   string
		scopes []Scope
	}{
		{"lists", lists()}, {"overlays", modalScopes()}, {"panes", panes()}, {"pages", pages()}, {"details", details()},
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

func flags(a Action) string {
	var marks []string
	for _, f := range []struct {
		on   bool
		mark string
	}{{a.Writes, "w"}, {a.Danger, "!"}, {a.Bulk, "n"}} {
		if f.on {
			marks = append(marks, f.mark)
		}
	}
	return strings.Join(marks, " ")
}
