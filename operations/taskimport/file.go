package taskimport

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"waybill/model"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	FormatCSV  Format = "csv"
	FormatJSON Format = "json"
)

// MaxFileBytes is the largest file that is read.
const MaxFileBytes = 64 << 20

// ErrFile says that a file cannot be read as tasks.
var ErrFile = errors.New("cannot read the file")

// DetectFormat finds the format by the file's name, or by how it begins.
func DetectFormat(name string, data []byte) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".txt":
		return FormatCSV
	case ".json", ".jsonl", ".ndjson":
		return FormatJSON
	}
	switch start := strings.TrimLeft(string(data[:min(len(data), 512)]), "\ufeff \t\r\n"); {
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		return FormatJSON
	}
	return FormatCSV
}

// Row is one task of a file.
type Row struct {
	// Line is the line on which the row begins; the first is 1.
	Line int
	// Task is what will be sent.
	Task model.TaskInput
	// Problems are why the row cannot be sent.
	Problems []Problem
	// Hash identifies the content of the row. Equal rows have the same hash.
	Hash string

	cells []string  // of CSV
	raw   model.Raw // of JSON
}

// Problem is an error in a row.
type Problem struct {
	Line int
	// Column is the column or member; empty for the whole row.
	Column string
	Text   string
}

func (p Problem) String() string {
	if p.Column == "" {
		return fmt.Sprintf("line %d: %s", p.Line, p.Text)
	}
	return fmt.Sprintf("line %d, %s: %s", p.Line, p.Column, p.Text)
}

// File is a file of tasks.
type File struct {
	Format Format
	Rows   []Row
	// ContentHash identifies the content of the file.
	ContentHash string

	header    []string // of CSV
	delimiter rune
}

// Parse reads a file and checks every row. It fails only when the file cannot be read as rows; problems of rows are in the
// rows.
func Parse(format Format, data []byte, o Options) (*File, error) {
	if len(data) > MaxFileBytes {
		return nil, fmt.Errorf("%w: it is larger than %d MiB; split it", ErrFile, MaxFileBytes>>20)
	}
	sum := sha256.Sum256(data)
	file := &File{Format: format, ContentHash: hex.EncodeToString(sum[:])}
	var err error
	if format == FormatJSON {
		err = file.parseJSON(data)
	} else {
		err = file.parseCSV(data, o)
	}
	if err != nil {
		return nil, err
	}
	if len(file.Rows) == 0 {
		return nil, fmt.Errorf("%w: it contains no tasks", ErrFile)
	}
	for i := range file.Rows {
		file.Rows[i].check(o.Check(), format)
	}
	return file, nil
}

// check adds the rules that a row breaks. An unreadable row is not checked, because an incomplete task breaks many rules.
func (r *Row) check(ctx model.CheckContext, format Format) {
	if len(r.Problems) > 0 {
		return
	}
	for _, p := range r.Task.CheckInBatch(ctx) {
		column := p.Field
		if format == FormatCSV {
			column = ColumnOf(p.Field)
		}
		r.Problems = append(r.Problems, Problem{Line: r.Line, Column: column, Text: p.Text})
	}
}

// Problems lists the problems of all rows.
func (f *File) Problems() []Problem {
	var all []Problem
	for _, row := range f.Rows {
		all = append(all, row.Problems...)
	}
	return all
}

// Valid lists the rows that can be sent.
func (f *File) Valid() []Row {
	var rows []Row
	for _, row := range f.Rows {
		if len(row.Problems) == 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// Tasks are the tasks of rows.
func Tasks(rows []Row) []model.TaskInput {
	tasks := make([]model.TaskInput, len(rows))
	for i, row := range rows {
		tasks[i] = row.Task
	}
	return tasks
}

// ColumnOf maps a member of a task to its column; a member without one stays.
func ColumnOf(member string) string {
	column, known := map[string]string{
		"destination": "address", "destination.address": "address", "destination.address.unparsed": "address",
		"destination.address.postalCode": "postal_code", "destination.location": "location", "destination.notes": "destination_notes",
		"destination.options": "language", "destination.options.language": "language",
		"recipients": "recipient_id", "recipients[0]": "recipient_id", "recipients[0].name": "recipient_name", "recipients[0].phone": "recipient_phone",
		"recipients[0].notes": "recipient_notes", "completeAfter": "after", "completeBefore": "before", "serviceTime": "service_time",
		"container": "team", "container.team": "team", "dependencies": "depends_on", "pickupTask": "kind",
		"recipientName": "override_name", "recipientNotes": "override_notes", "recipientSkipSMSNotifications": "override_skip_sms",
		"additionalQuantities": "quantity_a", "additionalQuantities.quantityA": "quantity_a",
		"additionalQuantities.quantityB": "quantity_b", "additionalQuantities.quantityC": "quantity_c",
		"appearance": "color", "appearance.triangleColor": "color", "requirements": "require", "requirements.minimumAge": "minimum_age",
		"scanOnlyRequiredBarcodes": "scan_only_required", "useMerchantForProxy": "use_merchant_for_proxy",
	}[member]
	part, inAddress := strings.CutPrefix(member, "destination.address.")
	switch {
	case known:
		return column
	case inAddress:
		return part
	case strings.HasPrefix(member, "barcodes["):
		return "barcodes"
	case strings.HasPrefix(member, "dependencies["):
		return "depends_on"
	}
	return member
}

func hashParts(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}
