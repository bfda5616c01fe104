package service_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
)

// TestInvalidLocationsAreRefused checks that a location that is not two numbers is never read as 0,0.
func TestInvalidLocationsAreRefused(t *testing.T) {
	s := servicetest.Start(t)
	const address = `"address":{"city":"San Francisco","country":"United States"}`
	for _, location := range []string{`[]`, `[1]`, `[1,2,3]`, `[null,null]`, `[null,1]`, `["1","2"]`, `"1,2"`} {
		place := fmt.Sprintf(`{%s,"location":%s}`, address, location)
		for path, body := range map[string]string{
			"/destinations": place,
			"/tasks":        `{"recipients":[],"destination":` + place + `}`,
			"/hubs":         fmt.Sprintf(`{"name":"Hub",%s,"location":%s}`, address, location),
		} {
			refused := s.Do("POST", path, body).Refused(400, 1005)
			require.Contains(t, refused.Message.Cause.Value().Text, "[longitude, latitude]", "%s %s", path, location)
		}
	}
}
