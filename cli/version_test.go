package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionOfARelease(t *testing.T) {
	for stamped, want := range map[string]string{
		"v1.4.0": "1.4.0", "v0.0.0-20260302170000-451e8f2d197b+dirty": "0.0.0-20260302170000-451e8f2d197b+dirty",
		"(devel)": "devel", "": "devel",
	} {
		require.Equal(t, want, versionOf(&debug.BuildInfo{Main: debug.Module{Version: stamped}}), stamped)
	}
}
