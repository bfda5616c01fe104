package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/settings"
	"waybill/ui/feed"
	"waybill/views/theme"
)

func dataHandlers() map[string]handler {
	return map[string]handler{
		"data.refresh": alone(func(m *Model) tea.Cmd {
			m.feed.Refresh(m.now())
			m.inform("Asking the service again.")
			if m.account.Client == nil {
				return m.connect(m.options.Profile)
			}
			return tea.Batch(m.poll()...)
		}),
		"data.pause": alone(func(m *Model) tea.Cmd {
			paused := !m.feed.Status().Paused
			m.feed.Pause(paused)
			if paused {
				m.inform("Paused: nothing is asked for until " + m.keyOf("data.pause") + " is pressed again.")
				return nil
			}
			return tea.Batch(m.poll()...)
		}),
		"data.interval": func(m *Model, argument string) tea.Cmd {
			return m.withText(argument, "Ask for "+string(m.pane().Kind())+" every…", "such as 10s, 1m, or off", (*Model).setInterval)
		},
	}
}

// least is how often a pane may be asked for at most; more would use up the budget of everyone else.
const least = 2 * time.Second

func (m *Model) setInterval(text string) tea.Cmd {
	every := time.Duration(0)
	if text = strings.TrimSpace(text); text != "off" && text != "0" {
		d, err := model.ParseDuration(text)
		if err != nil {
			m.warn(err.Error())
			return nil
		}
		if d < least {
			m.warn("Every " + model.FormatDuration(least) + " at most: more often would use up the requests of everything else.")
			return nil
		}
		every = d
	}
	i := m.feed.Intervals()
	kind := m.pane().Kind()
	switch kind {
	case board.PaneTasks:
		i.Tasks = every
	case board.PaneWorkers:
		i.Workers = every
	case board.PaneDelays:
		i.Delays = every
	case board.PaneOrders:
		i.Orders = every
	}
	m.feed.SetIntervals(i)
	if every == 0 {
		m.inform(fmt.Sprintf("The %s are no longer asked for by themselves.", kind))
	} else {
		m.inform(fmt.Sprintf("The %s are asked for every %s.", kind, model.FormatDuration(every)))
	}
	return nil
}

func consoleHandlers() map[string]handler {
	return map[string]handler{
		"console.profile": func(m *Model, argument string) tea.Cmd {
			if argument != "" {
				return m.switchTo(argument)
			}
			return m.openProfiles()
		},
		"console.connect":  alone((*Model).openConnect),
		"console.readonly": alone((*Model).toggleReadOnly),
		"console.lock":     does((*Model).lock),
		"console.unlock":   alone((*Model).unlock),
		"console.theme":    func(m *Model, argument string) tea.Cmd { return m.chooseTheme(argument) },
		"console.ascii": does(func(m *Model) {
			m.look.options.ASCII = !m.look.options.ASCII
			m.look.build()
		}),
		"console.mouse":  func(m *Model, argument string) tea.Cmd { return m.chooseMouse(argument) },
		"console.notify": func(m *Model, argument string) tea.Cmd { return m.chooseNotify(argument) },
		"console.zone":   func(m *Model, argument string) tea.Cmd { return m.chooseZone(argument) },
	}
}

// toggleReadOnly locks at once and asks before it unlocks.
func (m *Model) toggleReadOnly() tea.Cmd {
	if m.readOnly.Load() {
		return m.unlock()
	}
	m.lock()
	return nil
}

func (m *Model) lock() {
	if !m.readOnly.Load() {
		m.readOnly.Store(true)
		m.lockedBy = "you"
	}
	m.inform("Read-only: nothing is written.")
}

