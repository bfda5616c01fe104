package cli

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"waybill/credentials"
	"waybill/service/server"
	"waybill/service/world"
)

// minBootstrapKeyLength is the minimum length of a key that the service accepts.
const minBootstrapKeyLength = 12

// checkServe validates the flags before anything is opened, created or printed.
func checkServe(c server.Config) error {
	for _, address := range []struct{ flag, text string }{{"--listen", c.Listen}, {"--metrics-listen", c.MetricsListen}} {
		if address.text == "" && address.flag != "--listen" {
			continue
		}
		if err := checkAddress(address.text); err != nil {
			return usageError{fmt.Errorf("%s: %w", address.flag, err)}
		}
	}
	if c.Rate < 0 {
		return usageError{errors.New("--rate must be 0 or greater; 0 means no limit")}
	}
	if c.BootstrapKey != "" {
		if len(c.BootstrapKey) < minBootstrapKeyLength {
			return usageError{fmt.Errorf("%s: an API key needs at least %d characters", bootstrapVariable, minBootstrapKeyLength)}
		}
		if _, err := credentials.NewKey(c.BootstrapKey); err != nil {
			return usageError{fmt.Errorf("%s: %w", bootstrapVariable, err)}
		}
	}
	return checkNewOrganization(c.Organization)
}

func checkAddress(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("invalid address %.60q; use host:port such as %s", text, defaultListen)
	}
	return nil
}

// checkNewOrganization validates country and time zone, which otherwise would fail only when the first task is created.
func checkNewOrganization(in world.NewOrganization) error {
	if !phonenumbers.GetSupportedRegions()[in.Country] {
		return usageError{fmt.Errorf("--country: unknown country %.20q; use a two-letter code such as US or DE", in.Country)}
	}
	if in.Timezone == "" || strings.EqualFold(in.Timezone, "local") || loadZone(in.Timezone) == nil {
		return usageError{fmt.Errorf("--organization-zone: unknown time zone %.40q; use a name such as Europe/Berlin", in.Timezone)}
	}
	return nil
}
