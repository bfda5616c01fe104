// Package screenbench measures how fast the console draws.
//
// [Run], which "waybill bench screen" uses, starts the console on a pseudo-terminal with boards of several sizes, presses
// keys in every pane and compares the result with an empty Bubble Tea program.
//
// The benchmarks of the package measure parts of the drawing without a terminal. Its tests limit how many bytes are sent:
//
//	go test -run xxx -bench . -benchmem ./internal/screenbench
package screenbench
