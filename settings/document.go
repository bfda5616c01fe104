package settings

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a parsed config file: a tree of values for reading and ranges of expressions for editing. The decoder of the
// library stops at the first error and has no ranges, so the file is parsed here.
type document struct {
	text        []byte
	root        *node
	expressions []expression
	// broken is set if the text is not valid TOML; root then contains only what is before the error.
	broken *Problem
}

// node is a value with its position.
type node struct {
	kind   unstable.Kind
	offset int
	// text is the decoded value of a string and the source of every other scalar.
	text string
	// items holds the elements of an array.
	items []*node
	// entries holds the names of a table in the order of the file.
	entries []*entry
}

// entry is a name in a table.
type entry struct {
	name   string
	offset int
	value  *node
}

// expression is a table header or a key with its value, as a range of the text.
type expression struct {
	kind unstable.Kind
	// path is the full name from the root.
	path []string
	// start and end enclose the expression without indentation, line end or trailing comment.
	start, end int
	// valueStart is where the value of a key begins.
	valueStart int
	// header is the index of the header the expression stands under, -1 above the first.
	header int
}

func (n *node) isTable() bool { return n.kind == unstable.Table || n.kind == unstable.InlineTable }

// asList returns the elements of an array, or any other value as a list of one.
func (n *node) asList() []*node {
	if n.kind == unstable.Array {
		return n.items
	}
	return []*node{n}
}

func (n *node) get(name string) *node {
	for _, candidate := range n.entries {
		if candidate.name == name {
			return candidate.value
		}
	}
	return nil
}

// parseDocument parses a text. It never fails; an error is in broken.
func parseDocument(text []byte) *document {
	// The parser computes offsets from the capacity, so the slice must have no spare capacity.
	doc := &document{text: slices.Clip(text), root: &node{kind: unstable.Table}}
	limit := len(text)
	var everything map[string]any
	if err := toml.Unmarshal(doc.text, &everything); err != nil {
		limit = doc.reportBroken(err)
	}
	builder := treeBuilder{doc: doc, table: doc.root, header: -1}
	var parser unstable.Parser
	parser.Reset(doc.text)
	for parser.NextExpression() {
		if !builder.add(&parser, parser.Expression(), limit) {
			break
		}
	}
	return doc
}

// reportBroken records the error of the library and returns the offset of its line; the text before it is valid.
func (d *document) reportBroken(err error) int {
	at := Position{Line: 1, Column: 1}
	var decodeError *toml.DecodeError
	if errors.As(err, &decodeError) {
		at.Line, at.Column = decodeError.Position()
	}
	lineStart := 0
	for range at.Line - 1 {
		lineStart = d.lineEnd(lineStart)
	}
	message := strings.TrimPrefix(err.Error(), "toml: ")
	d.broken = &Problem{
		// The library counts bytes, editors count characters.
		At:      positionAt(d.text, lineStart+at.Column-1),
		Message: "not valid TOML: " + message + "; nothing after this line was read",
	}
	return lineStart
}

type treeBuilder struct {
	doc    *document
	table  *node
	path   []string
	header int
}

// add adds an expression to the tree and reports whether to continue.
func (b *treeBuilder) add(parser *unstable.Parser, parsed *unstable.Node, limit int) bool {
	keys := keyNodes(parser, parsed.Key())
	start := keys[0].offset
	if start >= limit {
		return false
	}
	switch parsed.Kind {
	case unstable.Table, unstable.ArrayTable:
		b.addHeader(parsed.Kind, keys)
	case unstable.KeyValue:
		b.addKeyValue(parser, parsed, keys)
	}
	return true
}

func (b *treeBuilder) addHeader(kind unstable.Kind, keys []keyNode) {
	b.path = keyPath(nil, keys)
	b.table = b.doc.root
	for i, key := range keys {
		last := i == len(keys)-1
		if last && kind == unstable.ArrayTable {
			b.table = appendTable(b.table, key)
		} else {
			b.table = enterTable(b.table, key)
		}
	}
	// The parser does not report the bracket that begins a header: it is the first character of the line.
	start := b.doc.lineStart(keys[0].offset)
	start += len(b.doc.text[start:]) - len(bytes.TrimLeft(b.doc.text[start:], " \t"))
	b.header = len(b.doc.expressions)
	b.doc.expressions = append(b.doc.expressions, expression{
		kind: kind, path: b.path, start: start, end: keys[len(keys)-1].end, header: b.header,
	})
}

