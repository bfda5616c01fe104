package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"waybill/service/geo"
)

// versionInfo is what the program is, as scripts read it.
type versionInfo struct {
	Version     string `json:"version"`
	Revision    string `json:"revision,omitzero"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
	Attribution string `json:"attribution"`
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version and whose data is inside", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info := versionInfo{
				Version: Version, Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Attribution: geo.Attribution,
			}
			return a.show(info, func() {
				a.field("waybill", info.Version)
				a.field("revision", info.Revision)
				a.field("built with", info.Go+" for "+info.Platform)
				fmt.Fprintf(a.stdout, "\nMIT licence. It holds data of others:\n%s\n", info.Attribution)
			})
		},
	}
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return ""
}
