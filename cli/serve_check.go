package cli

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"

	"waybill/credentials"
	"waybill/service/server"
	"waybill/service/world"
)

// minBootstrapKeyLength is how long a key is at least that the service takes.
const minBootstrapKeyLength = 12

// checkServe refuses what makes no sense, before anything is opened, made or printed.
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
		return usageError{errors.New("--rate must be above 0, or 0 for no limit")}
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
		return fmt.Errorf("%.60q is no address to listen on; write one such as %s", text, defaultListen)
	}
	return nil
}

// checkNewOrganization refuses a country without phone numbers and a zone without a clock: both would be found out much
// later, by the first task.
func checkNewOrganization(in world.NewOrganization) error {
	if !phonenumbers.GetSupportedRegions()[in.Country] {
		return usageError{fmt.Errorf("--country: %.20q is no country; write its two letters, such as US or DE", in.Country)}
	}
	if in.Timezone == "" || strings.EqualFold(in.Timezone, "local") {
		return usageError{fmt.Errorf("--organization-zone: %.40q is no time zone; write one such as Europe/Berlin", in.Timezone)}
	}
	if _, err := time.LoadLocation(in.Timezone); err != nil {
		return usageError{fmt.Errorf("--organization-zone: %.40q is no time zone; write one such as Europe/Berlin", in.Timezone)}
	}
	return nil
}
