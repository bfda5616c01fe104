//go:build !race

package planner

// slowdown is 1 without the race detector.
const slowdown = 1
