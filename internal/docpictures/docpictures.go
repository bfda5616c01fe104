// Package docpictures makes the pictures of the documentation from the program itself.
package docpictures

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"waybill/internal/terminal"
)

// Make runs each scene of the folder's scenes.txt and writes its screen as SVG into the folder. names selects scenes; none
// means all. started is called before each scene.
func Make(ctx context.Context, folder string, names []string, started func(name string)) error {
	scenes, err := readScenes(filepath.Join(folder, "scenes.txt"))
	if err != nil {
		return err
	}
	for _, s := range scenes {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		started(s.name)
		picture, err := s.play(ctx)
		if err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, s.name+".svg"), picture, 0o644); err != nil { //nolint:gosec // documentation is public
			return err
		}
	}
	return nil
}

// scene describes one picture: the size of the screen, its background and the keys to press.
type scene struct {
	name          string
	width, height int
	light         bool
	keys          string
}

// readScenes parses a file of scenes: a name, a size, dark or light, and keys; indented lines continue the keys.
func readScenes(path string) ([]scene, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var scenes []scene
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || line[0] == '#':
			continue
		case line[0] == ' ' && len(scenes) > 0:
			scenes[len(scenes)-1].keys += " " + line
			continue
		}
		s := scene{}
		if len(words) < 3 || words[2] != "dark" && words[2] != "light" {
			return nil, fmt.Errorf("%s:%d: a scene needs a name, a size such as 120x40, dark or light, and keys", path, number)
		}
		if _, err := fmt.Sscanf(words[1], "%dx%d", &s.width, &s.height); err != nil {
			return nil, fmt.Errorf("%s:%d: invalid size %q; use a size such as 120x40", path, number, words[1])
		}
		s.name, s.light, s.keys = words[0], words[2] == "light", strings.Join(words[3:], " ")
		scenes = append(scenes, s)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(scenes) == 0 {
		return nil, errors.New(path + " contains no scenes")
	}
	return scenes, nil
}

// play runs the console in a temporary home folder, presses the keys of the scene and returns the screen as SVG.
func (s scene) play(ctx context.Context) ([]byte, error) {
	const limit = 2 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "waybill-picture-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	if err := os.WriteFile(filepath.Join(home, "tasks.csv"), tasksFile(), 0o600); err != nil {
		return nil, err
	}
	t, err := terminal.Start(ctx, terminal.Options{
		Width: s.width, Height: s.height, Light: s.light, Folder: home,
		Environment: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "COLORTERM=truecolor"},
	}, program, "--sandbox", "--seed", "1", "--time-zone", "America/Los_Angeles")
	if err != nil {
		return nil, err
	}
	defer t.Stop()
	if err := t.Play(ctx, s.keys); err != nil {
		return nil, err
	}
	return t.Screen().SVG("The console: "+strings.ReplaceAll(s.name, "-", " "), s.light), nil
}

// tasksFile returns a CSV file of 1,000 tasks, 30 of them with an invalid phone number.
func tasksFile() []byte {
	const rows, every = 1000, 33
	var b bytes.Buffer
	b.WriteString("number,street,city,country,location,recipient_name,recipient_phone,before\n")
	for i := range rows {
		phone := fmt.Sprintf("+1415555%04d", i)
		if i%every == 5 && i < 30*every {
			phone = "12"
		}
		fmt.Fprintf(&b, "%d,Mission St,San Francisco,USA,\"%.4f,%.4f\",Person %d,%s,+%dh\n",
			i+1, -122.39-float64(i%40)/400, 37.73+float64(i/40)/400, i+1, phone, 2+i%6)
	}
	return b.Bytes()
}
