// Package apiclient speaks the delivery interface over HTTP: one method an endpoint, each with a context first.
//
// A [Client] is safe for concurrent use. What every request has in common lives in one place each:
//
//   - the key is asked for when a request is built, and kept nowhere ([Secret]);
//   - the request budget of the organization is shared through a [Limiter], and a request says how urgent it is with
//     [WithPriority];
//   - reads are tried again when that can help; a write is tried again only when it surely was not carried out, and
//     otherwise ends in [ErrUnknownOutcome];
//   - a failure is an [*Error] that says what happened, what it means and what to do next;
//   - texts from outside are made safe before they are decoded;
//   - the last requests are kept, without secrets, in a [Log].
package apiclient
