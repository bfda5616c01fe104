package model

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// ErrBaseURL is matched by every error about the address of the service.
var ErrBaseURL = errors.New("invalid address of the service")

// BaseURLError says what is wrong with the address of the service.
type BaseURLError struct {
	// URL is the address without user, password, query and fragment, which could contain secrets.
	URL string
	// Reason says what is wrong.
	Reason string
	// Suggestion is the address that was probably meant. It may be empty.
	Suggestion string
}

func (e *BaseURLError) Error() string { return ErrBaseURL.Error() + ": " + e.Problem() }

// Problem is the error without saying what it is about.
func (e *BaseURLError) Problem() string {
	text := e.Reason
	if e.URL != "" {
		text += fmt.Sprintf(" (%q)", e.URL)
	}
	if e.Suggestion != "" {
		text += fmt.Sprintf("; try %q", e.Suggestion)
	}
	return text
}

// Is makes every such error an [ErrBaseURL].
func (e *BaseURLError) Is(target error) bool { return target == ErrBaseURL }

// ParseBaseURL parses an address that ends in a version segment such as /v2, with or without a trailing slash.
func ParseBaseURL(text string) (*url.URL, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &BaseURLError{Reason: "it is empty; set it to an address such as https://host/api/v2"}
	}
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		// The error of url.Parse quotes the address, which may contain a password.
		return nil, &BaseURLError{Reason: "it is not a URL; it should look like https://host/api/v2"}
	}
	shown := &url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
	fail := func(reason, suggestion string) (*url.URL, error) {
		return nil, &BaseURLError{URL: Clean(shown.String()), Reason: reason, Suggestion: suggestion}
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return fail("it must begin with https:// or http://", "")
	case base.Hostname() == "":
		return fail("it has no host", "")
	case base.User != nil:
		return fail("it contains a user or password; store the API key with waybill keys add instead", "")
	case base.RawQuery != "" || base.Fragment != "":
		return fail("it must not have a query (?…) or a fragment (#…)", "")
	}
	path := strings.TrimRight(base.Path, "/")
	if !isVersion(path[strings.LastIndex(path, "/")+1:]) {
		shown.Path = suggestPath(path)
		suggestion := shown.String()
		shown.Path = base.Path
		return fail("it must end in the version of the interface, such as /v2", suggestion)
	}
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}, nil
}

// suggestPath cuts a path after its version segment, or adds the version of the interface.
func suggestPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if isVersion(segment) {
			return strings.Join(segments[:i+1], "/")
		}
	}
	return path + "/v2"
}

// WithoutURL removes the URL from an error of an HTTP client, because it can contain a secret and errors are shown and
// logged.
func WithoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

func isVersion(segment string) bool {
	digits, found := strings.CutPrefix(segment, "v")
	return found && AllDigits(digits)
}

// SendsKeyUnencrypted reports whether requests to an address leave this machine unencrypted.
func SendsKeyUnencrypted(base *url.URL) bool {
	if base.Scheme == "https" {
		return false
	}
	host := base.Hostname()
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.IsLoopback()
}
