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

// events of a change.
const (
	eventSending = "sending"
	eventEnded   = "ended"
)

// recordPrefix is how every record begins. Inside a JSON text its quotes would be escaped, so that it cannot be found
// within a record.
const recordPrefix = `{"id":"`

// record is one line of the activity.
type record struct {
	ID      string       `json:"id"` // comes first: see recordStart
	Event   string       `json:"event"`
	Time    model.Millis `json:"time"`
	Account string       `json:"account,omitzero"`
	Person  string       `json:"person,omitzero"`
	Action  string       `json:"action,omitzero"`
	What    string       `json:"what,omitzero"`
	Object  string       `json:"object,omitzero"`
	Label   string       `json:"label,omitzero"`
	Run     string       `json:"run,omitzero"`
	Result  string       `json:"result,omitzero"`
	Failed  bool         `json:"failed,omitzero"`
	Unknown bool         `json:"unknown,omitzero"`
	Request string       `json:"request,omitzero"`
	Took    int64        `json:"tookMs,omitzero"`
}

// sumFormat ends every record: the checksum of everything before it. What a failing disk has changed a little must not
// be taken for true.
const (
	sumFormat = `,"sum":"%08x"}`
	sumLength = len(`,"sum":"01234567"}`)
)

// maxTextBytes bounds every text of a record, so that one cannot fill the file.
const maxTextBytes = 600

// encode is the record as a line.
func (r record) encode() ([]byte, error) {
	for _, text := range []*string{&r.Person, &r.Action, &r.What, &r.Object, &r.Label, &r.Run, &r.Result, &r.Request} {
		*text = shorten(model.Clean(*text))
	}
	r.Account = strings.ToValidUTF8(r.Account, "\uFFFD") // a name to compare with, so nothing else may change
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

// decodeLine finds the records of a line, the oldest first, and reports whether something in it is none. A line holds
// more than one, or the rest of another, when a crash or the disk has damaged what was before it.
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
	return r, r.ID != "" && (r.Event == eventSending || r.Event == eventEnded)
}

// entry is the change that a record announces.
func (r *record) entry() Entry {
	return Entry{
		ID: r.ID, Time: r.Time, Person: r.Person, Account: r.Account, Action: r.Action, What: r.What,
		Object: model.ID(r.Object), Label: r.Label, Run: r.Run,
	}
}

func (r *record) outcome() Outcome {
	return Outcome{
		Result: r.Result, Failed: r.Failed, Unknown: r.Unknown, RequestID: r.Request,
		Duration: time.Duration(r.Took) * time.Millisecond,
	}
}
