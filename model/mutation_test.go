package model

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// withUnknown adds a member that no type knows to every object of a document.
func withUnknown(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = withUnknown(member)
		}
		v["zzUnknown"] = []any{1.5, nil, map[string]any{"deep": "text"}}
	case []any:
		for i, element := range v {
			v[i] = withUnknown(element)
		}
	}
	return value
}

func TestUnknownMembersSurviveInEveryObject(t *testing.T) {
	for _, file := range goldenFiles(t) {
		if filepath.Base(file) == "auto-assign-result.json" {
			continue // its object is a map from task to worker, where every name is known
		}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var document any
		require.NoError(t, Unmarshal(raw, &document))
		extended, err := Marshal(withUnknown(document))
		require.NoError(t, err)
		value := typeOf(t, file)()
		require.NoError(t, Unmarshal(extended, value), file)
		encoded, err := Marshal(value)
		require.NoError(t, err)
		require.Equal(t, canonical(t, extended), canonical(t, encoded), file)
	}
}

// mutate replaces a value somewhere in a document with another kind of value, as a careless client would.
func mutate(t *rapid.T, value any) any {
	if rapid.IntRange(0, 3).Draw(t, "stop") == 0 {
		return rapid.SampledFrom([]any{
			nil, true, false, 0.0, 1.0, -1.0, 2.5, 1e18, 1e300, "", "x", ruleID, "2026-11-20",
			[]any{},
			[]any{nil},
			[]any{1.0, 2.0},
			[]any{-1.0, ruleID},
			map[string]any{},
			map[string]any{"type": "x", "value": nil},
		}).Draw(t, "replacement")
	}
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		name := rapid.SampledFrom(sortedNames(v)).Draw(t, "member")
		if rapid.IntRange(0, 4).Draw(t, "drop") == 0 {
			delete(v, name)
		} else {
			v[name] = mutate(t, v[name])
		}
	case []any:
		if len(v) == 0 {
			return v
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "element")
		v[i] = mutate(t, v[i])
	}
	return value
}

// sortedNames gives rapid the same choice from the same seed.
func sortedNames(object map[string]any) []string {
	return slices.Sorted(maps.Keys(object))
}

func TestMutatedDocumentsDecodeStablyOrNotAtAll(t *testing.T) {
	files := goldenFiles(t)
	documents := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		documents[file] = raw
	}
	decoded := 0
	rapid.Check(t, func(rt *rapid.T) {
		file := rapid.SampledFrom(files).Draw(rt, "file")
		var document any
		require.NoError(rt, Unmarshal(documents[file], &document))
		for range rapid.IntRange(1, 4).Draw(rt, "times") {
			document = mutate(rt, document)
		}
		mutated, err := Marshal(document)
		require.NoError(rt, err)
		first := typeOf(t, file)()
		if Unmarshal(mutated, first) != nil {
			return
		}
		decoded++
		for _, problem := range problemsOf(first) {
			require.NotEmpty(rt, problem.Text)
			require.Equal(rt, Clean(problem.Text), problem.Text, "texts are shown as they are")
		}
		encoded, err := Marshal(first)
		require.NoError(rt, err)
		second := typeOf(t, file)()
		require.NoError(rt, Unmarshal(encoded, second))
		again, err := Marshal(second)
		require.NoError(rt, err)
		require.Equal(rt, string(encoded), string(again))
	})
	require.Positive(t, decoded)
}

// problemsOf runs the rules of whatever input it is given; they must bear anything that decodes.
func problemsOf(value any) Problems {
	switch in := value.(type) {
	case *DestinationInput:
		return in.Check()
	case *RecipientInput:
		return append(in.Check(ruleContext), in.CheckUpdate()...)
	case *TaskInput:
		return append(in.CheckInBatch(ruleContext), in.CheckUpdate(&Task{})...)
	case *BatchRequest:
		return in.Check(ruleContext)
	case *CloneRequest:
		return in.Effective().Check(ruleContext)
	case *CompleteRequest:
		return in.Check()
	case *AutoAssignRequest:
		return in.Check()
	case *ContainerUpdate:
		return append(in.Check(ContainerWorker), in.Check(ContainerTeam)...)
	case *DispatchRequest:
		in.WithDefaults(ruleNow)
		return in.Check(ruleNow)
	case *WorkerInput:
		return append(in.Check(ruleContext), in.CheckUpdate()...)
	case *Schedule:
		return in.Check()
	case *TeamInput:
		return append(in.Check(), in.CheckUpdate()...)
	case *HubInput:
		return append(in.Check(ruleContext), in.CheckUpdate(ruleContext)...)
	case *OrderInput:
		return append(in.Check(ruleContext), in.CheckUpdate(ruleContext)...)
	case *CancelOrders:
		return in.Check()
	case *QuoteRequest:
		return in.Check()
	case *TemplateInput:
		return in.Check(testFields())
	case *WebhookInput:
		return in.Check()
	case *[]Metadata:
		return CheckMetadataQuery(*in)
	}
	return nil
}
