//go:build race

package server_test

// underRace is set under the race detector, which makes the database ten to twenty times slower.
const underRace = true
