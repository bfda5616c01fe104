package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/server"
	"waybill/settings"
)

func TestAddressesNeedTheOfflineGeocoder(t *testing.T) {
	a := &app{env: settings.Environment{Home: "/home/ada"}}
	var c server.Config
	require.NoError(t, (&externalFlags{geocoder: "offline", addresses: "~/city.csv"}).apply(a, &c))
	require.Equal(t, "/home/ada/city.csv", c.Addresses)
	err := (&externalFlags{geocoder: "photon", addresses: "city.csv"}).apply(a, &c)
	require.ErrorContains(t, err, "--addresses works with the offline geocoder only")
}
