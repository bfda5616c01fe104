package openapi

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// schema is the part of a schema that is needed to find a member.
type schema struct {
	Ref        string             `json:"$ref"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	AllOf      []*schema          `json:"allOf"`
	AnyOf      []*schema          `json:"anyOf"`
	OneOf      []*schema          `json:"oneOf"`
	// AlwaysRequired lists members that every alternative of anyOf and oneOf requires.
	AlwaysRequired []string `json:"x-waybill-required"`
}

type parsedDocument struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct {
				Schema *schema `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

//nolint:gochecknoglobals // parsed once; read-only afterwards
var parseDocument = sync.OnceValue(func() parsedDocument {
	var c parsedDocument
	if err := model.Unmarshal(document, &c); err != nil {
		panic("cannot read openapi.json: " + err.Error())
	}
	return c
})

// IsRequired reports whether the body of an operation requires the member at a pointer. An element of a list is required
// if the list is.
func IsRequired(method, path string, at jsontext.Pointer) bool {
	c := parseDocument()
	body := c.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"].Schema
	candidates := c.expand(nil, body)
	required := false
	for token := range at.Tokens() {
		var next []*schema
		if items := itemsOf(candidates); len(items) > 0 && model.AllDigits(token) {
			for _, item := range items {
				next = c.expand(next, item)
			}
			candidates = next
			continue
		}
		required = false
		for _, s := range candidates {
			required = required || slices.Contains(s.Required, token) || slices.Contains(s.AlwaysRequired, token)
			next = c.expand(next, s.Properties[token])
		}
		candidates = next
	}
	return required
}

func itemsOf(candidates []*schema) []*schema {
	var items []*schema
	for _, s := range candidates {
		if s.Items != nil {
			items = append(items, s.Items)
		}
	}
	return items
}

// expand appends a schema and all its parts to list.
func (c parsedDocument) expand(list []*schema, s *schema) []*schema {
	if s == nil {
		return list
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return c.expand(list, c.Components.Schemas[name])
	}
	list = append(list, s)
	parts := [][]*schema{s.AllOf, s.AnyOf, s.OneOf}
	if s.AlwaysRequired != nil {
		parts = parts[:1]
	}
	for _, part := range slices.Concat(parts...) {
		list = c.expand(list, part)
	}
	return list
}
