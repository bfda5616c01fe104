package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/model"
	"waybill/settings"
	"waybill/ui/dialog"
	"waybill/ui/feed"
	"waybill/views/theme"
)

func dataHandlers() map[string]handler {
	return map[string]handler{
		"data.refresh": withoutArgument(func(m *Model) tea.Cmd {
			m.feed.Refresh(m.now())
			m.inform("Refreshing.")
			if m.account.Client == nil {
				return m.connect(m.options.Profile)
			}
			return tea.Batch(m.refreshDue()...)
		}),
		"data.pause": withoutArgument(func(m *Model) tea.Cmd {
			paused := !m.feed.Status().Paused
			m.feed.Pause(paused)
			if paused {
				return m.inform("Refresh paused. " + m.keyFor("data.pause") + " resumes it.")
			}
			return tea.Batch(m.refreshDue()...)
		}),
		"data.interval": func(m *Model, argument string) tea.Cmd {
			return m.withArgument(argument, "Refresh "+m.focusedPane().Kind().String()+" every…", "e.g. 10s, 1m or off", (*Model).setInterval)
		},
	}
}

// minInterval is the shortest refresh interval of a pane; a shorter one would use up the request budget.
const minInterval = 2 * time.Second

func (m *Model) setInterval(text string) tea.Cmd {
	every := time.Duration(0)
	if text = strings.TrimSpace(text); text != "off" && text != "0" {
		d, err := model.ParseDuration(text)
		if err != nil {
			return m.warn(err.Error())
		}
		if d < minInterval {
			return m.warn("The shortest interval is " + model.FormatDuration(minInterval) + ".")
		}
		every = d
	}
	i := m.feed.Intervals()
	i[m.focus] = every
	m.feed.SetIntervals(i)
	if every == 0 {
		return m.inform(fmt.Sprintf("The %s are no longer refreshed automatically.", m.focus))
	}
	return m.inform(fmt.Sprintf("The %s are refreshed every %s.", m.focus, model.FormatDuration(every)))
}

func consoleHandlers() map[string]handler {
	return map[string]handler{
		"console.profile": func(m *Model, argument string) tea.Cmd {
			if argument != "" {
				return m.switchTo(argument)
			}
			return m.openProfiles()
		},
		"console.connect":  withoutArgument((*Model).openConnect),
		"console.readonly": withoutArgument((*Model).toggleReadOnly),
		"console.lock":     withoutArgument((*Model).lock),
		"console.unlock":   withoutArgument((*Model).unlock),
		"console.theme":    (*Model).chooseTheme,
		"console.ascii": withoutCommand(func(m *Model) {
			m.appearance.options.ASCII = !m.appearance.options.ASCII
			m.appearance.build()
		}),
		"console.mouse":  (*Model).chooseMouse,
		"console.notify": (*Model).chooseNotify,
		"console.zone":   (*Model).chooseZone,
	}
}

// toggleReadOnly locks at once, and asks before it unlocks.
func (m *Model) toggleReadOnly() tea.Cmd {
	if m.readOnly.Load() {
		return m.unlock()
	}
	return m.lock()
}

func (m *Model) lock() tea.Cmd {
	if !m.readOnly.Load() {
		m.readOnly.Store(true)
		m.lockedBy = "you"
	}
	return m.inform("Read-only: no changes are sent.")
}

func (m *Model) unlock() tea.Cmd {
	if !m.readOnly.Load() {
		return m.inform("Changes are already allowed.")
	}
	return m.openQuestion(dialog.NewQuestion("Allow changes?", "Actions will change "+m.accountName()+" again."), func(m *Model) tea.Cmd {
		m.readOnly.Store(false)
		m.lockedBy = ""
		m.inform("Changes are allowed.")
		return m.openReceiver()
	})
}

func (m *Model) accountName() string {
	switch {
	case m.account.Sandbox:
		return "the sandbox"
	case m.account.Profile.Label() != "":
		return m.account.Profile.Label()
	case m.account.organization.Name != "":
		return m.account.organization.Name
	}
	return "the service"
}

