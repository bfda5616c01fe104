package draw

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"waybill/planner"
)

func TestRoutesAreDrawn(t *testing.T) {
	t.Parallel()
	p := &planner.Problem{
		Places:  []planner.Place{{Lat: 0, Lng: 0}, {Lat: 0, Lng: 0.1}, {Lat: 0.1, Lng: 0.1}, {Lat: 0.1, Lng: 0}},
		Workers: []planner.Worker{{ID: "w", Vehicle: planner.Car, Until: planner.NoLimit}},
	}
	p.Workers[0].Capacity = planner.Quantities{planner.Unlimited, planner.Unlimited, planner.Unlimited, planner.Unlimited}
	for i := 1; i < 4; i++ {
		p.Tasks = append(p.Tasks, planner.Task{ID: string(rune('a' + i)), Place: i, Before: planner.NoLimit})
	}
	sol, err := planner.Solve(context.Background(), p, planner.Options{Iterations: 200, Threads: 1})
	require.NoError(t, err)
	require.Equal(t, ""+
		"⡏⠉⠉⠉⠉⠉⠉⢹\n"+
		"⡇⠀⠀⠀⠀⠀⠀⢸\n"+
		"⡇⠀⠀⠀⠀⠀⠀⢸\n"+
		"◆⣀⣀⣀⣀⣀⣀⣸\n", Routes(p, sol, 8, 4))
	for line := range strings.Lines(Routes(p, sol, 0, 0)) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(line)), DefaultWidth)
	}
	require.Empty(t, Routes(&planner.Problem{}, &planner.Plan{}, 0, 0))
}
