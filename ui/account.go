package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/model"
	"waybill/settings"
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/layout"
)

const connectTimeout = 30 * time.Second

// SandboxProfile is the name of the sandbox in the list of profiles.
const SandboxProfile = "sandbox"

// switchTo connects to a profile by its name.
func (m *Model) switchTo(name string) tea.Cmd {
	names := []string{SandboxProfile}
	for _, p := range m.options.Settings.Profiles {
		names = append(names, p.Name)
	}
	if slices.Contains(names, name) {
		return m.connect(name)
	}
	return m.warn(fmt.Sprintf("There is no profile %q. Choose one of %s, or add one with :connect.", name, strings.Join(names, ", ")))
}

// connect connects to another account. The current one is left only when that has succeeded.
func (m *Model) connect(profile string) tea.Cmd {
	if m.options.Connect == nil {
		return m.warn("This console has no other account.")
	}
	if m.account.connecting || m.blockWhileSending() {
		return nil
	}
	m.account.connecting = true
	if m.account.Client != nil {
		m.inform("Connecting to " + profile + "…")
	}
	connect, locked := m.options.Connect, m.readOnly
	return m.runForConsole(connectTimeout, func(ctx context.Context) result {
		connection, err := connect(ctx, ConnectRequest{Profile: profile, ReadOnly: locked.Load})
		return func(m *Model) tea.Cmd { return m.finishConnecting(profile, connection, err) }
	})
}

// blockWhileSending warns and returns true while changes are being sent: if the account were left now, their outcome
// would stay unknown.
func (m *Model) blockWhileSending() bool {
	sending := m.sendingJobs()
	if len(sending) > 0 {
		m.warn("Still sending. Wait, or stop it on " + m.keyFor("look.jobs") + ": " + sending[0])
	}
	return len(sending) > 0
}

// leaveAccount cancels everything of the account and shows an empty board. Answers that still arrive belong to an older
// generation and are dropped.
func (m *Model) leaveAccount() {
	m.remembered.file = m.currentState()
	root := context.WithoutCancel(m.account.ctx)
	m.account.cancel()
	if m.account.Client != nil {
		m.account.Client.Close()
	}
	generation := m.account.generation + 1
	m.account = account{generation: generation}
	m.account.ctx, m.account.cancel = context.WithCancel(root)
	m.screen, m.inDetail, m.zoom = layout.Board, false, false
	m.jobs = jobState{drafts: m.jobs.drafts, started: m.jobs.started}
	m.page.clearAccount()
	m.reset()
}

// finishConnecting enters an account that was connected to, or says why it was not.
func (m *Model) finishConnecting(profile string, c Connection, err error) tea.Cmd {
	m.account.connecting = false
	switch {
	case err != nil && m.account.Client != nil:
		return m.fail("Staying in "+m.accountName()+": connecting to "+profile, err)
	case err != nil:
		m.account.err, m.account.tried = err, profile
		m.fail("Connecting", err)
		m.setEmptyTexts()
		return nil
	case m.blockWhileSending():
		c.Client.Close()
		return nil
	}
	closing := m.closeReceiver()
	if m.account.Client != nil {
		m.message = message{}
		m.leaveAccount()
	}
	return tea.Batch(closing, m.enterAccount(c))
}

// enterAccount starts with an account: it restores its panes and requests its data.
func (m *Model) enterAccount(c Connection) tea.Cmd {
	m.account.Connection, m.account.err, m.account.tried = c, nil, ""
	if c.Profile.ReadOnly && !m.readOnly.Load() {
		m.readOnly.Store(true)
		m.lockedBy = "the profile"
	}
	m.appearance.options.AccentHue = c.Profile.Accent
	m.appearance.build()
	m.reset()
	m.page.record(views.Activity{Time: m.now(), What: "connect", Object: c.Profile.Label(), Result: c.Client.BaseURL()})
	if c.Client.SendsKeyUnencrypted() && !c.Sandbox {
		m.warn("The API key is sent unencrypted. Use an https address.")
	}
	cmds := append(m.restoreAccount(), m.refreshDue()...)
	return tea.Batch(append(cmds, m.readActivity(), m.openReceiver())...)
}

