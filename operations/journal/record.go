package journal

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/model"
)

// The events of a change.
const (
	eventSending = "sending"
	eventEnded   = "ended"
)

// recordPrefix starts every record. Inside JSON strings its quotes are escaped, so it cannot occur within a record.
const recordPrefix = `{"id":"`

// record is one line of the activity.
type record struct {
	ID    string `json:"id"` // comes first: see recordPrefix
	Event string `json:"event"`
	Entry
	Took int64 `json:"tookMs,omitzero"`
}

// sumFormat ends every record with a checksum of the text before it, to detect damage by a failing disk.
const (
	sumFormat = `,"sum":"%08x"}`
	sumLength = len(`,"sum":"01234567"}`)
)

// maxTextBytes limits every text of a record.
const maxTextBytes = 600

// encode is the record as a line.
func (r record) encode() ([]byte, error) {
	for _, text := range []*string{&r.Person, &r.Action, &r.What, (*string)(&r.Object), &r.Label, &r.Run, &r.Result, &r.RequestID} {
		*text = shorten(model.Clean(*text))
	}
	r.Account = strings.ToValidUTF8(r.Account, "\uFFFD") // accounts are compared, so the name stays exact
	text, err := model.Marshal(r)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("}"))
	return append(fmt.Appendf(text, sumFormat, crc32.ChecksumIEEE(text)), '\n'), nil
}

func shorten(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextBytes], "") + "…"
}

// decodeLine finds the records of a line, oldest first, and reports whether a part of it is damaged. After a crash a line
// may contain several records or the rest of one.
func decodeLine(line []byte) (records []record, damaged bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, false
	}
	if r, ok := decodeRecord(line); ok {
		return []record{r}, false
	}
	for {
		start := bytes.Index(line, []byte(recordPrefix))
		if start < 0 {
			return records, true
		}
		line = line[start:]
		value, err := jsontext.NewDecoder(bytes.NewReader(line)).ReadValue()
		r, ok := decodeRecord(value)
		if err != nil || !ok {
			line = line[len(recordPrefix):]
			continue
		}
		records = append(records, r)
		line = line[len(value):]
	}
}

func decodeRecord(value []byte) (record, bool) {
	var r record
	text := value[:max(0, len(value)-sumLength)]
	if string(value[len(text):]) != fmt.Sprintf(sumFormat, crc32.ChecksumIEEE(text)) || model.Unmarshal(value, &r) != nil {
		return record{}, false
	}
	r.Entry.ID, r.Duration = r.ID, time.Duration(r.Took)*time.Millisecond
	return r, r.ID != "" && (r.Event == eventSending || r.Event == eventEnded)
}
