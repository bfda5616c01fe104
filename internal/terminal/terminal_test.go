//go:build unix

package terminal

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func start(t *testing.T, script string) *Terminal {
	t.Helper()
	running, err := Start(t.Context(), Options{Width: 40, Height: 5, Environment: []string{"PATH=" + os.Getenv("PATH")}}, "sh", "-c", script)
	require.NoError(t, err)
	t.Cleanup(running.Stop)
	return running
}

func TestPlay(t *testing.T) {
	program := start(t, `printf 'name? '; read name; printf '\033[2J\033[H\033[1;31mhello %s\033[m & 東京' "$name"; read end`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, program.Play(ctx, "until:name? type:Ada_L enter until:hello_Ada_L"))
	require.NoError(t, program.WaitForText(ctx, "東京"))
	before := program.Screen()
	require.Equal(t, "hello Ada L & 東京", strings.SplitN(before.Text(), "\n", 2)[0])
	require.Positive(t, program.TakeTraffic().Bytes)
	require.Zero(t, program.TakeTraffic().Bytes)

	picture := string(before.SVG("a <b>", false))
	require.Contains(t, picture, ">hello Ada L<")
	require.Contains(t, picture, "font-weight:bold")
	for decoder := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := decoder.Token(); err != nil {
			require.True(t, errors.Is(err, io.EOF), "%v", err)
			break
		}
	}
	require.NoError(t, program.Type(Sequence("enter")))
	require.ErrorIs(t, program.WaitForText(ctx, "never"), ErrEnded)
}

func TestMinBytes(t *testing.T) {
	program := start(t, "sleep 60")
	a := program.Screen()
	require.Zero(t, MinBytes(a, a))
	b := program.Screen()
	b.Cells[41].Content, b.Cells[42].Content, b.Cells[50].Content = "x", "y", "z"
	require.Equal(t, len("\x1b[2;2Hxy")+len("\x1b[2;11Hz"), MinBytes(a, b))
}
