package board

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"waybill/model"
)

// Filter is what a dispatcher types to narrow a pane: terms that must all hold.
//
//	late>10m team:north worker:none !done "ring twice"
//
// A term is a word or a quoted phrase found in any text of the row; a state by its bare name; key:value, where
// commas between values mean any of them and none means that there is nothing; or key<length and key>length. An
// exclamation mark turns a term round. The zero Filter lets everything through.
type Filter struct {
	pane  Pane
	terms []filterTerm
}

// filterTerm is one condition. Only what was typed is kept in it besides the folded values, so that equal texts give
// equal terms.
type filterTerm struct {
	not    bool
	bare   bool // a state by its name alone
	op     filterOp
	key    filterKey
	values []filterValue
	limit  float64 // what < and > compare with: milliseconds for lengths of time
}

type filterValue struct {
	text   string // as typed
	folded string
	rare   int  // where in folded the letter stands that texts have least of
	quoted bool // it would mean something else without quotes
}

func newFilterValue(text string, quoted bool) filterValue {
	v := filterValue{text: text, folded: foldText(text), quoted: quoted}
	// Letters of texts and phones from the most to the least common; what is not among them is rarer still.
	const common = " e0aotnri1s2h345d6l789cumfpgwybvk"
	rarest := -1
	for i := range len(v.folded) {
		rank := strings.IndexByte(common, v.folded[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > rarest {
			v.rare, rarest = i, rank
		}
	}
	return v
}

// in reports whether a folded text contains the value. Going from one rare letter to the next is many times faster
// than from one common letter to the next.
func (v *filterValue) in(folded string) bool {
	for from := v.rare; from < len(folded); {
		next := strings.IndexByte(folded[from:], v.folded[v.rare])
		if next < 0 {
			return false
		}
		if from += next; strings.HasPrefix(folded[from-v.rare:], v.folded) {
			return true
		}
		from++
	}
	return false
}

type filterOp byte

const (
	opIs   filterOp = ':'
	opLess filterOp = '<'
	opMore filterOp = '>'
)

type filterKey string

const (
	keyText      filterKey = ""
	keyID        filterKey = "id"
	keyOrder     filterKey = "order"
	keyTeam      filterKey = "team"
	keyWorker    filterKey = "worker"
	keyState     filterKey = "state"
	keyKind      filterKey = "kind"
	keyAddress   filterKey = "address"
	keyRecipient filterKey = "recipient"
	keyPhone     filterKey = "phone"
	keyNotes     filterKey = "notes"
	keyClient    filterKey = "client"
	keyService   filterKey = "service"
	keyVehicle   filterKey = "vehicle"
	keyDue       filterKey = "due"
	keyLate      filterKey = "late"
	keySlack     filterKey = "slack"
	keyETA       filterKey = "eta"
	keyAge       filterKey = "age"
	keySeen      filterKey = "seen"
	keyQuantity  filterKey = "qty"
	keyPrice     filterKey = "price"
	keyBattery   filterKey = "battery"
	keyStops     filterKey = "stops"
)

// filterForm is what may follow a key.
type filterForm uint8

const (
	formText   filterForm = iota // words and phrases, or none
	formName                     // the same, completed from the board
	formWord                     // one of a fixed set
	formLength                   // a length of time, compared
	formNumber                   // a number, compared
)

// filterTermHelp describes a key to parser, completion and help alike.
type filterTermHelp struct {
	key   filterKey
	form  filterForm
	words []string
	help  string
}

const noneWord = "none"

func taskTerms() []filterTermHelp {
	return []filterTermHelp{
		{keyState, formWord, taskStates(), "state of the task"},
		{keyLate, formLength, nil, "late by more or less than this"},
		{keyDue, formLength, nil, "window ends sooner or later than this from now"},
		{keySlack, formLength, nil, "time left before it would be late"},
		{keyWorker, formName, nil, "name of the worker"},
		{keyTeam, formName, nil, "name of the team: its list, or its worker's"},
		{keyKind, formWord, []string{"pickup", "dropoff"}, "pickup or dropoff"},
		{keyAddress, formText, nil, "text in the address"},
		{keyRecipient, formText, nil, "text in the recipient's name"},
		{keyPhone, formText, nil, "digits of the recipient's phone"},
		{keyNotes, formText, nil, "text in the notes"},
		{keyOrder, formText, nil, "short id of the order"},
		{keyID, formText, nil, "beginning of the id or short id"},
		{keyETA, formLength, nil, "arrives sooner or later than this from now"},
		{keyAge, formLength, nil, "created longer or less long ago"},
		{keyQuantity, formNumber, nil, "quantity"},
	}
}

func workerTerms() []filterTermHelp {
	return []filterTermHelp{
		{keyState, formWord, workerStates(), "state of the worker"},
		{keyWorker, formName, nil, "name of the worker"},
		{keyTeam, formName, nil, "name of a team"},
		{keyLate, formLength, nil, "late by more or less than this"},
		{keySeen, formLength, nil, "last heard of longer or less long ago"},
		{keyStops, formNumber, nil, "stops before them"},
		{keyBattery, formNumber, nil, "battery in percent"},
		{keyVehicle, formWord, []string{"car", "motorcycle", "bicycle", "truck", noneWord}, "vehicle"},
		{keyPhone, formText, nil, "digits of the phone"},
		{keyID, formText, nil, "beginning of the id"},
	}
}

func orderTerms() []filterTermHelp {
	return []filterTermHelp{
		{keyState, formText, nil, "status of the order"},
		{keyClient, formName, nil, "name of the client"},
		{keyService, formText, nil, "delivery service"},
		{keyDue, formLength, nil, "due sooner or later than this from now"},
		{keyPrice, formNumber, nil, "price"},
		{keyOrder, formText, nil, "beginning of the short id"},
		{keyID, formText, nil, "beginning of the id"},
	}
}

func termsOf(pane Pane) []filterTermHelp {
	switch pane {
	case PaneWorkers:
		return workerTerms()
	case PaneOrders:
		return orderTerms()
	}
	return taskTerms()
}

func taskStates() []string {
	return []string{"unassigned", "assigned", "active", "done", "failed", "open", "finished", "late", "atrisk", "at-risk", "risk"}
}

func workerStates() []string {
	return []string{"idle", "busy", "waiting", "silent", "off", "off-duty", "onduty", "on-duty", "late"}
}

func orderStates() []string {
	return []string{
		string(model.OrderUnassigned), string(model.OrderAssigned), string(model.OrderActive), string(model.OrderCompleted),
		string(model.OrderFailed), string(model.OrderCancelled), string(model.OrderRejected),
		"open", "finished", "late", "atrisk", "at-risk", "risk",
	}
}

// stateWords are the states that need no key.
func stateWords(pane Pane) []string {
	switch pane {
	case PaneWorkers:
		return workerStates()
	case PaneOrders:
		return orderStates()
	}
	return taskStates()
}

func findTerm(pane Pane, key string) (filterTermHelp, bool) {
	if pane == PaneWorkers && key == "load" {
		key = string(keyStops) // as it was called in views saved by earlier versions
	}
	terms := termsOf(pane)
	at := slices.IndexFunc(terms, func(t filterTermHelp) bool { return string(t.key) == key })
	if at < 0 {
		return filterTermHelp{}, false
	}
	return terms[at], true
}

// Pane is the pane whose terms the filter uses.
func (f Filter) Pane() Pane { return f.pane }

// Empty reports that the filter lets everything through.
func (f Filter) Empty() bool { return len(f.terms) == 0 }

// With is the filter with the terms of another added.
func (f Filter) With(other Filter) Filter {
	return Filter{pane: f.pane, terms: slices.Concat(f.terms, other.terms)}
}

// String is the filter as people type it; parsing it gives the same filter.
func (f Filter) String() string {
	var b strings.Builder
	for i := range f.terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		f.terms[i].write(&b, f.pane)
	}
	return b.String()
}

func (t *filterTerm) write(b *strings.Builder, pane Pane) {
	if t.not {
		b.WriteByte('!')
	}
	if !t.bare && t.key != keyText {
		b.WriteString(string(t.key))
		b.WriteByte(byte(t.op))
	}
	if t.op != opIs {
		b.WriteString(t.limitText(pane))
		return
	}
	for i, value := range t.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if value.quoted || needsQuotes(value.text) {
			writeQuoted(b, value.text)
			continue
		}
		b.WriteString(value.text)
	}
}

