package apiclient

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// ErrBaseURL says that the address of the service cannot be used.
var ErrBaseURL = errors.New("the service's address cannot be used")

// BaseURLError says what is wrong with the address of the service, and where it can be told, what would be right.
type BaseURLError struct {
	// URL is the address without user, password, query and fragment, which could hold secrets.
	URL string
	// Reason says what is wrong.
	Reason string
	// Suggestion is the address that was probably meant; it may be empty.
	Suggestion string
}

func (e *BaseURLError) Error() string {
	text := ErrBaseURL.Error() + ": " + e.Reason
	if e.URL != "" {
		text += fmt.Sprintf(" (it is %q)", e.URL)
	}
	if e.Suggestion != "" {
		text += fmt.Sprintf("; try %q", e.Suggestion)
	}
	return text
}

// Is makes every such error an [ErrBaseURL].
func (e *BaseURLError) Is(target error) bool { return target == ErrBaseURL }

// parseBaseURL takes an address that ends in a version segment such as /v2, with or without a slash behind it.
func parseBaseURL(text string) (*url.URL, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &BaseURLError{Reason: "it is empty; set it to an address such as https://host/api/v2"}
	}
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		// The parser's error quotes the address, which may hold a password.
		return nil, &BaseURLError{Reason: "it is not a URL; it should look like https://host/api/v2"}
	}
	shown := &url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
	fail := func(reason, suggestion string) (*url.URL, error) {
		return nil, &BaseURLError{URL: cleanText(shown.String()), Reason: reason, Suggestion: suggestion}
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return fail("it must begin with https:// or http://", "")
	case base.Hostname() == "":
		return fail("it names no host", "")
	case base.User != nil:
		return fail("it holds a user or password; the key belongs in the key store, not in the address", "")
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

// suggestPath cuts behind a version in the middle of a path, or adds the version the interface has.
func suggestPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if isVersion(segment) {
			return strings.Join(segments[:i+1], "/")
		}
	}
	return path + "/v2"
}

func isVersion(segment string) bool {
	digits, found := strings.CutPrefix(segment, "v")
	return found && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// sendsKeyUnencrypted reports an address that carries the key unencrypted beyond this machine.
func sendsKeyUnencrypted(base *url.URL) bool {
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

// escapeSegment encodes one path segment. A star is legal in a path and part of many ids, so it stays readable.
func escapeSegment(text string) string {
	return strings.ReplaceAll(url.PathEscape(text), "%2A", "*")
}
