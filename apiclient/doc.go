// Package apiclient is the HTTP client of the delivery interface, with one method per endpoint.
//
// A [Client] is safe for concurrent use. All requests share these rules:
//
//   - the API key is asked for when a request is built and not stored ([Secret]);
//   - a [Limiter] keeps the request budget of the organization; [WithPriority] sets the priority of a request;
//   - reads are retried if that can help; a write is retried only if it certainly was not carried out, otherwise it
//     returns [ErrUnknownOutcome];
//   - a failure is an [*Error] that says what happened and what to do;
//   - texts in responses are sanitised before they are decoded;
//   - a [Log] keeps the latest requests without secrets.
package apiclient
