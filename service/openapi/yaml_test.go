package openapi_test

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// object is a JSON object that keeps the order of its members: the document reads as it was written.
type object struct {
	names  []string
	values map[string]any
}

func (o *object) get(name string) (any, bool) {
	value, ok := o.values[name]
	return value, ok
}

// object is the member of that name, made if it is not there.
func (o *object) object(name string) *object {
	if value, ok := o.get(name); ok {
		return value.(*object)
	}
	made := &object{}
	o.set(name, made)
	return made
}

func (o *object) set(name string, value any) {
	if o.values == nil {
		o.values = map[string]any{}
	}
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

func (o *object) remove(name string) {
	delete(o.values, name)
	o.names = slices.DeleteFunc(o.names, func(other string) bool { return other == name })
}

// clone copies the object and all objects in it, so that what an alias repeats can be changed alone.
func clone(value any) any {
	switch v := value.(type) {
	case *object:
		copied := &object{}
		for _, name := range v.names {
			copied.set(name, clone(v.values[name]))
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, element := range v {
			copied[i] = clone(element)
		}
		return copied
	}
	return value
}

// merge adds the members of another object. Objects that both have are merged; anything else that both have is an
// error, because one of them would be lost.
func (o *object) merge(other *object) error {
	for _, name := range other.names {
		mine, both := o.get(name)
		if !both {
			o.set(name, other.values[name])
			continue
		}
		into, ok := mine.(*object)
		from, ok2 := other.values[name].(*object)
		if !ok || !ok2 {
			return fmt.Errorf("%s is defined twice", name)
		}
		if err := into.merge(from); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// MarshalJSONTo implements the codec's interface.
func (o *object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, name := range o.names {
		if err := enc.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, o.values[name]); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// convert turns YAML into what JSON knows.
func convert(node *yaml.Node) (any, error) {
	switch node.Kind {
	case yaml.AliasNode:
		return convert(node.Alias)
	case yaml.MappingNode:
		return convertMapping(node)
	case yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, element := range node.Content {
			value, err := convert(element)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	default:
		var value any
		err := node.Decode(&value)
		return value, err
	}
}

func convertMapping(node *yaml.Node) (any, error) {
	o, seen := &object{}, map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		value, err := convert(node.Content[i+1])
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			for _, name := range value.(*object).names {
				o.set(name, value.(*object).values[name])
			}
			continue
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		o.set(key.Value, value)
	}
	return o, nil
}

// share adds to every operation and every answer what the common part says that all of them have.
func share(whole *object) {
	everyOperation := take(whole, "x-every-operation")
	everyBody := take(whole, "x-every-body")
	everyAnswer := take(whole, "x-every-answer")
	components := whole.object("components").object("responses")
	for _, name := range components.names {
		addMissing(components.object(name).object("headers"), everyAnswer)
	}
	paths := whole.object("paths")
	for _, path := range paths.names {
		operations := paths.object(path)
		for _, method := range operations.names {
			operation := clone(operations.values[method]).(*object)
			operations.set(method, operation)
			responses := operation.object("responses")
			addMissing(responses, everyOperation)
			if _, ok := operation.get("requestBody"); ok {
				addMissing(responses, everyBody)
			}
			for _, status := range responses.names {
				response := responses.object(status)
				if _, isRef := response.get("$ref"); !isRef {
					addMissing(response.object("headers"), everyAnswer)
				}
			}
		}
	}
}

func take(whole *object, name string) *object {
	taken := whole.object(name)
	whole.remove(name)
	return taken
}

func addMissing(into, from *object) {
	for _, name := range from.names {
		if _, ok := into.get(name); !ok {
			into.set(name, clone(from.values[name]))
		}
	}
}
