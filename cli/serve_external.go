package cli

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/pflag"

	"waybill/service/geo"
	"waybill/service/server"
)

// geocoderKeyVariable names the environment variable with the API key of the geocoder.
const geocoderKeyVariable = "WAYBILL_GEOCODER_KEY"

// externalFlags select the external services that the server uses, and the networks that webhooks may reach.
type externalFlags struct {
	geocoder     string
	geocoderURL  string
	addresses    string
	osrm         string
	webhookAllow []string
	webhookCA    string
}

func (o *externalFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.geocoder, "geocoder", "offline", "geocoder: offline, nominatim, photon or google (requires "+geocoderKeyVariable+")")
	f.StringVar(&o.geocoderURL, "geocoder-url", "", "address of the geocoder, if not the public one")
	f.StringVar(&o.addresses, "addresses", "", "CSV file of addresses for the offline geocoder, in the layout of OpenAddresses")
	f.StringVar(&o.osrm, "osrm", "", "address of an OSRM server for travel times on real roads")
	f.StringSliceVar(&o.webhookAllow, "webhook-allow", nil, "allow webhooks to reach this private network, such as 127.0.0.0/8")
	f.StringVar(&o.webhookCA, "webhook-ca", "", "also trust the certificates in this PEM file for webhooks")
}

// apply sets the flags in the configuration of the server.
func (o *externalFlags) apply(a *app, c *server.Config) error {
	c.WebhookCA = a.env.Expand(o.webhookCA)
	for _, text := range o.webhookAllow {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--webhook-allow: invalid network %q; use a prefix such as 127.0.0.0/8", text)
		}
		c.WebhookAllow = append(c.WebhookAllow, network)
	}
	var err error
	if c.Geocoder, err = o.newGeocoder(a); err != nil {
		return fmt.Errorf("--geocoder: %w", err)
	}
	c.GeocoderName = o.geocoder
	if c.Addresses = a.env.Expand(o.addresses); c.Addresses != "" && c.Geocoder != nil {
		return errors.New("--addresses works with the offline geocoder only; remove --addresses or --geocoder")
	}
	if o.osrm == "" {
		return nil
	}
	roads, err := geo.NewOSRM(geo.OSRMOptions{RemoteOptions: geo.RemoteOptions{BaseURL: o.osrm, UserAgent: userAgent()}})
	if err != nil {
		return fmt.Errorf("--osrm: %w", err)
	}
	c.Travel = geo.NewFallback(roads, func(err error) {
		fmt.Fprintln(a.stderr, "waybill: the routing server does not answer, using straight lines: "+err.Error())
	})
	return nil
}

// newGeocoder returns the selected geocoder; nil means the embedded one.
func (o *externalFlags) newGeocoder(a *app) (geo.Geocoder, error) {
	options := geo.RemoteOptions{BaseURL: o.geocoderURL, UserAgent: userAgent()}
	switch o.geocoder {
	case "offline", "":
		if o.geocoderURL != "" {
			return nil, errors.New("the offline geocoder has no address; use nominatim, photon or google")
		}
		return nil, nil //nolint:nilnil // none chosen is no error
	case "nominatim":
		return geo.NewNominatim(options)
	case "photon":
		return geo.NewPhoton(options)
	case "google":
		return geo.NewGoogle(a.env.Getenv(geocoderKeyVariable), options)
	}
	return nil, fmt.Errorf("unknown geocoder %q; use offline, nominatim, photon or google", o.geocoder)
}