func needsQuotes(text string) bool {
	return strings.HasPrefix(text, "!") || strings.ContainsAny(text, "\",:<>\\") ||
		strings.ContainsFunc(text, unicode.IsSpace)
}

func writeQuoted(b *strings.Builder, text string) {
	b.WriteByte('"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	b.WriteByte('"')
}

func (t *filterTerm) limitText(pane Pane) string {
	if help, ok := findTerm(pane, string(t.key)); ok && help.form == formNumber {
		return strconv.FormatFloat(t.limit, 'f', -1, 64)
	}
	return lengthText(time.Duration(t.limit) * time.Millisecond)
}

// lengthText is a length of time as filters write it: 1d2h, 90m is 1h30m.
func lengthText(d time.Duration) string {
	if d == 0 {
		return "0m"
	}
	var b strings.Builder
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / unit.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + unit.name)
			d -= n * unit.length
		}
	}
	return b.String()
}

// clocked reports that what matches changes by the mere passing of time.
func (f *Filter) clocked() bool {
	return slices.ContainsFunc(f.terms, func(t filterTerm) bool {
		switch t.key {
		case keyDue, keyLate, keySlack, keyETA, keyAge, keySeen:
			return t.op != opIs
		}
		return false
	})
}

// narrows reports that whatever matches this filter is sure to match the other.
func (f *Filter) narrows(wider *Filter) bool {
	for i := range wider.terms {
		if !slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.implies(&wider.terms[i]) }) {
			return false
		}
	}
	return true
}

func (t *filterTerm) implies(wider *filterTerm) bool {
	if t.not != wider.not || t.key != wider.key || t.op != wider.op {
		return false
	}
	if t.limit == wider.limit && slices.Equal(t.values, wider.values) {
		return true
	}
	// Typing on in a word: what contains the longer text contains the shorter. A whole id is the exception: it finds
	// its row only once it is complete.
	searched := t.key == keyText && !model.ID(lastOf(t.values).text).Valid() || t.key == keyAddress || t.key == keyNotes || t.key == keyRecipient
	return searched && !t.not && len(t.values) == 1 && len(wider.values) == 1 &&
		!t.values[0].isNone() && !wider.values[0].isNone() &&
		strings.Contains(t.values[0].folded, wider.values[0].folded)
}

func lastOf(values []filterValue) filterValue {
	if len(values) == 0 {
		return filterValue{}
	}
	return values[len(values)-1]
}

func (v *filterValue) isNone() bool { return !v.quoted && v.folded == noneWord }
