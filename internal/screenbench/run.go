package screenbench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"waybill/internal/terminal"
)

// Options configure a measurement.
type Options struct {
	Program string   // the console
	Empty   []string // the empty program and its arguments
	Tasks   []int    // numbers of tasks; the console is run once with each
	Workers int
	Sandbox bool // also measure the console with the embedded service
	Width   int
	Height  int
	Keys    int           // key presses per exercise
	Only    string        // only exercises whose name contains this text
	Idle    time.Duration // how long to measure the idle screen
	Remote  bool          // run the console as over SSH
	Note    func(text string)
}

// Report is the result for one program.
type Report struct {
	Name       string
	FirstFrame time.Duration
	Loaded     time.Duration // until all rows were shown
	Exercises  []Exercise
	IdleCPU    float64 // share of one processor
	IdleBytes  float64 // per second
	Memory     int
}

// Exercise is the result of one exercise.
type Exercise struct {
	Name        string
	Median, P99 time.Duration // from the key to the first byte of its frame
	CPU         time.Duration // per key
	Bytes       float64       // per key
	MinBytes    float64       // that had to be sent per key
}

// exercise describes the keys of an exercise.
type exercise struct {
	name  string
	ready string   // keys before it
	keys  []string // pressed in turn
	done  string   // keys after it
}

// exercises returns exercises in which every key changes the screen. After a key that changes nothing the next byte would
// come from the clock.
func exercises() []exercise {
	const rows, pages = 8, 3
	down := append(slices.Repeat([]string{"j"}, rows), slices.Repeat([]string{"k"}, rows)...)
	page := append(slices.Repeat([]string{"pgdown"}, pages), slices.Repeat([]string{"pgup"}, pages)...)
	return []exercise{
		{"delays: down and up", "1", down, "g g"},
		{"workers: down and up", "2", down, "g g"},
		{"tasks: down and up", "3", down, "g g"},
		{"orders: down and up", "4", down, "g g"},
		{"tasks: scroll a page", "3", page, "g g"},
		{"next pane", "1", []string{"tab"}, "1"},
		{"tasks: sort", "3", []string{">"}, ": type:sort_urgency enter"},
		{"tasks: type a filter", "3 /", []string{"m", "i", "s", "backspace", "backspace", "backspace"}, "esc esc"},
		{"task: JSON and back", "3 enter", []string{"."}, "esc"},
	}
}