// chooseWord opens a menu of words, or takes the argument if it is one of them.
func (m *Model) chooseWord(title, argument string, words []string, current string, choose func(m *Model, word string) tea.Cmd) tea.Cmd {
	if slices.Contains(words, argument) {
		return choose(m, argument)
	}
	if argument != "" {
		return m.warn(fmt.Sprintf("Unknown value %q. Choose one of %s.", argument, strings.Join(words, ", ")))
	}
	var items []menuItem
	for _, word := range words {
		note := ""
		if word == current {
			note = "current"
		}
		items = append(items, menuItem{label: word, note: note, run: func(m *Model) tea.Cmd { return choose(m, word) }})
	}
	return m.openMenu(title, items)
}

func (m *Model) chooseTheme(argument string) tea.Cmd {
	var words []string
	for _, name := range theme.Names() {
		words = append(words, string(name))
	}
	return m.chooseWord("Theme", argument, words, string(m.appearance.options.Name), func(m *Model, word string) tea.Cmd {
		m.appearance.options.Name = theme.Name(word)
		m.appearance.build()
		return m.askTerminal()
	})
}

func (m *Model) chooseMouse(argument string) tea.Cmd {
	words := []string{"on", "off"}
	if argument == "" { // without an argument it toggles
		argument = words[0]
		if m.appearance.mouse {
			argument = words[1]
		}
	}
	return m.chooseWord("Mouse", argument, words, "", func(m *Model, word string) tea.Cmd {
		if m.appearance.mouse = word == "on"; m.appearance.mouse {
			return m.inform("Mouse on. Hold Shift (or your terminal's modifier) to select text.")
		}
		return m.inform("Mouse off.")
	})
}

func (m *Model) chooseNotify(argument string) tea.Cmd {
	words := []string{string(settings.NotifyOff), string(settings.NotifyBell), string(settings.NotifyOSC9)}
	current := string(m.options.Settings.Notifications)
	return m.chooseWord("When a task becomes late", argument, words, current, func(m *Model, word string) tea.Cmd {
		m.options.Settings.Notifications = settings.Notifications(word)
		return nil
	})
}

func (m *Model) chooseZone(argument string) tea.Cmd {
	words := []string{string(settings.ZoneOrganization), string(settings.ZoneLocal), "UTC"}
	if argument != "" {
		if err := settings.CheckTimeZone(argument); err != nil {
			return m.warn(err.Error())
		}
		words = append(words, argument)
	}
	return m.chooseWord("Show times in", argument, words, string(m.options.Settings.TimeZone), func(m *Model, word string) tea.Cmd {
		m.options.Zone, m.options.Settings.TimeZone = nil, settings.TimeZone(word)
		return nil
	})
}

// banner is the line under the header while there is no connection.
func (m *Model) banner() (string, bool) {
	status := m.feed.Status()
	switch {
	case m.account.Client == nil && m.account.err != nil:
		return fmt.Sprintf("Not connected: %s. %s switch profile · :connect add one · %s retry",
			singleLine(m.account.err.Error()), m.keyFor("console.profile"), m.keyFor("data.refresh")), true
	case status.Offline:
		return outageText(status, m.now()), true
	}
	return "", false
}

// singleLine joins the lines of an error into one.
func singleLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = strings.Trim(strings.TrimSpace(lines[i]), ".")
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

// outageCause says why the service cannot be reached.
func outageCause(s feed.Status) string {
	if refused, ok := errors.AsType[*apiclient.Error](s.Err); ok {
		return model.Capitalize(refused.Description())
	}
	return "Cannot reach the service"
}

// outageText says how long the service has been away. The most important part comes first, since a narrow screen cuts the
// end.
func outageText(s feed.Status, now time.Time) string {
	what := outageCause(s)
	next := max(s.NextTry.Sub(now), 0).Round(time.Second)
	text := fmt.Sprintf("Offline for %s, data is old. Retrying in %s. %s.",
		model.FormatDuration(now.Sub(s.Since).Round(time.Second)), model.FormatDuration(next), what)
	if errors.Is(s.Err, apiclient.ErrInvalidKey) || errors.Is(s.Err, apiclient.ErrNoKey) {
		text = what + ". Switch the profile with :profile, or enter another key with :connect."
	}
	return text
}
