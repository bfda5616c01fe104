package board

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// trie is an immutable map with string keys: a change copies the few nodes on its path and shares the others. So snapshots
// can find rows by id while the board changes.
//
// Nodes have 32 branches, one per value of five bits of the hash. Bits in leafMap and nodeMap say which branches hold a
// leaf and which hold a node; the slices hold only those, in order.
type trie[V any] struct {
	root *trieNode[V]
	seed maphash.Seed
	size int
}

type trieNode[V any] struct {
	leafMap, nodeMap uint32
	leaves           []trieLeaf[V]
	nodes            []*trieNode[V]
}

type trieLeaf[V any] struct {
	key   string
	value V
}

const (
	trieBits  = 5
	trieDepth = 64 // the hash has no more bits: leaves are a plain list
)

func newTrie[V any](seed maphash.Seed) trie[V] { return trie[V]{seed: seed} }

func (t trie[V]) get(key string) (V, bool) {
	var zero V
	if t.root == nil {
		return zero, false
	}
	hash, node := maphash.String(t.seed, key), t.root
	for shift := 0; shift < trieDepth; shift += trieBits {
		bit := trieBit(hash, shift)
		switch {
		case node.leafMap&bit != 0:
			if leaf := &node.leaves[trieIndex(node.leafMap, bit)]; leaf.key == key {
				return leaf.value, true
			}
			return zero, false
		case node.nodeMap&bit != 0:
			node = node.nodes[trieIndex(node.nodeMap, bit)]
		default:
			return zero, false
		}
	}
	if i := node.find(key); i >= 0 {
		return node.leaves[i].value, true
	}
	return zero, false
}

// with returns the trie with a value set.
func (t trie[V]) with(key string, value V) trie[V] {
	root := t.root
	if root == nil {
		root = &trieNode[V]{}
	}
	grown := false
	t.root = t.insert(root, maphash.String(t.seed, key), 0, trieLeaf[V]{key, value}, &grown)
	if grown {
		t.size++
	}
	return t
}

// without returns the trie without a key.
func (t trie[V]) without(key string) trie[V] {
	if t.root == nil {
		return t
	}
	root, found := t.remove(t.root, maphash.String(t.seed, key), 0, key)
	if found {
		t.root, t.size = root, t.size-1
	}
	return t
}

func (t trie[V]) insert(node *trieNode[V], hash uint64, shift int, leaf trieLeaf[V], grown *bool) *trieNode[V] {
	if shift >= trieDepth {
		return node.withListed(leaf, grown)
	}
	bit, next := trieBit(hash, shift), *node
	switch {
	case node.nodeMap&bit != 0:
		i := trieIndex(node.nodeMap, bit)
		next.nodes = slices.Clone(node.nodes)
		next.nodes[i] = t.insert(node.nodes[i], hash, shift+trieBits, leaf, grown)
	case node.leafMap&bit == 0:
		next.leaves = inserted(node.leaves, trieIndex(node.leafMap, bit), leaf)
		next.leafMap |= bit
		*grown = true
	default:
		i := trieIndex(node.leafMap, bit)
		resident := node.leaves[i]
		if resident.key == leaf.key {
			next.leaves = slices.Clone(node.leaves)
			next.leaves[i] = leaf
			break
		}
		var ignored bool
		child := t.insert(&trieNode[V]{}, maphash.String(t.seed, resident.key), shift+trieBits, resident, &ignored)
		child = t.insert(child, hash, shift+trieBits, leaf, grown)
		next.leaves, next.leafMap = without(node.leaves, i), node.leafMap&^bit
		next.nodes, next.nodeMap = inserted(node.nodes, trieIndex(node.nodeMap, bit), child), node.nodeMap|bit
	}
	return &next
}

func (t trie[V]) remove(node *trieNode[V], hash uint64, shift int, key string) (*trieNode[V], bool) {
	next := *node
	if shift >= trieDepth {
		i := node.find(key)
		if i < 0 {
			return node, false
		}
		next.leaves = without(node.leaves, i)
		return &next, true
	}
	bit := trieBit(hash, shift)
	switch {
	case node.leafMap&bit != 0:
		i := trieIndex(node.leafMap, bit)
		if node.leaves[i].key != key {
			return node, false
		}
		next.leaves, next.leafMap = without(node.leaves, i), node.leafMap&^bit
		return &next, true
	case node.nodeMap&bit != 0:
		i := trieIndex(node.nodeMap, bit)
		child, found := t.remove(node.nodes[i], hash, shift+trieBits, key)
		if !found {
			return node, false
		}
		if len(child.leaves) == 0 && len(child.nodes) == 0 {
			next.nodes, next.nodeMap = without(node.nodes, i), node.nodeMap&^bit
			return &next, true
		}
		next.nodes = slices.Clone(node.nodes)
		next.nodes[i] = child
		return &next, true
	}
	return node, false
}

func (n *trieNode[V]) find(key string) int {
	return slices.IndexFunc(n.leaves, func(l trieLeaf[V]) bool { return l.key == key })
}

func (n *trieNode[V]) withListed(leaf trieLeaf[V], grown *bool) *trieNode[V] {
	next := *n
	if i := n.find(leaf.key); i >= 0 {
		next.leaves = slices.Clone(n.leaves)
		next.leaves[i] = leaf
		return &next
	}
	*grown = true
	next.leaves = inserted(n.leaves, len(n.leaves), leaf)
	return &next
}

func trieBit(hash uint64, shift int) uint32 { return 1 << (hash >> shift & 31) }

func trieIndex(bitmap, bit uint32) int { return bits.OnesCount32(bitmap & (bit - 1)) }

// inserted returns a copy of list with one more element.
func inserted[E any](list []E, at int, element E) []E {
	return slices.Concat(list[:at], []E{element}, list[at:])
}

// without returns a copy of list without one element.
func without[E any](list []E, at int) []E { return slices.Concat(list[:at], list[at+1:]) }
