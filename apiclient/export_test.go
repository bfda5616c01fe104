package apiclient

import "net/http"

// NewTransport is the network of a client that was given none.
func NewTransport(o TransportOptions) (*http.Transport, error) { return newTransport(o.withDefaults()) }
