package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

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
				Version: version(), Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Attribution: geo.Attribution,
			}
			return a.printResult(info, func() {
				a.printField("waybill", info.Version)
				a.printField("revision", info.Revision)
				a.printField("built with", info.Go+" for "+info.Platform)
				fmt.Fprintf(a.stdout, "\nMIT licence. It holds data of others:\n%s\n", info.Attribution)
			})
		},
	}
}

// develVersion is the version of a program that was built where no history says which one it is.
const develVersion = "devel"

// version is what Go's tools stamped the program with: the tag of a release, or the commit behind the last one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return develVersion
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if stamped, ok := strings.CutPrefix(info.Main.Version, "v"); ok {
		return stamped
	}
	return develVersion
}

// userAgent is how the program names itself to services.
func userAgent() string { return "waybill/" + version() }

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
