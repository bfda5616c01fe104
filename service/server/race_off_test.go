//go:build !race

package server_test

const underRace = false
