package server

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"waybill/service/geo/addressfile"
	"waybill/service/geo/city"
	"waybill/service/world"
)

// addressIndex is the name of the index of addresses in the data folder.
const addressIndex = "addresses.index"

// openAddresses makes the geocoder use the file of addresses, if there is one. It indexes a new or changed file first.
func (s *Server) openAddresses(ctx context.Context, options *world.Options) error {
	if s.config.Addresses == "" {
		return nil
	}
	started, built := time.Now(), false
	streets, err := addressfile.Open(ctx, s.config.Addresses, filepath.Join(s.config.Dir, addressIndex), func() {
		built = true
		fmt.Fprintf(s.config.Output, "Indexing the addresses in %s …\n", s.config.Addresses)
	})
	if err != nil {
		return err
	}
	s.addresses = streets
	size := streets.Stats()
	if built {
		fmt.Fprintf(s.config.Output, "Indexed %d addresses on %d streets in %s.\n",
			size.Houses, size.Streets, time.Since(started).Round(100*time.Millisecond))
		if size.Skipped > 0 {
			fmt.Fprintf(s.config.Output, "Skipped %d lines without street, number or location.\n", size.Skipped)
		}
	}
	options.Geocoder = city.NewGeocoder(streets)
	return nil
}