func (m *Model) unlock() tea.Cmd {
	if !m.readOnly.Load() {
		m.inform("Changes are allowed already.")
		return nil
	}
	return m.open(&confirm{
		title: "Allow changes?",
		lines: []string{"Actions will write to " + m.accountName() + " again."},
		yes: func(m *Model) tea.Cmd {
			m.readOnly.Store(false)
			m.lockedBy = ""
			m.inform("Changes are allowed.")
			return m.openReceiver()
		},
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

// chooseOf is a menu of words, or the one that was typed.
func (m *Model) chooseOf(title, argument string, words []string, current string, take func(m *Model, word string) tea.Cmd) tea.Cmd {
	for _, word := range words {
		if word == argument {
			return take(m, word)
		}
	}
	if argument != "" {
		m.warn(fmt.Sprintf("%q is not known; choose one of %s.", argument, strings.Join(words, ", ")))
		return nil
	}
	var items []item
	for _, word := range words {
		note := ""
		if word == current {
			note = "in use"
		}
		items = append(items, item{label: word, note: note, run: func(m *Model) tea.Cmd { return take(m, word) }})
	}
	return m.open(newMenu(title, items))
}

func (m *Model) chooseTheme(argument string) tea.Cmd {
	var words []string
	for _, name := range theme.Names() {
		words = append(words, string(name))
	}
	return m.chooseOf("Theme", argument, words, string(m.look.options.Name), func(m *Model, word string) tea.Cmd {
		m.look.options.Name = theme.Name(word)
		m.look.build()
		return m.askTerminal()
	})
}

func (m *Model) chooseMouse(argument string) tea.Cmd {
	words := []string{"on", "off"}
	if argument == "" { // the word alone is a switch
		argument = words[0]
		if m.look.mouse {
			argument = words[1]
		}
	}
	return m.chooseOf("Mouse", argument, words, "", func(m *Model, word string) tea.Cmd {
		m.look.mouse = word == "on"
		if m.look.mouse {
			m.inform("Mouse on. Hold the terminal's modifier, often Shift, to select text.")
		} else {
			m.inform("Mouse off.")
		}
		return nil
	})
}

func (m *Model) chooseNotify(argument string) tea.Cmd {
	words := []string{string(settings.NotifyOff), string(settings.NotifyBell), string(settings.NotifyOSC9)}
	return m.chooseOf("When work becomes late", argument, words, string(m.options.Settings.Notifications), func(m *Model, word string) tea.Cmd {
		m.options.Settings.Notifications = settings.Notifications(word)
		return nil
	})
}

func (m *Model) chooseZone(argument string) tea.Cmd {
	if argument != "" {
		if err := settings.CheckTimeZone(argument); err != nil {
			m.warn(err.Error())
			return nil
		}
		m.options.Zone, m.options.Settings.TimeZone = nil, settings.TimeZone(argument)
		return nil
	}
	words := []string{string(settings.ZoneOrganization), string(settings.ZoneLocal), "UTC"}
	return m.chooseOf("Show times in", "", words, string(m.options.Settings.TimeZone), func(m *Model, word string) tea.Cmd {
		m.options.Zone, m.options.Settings.TimeZone = nil, settings.TimeZone(word)
		return nil
	})
}

// banner is what must be seen: no connection, no network.
func (m *Model) banner() (string, bool) {
	status := m.feed.Status()
	switch {
	case m.account.Client == nil && m.account.err != nil:
		return fmt.Sprintf("Not connected: %s. %s switches the profile, :connect adds one, %s tries again.",
			inOneLine(m.account.err.Error()), m.keyOf("console.profile"), m.keyOf("data.refresh")), true
	case status.Offline:
		return outageWords(status, m.now()), true
	}
	return "", false
}

// inOneLine is an error that lists what was tried, for a place that has one line.
func inOneLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = strings.Trim(strings.TrimSpace(lines[i]), ".")
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

// outageCause is why the service cannot be had.
func outageCause(s feed.Status) string {
	if refused, ok := errors.AsType[*apiclient.Error](s.Err); ok {
		return upperFirst(refused.Description())
	}
	return "The service cannot be reached"
}

// outageWords begin with what matters: a narrow screen cuts the end.
func outageWords(s feed.Status, now time.Time) string {
	what := outageCause(s)
	next := max(s.NextTry.Sub(now), 0).Round(time.Second)
	text := fmt.Sprintf("Offline for %s, so this is old. Next try in %s. %s.",
		model.FormatDuration(now.Sub(s.Since).Round(time.Second)), model.FormatDuration(next), what)
	if errors.Is(s.Err, apiclient.ErrInvalidKey) || errors.Is(s.Err, apiclient.ErrNoKey) {
		text = what + ". Switch with :profile, or enter another key with :connect."
	}
	return text
}