// setOrganization sets the name and time zone of the account.
func (m *Model) setOrganization(o model.Organization) {
	m.account.organization = o
	if zone, err := time.LoadLocation(o.Timezone); err == nil && o.Timezone != "" {
		m.account.zone = zone
	}
}

func (m *Model) openProfiles() tea.Cmd {
	var items []menuItem
	add := func(name, label, note string, current bool) {
		if current {
			note = "current"
		}
		items = append(items, menuItem{label: label, note: note, run: func(m *Model) tea.Cmd { return m.connect(name) }})
	}
	for _, p := range m.options.Settings.Profiles {
		add(p.Name, p.Label(), p.BaseURL, p.Name == m.account.Profile.Name)
	}
	add(SandboxProfile, SandboxProfile, "a simulated city; nothing in it is real", m.account.Sandbox)
	return m.openMenu("Switch profile", append(items, menuItem{label: "another…", note: "connect to a service", run: (*Model).openConnect}))
}

// openConnect asks for address, name and key, one after the other.
func (m *Model) openConnect() tea.Cmd {
	if m.options.Join == nil {
		return m.warn("Profiles cannot be added here. Use: waybill keys add")
	}
	d := dialog.NewPrompt("Connect: service address", "with its version, e.g. https://host/api/v2", "")
	d.Check = func(text string) error {
		_, err := settings.CheckBaseURL(strings.TrimSpace(text))
		return err
	}
	return m.openPrompt(d, func(m *Model, text string) tea.Cmd {
		address, _ := settings.CheckBaseURL(strings.TrimSpace(text))
		return m.askProfileName(address)
	})
}

func (m *Model) askProfileName(address string) tea.Cmd {
	profiles := m.options.Settings.Profiles
	d := dialog.NewPrompt("Connect: profile name", "a short name of your own", "")
	d.Check = func(text string) error {
		name := strings.TrimSpace(text)
		if slices.ContainsFunc(profiles, func(p settings.Profile) bool { return p.Name == name }) {
			return fmt.Errorf("there is already a profile %s; choose another name", name)
		}
		return settings.CheckProfileName(name)
	}
	return m.openPrompt(d, func(m *Model, name string) tea.Cmd {
		return m.askKey(JoinRequest{Name: strings.TrimSpace(name), BaseURL: address}, nil)
	})
}

// askKey asks for the API key, again with what was typed after an error: often it is one letter.
func (m *Model) askKey(request JoinRequest, err error) tea.Cmd {
	d := dialog.NewPrompt("Connect: API key", "tested first, then stored in the keyring, or in memory without one", request.Key)
	d.Err = err
	d.Input.Secret = true
	d.Check = func(key string) error {
		if strings.TrimSpace(key) == "" {
			return errors.New("enter a key, or press esc to cancel")
		}
		return nil
	}
	return m.openPrompt(d, func(m *Model, key string) tea.Cmd {
		request.Key = strings.TrimSpace(key)
		join, wait := m.options.Join, m.openWait("Connect: testing the key…", nil)
		return m.run(connectTimeout, func(ctx context.Context) result {
			joined, err := join(ctx, request)
			return func(m *Model) tea.Cmd { return m.finishJoining(request, joined, m.closeWaiting(wait), err) }
		})
	})
}

// finishJoining connects to a new profile. After an error it asks for the key again, unless the user has cancelled.
func (m *Model) finishJoining(request JoinRequest, j Joined, waited bool, err error) tea.Cmd {
	if err != nil {
		m.fail("Connecting", err)
		if waited {
			m.startGracePeriod()
			return m.askKey(request, err)
		}
		return nil
	}
	m.options.Settings.Profiles = append(m.options.Settings.Profiles, j.Profile)
	cmd := m.connect(j.Profile.Name)
	m.inform("Key stored in " + j.Stored + ".")
	return cmd
}
