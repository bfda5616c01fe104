// Package screenbench measures the screen.
//
// [Run] measures the console as it is: started on a pseudo-terminal with five hundred and with fifty thousand tasks,
// keys played in every pane, beside an empty Bubble Tea program in the same run. It is behind "waybill bench screen".
//
// The package's benchmarks measure its parts without a terminal: tables laid out, drawn by hand and compared cell by
// cell, and its tests hold the byte budget:
//
//	go test -run xxx -bench . -benchmem ./internal/screenbench
package screenbench
