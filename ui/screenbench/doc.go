// Package screenbench measures a whole screen: four tables laid out, drawn by
// hand and sent through the renderer Bubble Tea uses, at five hundred and at
// fifty thousand tasks. It holds benchmarks and the byte budget, no code that
// others import:
//
//	go test -run xxx -bench . -benchmem ./ui/screenbench
package screenbench
