// Package model is the domain: what goes over the wire, what states things can be in, which rules the interface sets,
// and how text from outside is made safe. It is pure: no network, no storage, no screen.
//
// Wire types follow three conventions so that what is decoded can be encoded again without loss:
//
//   - a field that the interface calls "X or null", or that is present only sometimes, is an [Opt]: absent, null or a
//     value, each kept as it came;
//   - a field that holds an id or the whole object is an [IDOr];
//   - every object keeps the members it does not know in Extra.
//
// Encode and decode with [Marshal] and [Unmarshal]; the standard encoding/json would drop Extra.
package model
