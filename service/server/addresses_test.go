package server_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/server"
	"waybill/service/world"
)

func TestAddressesOfAFileAreUsed(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef"
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "fresno.csv")
	require.NoError(t, os.WriteFile(file, []byte("LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"+
		"-119.79,36.74,100,E ELM ST,,FRESNO,,CA,93701,,\n,,,,,,,,,,\n"), 0o600))
	for _, printed := range []string{"Indexed 1 addresses on 1 streets", ""} {
		var output bytes.Buffer
		s := start(t, server.Config{
			Dir: dir, BootstrapKey: key, Organization: world.NewOrganization{Name: "A", Country: "US", Timezone: "UTC"},
			Addresses: file, Output: &output,
		})
		c := client{t, s.BaseURL(), key}
		var found model.Destination
		c.ok("POST", "/destinations", `{"address":{"unparsed":"100 East Elm Street, Fresno, CA, USA"}}`, &found)
		require.Equal(t, model.Location{Lon: -119.79, Lat: 36.74}, found.Location)
		require.Empty(t, found.Warnings.Value())
		require.Equal(t, "93701", found.Address.PostalCode)
		c.ok("POST", "/destinations", `{"address":{"unparsed":"2210 Fillmore St, SF, CA, USA"}}`, &found)
		require.Empty(t, found.Warnings.Value(), "the embedded streets stay known")
		require.NoError(t, s.Stop(t.Context()))
		require.Contains(t, output.String(), printed)
		require.Equal(t, printed != "", bytes.Contains(output.Bytes(), []byte("Index")), "indexed once")
	}
	_, err := server.Start(t.Context(), server.Config{Dir: dir, Listen: "127.0.0.1:0", Addresses: file + ".missing"})
	require.ErrorContains(t, err, "cannot read the addresses")
}
