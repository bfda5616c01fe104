package addressfile

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/service/geo"
)

const header = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"

// fresno has a few houses of Fresno, as OpenAddresses writes them.
const fresno = header + `-119.7900000,36.7400000,100,E ELM ST,,FRESNO,,CA,93701,,a1
-119.7900000,36.7410000,200,E ELM ST,,FRESNO,,CA,93701,,a2
-119.7900000,36.7430000,400,E ELM ST,,FRESNO,,CA,93702,,a3
-119.7898000,36.7405000,151,E ELM ST,,FRESNO,,CA,93701,,a4
-119.7700000,36.7500000,12,N Van Ness Avenue,,FRESNO,,CA,93728,,a5
-119.7700000,36.7500010,12,N Van Ness Avenue,APT 2,FRESNO,,CA,93728,,a6
-119.7701000,36.7501000,12B,N Van Ness Avenue,,FRESNO,,CA,93728,,a7
-119.8000000,36.7600000,7,CHESTNUT WAY,,,,CA,,,a8
-119.8000000,36.7600000,,CHESTNUT WAY,,,,CA,,,a9
x,36.7600000,9,CHESTNUT WAY,,,,CA,,,b1
-119.8100000,36.7700000,3,"O'NEILL ""Old"" RD",,PINEDALE,,CA,93650,,b2
-70.2600000,43.6600000,5,CONGRESS ST,,PORTLAND,,ME,04101,,b3
-119.7500000,36.7300000,10,Lakeview Dr,,Smallest Hamlet,,CA,93650,,b4
`

