// Package openapi embeds the service's OpenAPI document. It is written by hand in YAML files, one per resource.
// openapi.json is generated from them with
//
//	go test ./service/openapi -update
//
// and a test fails when it is out of date.
package openapi

import _ "embed"

//go:embed openapi.json
var document []byte

// Document returns the document as JSON. Callers must not modify it.
func Document() []byte { return document }
