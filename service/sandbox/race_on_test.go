//go:build race

package sandbox_test

// underRace reports whether the race detector watches. The database is ten to twenty times slower under it, so days are shorter.
const underRace = true
