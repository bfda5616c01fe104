package apiclient

// The kinds of errors. Every failed request returns an [*Error] for which errors.Is finds one or more of these.
var (
	ErrNoKey = newKind("there is no API key",
		"add one with 'waybill keys add NAME', or set WAYBILL_API_KEY")
	ErrInvalidKey = newKind("the service rejects this API key",
		"check that the profile has the right API key and that the key is active")
	// ErrMalformedKey is an ErrInvalidKey that was found before anything was sent.
	ErrMalformedKey = newKind("this API key is not valid",
		"store the right key with 'waybill keys add NAME'")
	ErrOtherOrganization = newKind("this belongs to another organization, or the API key may not see it",
		"check the profile")
	ErrForbidden = newKind("the API key is not allowed to do this",
		"ask an administrator of the organization for a key with this permission")
	ErrNotFound = newKind("not found",
		"it may have been deleted; check the id and the profile")
	ErrDuplicate = newKind("this value is already taken",
		"use another value, or find the object that has it")
	ErrMissing = newKind("a required value is missing or malformed",
		"correct the value and send it again")
	ErrInvalid = newKind("the service rejected a value",
		"correct the value and send it again")
	ErrUnchanged   = newKind("the update would change nothing", "")
	ErrRateLimited = newKind("the organization's request limit is used up",
		"wait a moment; other programs of the organization share the same limit")
	ErrDispatchActive = newKind("a dispatch of this team is already running",
		"wait until it ends")
	ErrPrecondition = newKind("the service cannot do this in the current state", "")
	ErrBusy         = newKind("another change to this list of tasks is in progress",
		"try again in a few seconds")
	ErrUnsupportedRoute = newKind("this service does not have this endpoint",
		"check the base URL; the service may be an older version")
	ErrUnknownOutcome = newKind("it is unknown whether the change was made",
		"check whether it happened before sending it again")
	ErrOffline = newKind("the service cannot be reached",
		"check the network, the base URL and the proxy settings")
	ErrConnectionLost = newKind("the connection was lost before the response was complete",
		"try again; if it keeps happening, contact the service's support")
	ErrTimeout = newKind("the service took too long",
		"try again, or request less at once")
	ErrUntrusted = newKind("the service's certificate is not trusted",
		"if the service has its own certificate authority, set ca_file in the profile")
	ErrNotJSON = newKind("the response is not from the service",
		"check the base URL, and whether a proxy or a sign-in page responds instead")
	ErrBadResponse = newKind("the response does not match the interface", "")
	ErrTooLarge    = newKind("the response is too large", "")
	ErrRedirect    = newKind("the service redirects to another address",
		"if you trust the new address, set it as the base URL; the API key was not sent there")
	ErrServer = newKind("the service failed",
		"try again; if it keeps happening, contact the service's support")
	ErrRefused  = newKind("the service refused the request", "")
	ErrReadOnly = newKind("read-only mode is on",
		"turn it off to make changes")
	ErrDryRun       = newKind("nothing was sent because this is a dry run", "")
	ErrArgument     = newKind("the request cannot be built", "")
	ErrRepeatedPage = newKind("the list does not end: the service repeats a page",
		"narrow the query and contact the service's support")
)

// kind is a kind of error: what happened and what to do.
type kind struct{ text, hint string }

func newKind(text, hint string) error { return &kind{text, hint} }

func (k *kind) Error() string { return k.text }
