package board

import (
	"fmt"
	"slices"
)

// Pane is one of the four lists of the console.
type Pane uint8

// Panes, in the order of their keys.
const (
	PaneDelays Pane = iota
	PaneWorkers
	PaneTasks
	PaneOrders
	PaneCount = 4
)

// PaneNames lists the names of the panes on the command line and in files, by Pane.
func PaneNames() []string { return []string{"delays", "workers", "tasks", "orders"} }

// ParsePane reads a pane as String writes it.
func ParsePane(name string) (Pane, error) {
	at := slices.Index(PaneNames(), name)
	if at < 0 {
		return PaneDelays, fmt.Errorf("unknown pane %q", name)
	}
	return Pane(at), nil
}

// String returns the name of the pane.
func (p Pane) String() string { return PaneNames()[p] }

// MarshalText implements encoding.TextMarshaler.
func (p Pane) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A name from another version becomes Delays, so that the rest of a
// file can still be read.
func (p *Pane) UnmarshalText(text []byte) error {
	*p, _ = ParsePane(string(text))
	return nil
}
