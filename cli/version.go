package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"waybill/service/geo"
)

// versionInfo is the version as printed with --json.
type versionInfo struct {
	Version     string `json:"version"`
	Revision    string `json:"revision,omitzero"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
	Attribution string `json:"attribution"`
	Services    string `json:"serviceAttribution"`
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version and the sources of the embedded data", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info := versionInfo{
				Version: version(), Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Attribution: geo.Attribution, Services: geo.RemoteAttribution,
			}
			return a.printResult(info, func() {
				a.printField("waybill", info.Version)
				a.printField("revision", info.Revision)
				a.printField("built with", info.Go+" for "+info.Platform)
				fmt.Fprintf(a.stdout, "\nMIT licence. Includes data from:\n%s\n", info.Attribution)
				fmt.Fprintf(a.stdout, "\nWith these flags of waybill serve, addresses and travel times come from:\n%s\n", info.Services)
			})
		},
	}
}

// develVersion is the version of a build without version control information.
const develVersion = "devel"

// version returns the version that the Go tools stamped: the tag of a release, or a pseudo-version of the commit.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if info != nil {
		if stamped, ok := strings.CutPrefix(info.Main.Version, "v"); ok {
			return stamped
		}
	}
	return develVersion
}

// userAgent returns the User-Agent header of requests.
func userAgent() string { return "waybill/" + version() }

func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return ""
}