// Run measures the empty program and then every console.
func Run(ctx context.Context, o Options) ([]Report, error) {
	home, err := os.MkdirTemp("", "waybill-bench-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	b := bench{Options: o, home: home}
	measurements := []func() error{func() error { // the first: Print compares the others with it
		return b.program(ctx, "empty program", []exercise{{name: "any key", keys: []string{"j"}}}, nil, b.Empty...)
	}}
	for _, tasks := range o.Tasks {
		measurements = append(measurements, func() error { return b.console(ctx, tasks) })
	}
	if o.Sandbox {
		measurements = append(measurements, func() error {
			return b.program(ctx, "sandbox inside", exercises(), waitForRows, b.Program, "--sandbox", "--seed", "1")
		})
	}
	for _, measure := range measurements {
		if err := measure(); err != nil {
			return b.reports, err
		}
	}
	return b.reports, nil
}

type bench struct {
	Options
	home    string
	reports []Report
}

const (
	loadLimit = 5 * time.Minute
	textLimit = time.Minute
)

// environment returns the environment of a program without the accounts, folders and terminal of the user.
func (b *bench) environment(name string) []string {
	var kept []string
	for _, variable := range os.Environ() {
		key, _, _ := strings.Cut(variable, "=")
		switch {
		case strings.HasPrefix(key, "WAYBILL_"), strings.HasPrefix(key, "XDG_"), strings.HasPrefix(key, "SSH_"):
		case key == "HOME", key == "TERM", key == "TERM_PROGRAM", key == "NO_COLOR", key == "TMUX", key == "STY":
		default:
			kept = append(kept, variable)
		}
	}
	kept = append(kept, "HOME="+filepath.Join(b.home, name), "COLORTERM=truecolor", apiKeyVariable+"=benchmark")
	if b.Remote {
		kept = append(kept, "SSH_TTY=/dev/pts/0")
	}
	return kept
}

// starts is how often a program is started to measure its first frame; the last one keeps running.
const starts = 5

func (b *bench) start(ctx context.Context, name string, command ...string) (*terminal.Terminal, Report, error) {
	b.Note(name)
	report := Report{Name: name}
	var waits []time.Duration
	for i := range starts {
		t, err := terminal.Start(ctx, terminal.Options{Width: b.Width, Height: b.Height, Environment: b.environment(name)}, command[0], command[1:]...)
		if err != nil {
			return nil, report, err
		}
		limit, cancel := context.WithTimeout(ctx, textLimit)
		err = t.Wait(limit, func(s terminal.Screen) bool { return strings.TrimSpace(s.Text()) != "" })
		cancel()
		waits = append(waits, time.Since(t.Started))
		if err != nil {
			t.Stop()
			return nil, report, fmt.Errorf("%s shows nothing: %w", name, err)
		}
		if i == starts-1 {
			report.FirstFrame = quantile(waits, 0.5)
			return t, report, nil
		}
		t.Stop()
	}
	return nil, report, nil
}

// waitForRows waits until the panes have all their rows.
func waitForRows(ctx context.Context, t *terminal.Terminal) error {
	limit, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	return t.Wait(limit, func(s terminal.Screen) bool {
		text := s.Text()
		return strings.Contains(text, " late") && !strings.Contains(text, "loading more") &&
			!strings.Contains(text, "Loading…") && !strings.Contains(text, "Connecting")
	})
}

// console measures the console with a service of this many tasks.
func (b *bench) console(ctx context.Context, tasks int) error {
	address, stop, err := serve(ctx, tasks, b.Workers)
	if err != nil {
		return err
	}
	defer stop()
	config := filepath.Join(b.home, fmt.Sprintf("config-%d.toml", tasks))
	if err := os.WriteFile(config, []byte(profileText(address)), 0o600); err != nil {
		return err
	}
	return b.program(ctx, fmt.Sprintf("%d tasks", tasks), exercises(), waitForRows, b.Program, "--config", config)
}

// program starts a program, waits until it is ready, measures the exercises and the idle screen, and adds a report.
func (b *bench) program(
	ctx context.Context, name string, exercises []exercise, wait func(context.Context, *terminal.Terminal) error, command ...string,
) error {
	t, report, err := b.start(ctx, name, command...)
	if err != nil {
		return err
	}
	defer t.Stop()
	if wait != nil {
		if err := wait(ctx, t); err != nil {
			return fmt.Errorf("%s: the rows did not appear: %w\n%s", name, err, t.Screen().Text())
		}
		report.Loaded = time.Since(t.Started)
	}
	for _, e := range exercises {
		if wait != nil && !strings.Contains(e.name, b.Only) {
			continue
		}
		result, err := b.measure(ctx, t, e)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, e.name, err)
		}
		report.Exercises = append(report.Exercises, result)
	}
	err = b.watch(ctx, t, &report)
	b.reports = append(b.reports, report)
	return err
}

const (
	quiet   = 45 * time.Millisecond  // a frame is complete when nothing was sent for this long
	silence = 150 * time.Millisecond // a key changes nothing if nothing was sent for this long
)

func (b *bench) measure(ctx context.Context, t *terminal.Terminal, e exercise) (Exercise, error) {
	result := Exercise{Name: e.name}
	if err := t.Play(ctx, e.ready); err != nil {
		return result, err
	}
	var waits []time.Duration
	for i := range b.Keys {
		// Key presses are spread, because a program may draw at fixed intervals.
		time.Sleep(20*time.Millisecond + rand.N(30*time.Millisecond)) //nolint:gosec // spread, not secrecy
		before := t.Screen()
		t.TakeTraffic()
		spent, at := t.CPU(), time.Now()
		if err := t.Type(terminal.Sequence(e.keys[i%len(e.keys)])); err != nil {
			return result, err
		}
		if err := t.WaitUntilIdle(ctx, quiet, silence); err != nil {
			return result, err
		}
		result.CPU += t.CPU() - spent
		sent := t.TakeTraffic()
		result.Bytes += float64(sent.Bytes)
		result.MinBytes += float64(terminal.MinBytes(before, t.Screen()))
		if sent.Bytes > 0 {
			waits = append(waits, sent.First.Sub(at))
		}
	}
	result.CPU /= time.Duration(b.Keys)
	result.Bytes /= float64(b.Keys)
	result.MinBytes /= float64(b.Keys)
	result.Median, result.P99 = quantile(waits, 0.5), quantile(waits, 0.99)
	return result, t.Play(ctx, e.done)
}

// watch measures the idle screen.
func (b *bench) watch(ctx context.Context, t *terminal.Terminal, report *Report) error {
	const calm = 2 * time.Second // until the effects of the last keys have ended
	for _, pause := range []time.Duration{calm, b.Idle} {
		t.TakeTraffic()
		spent := t.CPU()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		report.IdleCPU = float64(t.CPU()-spent) / float64(pause)
		report.IdleBytes = float64(t.TakeTraffic().Bytes) / pause.Seconds()
	}
	report.Memory = t.Memory()
	return nil
}

func quantile(values []time.Duration, share float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(int(share*float64(len(values))), len(values)-1)]
}
