package cli

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/pflag"

	"waybill/service/geo"
	"waybill/service/server"
)

// geocoderKeyVariable holds the key of a geocoder that asks for one.
const geocoderKeyVariable = "WAYBILL_GEOCODER_KEY"

// externalFlags say which services of others the server may use, and where its webhooks may go.
type externalFlags struct {
	geocoder     string
	geocoderURL  string
	osrm         string
	webhookAllow []string
	webhookCA    string
}

func (o *externalFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.geocoder, "geocoder", "offline", "who finds addresses: offline, nominatim, photon or google (with "+geocoderKeyVariable+")")
	f.StringVar(&o.geocoderURL, "geocoder-url", "", "the geocoder's address, if not its public one")
	f.StringVar(&o.osrm, "osrm", "", "the address of a routing server, for travel times on real roads")
	f.StringSliceVar(&o.webhookAllow, "webhook-allow", nil, "let webhooks reach this network though it is not public, such as 127.0.0.0/8")
	f.StringVar(&o.webhookCA, "webhook-ca", "", "trust the certificates in this PEM file for webhooks")
}

// apply puts the flags into a server's configuration.
func (o *externalFlags) apply(a *app, c *server.Config) error {
	c.WebhookCA = a.env.Expand(o.webhookCA)
	for _, text := range o.webhookAllow {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--webhook-allow: %q is no network such as 127.0.0.0/8", text)
		}
		c.WebhookAllow = append(c.WebhookAllow, network)
	}
	var err error
	if c.Geocoder, err = o.newGeocoder(a); err != nil {
		return fmt.Errorf("--geocoder: %w", err)
	}
	c.GeocoderName = o.geocoder
	if o.osrm == "" {
		return nil
	}
	roads, err := geo.NewOSRM(geo.OSRMOptions{RemoteOptions: geo.RemoteOptions{BaseURL: o.osrm, UserAgent: userAgent()}})
	if err != nil {
		return fmt.Errorf("--osrm: %w", err)
	}
	c.Travel = geo.NewFallback(roads, func(err error) {
		fmt.Fprintln(a.stderr, "waybill: the routing server does not answer, so straight lines are used: "+err.Error())
	})
	return nil
}

// newGeocoder is the chosen geocoder; nil for the embedded one.
func (o *externalFlags) newGeocoder(a *app) (geo.Geocoder, error) {
	options := geo.RemoteOptions{BaseURL: o.geocoderURL, UserAgent: userAgent()}
	switch o.geocoder {
	case "offline", "":
		if o.geocoderURL != "" {
			return nil, errors.New("the offline geocoder has no address; choose nominatim, photon or google")
		}
		return nil, nil //nolint:nilnil // none chosen is no error
	case "nominatim":
		return geo.NewNominatim(options)
	case "photon":
		return geo.NewPhoton(options)
	case "google":
		return geo.NewGoogle(a.env.Getenv(geocoderKeyVariable), options)
	}
	return nil, fmt.Errorf("there is no geocoder %q; choose offline, nominatim, photon or google", o.geocoder)
}
