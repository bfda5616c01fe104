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

// Options say what is measured.
type Options struct {
	Program string   // the console
	Empty   []string // the empty program and its arguments
	Tasks   []int    // one run of the console for each
	Workers int
	Sandbox bool // also the console with the service inside
	Width   int
	Height  int
	Keys    int           // pressed in each exercise
	Only    string        // exercises whose name holds this text
	Idle    time.Duration // how long the untouched screen is watched
	Remote  bool          // as over SSH
	Note    func(text string)
}

// Report is the outcome for one program.
type Report struct {
	Name       string
	FirstFrame time.Duration
	Loaded     time.Duration // until all rows were there
	Exercises  []Exercise
	IdleCPU    float64 // share of one processor
	IdleBytes  float64 // a second
	Memory     int
}

// Exercise is the same kind of key, many times.
type Exercise struct {
	Name        string
	Keys        int
	Median, P99 time.Duration // from the key to the first byte of its frame
	CPU         time.Duration // a key
	Bytes       float64       // a key
	Least       float64       // that could have been sent
}

// exercise is what to press.
type exercise struct {
	name  string
	ready string   // keys before it
	keys  []string // pressed in turn
	done  string   // keys after it
}

// exercises are keys that each change the screen: after one that does nothing the next byte would be the clock's.
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

// Run measures the empty program and then every console, one after the other.
func Run(ctx context.Context, o Options) ([]Report, error) {
	home, err := os.MkdirTemp("", "waybill-bench-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	b := bench{Options: o, home: home}
	reports := make([]Report, 0, len(o.Tasks)+2)
	empty, err := b.empty(ctx)
	if err != nil {
		return nil, err
	}
	reports = append(reports, empty)
	for _, tasks := range o.Tasks {
		report, err := b.console(ctx, tasks)
		if err != nil {
			return reports, err
		}
		reports = append(reports, report)
	}
	if o.Sandbox {
		report, err := b.sandbox(ctx)
		if err != nil {
			return reports, err
		}
		reports = append(reports, report)
	}
	return reports, nil
}

type bench struct {
	Options
	home string
}

const (
	loadLimit = 5 * time.Minute
	textLimit = time.Minute
)

// environment leaves out what belongs to the person who measures: accounts, folders, the line they came in on.
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

// starts is how often a program is started for its first frame; the last one stays.
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
		waits = append(waits, time.Since(t.Started()))
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

func (b *bench) empty(ctx context.Context) (Report, error) {
	t, report, err := b.start(ctx, "empty program", b.Empty...)
	if err != nil {
		return report, err
	}
	defer t.Stop()
	result, err := b.measure(ctx, t, exercise{name: "any key", keys: []string{"j"}})
	report.Exercises = []Exercise{result}
	if err != nil {
		return report, err
	}
	return report, b.watch(ctx, t, &report)
}

// loaded waits until the panes have all their rows.
func loaded(ctx context.Context, t *terminal.Terminal) error {
	limit, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	return t.Wait(limit, func(s terminal.Screen) bool {
		text := s.Text()
		return strings.Contains(text, " late") && !strings.Contains(text, "more on the way") &&
			!strings.Contains(text, "Loading…") && !strings.Contains(text, "Connecting")
	})
}

func (b *bench) console(ctx context.Context, tasks int) (Report, error) {
	name := fmt.Sprintf("%d tasks", tasks)
	address, stop, err := serve(ctx, tasks, b.Workers)
	if err != nil {
		return Report{}, err
	}
	defer stop()
	config := filepath.Join(b.home, fmt.Sprintf("config-%d.toml", tasks))
	if err := os.WriteFile(config, []byte(profileText(address)), 0o600); err != nil {
		return Report{}, err
	}
	t, report, err := b.start(ctx, name, b.Program, "--config", config)
	if err != nil {
		return report, err
	}
	defer t.Stop()
	return report, b.exercise(ctx, t, &report)
}

func (b *bench) sandbox(ctx context.Context) (Report, error) {
	t, report, err := b.start(ctx, "sandbox inside", b.Program, "--sandbox", "--seed", "1")
	if err != nil {
		return report, err
	}
	defer t.Stop()
	return report, b.exercise(ctx, t, &report)
}

func (b *bench) exercise(ctx context.Context, t *terminal.Terminal, report *Report) error {
	if err := loaded(ctx, t); err != nil {
		return fmt.Errorf("%s: the rows did not come: %w\n%s", report.Name, err, t.Screen().Text())
	}
	report.Loaded = time.Since(t.Started())
	for _, e := range exercises() {
		if !strings.Contains(e.name, b.Only) {
			continue
		}
		result, err := b.measure(ctx, t, e)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", report.Name, e.name, err)
		}
		report.Exercises = append(report.Exercises, result)
	}
	return b.watch(ctx, t, report)
}

const (
	quiet   = 45 * time.Millisecond  // a frame is over when this long nothing was sent
	silence = 150 * time.Millisecond // a key that changes nothing
)

func (b *bench) measure(ctx context.Context, t *terminal.Terminal, e exercise) (Exercise, error) {
	result := Exercise{Name: e.name, Keys: b.Keys}
	if err := t.Play(ctx, e.ready); err != nil {
		return result, err
	}
	var waits []time.Duration
	for i := range b.Keys {
		// Keys come at no particular moment of a program that draws on a clock.
		time.Sleep(20*time.Millisecond + rand.N(30*time.Millisecond)) //nolint:gosec // spread, not secrecy
		before := t.Screen()
		t.Take()
		spent, at := t.CPU(), time.Now()
		if err := t.Type(terminal.Sequence(e.keys[i%len(e.keys)])); err != nil {
			return result, err
		}
		if err := t.Settle(ctx, quiet, silence); err != nil {
			return result, err
		}
		result.CPU += t.CPU() - spent
		sent := t.Take()
		result.Bytes += float64(sent.Bytes)
		result.Least += float64(terminal.Least(before, t.Screen()))
		if sent.Bytes > 0 {
			waits = append(waits, sent.First.Sub(at))
		}
	}
	result.CPU /= time.Duration(b.Keys)
	result.Bytes /= float64(b.Keys)
	result.Least /= float64(b.Keys)
	result.Median, result.P99 = quantile(waits, 0.5), quantile(waits, 0.99)
	return result, t.Play(ctx, e.done)
}

// watch leaves the screen alone and counts what that costs.
func (b *bench) watch(ctx context.Context, t *terminal.Terminal, report *Report) error {
	const calm = 2 * time.Second // what the last keys set off comes to its end
	for _, pause := range []time.Duration{calm, b.Idle} {
		t.Take()
		spent := t.CPU()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		report.IdleCPU = float64(t.CPU()-spent) / float64(pause)
		report.IdleBytes = float64(t.Take().Bytes) / pause.Seconds()
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
