//go:build race

package planner

// slowdown is how much less the long tests do under the race detector, which costs about that much.
const slowdown = 15
