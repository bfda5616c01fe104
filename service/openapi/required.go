package openapi

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// schema is what the document says of a value, as far as is needed to find a member in it.
type schema struct {
	Ref        string             `json:"$ref"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	AllOf      []*schema          `json:"allOf"`
	AnyOf      []*schema          `json:"anyOf"`
	OneOf      []*schema          `json:"oneOf"`
	// Needed says which members are required where the alternatives are about something else.
	Needed []string `json:"x-waybill-required"`
}

type contents struct {
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

//nolint:gochecknoglobals // the document is read once a process; nothing writes to it afterwards
var read = sync.OnceValue(func() contents {
	var c contents
	if err := model.Unmarshal(document, &c); err != nil {
		panic("openapi.json cannot be read: " + err.Error())
	}
	return c
})

// Requires reports whether an operation requires the member of its body at a place. An element of a list belongs to the
// list.
func Requires(method, path string, at jsontext.Pointer) bool {
	c := read()
	body := c.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"].Schema
	candidates := c.expand(nil, body)
	required := false
	for token := range at.Tokens() {
		var next []*schema
		if items := itemsOf(candidates); len(items) > 0 && strings.Trim(token, "0123456789") == "" {
			for _, item := range items {
				next = c.expand(next, item)
			}
			candidates = next
			continue
		}
		required = false
		for _, s := range candidates {
			required = required || slices.Contains(s.Required, token) || slices.Contains(s.Needed, token)
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

// expand adds a schema and all that it is made of.
func (c contents) expand(list []*schema, s *schema) []*schema {
	if s == nil {
		return list
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return c.expand(list, c.Components.Schemas[name])
	}
	list = append(list, s)
	parts := [][]*schema{s.AllOf, s.AnyOf, s.OneOf}
	if s.Needed != nil {
		parts = parts[:1]
	}
	for _, part := range slices.Concat(parts...) {
		list = c.expand(list, part)
	}
	return list
}
