package model

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Types of metadata values.
const (
	MetadataBoolean = "boolean"
	MetadataNumber  = "number"
	MetadataString  = "string"
	MetadataObject  = "object"
	MetadataArray   = "array"
)

// Who can see an entry of metadata; entries that do not say so are for the API only.
const (
	VisibleToAPI       = "api"
	VisibleToDashboard = "dashboard"
	VisibleToWorker    = "worker"
)

const unknownMetadataType = "Unknown metadata type %.40q. Use boolean, number, string, object or array."

// Check reports what is wrong with an entry of metadata.
func (m Metadata) Check() Problems {
	var ps Problems
	ps.checkRequired("name", m.Name, "The name of the entry")
	switch {
	case m.Type == "":
		ps.add("type", ErrorMissing, "The type of the entry is required: boolean, number, string, object or array.")
	case !isMetadataType(m.Type):
		ps.add("type", ErrorInvalid, unknownMetadataType, Clean(m.Type))
	case len(m.Value) == 0:
		ps.add("value", ErrorMissing, "The value of the entry is required.")
	case m.Type != metadataTypeOf(m.Value):
		ps.add("value", ErrorInvalid, "The type is %s, but the value is %s.", m.Type, withArticle(metadataTypeOf(m.Value)))
	}
	if subtype, ok := m.Subtype.Get(); ok && !isMetadataType(subtype) {
		ps.add("subtype", ErrorInvalid, unknownMetadataType, Clean(subtype))
	}
	ps.checkEachOf("visibility", m.Visibility.Value(), VisibleToAPI, VisibleToDashboard, VisibleToWorker)
	return ps
}

func (ps *Problems) checkMetadata(field string, entries []Metadata) {
	for i, entry := range entries {
		ps.addWithin(elementPath(field, i), entry.Check())
	}
}

// CheckMetadataQuery reports what is wrong with a query by metadata. Its fields are addressed "[0].name".
func CheckMetadataQuery(query []Metadata) Problems {
	var ps Problems
	if len(query) == 0 {
		ps.add("", ErrorMissing, "At least one entry with name, type and value is required.")
	}
	ps.checkMetadata("", query)
	return ps
}

// MatchesMetadata reports whether a resource has every entry of a query. Objects match regardless of the order of their
// members; arrays match element by element.
func MatchesMetadata(query, entries []Metadata) bool {
	for _, wanted := range query {
		found := slices.ContainsFunc(entries, func(entry Metadata) bool {
			return entry.Name == wanted.Name && entry.Type == wanted.Type && sameJSON(entry.Value, wanted.Value)
		})
		if !found {
			return false
		}
	}
	return true
}

func sameJSON(a, b Raw) bool {
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

func isMetadataType(name string) bool {
	return slices.Contains([]string{MetadataBoolean, MetadataNumber, MetadataString, MetadataObject, MetadataArray}, name)
}

func metadataTypeOf(value Raw) string {
	switch value.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return MetadataBoolean
	case jsontext.KindNumber:
		return MetadataNumber
	case jsontext.KindString:
		return MetadataString
	case jsontext.KindBeginObject:
		return MetadataObject
	case jsontext.KindBeginArray:
		return MetadataArray
	case jsontext.KindNull:
		return "null"
	}
	return "nothing"
}

func withArticle(noun string) string {
	switch noun {
	case "null", "nothing":
		return noun
	case MetadataObject, MetadataArray:
		return "an " + noun
	}
	return "a " + noun
}
