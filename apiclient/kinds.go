package apiclient

// The kinds of errors. Every failed request returns an [*Error] for which errors.Is finds one or more of these.
var (
	ErrNoKey error = &kind{
		text: "there is no API key",
		hint: "check that the profile has the right API key and that the key is active",
	}
	ErrInvalidKey error = &kind{
		text: "the service rejects this API key",
		hint: "check that the profile has the right API key and that the key is active",
	}
	ErrOtherOrganization error = &kind{
		text: "this belongs to another organization, or the API key may not see it",
		hint: "check the profile",
	}
	ErrForbidden error = &kind{
		text: "the API key is not allowed to do this",
		hint: "ask an administrator of the organization for a key with this permission",
	}
	ErrNotFound error = &kind{
		text: "not found",
		hint: "it may have been deleted; check the id and the profile",
	}
	ErrDuplicate error = &kind{
		text: "this value is already taken",
		hint: "use another value, or find the object that has it",
	}
	ErrMissing error = &kind{
		text: "a required value is missing or malformed",
		hint: "correct the value and send it again",
	}
	ErrInvalid error = &kind{
		text: "the service rejected a value",
		hint: "correct the value and send it again",
	}
	ErrUnchanged   error = &kind{text: "the update would change nothing"}
	ErrRateLimited error = &kind{
		text: "the organization's request limit is used up",
		hint: "wait a moment; other programs of the organization share the same limit",
	}
	ErrDispatchActive error = &kind{
		text: "a dispatch of this team is already running",
		hint: "wait until it ends",
	}
	ErrPrecondition error = &kind{text: "the service cannot do this in the current state"}
	ErrBusy         error = &kind{
		text: "another change to this list of tasks is in progress",
		hint: "try again in a few seconds",
	}
	ErrUnsupportedRoute error = &kind{
		text: "this service does not have this endpoint",
		hint: "check the base URL; the service may be an older version",
	}
	ErrUnknownOutcome error = &kind{
		text: "it is unknown whether the change was made",
		hint: "check whether it happened before sending it again",
	}
	ErrOffline error = &kind{
		text: "the service cannot be reached",
		hint: "check the network, the base URL and the proxy settings",
	}
	ErrConnectionLost error = &kind{
		text: "the connection was lost before the response was complete",
		hint: "try again; if it keeps happening, contact the support of the service",
	}
	ErrTimeout error = &kind{
		text: "the service took too long",
		hint: "try again, or request less at once",
	}
	ErrUntrusted error = &kind{
		text: "the service's certificate is not trusted",
		hint: "if the service has its own certificate authority, set ca_file in the profile",
	}
	ErrNotJSON error = &kind{
		text: "the response is not from the service",
		hint: "check the base URL, and whether a proxy or a sign-in page responds instead",
	}
	ErrBadResponse error = &kind{text: "the response does not match the interface"}
	ErrTooLarge    error = &kind{text: "the response is too large"}
	ErrRedirect    error = &kind{
		text: "the service redirects to another address",
		hint: "if you trust the new address, set it as the base URL; the API key was not sent there",
	}
	ErrServer error = &kind{
		text: "the service failed",
		hint: "try again; if it keeps happening, contact the support of the service",
	}
	ErrRefused  error = &kind{text: "the service refused the request"}
	ErrReadOnly error = &kind{
		text: "read-only mode is on",
		hint: "turn it off to make changes",
	}
	ErrDryRun       error = &kind{text: "nothing was sent because this is a dry run"}
	ErrArgument     error = &kind{text: "the request cannot be built"}
	ErrRepeatedPage error = &kind{
		text: "the list does not end: the service repeats a page",
		hint: "narrow the query and contact the support of the service",
	}
)

// kind is a kind of error: what happened and what to do.
type kind struct{ text, hint string }

func (k *kind) Error() string { return k.text }
