package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClosest(t *testing.T) {
	names := []string{"address", "notes", "quantity", "Europe/Zürich", "id"}
	for word, want := range map[string]string{
		"addrss": "address", "ADDRSS": "address", "quant": "quantity", "quatnity": "quantity", "ntoes": "notes",
		"europe/zurich": "Europe/Zürich", "colour": "", "x": "", "": "", strings.Repeat("notes", 100): "",
	} {
		require.Equal(t, want, ClosestName(word, names), word)
	}
}
