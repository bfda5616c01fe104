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
	"waybill/views"
	"waybill/views/layout"
)

// connected is the outcome of connecting to a profile.
type connected struct {
	Connection
	profile string
	err     error
}

const connectLimit = 30 * time.Second

// SandboxProfile is what the sandbox is called among the accounts.
const SandboxProfile = "sandbox"

// switchTo connects to a profile by its name, if there is one.
func (m *Model) switchTo(name string) tea.Cmd {
	names := []string{SandboxProfile}
	for _, p := range m.options.Settings.Profiles {
		names = append(names, p.Name)
	}
	if slices.Contains(names, name) {
		return m.connect(name)
	}
	m.warn(fmt.Sprintf("There is no profile %q; choose one of %s. :connect adds one.", name, strings.Join(names, ", ")))
	return nil
}

// connect makes the connection to another account. The one in use is left only when that has succeeded.
func (m *Model) connect(profile string) tea.Cmd {
	if m.options.Connect == nil {
		m.warn("There is no other account here.")
		return nil
	}
	if m.account.connecting || m.stillSending() {
		return nil
	}
	m.account.connecting = true
	if m.account.Client != nil {
		m.inform("Connecting to " + profile + "…")
	}
	connect, locked := m.options.Connect, m.readOnly
	return m.runOwn(connectLimit, func(ctx context.Context) any {
		made, err := connect(ctx, ConnectRequest{Profile: profile, ReadOnly: locked.Load})
		return connected{made, profile, err}
	})
}

// stillSending reports that changes are on their way, and says so: if the account were left now, nobody could tell which
// of them were made.
func (m *Model) stillSending() bool {
	sending := m.sending()
	if len(sending) > 0 {
		m.warn("Wait, or stop it first with " + m.keyOf("look.jobs") + ": " + sending[0])
	}
	return len(sending) > 0
}

// leave cancels everything of the account and shows an empty board. Answers still under way are of an older
// generation and are dropped.
func (m *Model) leave() {
	m.session.file = m.remember()
	root := context.WithoutCancel(m.account.ctx)
	m.account.cancel()
	if m.account.Client != nil {
		m.account.Client.Close()
	}
	generation := m.account.generation + 1
	m.account = account{generation: generation}
	m.account.ctx, m.account.cancel = context.WithCancel(root)
	m.screen, m.inDetail, m.zoom = layout.Board, false, false
	m.hands = hands{drafts: m.hands.drafts, count: m.hands.count}
	m.page.leave()
	m.reset()
}

func (m *Model) connected(c connected) tea.Cmd {
	m.account.connecting = false
	switch {
	case c.err != nil && m.account.Client != nil:
		m.fail("Still with "+m.accountName()+": connecting to "+c.profile, c.err)
		return nil
	case c.err != nil:
		m.account.err, m.account.tried = c.err, c.profile
		m.fail("Connecting", c.err)
		m.say()
		return nil
	case m.stillSending():
		c.Client.Close()
		return nil
	}
	farewell := m.closeReceiver()
	if m.account.Client != nil {
		m.message = message{}
		m.leave()
	}
	return tea.Batch(farewell, m.enter(c.Connection))
}

// enter starts asking an account.
func (m *Model) enter(c Connection) tea.Cmd {
	m.account.Connection, m.account.err, m.account.tried = c, nil, ""
	if c.Profile.ReadOnly && !m.readOnly.Load() {
		m.readOnly.Store(true)
		m.lockedBy = "the profile"
	}
	m.look.options.AccentHue = c.Profile.Accent
	m.look.build()
	m.reset()
	m.page.note(views.Activity{Time: m.now(), What: "connect", Object: c.Profile.Label(), Result: c.Client.BaseURL()})
	if c.Client.SendsKeyUnencrypted() && !c.Sandbox {
		m.warn("The key crosses the network unencrypted: use an https address.")
	}
	cmds := append(m.begin(), m.poll()...)
	return tea.Batch(append(cmds, m.readActivity(), m.openReceiver())...)
}

