package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

func TestIDsOfLaterMillisecondsSortBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const year2109 = 1 << 42
		earlier := rapid.Int64Range(0, year2109-2).Draw(t, "earlier")
		later := rapid.Int64Range(earlier+1, year2109-1).Draw(t, "later")
		first, second := model.NewIDAt(time.UnixMilli(earlier)), model.NewIDAt(time.UnixMilli(later))
		require.True(t, first.Valid() && second.Valid())
		require.Less(t, first, second)
		require.NotEqual(t, first, model.NewIDAt(time.UnixMilli(earlier)), "the rest of the id is random")
	})
}
