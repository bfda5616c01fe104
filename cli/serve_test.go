package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/service/world"
)

// The command line refuses the same bootstrap keys as the service.
func TestBootstrapKeyRulesMatchTheService(t *testing.T) {
	service := servicetest.Start(t)
	for length, want := range map[int]bool{minBootstrapKeyLength - 1: false, minBootstrapKeyLength: true} {
		in := world.NewOrganization{Name: "X", Country: "US", Timezone: "UTC", Key: strings.Repeat("k", length)}
		_, _, err := service.World.CreateOrganization(t.Context(), in)
		require.Equal(t, want, err == nil, "%d characters: %v", length, err)
	}
}
