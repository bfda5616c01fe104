package cli

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

	"github.com/spf13/cobra"

	"waybill/internal/terminal"
)

func newBenchPicturesCommand(a *app) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use: "pictures [NAME…]", Short: "Make the pictures of the documentation from the program itself",
		Long: "Runs the console on a pseudo-terminal with a new sandbox for each scene of the folder's scenes.txt, types what the\n" +
			"scene says, and writes the screen as SVG.",
		RunE: func(cmd *cobra.Command, names []string) error {
			scenes, err := readScenes(filepath.Join(folder, "scenes.txt"))
			if err != nil {
				return err
			}
			for _, s := range scenes {
				if len(names) > 0 && !slices.Contains(names, s.name) {
					continue
				}
				fmt.Fprintln(a.stderr, "Taking "+s.name+"…")
				picture, err := s.take(cmd.Context())
				if err != nil {
					return fmt.Errorf("scene %s: %w", s.name, err)
				}
				if err := os.WriteFile(filepath.Join(folder, s.name+".svg"), picture, 0o644); err != nil { //nolint:gosec // for everyone
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "docs/pictures", "where scenes.txt is and the pictures go")
	return cmd
}

// scene is a picture to be taken.
type scene struct {
	name          string
	width, height int
	light         bool
	keys          string
}

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
			return nil, fmt.Errorf("%s:%d: a scene is a name, a size such as 120x40, dark or light, and keys", path, number)
		}
		if _, err := fmt.Sscanf(words[1], "%dx%d", &s.width, &s.height); err != nil {
			return nil, fmt.Errorf("%s:%d: %q is no size such as 120x40", path, number, words[1])
		}
		s.name, s.light, s.keys = words[0], words[2] == "light", strings.Join(words[3:], " ")
		scenes = append(scenes, s)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(scenes) == 0 {
		return nil, errors.New(path + " holds no scenes")
	}
	return scenes, nil
}

// take runs the console in a home of its own and plays the scene.
func (s scene) take(ctx context.Context) ([]byte, error) {
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
	if err := os.WriteFile(filepath.Join(home, "tasks.csv"), rowsToImport(), 0o600); err != nil {
		return nil, err
	}
	t, err := terminal.Start(ctx, terminal.Options{
		Width: s.width, Height: s.height, Light: s.light, Folder: home, Environment: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "COLORTERM=truecolor"},
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

// rowsToImport is a file of a thousand tasks, thirty of which have a phone number that is none.
func rowsToImport() []byte {
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