// learnOrganization takes the account's name and zone.
func (m *Model) learnOrganization(o model.Organization) {
	m.account.organization = o
	if zone, err := time.LoadLocation(o.Timezone); err == nil && o.Timezone != "" {
		m.account.zone = zone
	}
}

func (m *Model) openProfiles() tea.Cmd {
	var items []item
	for _, p := range m.options.Settings.Profiles {
		note := p.BaseURL
		if p.Name == m.account.Profile.Name {
			note = "in use"
		}
		items = append(items, item{label: p.Label(), note: note, run: func(m *Model) tea.Cmd { return m.connect(p.Name) }})
	}
	note := "a city of its own, nothing in it is real"
	if m.account.Sandbox {
		note = "in use"
	}
	items = append(items, item{label: SandboxProfile, note: note, run: func(m *Model) tea.Cmd { return m.connect(SandboxProfile) }})
	items = append(items, item{label: "another…", note: "connect to a service", run: (*Model).openConnect})
	return m.open(newMenu("Switch profile", items))
}

// joined is the outcome of a new account.
type joined struct {
	Joined
	request JoinRequest
	wait    *waiting
	err     error
}

// openConnect asks for address, name and key, one after the other.
func (m *Model) openConnect() tea.Cmd {
	if m.options.Join == nil {
		m.warn("New accounts cannot be added here; use: waybill keys add")
		return nil
	}
	address := func(text string) error {
		_, err := settings.CheckBaseURL(strings.TrimSpace(text))
		return err
	}
	return m.open(&prompt{
		title: "Connect: address of the service", note: "ends in its version, such as https://host/api/v2", check: address,
		send: func(m *Model, text string) tea.Cmd {
			checked, _ := settings.CheckBaseURL(strings.TrimSpace(text))
			return m.askName(checked)
		},
	})
}

func (m *Model) askName(address string) tea.Cmd {
	taken := m.options.Settings.Profiles
	return m.open(&prompt{
		title: "Connect: name of the profile", note: "a short name of your own",
		check: func(text string) error {
			name := strings.TrimSpace(text)
			if slices.ContainsFunc(taken, func(p settings.Profile) bool { return p.Name == name }) {
				return fmt.Errorf("there is a profile %s already; choose another name", name)
			}
			return settings.CheckProfileName(name)
		},
		send: func(m *Model, name string) tea.Cmd {
			return m.open(newKeyPrompt(JoinRequest{Name: strings.TrimSpace(name), BaseURL: address}))
		},
	})
}

func newKeyPrompt(request JoinRequest) *prompt {
	o := &prompt{
		title: "Connect: API key", note: "it is tested, then kept in the keyring, or in memory where there is none",
		check: func(key string) error {
			if strings.TrimSpace(key) == "" {
				return errors.New("a key is needed; esc leaves")
			}
			return nil
		},
	}
	o.send = func(m *Model, key string) tea.Cmd {
		request.Key = strings.TrimSpace(key)
		join := m.options.Join
		wait, opened := m.waitFor("Connect: testing the key…")
		return tea.Batch(opened, m.run(connectLimit, func(ctx context.Context) any {
			made, err := join(ctx, request)
			return joined{made, request, wait, err}
		}))
	}
	o.input.Secret = true
	return o
}

func (m *Model) joined(j joined) tea.Cmd {
	waited := m.arrived(j.wait)
	if j.err != nil {
		m.fail("Connecting", j.err)
		if !waited {
			return nil
		}
		again := newKeyPrompt(j.request) // with what was typed: often it is one letter
		again.input.Set(j.request.Key)
		again.err = j.err
		return m.comeUp(again)
	}
	m.options.Settings.Profiles = append(m.options.Settings.Profiles, j.Profile)
	cmd := m.connect(j.Profile.Name)
	m.inform("The key is in " + j.Stored)
	return cmd
}
