// Package openapi holds the service's OpenAPI document. It is written by hand in the YAML files beside this one, a
// resource each; openapi.json is made of them with
//
//	go test ./service/openapi -update
//
// and a test fails when the two disagree.
package openapi

import _ "embed"

//go:embed openapi.json
var document []byte

// Document is the whole document as JSON. It must not be changed.
func Document() []byte { return document }
