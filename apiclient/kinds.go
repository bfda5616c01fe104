package apiclient

// What can go wrong. Every failure of a request is an [*Error] for which errors.Is finds one or more of these.
var (
	ErrNoKey error = &kind{
		text: "there is no API key to send",
		hint: "check that the profile has the right key and that the key is still active",
	}
	ErrInvalidKey error = &kind{
		text: "the service does not accept this API key",
		hint: "check that the profile has the right key and that the key is still active",
	}
	ErrOtherOrganization error = &kind{
		text: "this belongs to another organization, or is outside what the key may see",
		hint: "check that the right profile is in use",
	}
	ErrForbidden error = &kind{
		text: "the key may not do this",
		hint: "ask an administrator of the organization for a key that may",
	}
	ErrNotFound error = &kind{
		text: "the service has nothing under this name",
		hint: "it may have been deleted; check the id and the profile",
	}
	ErrDuplicate error = &kind{
		text: "this value is already taken",
		hint: "use another value, or look up what already has it",
	}
	ErrMissing error = &kind{
		text: "a required value is missing or malformed",
		hint: "correct the value and send it again",
	}
	ErrInvalid error = &kind{
		text: "the service refused a value",
		hint: "correct the value and send it again",
	}
	ErrUnchanged   error = &kind{text: "the update would change nothing"}
	ErrRateLimited error = &kind{
		text: "the organization's request limit is used up",
		hint: "wait a moment; other programs of the organization share the same limit",
	}
	ErrDispatchActive error = &kind{
		text: "a dispatch of this team is already running",
		hint: "wait until it has finished",
	}
	ErrPrecondition error = &kind{text: "the service cannot do this in the present state"}
	ErrBusy         error = &kind{
		text: "another change holds this list of tasks",
		hint: "try again in a few seconds",
	}
	ErrUnsupportedRoute error = &kind{
		text: "this service does not have this endpoint",
		hint: "check the base URL; the service may be an older version",
	}
	ErrUnknownOutcome error = &kind{
		text: "it is not known whether the change was made",
		hint: "look whether it happened before sending it again",
	}
	ErrOffline error = &kind{
		text: "the service cannot be reached",
		hint: "check the network, the base URL and the proxy settings",
	}
	ErrConnectionLost error = &kind{
		text: "the connection broke before the answer was complete",
		hint: "try again; if it keeps happening, tell the service's support",
	}
	ErrTimeout error = &kind{
		text: "the service took too long",
		hint: "try again, or ask for less at once",
	}
	ErrUntrusted error = &kind{
		text: "the service's certificate is not trusted",
		hint: "if the service has its own certificate authority, name its file as the extra CA file",
	}
	ErrNotJSON error = &kind{
		text: "the answer does not come from the service",
		hint: "a proxy, a sign-in page or a wrong base URL answers in the service's place",
	}
	ErrBadResponse error = &kind{text: "the answer does not have the form that the interface describes"}
	ErrTooLarge  error = &kind{text: "the answer is too large"}
	ErrRedirect  error = &kind{
		text: "the address points elsewhere",
		hint: "if the new address is trusted, make it the base URL; the key was not sent there",
	}
	ErrServer error = &kind{
		text: "the service failed",
		hint: "try again; if it keeps happening, tell the service's support",
	}
	ErrRefused  error = &kind{text: "the service refused the request"}
	ErrReadOnly error = &kind{
		text: "changes are switched off",
		hint: "switch read-only mode off to make changes",
	}
	ErrDryRun       error = &kind{text: "nothing was sent, as asked"}
	ErrArgument     error = &kind{text: "the request cannot be built"}
	ErrRepeatedPage error = &kind{
		text: "the list does not end: the service repeats a page",
		hint: "narrow the query and tell the service's support",
	}
)

// kind is one of the things that can go wrong: what happened, and what to do next.
type kind struct{ text, hint string }

func (k *kind) Error() string { return k.text }
