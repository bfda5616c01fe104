// Waybill is a dispatch console for the terminal, with the service it talks to in the same binary.
package main

import (
	"os"

	"waybill/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