func openText(t testing.TB, text string) *Map {
	t.Helper()
	folder := t.TempDir()
	source := filepath.Join(folder, "city.csv")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	m, err := Open(context.Background(), source, filepath.Join(folder, "addresses.index"), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func TestAddressesOfAFileAreFound(t *testing.T) {
	m := openText(t, fresno)
	require.Equal(t, Stats{Houses: 10, Streets: 6, Cities: 5, Skipped: 2}, m.Stats())
	geocoder := geo.NewOffline(m)
	for _, test := range []struct {
		line, street string
		at           geo.Location
		accuracy     geo.Accuracy
		warning      string
	}{
		{"200 E Elm St, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.741}, geo.AccuracyHouse, ""},
		{"200 East Elm Street Apt 9, fresno, CA 93701, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.741}, geo.AccuracyHouse, ""},
		{"200 Elm, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.741}, geo.AccuracyHouse, ""},
		{"150 E Elm St, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.7405}, geo.AccuracyHouse, ""},
		{"300 E Elm St, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.742}, geo.AccuracyHouse, ""},
		{"12b N Van Ness Ave, Fresno, CA, USA", "N Van Ness Avenue", geo.Location{Lon: -119.7701, Lat: 36.7501}, geo.AccuracyHouse, ""},
		{"12 N Van Nes Ave, Fresno, CA, USA", "N Van Ness Avenue", geo.Location{Lon: -119.77, Lat: 36.75}, geo.AccuracyHouse, "N Van Ness Avenue was used"},
		{"500 E Elm St, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.743}, geo.AccuracyStreet, "within 400 m: only the street"},
		{"E Elm St, Fresno, CA, USA", "E Elm St", geo.Location{Lon: -119.79, Lat: 36.741}, geo.AccuracyStreet, "only the street"},
		{"7 Chestnut Way, Fresno, CA, USA", "Chestnut Way", geo.Location{Lon: -119.8, Lat: 36.76}, geo.AccuracyHouse, ""},
		{"3 ONeill Old Rd, Fresno, CA, USA", `O'neill "old" Rd`, geo.Location{}, geo.AccuracyCity, "only the city"},
		{"3 ONeill Old Rd, Pinedale, CA, USA", `O'NEILL "Old" RD`, geo.Location{Lon: -119.81, Lat: 36.77}, geo.AccuracyHouse, ""},
		{"5 Congress St, Portland, ME, USA", "Congress St", geo.Location{Lon: -70.26, Lat: 43.66}, geo.AccuracyHouse, ""},
		{"5 Congress St, Portland, OR, USA", "Congress St", geo.Location{}, geo.AccuracyCity, "only the city"},
		{"10 Lakeview Dr, Smallest Hamlet, CA, USA", "Lakeview Dr", geo.Location{Lon: -119.75, Lat: 36.73}, geo.AccuracyHouse, ""},
	} {
		result, err := geocoder.Geocode(t.Context(), geo.Query{Unparsed: test.line})
		require.NoError(t, err, test.line)
		require.Equal(t, test.accuracy, result.Accuracy, test.line)
		if test.warning == "" {
			require.Empty(t, result.Warnings, test.line)
		} else {
			require.Contains(t, result.Warnings[len(result.Warnings)-1], test.warning, test.line)
		}
		if test.accuracy == geo.AccuracyCity {
			continue
		}
		require.Equal(t, test.street, result.Address.Street, test.line)
		require.Less(t, result.Location.Distance(test.at), 1.0, test.line)
	}
}

func TestIndexIsBuiltOnceAndAfterChanges(t *testing.T) {
	folder := t.TempDir()
	source, index := filepath.Join(folder, "city.csv"), filepath.Join(folder, "addresses.index")
	built := 0
	open := func() *Map {
		t.Helper()
		m, err := Open(t.Context(), source, index, func() { built++ })
		require.NoError(t, err)
		require.NoError(t, m.Close())
		return m
	}
	require.NoError(t, os.WriteFile(source, []byte(fresno), 0o600))
	open()
	open()
	require.Equal(t, 1, built)

	require.NoError(t, os.WriteFile(source, []byte(fresno+"-119.79,36.75,900,E ELM ST,,FRESNO,,CA,93701,,z\n"), 0o600))
	require.Equal(t, 11, open().Stats().Houses)
	require.Equal(t, 2, built)
	require.NoError(t, os.Chtimes(source, time.Time{}, time.Unix(1_700_000_000, 0)))
	open()
	require.Equal(t, 3, built)

	whole, err := os.ReadFile(index)
	require.NoError(t, err)
	for _, damaged := range [][]byte{nil, whole[:10], whole[:len(whole)-5], append([]byte("something else"), whole...)} {
		require.NoError(t, os.WriteFile(index, damaged, 0o600))
		require.Equal(t, 11, open().Stats().Houses, "a damaged index is built again")
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 2, "nothing else is left in the folder")
}

func TestFilesThatAreNotAddressesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "empty",
		"name,phone\nAda,1\n":        "no column LON; the first line must name the columns",
		header:                       "none of the 0 lines",
		header + ",,1,A ST,,,,,,,\n": "none of the 1 lines",
	} {
		source := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
		_, err := Open(t.Context(), source, source+".index", nil)
		require.ErrorContains(t, err, want)
		require.NoFileExists(t, source+".index.new")
	}
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "none.csv"), "x", nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(t.Context(), t.TempDir(), "x", nil)
	require.ErrorContains(t, err, "folder")
}

func TestRunsAreMergedInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRuns(filepath.Join(t.TempDir(), "run"), 10)
	r.length = 100
	var all []entry
	for range 1234 {
		e := entry{rng.Uint32N(20), house{number: rng.Uint32N(500), lon: rng.Int32(), lat: -rng.Int32(), postcode: rng.Uint32N(3)}}
		all = append(all, e)
		require.NoError(t, r.add(e))
	}
	var merged []entry
	require.NoError(t, r.merge(func(e entry) error { merged = append(merged, e); return nil }))
	slices.SortFunc(all, compareEntries)
	require.Equal(t, all, merged)
	require.Len(t, r.files, 13)
	r.remove()
	require.NoFileExists(t, r.files[0])
}
