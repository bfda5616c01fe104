//go:build !race

package fleet_test

const underRace = false