func (b *treeBuilder) addKeyValue(parser *unstable.Parser, parsed *unstable.Node, keys []keyNode) {
	end := int(parsed.Raw.Offset + parsed.Raw.Length)
	valueStart := valueOffset(b.doc.text, keys[len(keys)-1].end)
	setPath(b.table, keys, readValue(parser, parsed.Value(), valueStart))
	b.doc.expressions = append(b.doc.expressions, expression{
		kind: unstable.KeyValue, path: keyPath(b.path, keys),
		start: keys[0].offset, end: end, valueStart: valueStart, header: b.header,
	})
}

// valueOffset returns where the value after a key begins: past the blanks, the "=" and more blanks.
func valueOffset(text []byte, keyEnd int) int {
	return len(text) - len(bytes.TrimLeft(text[keyEnd:], " \t="))
}

type keyNode struct {
	name        string
	offset, end int
}

func keyNodes(parser *unstable.Parser, keys unstable.Iterator) []keyNode {
	var found []keyNode
	for keys.Next() {
		raw := keys.Node().Raw
		found = append(found, keyNode{
			name: string(keys.Node().Data), offset: int(raw.Offset), end: int(raw.Offset) + len(parser.Raw(raw)),
		})
	}
	return found
}

func keyPath(prefix []string, keys []keyNode) []string {
	path := slices.Clone(prefix)
	for _, key := range keys {
		path = append(path, key.name)
	}
	return path
}

// child returns the value of a key and creates it if needed.
func (n *node) child(key keyNode, kind unstable.Kind) *node {
	child := n.get(key.name)
	if child == nil {
		child = &node{kind: kind, offset: key.offset}
		n.entries = append(n.entries, &entry{name: key.name, offset: key.offset, value: child})
	}
	return child
}

// enterTable returns the table of a key and creates it if needed. Of an array of tables it returns the last one.
func enterTable(table *node, key keyNode) *node {
	child := table.child(key, unstable.Table)
	if child.kind == unstable.Array && len(child.items) > 0 {
		return child.items[len(child.items)-1]
	}
	return child
}

func appendTable(table *node, key keyNode) *node {
	array := table.child(key, unstable.Array)
	item := &node{kind: unstable.Table, offset: key.offset}
	array.items = append(array.items, item)
	return item
}

func setPath(table *node, keys []keyNode, value *node) {
	last := len(keys) - 1
	for _, key := range keys[:last] {
		table = enterTable(table, key)
	}
	table.entries = append(table.entries, &entry{name: keys[last].name, offset: keys[last].offset, value: value})
}

func readValue(parser *unstable.Parser, parsed *unstable.Node, offset int) *node {
	value := &node{kind: parsed.Kind, offset: offset}
	switch parsed.Kind {
	case unstable.Array:
		for children := parsed.Children(); children.Next(); {
			if child := children.Node(); child.Kind != unstable.Comment {
				value.items = append(value.items, readValue(parser, child, childOffset(child, offset)))
			}
		}
	case unstable.InlineTable:
		for children := parsed.Children(); children.Next(); {
			if child := children.Node(); child.Kind == unstable.KeyValue {
				keys := keyNodes(parser, child.Key())
				at := valueOffset(parser.Data(), keys[len(keys)-1].end)
				setPath(value, keys, readValue(parser, child.Value(), at))
			}
		}
	default:
		value.text = string(parsed.Data)
	}
	return value
}

// childOffset returns where an array's element stands. The parser gives arrays no range; they take their parent's place.
func childOffset(child *unstable.Node, parent int) int {
	if child.Kind == unstable.Array {
		return parent
	}
	return int(child.Raw.Offset)
}
