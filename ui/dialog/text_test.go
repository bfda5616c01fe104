package dialog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// A body that the request log has cut is still indented.
func TestCutBodies(t *testing.T) {
	const cut = `{"tasks":[{"id":"a,b:{c","note":"say \"hi\"","at":[],"n":-1.5},{"id":"d`
	require.Equal(t, `{
  "tasks": [
    {
      "id": "a,b:{c",
      "note": "say \"hi\"",
      "at": [],
      "n": -1.5
    },
    {
      "id": "d`, indentJSON(model.Raw(cut)))
	require.Equal(t, "<html>, not this", indentJSON(model.Raw("<html>, not this")))
}
