package taskimport_test

import (
	"testing"

	"waybill/operations/taskimport"
)

func BenchmarkParse10000Rows(b *testing.B) {
	text := []byte(rowsCSV(1, 10_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := taskimport.Parse(taskimport.FormatCSV, text, options()); err != nil {
			b.Fatal(err)
		}
	}
}
