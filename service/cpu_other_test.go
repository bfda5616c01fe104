//go:build !unix

package service_test

// cpuSeconds is not known here; benchmarks report 0 for what they make of it.
func cpuSeconds() float64 { return 0 }
