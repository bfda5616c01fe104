package addressfile

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/geo"
)

const (
	generatedRows    = 1_000_000
	generatedStreets = 20_000
	generatedCities  = 40
)

func generatedName(i int) string {
	syllables := []string{"ba", "cor", "del", "fin", "gra", "hol", "jun", "kel", "lim", "mor", "nor", "pel", "quin", "ros", "sel", "tam"}
	name := ""
	for n := i; len(name) < 4 || n > 0; n /= len(syllables) {
		name += syllables[n%len(syllables)]
	}
	return name
}

func generatedAddress(rng *rand.Rand) (number, street, city int, lon, lat float64) {
	street = rng.IntN(generatedStreets)
	number = 1 + rng.IntN(4000)
	return number, street, street % generatedCities,
		-119.9 + 0.00002*float64(street), 36.6 + 0.00001*float64(number)
}

// writeRows writes rows of generated addresses around Fresno.
func writeRows(b *testing.B, path string, rows int) {
	b.Helper()
	file, err := os.Create(path)
	require.NoError(b, err)
	w := bufio.NewWriter(file)
	fmt.Fprint(w, header)
	rng := rand.New(rand.NewPCG(1, 1))
	for range rows {
		number, street, city, lon, lat := generatedAddress(rng)
		fmt.Fprintf(w, "%.7f,%.7f,%d,%s ST,,CITY %s,,CA,%05d,,0123456789abcdef\n",
			lon, lat, number, generatedName(street), generatedName(city), 93600+city)
	}
	require.NoError(b, w.Flush())
	require.NoError(b, file.Close())
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkIndex indexes a million addresses. It prints the memory that stays in use and the size of the index.
func BenchmarkIndex(b *testing.B) {
	folder := b.TempDir()
	source, index := filepath.Join(folder, "city.csv"), filepath.Join(folder, "addresses.index")
	writeRows(b, source, generatedRows)
	before := heapInUse()
	for b.Loop() {
		require.NoError(b, os.RemoveAll(index))
		m, err := Open(b.Context(), source, index, nil)
		require.NoError(b, err)
		b.StopTimer()
		var peak runtime.MemStats
		runtime.ReadMemStats(&peak)
		b.ReportMetric(float64(peak.HeapSys)/1e6, "MB-peak")
		b.ReportMetric(float64(heapInUse()-before)/1e6, "MB-kept")
		info, err := os.Stat(index)
		require.NoError(b, err)
		b.ReportMetric(float64(info.Size())/1e6, "MB-index")
		runtime.KeepAlive(m)
		require.NoError(b, m.Close())
		b.StartTimer()
	}
}

func BenchmarkLocate(b *testing.B) {
	folder := b.TempDir()
	source := filepath.Join(folder, "city.csv")
	writeRows(b, source, generatedRows)
	m, err := Open(b.Context(), source, source+".index", nil)
	require.NoError(b, err)
	defer func() { require.NoError(b, m.Close()) }()
	for _, kind := range []struct {
		name     string
		spelling func(string) string
	}{
		{"exact", func(s string) string { return s + " Street" }},
		{"misspelled", func(s string) string { return s[:2] + "x" + s[3:] + " St" }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 7))
			found, calls := 0, 0
			for b.Loop() {
				number, street, city, lon, lat := generatedAddress(rng)
				calls++
				point, ok := m.Locate(geo.Address{
					Number: fmt.Sprint(number), Street: kind.spelling(generatedName(street)),
					City: "City " + generatedName(city), CountryCode: "US",
				}, geo.Area{})
				if ok && point.Location.Distance(geo.Location{Lon: lon, Lat: lat}) < 100 {
					found++
				}
			}
			b.ReportMetric(100*float64(found)/float64(calls), "%-within-100m")
		})
	}
	b.Run("reopen", func(b *testing.B) {
		for b.Loop() {
			again, err := Open(b.Context(), source, source+".index", nil)
			require.NoError(b, err)
			require.NoError(b, again.Close())
		}
	})
}
