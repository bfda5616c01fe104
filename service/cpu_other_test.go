//go:build !unix

package service_test

// cpuSeconds is not available on this platform.
func cpuSeconds() float64 { return 0 }
